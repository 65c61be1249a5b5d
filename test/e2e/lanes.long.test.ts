import { afterEach, expect, it, vi } from "vitest";
import { call, result, say, type Turn } from "../../src/scripted-model/turn.ts";
import { openProject, type Project, lastText } from "../support/project.ts";
import {
  bash,
  done,
  follow,
  has,
  HEPHAESTUS_DONE,
  LONG_MS,
  notesOf,
  resultsOf,
  stateOf,
  tested,
  to,
  type,
  write,
} from "./scenes.ts";

let project: Project;
afterEach(async () => project.close());
vi.setConfig({ testTimeout: LONG_MS });

const ran = (command: string, exit_code: number) => [{ command, exit_code }];
const fixed = (command: string): Turn => result({ ...HEPHAESTUS_DONE, checks_run: ran(command, 0) });
const requests = (): number => project.model.requests.length;

/**
 * Requests of real kinds of work, each in the fewest turns that its kind takes. A feature of three files is the first scene of
 * `plan-run.long.test.ts`.
 */
it("the requests of a question: two, and nothing is asked, begun or recorded; a one-line fix: five, and the command that passes is shown", async () => {
  project = await openProject({ files: { "sum.txt": "five\n", "check.sh": "grep -q four sum.txt\n" } });
  const read = call("read", { filePath: `${project.directory}/sum.txt` });
  project.model.script("gaia", read, say("Five."));
  const answered = await project.prompt("gaia", "What is the sum?");
  expect([requests(), answered.text]).toEqual([2, "Five."]);
  expect(lastText(project.model.requestsOf("gaia")[0]!, "user")).toContain("If this needs a plan: first");
  expect(project.events.some(({ type: each }) => each === "question.asked")).toBe(false);
  expect(await project.children(answered.sessionId)).toEqual([]);

  project.autoAnswer(() => "once");
  const verify = "sh check.sh";
  project.model.script("gaia", to("hephaestus", { lane: "Quick fix", verify }), say("Fixed."));
  project.model.script("hephaestus", write(project, "sum.txt", "four\n"), bash(verify), fixed(verify));
  const outcome = await follow(project, "The sum must be four");
  expect(requests()).toBe(2 + 5);
  expect(resultsOf(outcome, "delegate_gaia")).toEqual([
    expect.objectContaining({
      status: "completed",
      proof: "proven by `sh check.sh`",
    }),
  ]);
  expect((await notesOf(project, outcome.sessionId)).join("\n")).toContain(
    "GAIA: done: proven by `sh check.sh` · sum.txt +1 −1 · 1 delegation",
  );
  expect((await stateOf(project, outcome.sessionId))["workUnit"]).toBeNull();
  expect(has(project, ".gaia/active.json")).toBe(false);

  // What nothing proves is said to be so, to her and to the user.
  project.model.script(
    "gaia",
    to("hephaestus", { lane: "quick-fix", verify }),
    to("artemis", { verify: "test -s sum.txt" }),
    say("Not proven."),
  );
  project.model.script("hephaestus", write(project, "sum.txt", "six\n"), fixed("sh check.sh"));
  project.model.script("artemis", tested);
  const lied = await follow(project, "And now six", outcome.sessionId);
  const [, claimed] = resultsOf(lied, "delegate_gaia");
  expect(claimed?.["proof"]).toBe("failed: `sh check.sh` fails");
  const shown = (await notesOf(project, outcome.sessionId)).join("\n");
  expect(shown).toContain("GAIA: failed: `sh check.sh` fails");
  project.model.script("gaia", say("Status shown."));
  await type(project, outcome.sessionId, "gaia-status");
  const status = JSON.stringify(await project.messages(outcome.sessionId));
  expect(status).toContain("kind of work: quick-fix · failed: `sh check.sh` fails");

  // A command that passes before the work as well shows little, and nothing shows what names none.
  project.model.script(
    "gaia",
    to("hephaestus", { lane: "quick-fix", verify: "test -s sum.txt" }),
    say("Passes."),
  );
  project.model.script("hephaestus", write(project, "sum.txt", "seven\n"), done);
  const passes = await follow(project, "And now seven", outcome.sessionId);
  expect(resultsOf(passes, "delegate_gaia").at(-1)?.["proof"]).toBe(
    "passes `test -s sum.txt`, which was not seen failing before the work",
  );
});
