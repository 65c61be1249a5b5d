import { afterEach, describe, expect, it, vi } from "vitest";
import { result, say } from "../../src/scripted-model/turn.ts";
import { openProject, type Project, callAll, lastText } from "../support/project.ts";
import {
  check,
  delegate,
  done,
  follow,
  lastUser,
  LONG_MS,
  notesOf,
  plan,
  resultsOf,
  reviewed,
  stateOf,
  to,
  toastsOf,
  UNIT,
  write,
} from "./scenes.ts";

let project: Project;
afterEach(async () => project.close());
vi.setConfig({ testTimeout: LONG_MS });

const RIGHT = check("answer", "grep -q right answer.txt");
const REJECT = { verdict: "REJECT", reason: "The answer is wrong.", next_step: "Write the right one." };
const open = (wave = "w1") => plan("open_wave", { wave_id: wave });
const complete = (wave = "w1") => plan("complete_wave", { wave_id: wave });
const implements_ = (content: string) => [write(project, "answer.txt", content), done];
const log = async () => project.read(".gaia/unit/log.md");

/** A reviewer of the project's own, without a contract of its own. */
const OWN_REVIEWER = `---
description: reviews wording
role: reviewer
---
You are WORDSMITH. You review wording.
`;

describe("a feature", () => {
  it("whose checks fail is fixed in one fix round and passes; no word of a model closes its wave", async () => {
    project = await openProject({
      gaia: { mode: "autopilot", definitionOfDone: { checks: [RIGHT, check("always", "true")] } },
    });
    project.model.script(
      "gaia",
      UNIT,
      open(),
      delegate("w1"),
      callAll(complete()),
      callAll(to("aether"), to("hades")),
      callAll(plan("archive_work_unit"), complete(), plan("commit", { commit: "Answer" })),
      to("hephaestus", { wave_id: "w1" }),
      complete(),
      callAll(to("aether"), to("hades")),
      complete(),
      say("Done."),
    );
    project.model.script("hephaestus", ...implements_("wrong\n"), ...implements_("right\n"));
    project.model.script("aether", reviewed("aether", REJECT), reviewed("aether", { verdict: "APPROVE" }));
    project.model.script("hades", reviewed("hades", REJECT), reviewed("hades", { verdict: " approve" }));
    const outcome = await follow(project, "Build it");
    const stands = {
      ok: false,
      error: expect.stringMatching(/the REJECT of \w+ stands: The answer is wrong\./),
    };
    expect(resultsOf(outcome, "plan_gaia").slice(1)).toMatchObject([
      { ok: true, approved: true },
      { ok: false, error: expect.stringContaining("checks not passed: answer"), report: { passed: false } },
      // After a REJECT nothing closes until it was fixed, and looked at again.
      stands,
      stands,
      stands,
      stands,
      { ok: true },
    ]);
    const [standing] = (await stateOf(project, outcome.sessionId))["verdicts"] as unknown[];
    expect(standing).toMatchObject({ verdict: "APPROVE", standing: "settled" });
    // Two reviewers who reject the same change are one rejection, and GAIA is told of the fix round once.
    const told = resultsOf(outcome, "delegate_gaia").map(({ checkin }) => JSON.stringify(checkin ?? ""));
    expect(told.filter((line) => line.includes("one fix round"))).toHaveLength(1);
    const notes = await notesOf(project, outcome.sessionId);
    expect(notes.join("\n")).toContain("Checks: Definition of Done passed: 2 of 2 checks passed");
    const text = await log();
    expect(text).toContain("not passed: answer");
    expect(text).toContain("- **REJECT** by hades · The answer is wrong. · next: Write the right one.");
    expect(text).toContain("2 of 2 checks passed");
    expect(text).not.toContain("BLOCKED");
  });

  it("that a reviewer of the project's own rejects twice ends BLOCKED, and no editor works until the user speaks", async () => {
    project = await openProject({
      gaia: { mode: "autopilot" },
      files: { ".gaia/agents/wordsmith.md": OWN_REVIEWER },
    });
    project.model.script(
      "gaia",
      UNIT,
      open(),
      delegate("w1"),
      to("wordsmith"),
      to("hephaestus"),
      to("wordsmith"),
      callAll(to("hephaestus"), to("minerva"), plan("verify"), complete()),
      say("It is blocked: the answer is wrong."),
    );
    project.model.script("hephaestus", ...implements_("one\n"), ...implements_("two\n"));
    const rejected = result({ findings: ["It says one."] }, { outcome: REJECT });
    project.model.script("wordsmith", rejected, rejected);
    project.model.script("minerva", say("Nothing."), say("Nothing."));
    const outcome = await follow(project, "Build it");
    expect(lastText(project.model.requestsOf("wordsmith")[0]!, "user")).toContain("answer.txt");
    const results = resultsOf(outcome, "delegate_gaia");
    expect(results[1]?.["parsed_json"]).toMatchObject({
      data: { findings: ["It says one."] },
      outcome: REJECT,
    });
    expect(results[1]?.["checkin"]).toContain("one fix round");
    const reason = "still rejected after one round of fixing (wordsmith: The answer is wrong.)";
    expect(results[3]?.["checkin"]).toContain(`BLOCKED: ${reason}. Next: Write the right one.`);
    const refused = /^Refused delegate_gaia: the work is BLOCKED \(still rejected/;
    expect(results[4]).toMatchObject({ message: expect.stringMatching(refused) });
    expect(results[5]).toMatchObject({ agent: "minerva", status: "partial" });
    expect(resultsOf(outcome, "plan_gaia").slice(-2)).toMatchObject([
      { ok: false, error: expect.stringContaining("BLOCKED") },
      { ok: false, error: expect.stringContaining("BLOCKED") },
    ]);
    expect(project.model.requestsOf("hephaestus")).toHaveLength(4);
    expect(project.model.requestsOf("gaia")).toHaveLength(8);
    expect(toastsOf(project)).toContain(`BLOCKED: ${reason}. Next: Write the right one.`);
    const notes = await notesOf(project, outcome.sessionId);
    expect(notes.filter((note) => note.includes("Check-in (blocked)"))).toHaveLength(1);
    await vi.waitFor(async () => {
      expect(await log()).toMatch(
        /## .* — BLOCKED\n\n- Reason: still rejected.*\n- Next: Write the right one\./,
      );
    });
    expect(await log()).toContain("- **REJECT** by wordsmith · The answer is wrong.");
    expect((await stateOf(project, outcome.sessionId))["pause"]).toMatchObject({ reason: "blocked" });

    // The user's answer opens the pipeline again, with a fix round of its own.
    project.model.script("gaia", to("hephaestus"), to("hades"), say("Once more."));
    project.model.script("hephaestus", ...implements_("three\n"));
    project.model.script("hades", reviewed("hades", REJECT));
    const after = await follow(project, "Try another way", outcome.sessionId);
    const [fixed, again] = resultsOf(after, "delegate_gaia").slice(-2);
    expect(fixed).toMatchObject({ agent: "hephaestus", status: "completed" });
    expect(again?.["checkin"]).toContain("one fix round");
    expect(await project.read(".gaia/unit/decisions.md")).toContain("Try another way");
  });
});

it("a review that cannot be read is asked for once more, and is then none: the user goes on without it in the dialog that names it", async () => {
  project = await openProject({ gaia: { mode: "autopilot" } });
  project.model.script("gaia", UNIT, open(), delegate("w1"), to("aether"), complete(), say("Not reviewed."));
  project.model.script("hephaestus", ...implements_("one\n"));
  const vague = say("**Verdict: APPROVED.** I approve this change.");
  project.model.script("aether", reviewed("aether", "APPROVE"), vague);
  const outcome = await follow(project, "Build it");
  expect(lastUser(project, "aether")).toContain("- outcome: ");
  expect(resultsOf(outcome, "delegate_gaia")[1]).toMatchObject({
    status: "partial",
    raw_text: vague.text,
    parse_error: "no JSON object was found",
  });
  expect(resultsOf(outcome, "plan_gaia").at(-1)).toMatchObject({
    ok: false,
    error:
      "Refused: not reviewed by aether: its answer does not fit, even when asked again: no JSON object was found.",
  });
  expect((await stateOf(project, outcome.sessionId))["pause"] ?? null).toBeNull();
  const dialogs: string[] = [];
  project.autoAnswer(({ permission }) => (dialogs.push(permission), "once"));
  const ask = plan("request_approval", { kind: "verification" });
  project.model.script("gaia", ask, complete(), say("Closed."));
  const without = await follow(project, "Go on without it", outcome.sessionId);
  expect(dialogs).toEqual([expect.stringContaining("not reviewed by aether")]);
  expect(resultsOf(without, "plan_gaia").at(-1)).toMatchObject({ ok: true, wave_id: "w1" });
});
