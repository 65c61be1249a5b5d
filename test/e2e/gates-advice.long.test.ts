import { afterEach, describe, expect, it, vi } from "vitest";
import { call, say } from "../../src/scripted-model/turn.ts";
import { openProject, type Project } from "../support/project.ts";
import { follow, LONG_MS, reviewed, to } from "./gates-scenes.ts";
import { lastText } from "../support/scripted-model.ts";

let project: Project;
afterEach(async () => project.close());
vi.setConfig({ testTimeout: LONG_MS });

/** How often the last request of an agent shows this text. */
const timesSeen = (agent: string, text: string): number =>
  (project.model.requestsOf(agent).at(-1)?.raw ?? "").split(text).length - 1;

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
