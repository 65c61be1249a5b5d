import { afterEach, describe, expect, it, vi } from "vitest";
import { messagesOf } from "../../src/scripted-model/request.ts";
import { call, result, say } from "../../src/scripted-model/turn.ts";
import { openProject, type Project } from "../support/project.ts";
import { delegate, HEPHAESTUS_DONE, plan, UNIT, write } from "./collaboration-scenes.ts";
import { follow, LONG_MS, resultsOf, reviewed, to } from "./gates-scenes.ts";
import { callAll, lastText } from "../support/scripted-model.ts";

let project: Project;
afterEach(async () => project.close());
vi.setConfig({ testTimeout: LONG_MS });

const PLAN = "## Goal\n\nLimits.\n\n## Tasks\n\n- [x] 1. Write the limit\n  - files: src/limit.js\n";
const OTHER = "counter += 1;\n";
/** How often the last request of an agent shows this text. */
const timesSeen = (agent: string, text: string): number =>
  (project.model.requestsOf(agent).at(-1)?.raw ?? "").split(text).length - 1;

describe("advice on an edit", () => {
  it("comes once for a file that the plan does not name", async () => {
    project = await openProject({
      gaia: { mode: "autopilot" },
      files: {
        "notes.js": "let counter = 0;\n",
        ".cursor/rules/others.mdc": "---\nglobs: other*.js\nalwaysApply: false\n---\nOthers are frozen.\n",
      },
    });
    const edit = (oldString: string, newString: string) =>
      call("edit", { filePath: `${project.directory}/notes.js`, oldString, newString });
    project.model.script(
      "gaia",
      UNIT,
      plan("update_plan", { content: { markdown: PLAN } }),
      delegate(),
      say("Done."),
    );
    project.model.script(
      "hephaestus",
      write(project, "src/limit.js", "export const limit = 1;\n"),
      write(project, "other.js", OTHER),
      write(project, "other.js", "let counter = 0;\n"),
      edit("let counter = 0;", `let counter = 0;\n${OTHER}`),
      result(HEPHAESTUS_DONE),
    );
    await follow(project, "Build it");
    const scope = "Scope: the active plan does not name";
    expect(timesSeen("hephaestus", scope)).toBe(2);
    expect(timesSeen("hephaestus", `${scope} other.js.`)).toBe(1);
    expect(timesSeen("hephaestus", "## .cursor/rules/others.mdc\\nOthers are frozen.")).toBe(1);
    // Nothing is added where there is nothing to say.
    const outputs = messagesOf(project.model.requestsOf("hephaestus").at(-1)?.body ?? {})
      .filter((message) => message["role"] === "tool")
      .map((message) => JSON.stringify(message["content"]));
    expect(outputs[0]).toMatch(/successfully\.?"$/);
    expect(outputs[2]).toMatch(/successfully\.?"$/);
  });

  it("can be switched off, and is not for sessions of other agents", async () => {
    project = await openProject({ gaia: { mode: "autopilot", guards: { scope: false } } });
    project.model.script(
      "gaia",
      UNIT,
      plan("update_plan", { content: { markdown: PLAN } }),
      delegate(),
      say("Done."),
    );
    project.model.script("hephaestus", write(project, "other.js", OTHER), result(HEPHAESTUS_DONE));
    await follow(project, "Build it");
    expect(timesSeen("hephaestus", "Scope:")).toBe(0);
    project.model.script("native", write(project, "more.js", OTHER), say("Done."));
    await project.prompt("build", "Write it", { model: "main" });
    expect(timesSeen("native", "Scope:")).toBe(0);
  });
});

describe("reminders", () => {
  const HARVEST = "have demeter record this wave";
  const TODOS = "Keep them in a todo list";

  it("come once per wave with what GAIA is told anyway", async () => {
    project = await openProject({ gaia: { mode: "autopilot" } });
    project.model.always("gaia", say("Done."));
    project.model.script(
      "gaia",
      UNIT,
      plan("open_wave", { wave_id: "w1" }),
      callAll(to("minerva"), to("apollo"), to("poseidon", { wave_id: "w1" })),
      callAll(to("aether"), to("hades")),
      to("hades"),
      say("Done."),
    );
    // None of the three is done before the last has begun.
    const three = ["minerva", "apollo", "poseidon"];
    const begun = async () => Promise.all(three.map((agent) => project.model.request(agent)));
    for (const agent of three) project.model.always(agent, async () => (await begun()) && say("Nothing."));
    project.model.script("aether", reviewed("aether"));
    project.model.script("hades", reviewed("hades"), reviewed("hades"));
    const outcome = await follow(project, "Build it");
    const told = JSON.stringify(resultsOf(outcome, "delegate_gaia").map(({ checkin }) => checkin));
    expect(told.split(TODOS)).toHaveLength(2);
    expect(told.split(HARVEST)).toHaveLength(2);
    expect(project.model.requestsOf("gaia")).toHaveLength(6);

    project.model.script("gaia", plan("open_wave", { wave_id: "w2" }), to("hades"), say("Done."));
    project.model.script("hades", reviewed("hades"));
    const next = await follow(project, "And the next wave", outcome.sessionId);
    expect(JSON.stringify(resultsOf(next, "delegate_gaia")).split(HARVEST)).toHaveLength(2);
  });

  it("are silent without a work unit, with a todo list, and after a rejection", async () => {
    project = await openProject({ gaia: { mode: "autopilot", guards: { continuation: false } } });
    const todos = [{ content: "Look", status: "in_progress", priority: "high" }];
    project.model.script(
      "gaia",
      call("todowrite", { todos }),
      callAll(to("minerva"), to("apollo"), to("hephaestus")),
      to("aether"),
      UNIT,
      to("hephaestus"),
      to("hades"),
      say("Done."),
    );
    for (const agent of ["minerva", "apollo", "hephaestus"]) project.model.always(agent, say("Nothing."));
    project.model.script("aether", reviewed("aether"));
    project.model.script("hades", reviewed("hades", { verdict: "REJECT", reason: "No." }));
    const outcome = await follow(project, "Fix it");
    const told = JSON.stringify(resultsOf(outcome, "delegate_gaia"));
    expect(told).not.toContain(TODOS);
    expect(told).not.toContain(HARVEST);
  });
});

describe("a turn that ends with work open", () => {
  const todos = [
    { content: "Build it", status: "completed", priority: "high" },
    { content: "Test it", status: "pending", priority: "high" },
  ];
  const NUDGE = "Still open: 1 todo. Go on, ask with question, or say why you stop.";
  const nudges = (): number => timesSeen("gaia", "Still open:");

  it.each(["Shall I test it?", "That was the first part."])("is gone on with once: %s", async (words) => {
    project = await openProject({ gaia: { mode: "autopilot" } });
    project.model.script("gaia", call("todowrite", { todos }), say(words));
    project.model.always("gaia", say("I stop here."));
    const { sessionId } = await follow(project, "Build it");
    const nudged = await project.model.request("gaia", 3);
    expect(lastText(nudged, "user")).toBe(NUDGE);
    await project.until(
      "the nudged turn to end",
      async () => (await project.outcome(sessionId)).text === "I stop here.",
    );
    await project.idle(sessionId);
    // Asked by the user, she answers: nothing was begun, so nothing is to be gone on with.
    await follow(project, "What does it do?", sessionId);
    expect(nudges()).toBe(1);
    expect(project.model.requestsOf("gaia")).toHaveLength(4);
    expect(lastText(project.model.requestsOf("gaia")[3] ?? nudged, "user")).toContain("<gaia-collaboration");
  });

  it("stays ended after a stop, after a question that is closed, and when the work is blocked", async () => {
    project = await openProject({ gaia: { mode: "autopilot" } });
    project.model.script("gaia", call("todowrite", { todos }), say("never heard", { delayMs: 600_000 }));
    const session = await project.start("gaia", "Build it");
    await project.model.request("gaia", 2);
    await project.abort(session);
    await project.idle(session);
    // What comes after it in the same session shows that nothing came before it.
    const options = [{ label: "Yes", description: "write them" }];
    const question = { question: "The tests are missing. Shall I write them?", header: "Tests", options };
    const ask = call("question", { questions: [question] });
    project.model.script("gaia", call("todowrite", { todos }), ask, say("Then not."));
    const asking = follow(project, "Go on", session);
    await project.reply(await project.question(), null);
    await asking;
    project.model.script("gaia", say("Fine."));
    await follow(project, "No", session);
    expect(nudges()).toBe(0);

    project.model.script(
      "gaia",
      call("todowrite", { todos }),
      to("hades"),
      say("It is blocked."),
      say("Fine."),
    );
    project.model.script("hades", reviewed("hades", { verdict: "BLOCKED", reason: "No access." }));
    await follow(project, "Have it reviewed", session);
    await follow(project, "Leave it", session);
    expect(nudges()).toBe(0);
  });
});
