import { recordOf, textOf } from "../../../lib/json.ts";
import { toolResults } from "../../../scripted-model/request.ts";
import { call, callAll, say, type Turn, type TurnSource } from "../../../scripted-model/turn.ts";
import { COMMIT_MESSAGE, SLUG } from "./feature.ts";

const PLAN = `## Goal
A task may have a due date; the list says what is overdue, and the rendered list shows it.

## Context
Tasks are frozen objects made in src/task.js. Day arithmetic is text comparison of YYYY-MM-DD. No clock in the library.

## Tasks
### Wave 1
- [ ] Validate and store due dates, list and render what is overdue
  - agent: hephaestus
  - files: src/day.js, src/task.js, src/task-list.js, src/render.js, README.md
  - verify: node --test test/due-dates.test.js
- [ ] Cover the edges: same day, done tasks, leap years
  - agent: artemis
  - files: test/overdue.test.js
  - verify: node --test test/overdue.test.js
### Wave 2
- [ ] Run all tests
  - agent: aether
  - verify: node --test
- [ ] Look for ways in which it fails
  - agent: hades
- [ ] Commit
  - agent: hephaestus

## Done When
- node --test exits with 0

## Guardrails
- No dependency, no clock in the library, no change to existing tests`;

const BUILD = "build";
const COMMIT = "commit";

/** GAIA's side of the scripted run: the feature pipeline of SPEC 12, one turn after another. */
export function gaiaTurns(): TurnSource[] {
  let smith = "";
  return [
    withText(
      "A feature over several files. First recon and conventions, in parallel.",
      callAll(
        delegate("minerva", "Map what a due date touches", ["CONTEXT: src/, test/due-dates.test.js"]),
        delegate("apollo", "Tell the conventions that the feature must follow", [
          "CONTEXT: README.md, src/, test/",
        ]),
      ),
    ),
    call("plan_gaia", { op: "create_work_unit", slug: SLUG, title: "Due dates for tasks" }),
    withText(
      "Two waves: build and test, then verify and commit.",
      call("plan_gaia", { op: "update_plan", slug: SLUG, markdown: PLAN, status: "in-progress" }),
    ),
    withText(
      "The plan is yours to approve, and so is the first wave.",
      record("request_approval", { kind: "plan" }),
    ),
    record("open_wave", { wave_id: BUILD, title: "Build and test due dates" }),
    delegate(
      "hephaestus",
      "Add due dates as test/due-dates.test.js describes them",
      [
        "CONTEXT: createTask in src/task.js validates; list methods live in src/task-list.js; text in src/render.js",
        "MUST DO: reject days that do not exist with a TypeError that quotes the input; update the README",
        "MUST NOT: change existing tests, add a dependency, read the clock",
        "EXPECTED: node --test test/due-dates.test.js passes",
      ],
      { wave: BUILD },
    ),
    (request) => {
      smith = textOf(recordOf(toolResults(request)[0])["session_id"]) ?? "";
      return delegate(
        "artemis",
        "Test the edges of overdue",
        [
          "CONTEXT: isOverdue in src/task.js, overdue() in src/task-list.js",
          "MUST DO: same day, done tasks, leap years, in test/overdue.test.js",
          "EXPECTED: the new file passes",
        ],
        { wave: BUILD },
      );
    },
    record("complete_wave", { wave_id: BUILD }),
    withText(
      "Built and covered. Checks and red team, in parallel.",
      callAll(
        delegate("aether", "Run every test of the project", ["MUST DO: node --test"]),
        delegate("hades", "Find how due dates fail in real use", [
          "CONTEXT: src/day.js, src/task.js, src/render.js",
        ]),
      ),
    ),
    withText(
      "All green. The revision needs your yes as well.",
      record("request_approval", { kind: "revision" }),
    ),
    record("open_wave", { wave_id: COMMIT, title: "Commit due dates" }),
    () =>
      delegate(
        "hephaestus",
        "Commit the feature",
        ["MUST DO: commit src, test and README.md", `MESSAGE: ${COMMIT_MESSAGE}`],
        { wave: COMMIT, session: smith },
      ),
    (request) =>
      delegate("demeter", "Record the work unit", [
        `CONTEXT: hephaestus added src/day.js and changed src/task.js, src/task-list.js, src/render.js, README.md; artemis added test/overdue.test.js; aether ran node --test; hades approved with one low finding; revision ${revisionOf(request)}`,
        "DECISION: due dates are text as YYYY-MM-DD, not Date objects, as the README forbids a clock in the library",
      ]),
    () =>
      say(
        "Tasks can have due dates now: createTask rejects days that do not exist, overdue(today) lists what is late, oldest first, and the rendered list shows it. aether ran all tests after artemis had added three for the edges; hades found nothing that stops it. The work is committed, the record is in .gaia/due-dates/. Open: the command line has no option for due dates yet.",
      ),
  ];
}

/** @param within the approved wave that the work belongs to, and the session it goes on with */
function delegate(
  agent: string,
  task: string,
  more: readonly string[],
  within: { wave?: string; session?: string } = {},
): Turn {
  return call("delegate_gaia", {
    agent,
    prompt: [`TASK: ${task}`, ...more].join("\n"),
    work_unit: SLUG,
    ...(within.wave === undefined ? {} : { wave_id: within.wave }),
    ...(within.session === undefined ? {} : { session_id: within.session }),
  });
}

function record(op: string, args: object): Turn {
  return call("plan_gaia", { op, ...args });
}

function withText(text: string, turn: Turn): Turn {
  return { ...turn, text };
}

function revisionOf(request: Parameters<typeof toolResults>[0]): string {
  const data = recordOf(recordOf(recordOf(toolResults(request)[0])["parsed_json"])["data"]);
  const revisions = Array.isArray(data["revision_ids"]) ? data["revision_ids"] : [];
  return revisions.join(", ") || "none";
}
