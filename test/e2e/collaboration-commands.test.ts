import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { recordOf } from "../../src/lib/json.ts";
import { call, result, say } from "../../src/scripted-model/turn.ts";
import { openProject, type Project } from "../support/project.ts";
import {
  delegate,
  HEPHAESTUS_DONE,
  lastUser,
  notesOf,
  plan,
  stateOf,
  type,
  UNIT,
  untilState,
  write,
} from "./collaboration-scenes.ts";
import { lastText } from "../support/scripted-model.ts";
import { readCases } from "../support/cases.ts";

let project: Project;
afterEach(async () => project.close());

const KNOBS: [string, string, object][] = readCases<[string, string, object]>(
  "e2e/collaboration-commands.knobs",
);

describe("slash commands", () => {
  const listed = async (): Promise<string[]> => {
    const commands = (await project.call("GET", "/command")) as { name: string; description: string }[];
    const ours = commands.filter(({ description }) => description?.startsWith("GAIA:"));
    return ours.map(({ name }) => name).toSorted();
  };

  it("are only a few where GAIA was never used, and the others are carried out as well", async () => {
    const prepare = async (directory: string): Promise<void> =>
      rm(join(directory, ".gaia"), { recursive: true });
    project = await openProject({ prepare });
    expect(await listed()).toEqual("autopilot gaia-init gaia-plan gaia-status locked supervised".split(" "));
    project.model.always("gaia", say("Done."));
    // As the terminal sends what is none of OpenCode's commands.
    const { sessionId } = await project.prompt("gaia", "/cadence batch");
    await untilState(
      project,
      sessionId,
      "/cadence",
      (state) => recordOf(state["knobs"])["checkinCadence"] === "batch",
    );
    expect(lastUser(project)).toContain("/cadence batch is done: ");
  });

  it("are listed with what they do", async () => {
    project = await openProject();
    expect(await listed()).toEqual(
      "autopilot back cadence checkpoint gaia-ab gaia-check gaia-findings gaia-init gaia-init-deep gaia-plan gaia-pr gaia-review gaia-spec gaia-status gaia-trust gaia-unify gaia-why gaia-work handoff live locked next pair profile quiet standard supervised talk".split(
        " ",
      ),
    );
  });

  it("each turn their knobs with one request, one toast, and a line in the message", async () => {
    project = await openProject();
    project.model.always("gaia", say("Done."));
    const { sessionId } = await project.prompt("gaia", "Hello");
    for (const [name, argumentText, knobs] of KNOBS) {
      const before = project.model.requests.length;
      await type(project, sessionId, name, argumentText);
      await untilState(project, sessionId, `/${name}`, (state) =>
        Object.entries(knobs).every(
          ([knob, value]) => (state["knobs"] as Record<string, unknown>)[knob] === value,
        ),
      );
      expect(project.model.requests).toHaveLength(before + 1);
      expect(lastUser(project)).toContain(`/${name} ${argumentText}`.trim() + " is done: ");
      expect(lastUser(project)).toContain("Confirm in one short line");
      expect(lastUser(project)).toMatch(/<gaia-collaboration [^>]+\/>$/);
    }
    const toasts = project.events.filter(({ type: name }) => name === "tui.toast.show");
    expect(toasts.length).toBeGreaterThanOrEqual(KNOBS.length);
  });

  it("say what is possible when the argument is wrong, and change nothing", async () => {
    project = await openProject();
    project.model.always("gaia", say("Done."));
    const { sessionId } = await project.prompt("gaia", "Hello");
    await type(project, sessionId, "cadence", "sometimes");
    expect(lastUser(project)).toContain(
      '"sometimes" is not one of them; possible: step, batch, wave, milestone.',
    );
    await type(project, sessionId, "locked", "please");
    expect(lastUser(project)).toContain("/locked takes no argument");
    expect((await stateOf(project, sessionId))["knobs"]).toMatchObject({
      mode: "supervised",
      checkinCadence: "wave",
    });
  });

  it("work as the first message of a session", async () => {
    project = await openProject();
    project.model.script("gaia", say("Locked."));
    const session = await project.session();
    await type(project, session, "locked");
    expect(lastUser(project)).toContain('mode="locked"');
  });

  it("change nothing in another agent's session, and say so", async () => {
    project = await openProject();
    project.model.script("native", say("GAIA is not here."));
    const session = await project.session();
    await type(project, session, "autopilot", "", "build");
    expect(lastUser(project, "native")).toContain("nothing was changed");
    expect(await stateOf(project, session)).toEqual({});
  });

  it("leave OpenCode's own /review as it is for other agents", async () => {
    const seen: string[] = [];
    for (const plugin of [true, false]) {
      project = await openProject({ plugin });
      project.model.always("native", say("Reviewed."));
      const session = await project.session();
      await type(project, session, "review", "main", "build");
      seen.push(
        project.model.requests
          .map((request) => lastText(request, "user"))
          .join("\n")
          .replaceAll(project.directory, ""),
      );
      if (plugin) await project.close();
    }
    expect(seen[0]).toBe(seen[1]);
    expect(seen[0]).toContain("main");
  });

  it("leave a command of the user's own alone", async () => {
    project = await openProject({
      config: { command: { next: { template: "Name the next prime after $ARGUMENTS" } } },
    });
    project.model.always("gaia", say("11"));
    const session = await project.session();
    await type(project, session, "next", "7");
    expect(lastUser(project)).toContain("Name the next prime after 7");
  });

  it("/gaia-status shows the state to the user and not to the model", async () => {
    project = await openProject();
    project.model.script("gaia", UNIT, say("Ready."), say("Status shown."));
    const { sessionId } = await project.prompt("gaia", "Begin");
    await type(project, sessionId, "gaia-status");
    const shown = (await notesOf(project, sessionId)).join("\n");
    expect(shown).toContain("mode supervised");
    expect(shown).toContain("work unit unit · wave none");
    expect(lastUser(project)).not.toContain("budgets");
  });

  it("/gaia-init creates the file once and lets GAIA fill it with the user", async () => {
    project = await openProject();
    project.model.always("gaia", say("Four questions."));
    const session = await project.session();
    await type(project, session, "gaia-init");
    expect(await project.read(".gaia/gaia-init.md")).toContain("## Non-Negotiables");
    expect(lastUser(project)).toContain("was just created from its template");
    await project.write(".gaia/gaia-init.md", "Ours.");
    await type(project, session, "gaia-init");
    expect(lastUser(project)).toContain(".gaia/gaia-init.md exists");
    expect(await project.read(".gaia/gaia-init.md")).toBe("Ours.");
  });
});

describe("a rejection", () => {
  const prefills = (): unknown[] =>
    project.events
      .filter(({ type: name }) => name === "tui.prompt.append")
      .map(({ properties }) => properties["text"]);
  // It is asked for in an approved wave too.
  const undo = call("bash", { command: "git clean -fdx", description: "undo" });
  const open = plan("open_wave", { wave_id: "w1" });
  const begin = async (): Promise<string> => {
    const session = await project.start("gaia", "Build it");
    await project.answer(await project.permission(), "once");
    return session;
  };
  const asked = async () => project.permission(({ permission }) => permission === "bash");
  /** A no without words, until the prompt is filled in. */
  const rejectUndo = async (): Promise<string> => {
    project = await openProject();
    project.model.script("gaia", UNIT, open, delegate("w1"), say("You said no. Why?"));
    project.model.script("hephaestus", undo);
    project.model.always("hephaestus", result({ ...HEPHAESTUS_DONE, diff_summary: "Rejected." }));
    const session = await begin();
    await project.answer(await asked(), "reject");
    await project.idle(session);
    await project.until("the prefill", () => prefills().includes("Rejected bash because: "));
    return session;
  };

  it("without words prefills the prompt, and the reason reaches agent and record", async () => {
    const session = await rejectUndo();
    // Its only action was rejected, and its model claims ok all the same.
    const told = lastText(project.model.requestsOf("gaia").at(-1) ?? project.model.requests[0]!, "tool");
    expect(told).toContain('"message":"The user rejected `git clean -fdx`, and nothing was done.');
    expect((await notesOf(project, session)).join("\n")).toMatch(
      /^✗ hephaestus .* · You rejected `git clean -fdx`, and nothing was done$/m,
    );
    project.model.script("gaia", say("Understood."));
    await project.prompt("gaia", "Rejected bash because: tabs, not spaces", { session });
    expect(lastUser(project)).toContain("tabs, not spaces");
    await project.until("the reason", async () =>
      (await project.read(".gaia/unit/decisions.md")).includes("| rejected | tabs, not spaces |"),
    );
  });

  it("is no reason where a command of ours is typed behind the prefilled words: it is carried out", async () => {
    const session = await rejectUndo();
    project.model.script("gaia", say("Locked."));
    await project.prompt("gaia", "Rejected bash because: /locked", { session });
    expect(await stateOf(project, session)).toMatchObject({ knobs: { mode: "locked" } });
    expect(lastUser(project)).toMatch(/^\/locked\n/u);
    expect(lastUser(project)).not.toContain("Rejected bash");
    // Once: what is written later in the same words is a message.
    project.model.script("gaia", say("I see."));
    await project.prompt("gaia", "Well", { session });
    project.model.script("gaia", say("I see."));
    await project.prompt("gaia", "Rejected bash because: /supervised", { session });
    expect(await stateOf(project, session)).toMatchObject({ knobs: { mode: "locked" } });
    expect(await project.read(".gaia/unit/decisions.md")).not.toContain("/locked");
  });

  it("with words asks for none again", async () => {
    project = await openProject();
    project.model.script("gaia", UNIT, open, delegate("w1"), say("I see."));
    project.model.script("hephaestus", undo, write(project, "a.txt"), result(HEPHAESTUS_DONE));
    const session = await begin();
    await project.answer(await asked(), "reject", "tabs, not spaces");
    await project.answer(await project.permission(({ permission }) => permission === "edit"), "once");
    await project.idle(session);
    expect((await notesOf(project, session)).join("\n")).toMatch(
      /^✓ hephaestus .* · You rejected `git clean -fdx`$/m,
    );
    expect(
      lastText(project.model.requestsOf("hephaestus")[1] ?? project.model.requests[0]!, "tool"),
    ).toContain("tabs, not spaces");
    await project.until("the reason", async () =>
      (await project.read(".gaia/unit/decisions.md")).includes("| rejected | tabs, not spaces |"),
    );
    expect(prefills()).toEqual([]);
  });
});

describe("visibility", () => {
  it.each([
    ["live", ["hephaestus · write a.txt +1 −0", "✓ hephaestus › ", "Check-in (wave): 1 file"]],
    ["checkpoint", ["✓ hephaestus › ", "Check-in (wave): 1 file"]],
    ["quiet", []],
  ])("%s shows what it promises, and no model pays for it", async (visibility, expected) => {
    project = await openProject({ gaia: { mode: "autopilot", visibility } });
    project.model.script(
      "gaia",
      UNIT,
      plan("open_wave", { wave_id: "w1" }),
      delegate("w1"),
      plan("complete_wave", { wave_id: "w1" }),
      say("Done."),
    );
    project.model.script("hephaestus", write(project, "a.txt"), result(HEPHAESTUS_DONE));
    const { sessionId } = await project.prompt("gaia", "Build it");
    await project.idle(sessionId);
    const notes = (await notesOf(project, sessionId)).join("\n");
    for (const line of expected) expect(notes).toContain(line);
    if (visibility !== "live") expect(notes).not.toContain("hephaestus ·");
    if (visibility === "quiet") expect(notes).not.toContain("Wave");
    expect(project.model.requestsOf("gaia")).toHaveLength(5);
    expect(project.model.requests.map(({ raw }) => raw).join("")).not.toContain("Check-in (wave):");
  });
});

describe("the historian", () => {
  it("is told what the user decided where no work unit holds it", async () => {
    project = await openProject();
    project.model.script(
      "gaia",
      call("question", {
        questions: [
          { question: "Tabs or spaces?", header: "Style", options: [{ label: "Tabs", description: "" }] },
        ],
      }),
    );
    project.model.script("gaia", call("delegate_gaia", { agent: "demeter", goal: "harvest" }), say("Done."));
    project.model.always("demeter", say("Noted."));
    const session = await project.start("gaia", "Go");
    await project.reply(await project.question(), [["Tabs"]]);
    await project.idle(session);
    const request = project.model.requestsOf("demeter")[0];
    expect(request && lastText(request, "user")).toContain("# Decided\n- Tabs or spaces? → Tabs");
  });
});
