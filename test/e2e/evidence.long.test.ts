import { afterEach, describe, expect, it } from "vitest";
import { recordOf, type JsonRecord } from "../../src/lib/json.ts";
import { say } from "../../src/scripted-model/turn.ts";
import { openProject, type Project } from "../support/project.ts";
import { delegate, done, follow, notesOf, plan, planOf, resultsOf, type, UNIT, write } from "./scenes.ts";

let project: Project;
afterEach(async () => project.close());

/** Never fails, and changes a file of the work. */
const STAMPS = "npm test || ! test -e answer.txt || date >> answer.txt";
const RIGHT = "grep -q right answer.txt";
const BODY = planOf(
  "Answer.",
  [
    { text: "Answer", wave: "w1", files: "answer.txt", verify: RIGHT },
    { text: "Say so", wave: "w1", files: "said.txt", verify: STAMPS },
  ],
  `\`${RIGHT}\``,
  "It reads well",
);
const WORDS = "condition 2 claimed: no command shows it";
const open = plan("open_wave", { wave_id: "w1" });
const tick = (...tasks: string[]) => plan("update_plan", { tick: tasks });
const claim = plan("update_plan", { status: "complete" });
const close = plan("archive_work_unit");
const answers = (text: string) => [write(project, "answer.txt", text), done];
const last = (results: readonly JsonRecord[], at = 1): JsonRecord => results.at(-at) ?? {};

describe("evidence", () => {
  it("is what the host ran before the work and on these files; a tick, an edit since, a change by a check and a command that cannot fail are none", async () => {
    project = await openProject({ gaia: { mode: "autopilot" } });
    project.model.script(
      "gaia",
      UNIT,
      plan("update_plan", { content: { markdown: BODY } }),
      open,
      tick("1"),
      delegate("w1"),
      tick("1", "2"),
      claim,
      say("All done and proven."),
    );
    project.model.script("hephaestus", ...answers("right\n"));
    const outcome = await follow(project, "Build it");
    const results = resultsOf(outcome, "plan_gaia");
    const [early, late] = results.filter((each) => "evidence" in each);
    expect(early?.["evidence"]).toEqual({
      proven: [],
      not_proven: [
        expect.stringMatching(/^task 1 failed: `grep -q right answer\.txt` fails \(exit code 2\)/),
      ],
    });
    expect(late?.["evidence"]).toEqual({
      proven: ["task 1", "condition 1"],
      passes: [expect.stringMatching(/^task 2 passes: .* passed before the work as well/)],
      not_proven: [WORDS],
    });
    expect(last(results)).toMatchObject({
      ok: false,
      error: "A unit is complete once it is archived.",
    });
    expect(await project.read(".gaia/unit/plan.md")).not.toContain("> Status: complete");
    const told = "GAIA: blocked: ";
    await project.until("the last word", async () =>
      (await notesOf(project, outcome.sessionId)).some((note) => note.includes(told)),
    );
    const seen = recordOf(JSON.parse(await project.read(".gaia/unit/evidence.json")));
    expect(seen["seal"]).toMatch(/^[0-9a-f]{64}$/);
    const value = recordOf(seen["value"]);
    const green = { exit_code: 0, tree: expect.any(String), at: expect.any(String) };
    expect(value["evidence"]).toEqual([
      expect.objectContaining({ command: RIGHT, ...green }),
      expect.objectContaining({ command: STAMPS, ...green }),
    ]);
    expect(value["before"]).toEqual([
      expect.objectContaining({ wave: "w1", status: "failed" }),
      expect.objectContaining({ wave: "w1", status: "passed" }),
      expect.objectContaining({ wave: "", status: "failed" }),
    ]);
    expect(await project.read("answer.txt")).toBe("right\n");
    expect((await notesOf(project, outcome.sessionId)).join("\n")).toMatch(/changed answer\.txt; put back/);
    await project.write("answer.txt", "right again\n");
    project.model.script("gaia", say("Status shown."));
    await type(project, outcome.sessionId, "gaia-status");
    expect((await notesOf(project, outcome.sessionId)).join("\n")).toContain(
      "evidence: 0 proven, 1 claimed, 3 stale; task 1, condition 1 (`grep -q right answer.txt`) stale: files changed since",
    );
  });

  it("that is missing is the user's to do without, in a dialog that no text answers", async () => {
    project = await openProject();
    const asked: string[] = [];
    project.autoAnswer(({ permission }) => {
      asked.push(permission);
      if (!permission.includes("archive of unit")) return "once";
      return asked.filter((each) => each.includes("archive of unit")).length === 1 ? "reject" : "once";
    });
    project.model.script(
      "gaia",
      UNIT,
      plan("update_plan", { content: { markdown: BODY }, tick: ["1", "2"] }),
      plan("archive_work_unit", { approved: true, by: "user" }),
      close,
      close,
      say("You said no."),
    );
    const refused = await follow(project, "Build it");
    // Until the user speaks nothing is asked again.
    expect(last(resultsOf(refused, "plan_gaia"))).toMatchObject({
      ok: false,
      error: expect.stringContaining("Nothing is asked now"),
    });
    project.model.script("gaia", close, say("Archived."));
    const results = resultsOf(await follow(project, "Do close it", refused.sessionId), "plan_gaia");
    expect(last(results, 4)).toMatchObject({ ok: false, error: expect.stringContaining("Unknown argument") });
    expect(last(results, 3)).toMatchObject({ ok: false, error: expect.stringContaining("The user said no") });
    const archived = last(results);
    expect(archived).toMatchObject({ ok: true });
    expect(await project.read(`${String(archived["archived_path"])}/plan.md`)).not.toContain(
      "> Status: complete",
    );
    expect(
      asked.filter((each) => each.includes("without /gaia-unify, 3 not done or not proven")),
    ).toHaveLength(2);
  });
});
