import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { recordOf } from "../../src/lib/json.ts";
import { messagesOf } from "../../src/scripted-model/request.ts";
import { call, result, say } from "../../src/scripted-model/turn.ts";
import { openProject, type Project } from "../support/project.ts";
import {
  childOf,
  delegate,
  done,
  has,
  HEPHAESTUS_DONE,
  lastUser,
  notesOf,
  type,
  UNIT,
  untilState,
  wordsOf,
  write,
} from "./scenes.ts";

let project: Project;
afterEach(async () => project.close());

const pause = (session: string, reason: string | null) =>
  untilState(
    project,
    session,
    `a pause: ${reason}`,
    ({ pause: now }) => ((now as { reason?: string } | null)?.reason ?? null) === reason,
  );

describe("pair mode", () => {
  it("stops after an edit, shows what really happened, goes on after /next, and takes the last step back without a model", async () => {
    project = await openProject({ files: { "a.txt": "one\ntwo\n" } });
    project.autoAnswer(() => "once");
    const session = await project.session();
    project.model.script("gaia", say("Pairing."));
    await type(project, session, "pair");
    const minerva = call("delegate_gaia", { agent: "minerva", goal: "look" });
    project.model.script("gaia", delegate(), delegate(), minerva, say("Have a look: /next or feedback?"));
    project.model.script(
      "hephaestus",
      write(project, "a.txt", "one\n2\nthree\n"),
      write(project, "b.txt"),
      result({
        ...HEPHAESTUS_DONE,
        diff_summary: "Second line renumbered.",
        known_issues: ["b.txt is missing"],
      }),
    );
    project.model.always("minerva", say("Seen."));
    const outcome = await project.prompt("gaia", "Change it", { session });
    const [first, refused, seen] = outcome.tools.map(({ output }) => recordOf(JSON.parse(output)));
    expect(first).toMatchObject({
      status: "partial",
      checkin: expect.stringContaining("Check-in (step)") as unknown,
    });
    // Meanwhile no other editor begins, but a reader does.
    expect([refused?.["status"], wordsOf(refused)]).toEqual([
      "failed",
      expect.stringContaining("check-in due. End your turn now"),
    ]);
    expect(seen?.["status"]).toBe("partial");
    const { tools } = await childOf(project, session);
    expect(tools.map(({ status }) => status)).toEqual(["completed", "error"]);
    expect(tools[1]?.error).toContain("check-in due: return your contract now");
    expect(has(project, "b.txt")).toBe(false);
    const [note, ...more] = (await notesOf(project, session)).filter((text) => text.includes("Check-in"));
    expect(more).toEqual([]);
    expect(note).toContain("Check-in (step): 1 file (+2 −1), 0 commands");
    expect(note).toMatch(/- a\.txt \+2 −1\n +2 - two\n +2 \+ /);
    expect(note).toContain("Why: Second line renumbered.");
    expect(note).toContain("Risk: b.txt is missing");
    const sent = project.model.requestsOf("gaia").map(({ raw }) => raw);
    expect(sent.join("")).not.toContain("/next goes on ·");

    project.model.script("gaia", delegate(undefined, { session_id: first?.["session_id"] }), say("Next."));
    project.model.script("hephaestus", write(project, "b.txt"), done);
    await type(project, session, "next");
    expect(has(project, "b.txt")).toBe(true);
    await pause(session, "step");

    const asked = project.model.requestsOf("hephaestus").length;
    project.model.script("gaia", say("Undone."), UNIT, say("Unit."));
    await project.prompt("gaia", "undo last", { session });
    expect([has(project, "b.txt"), await project.read("a.txt")]).toEqual([false, "one\n2\nthree\n"]);
    expect(project.model.requestsOf("hephaestus")).toHaveLength(asked);
    expect(lastUser(project)).toContain('The plugin has carried out "undo last". Undone: b.txt');
    // A note is written when the turn is over.
    await project.until("the note", async () => (await notesOf(project, session)).includes("Undone: b.txt"));
    await project.prompt("gaia", "Begin the unit", { session });
    await project.until(
      "the record",
      async () =>
        existsSync(join(project.directory, ".gaia/unit/decisions.md")) &&
        (await project.read(".gaia/unit/decisions.md")).includes("| undo last |"),
    );
  });
});

describe("the handshake", () => {
  const mine = {
    question: "Autopilot, yes?",
    header: "Collaboration",
    options: [{ label: "Yes", description: "" }],
  };

  it("asks in the plugin's words, the configured profile first, and takes the answer", async () => {
    project = await openProject({ gaia: { startup: { defaultProfile: "pair_ramp" } } });
    const beside = {
      question: "Which colour?",
      header: "Colour",
      options: [{ label: "Red", description: "" }],
    };
    const both = call("question", { questions: [beside, mine] });
    project.model.script("gaia", both, say("So be it."));
    const session = await project.start("gaia", "Build a thing");
    const { questions, ...question } = await project.question();
    expect(questions.map(({ question: text }) => text)[1]).toBe("Which colour?");
    expect(questions[0]?.options.map(({ label }) => label)).toEqual([
      "Pair Ramp (your default)",
      "Standard",
      "Pair Live",
      "Pair Batched",
      "Agentic + Check-ins",
      "Full Agentic",
    ]);
    await project.reply({ questions, ...question }, [["Pair Live"], ["Red"]]);
    await project.idle(session);
    expect(JSON.stringify(project.model.requestsOf("gaia").at(-1)?.body)).toContain("Red");
    await untilState(
      project,
      session,
      "the profile",
      ({ knobs }) => (knobs as { profile: string } | undefined)?.profile === "pair_live",
    );
    const messages = messagesOf(project.model.requestsOf("gaia").at(-1)?.body ?? {});
    expect(JSON.stringify(messages.at(-1))).toContain('profile=\\"pair_live\\"');
  });
});
