import { join } from "node:path";
import { textOf } from "../../../lib/json.ts";
import { toolResults, type RecordedRequest } from "../../../scripted-model/request.ts";
import { call, callAll, result, type Turn, type TurnSource } from "../../../scripted-model/turn.ts";
import { COMMIT_MESSAGE, DAY_MODULE, EDGE_TESTS, FEATURE_EDITS, SLUG } from "./feature.ts";

/** What each specialist does in the scripted run. Their tools really run; what they report of checks is what the checks said. */
export function specialistTurns(directory: string): Record<string, TurnSource[]> {
  const read = (...files: string[]): Turn =>
    callAll(...files.map((file) => call("read", { filePath: join(directory, file) })));
  const write = ({ file, content }: { file: string; content: string }): Turn =>
    call("write", { filePath: join(directory, file), content });
  const editFile = (file: string): Turn[] =>
    FEATURE_EDITS.filter((edit) => edit.file === file).map(({ before, after }) =>
      call("edit", { filePath: join(directory, file), oldString: before, newString: after }),
    );
  return {
    minerva: [
      callAll(call("glob", { pattern: "**/*.js" }), call("grep", { pattern: "createTask|renderTask" })),
      read("src/task.js", "src/task-list.js", "test/due-dates.test.js"),
      result({
        repo_map: "src/task.js: createTask\nsrc/task-list.js: createTaskList\nsrc/render.js: renderTask",
        vcs_type: "git",
        plan: [
          "validate and store due in src/task.js",
          "overdue() in src/task-list.js",
          "text in src/render.js",
        ],
        risk_list: ["new Date() accepts 2026-02-30 by rolling over: days must be checked"],
        suggested_agents: ["hephaestus", "artemis", "aether", "hades", "demeter"],
      }),
    ],
    apollo: [
      read("README.md", "src/render.js", "test/task.test.js"),
      result({
        conventions: ["tasks are frozen objects (src/task.js)", "TypeError quotes the input (src/task.js)"],
        examples: ["src/task.js:6 createTask: validation before the object is made"],
        do_dont: { do: ["one test file per module"], dont: ["read the clock in the library (README.md)"] },
      }),
    ],
    hephaestus: [
      read("src/task.js", "src/task-list.js", "src/render.js", "README.md"),
      write(DAY_MODULE),
      ...editFile("src/task.js"),
      ...editFile("src/task-list.js"),
      ...editFile("src/render.js"),
      ...editFile("README.md"),
      bash("node --test test/due-dates.test.js", "Runs the feature's tests"),
      (request) =>
        result({
          diff_summary:
            "Tasks take an optional due date that is checked; lists tell and show what is overdue.",
          files_modified: [DAY_MODULE.file, ...new Set(FEATURE_EDITS.map(({ file }) => file))],
          revision_ids: [],
          notes: ["days are compared as text, so no clock and no time zone is involved"],
          refactoring_done: [],
          known_issues: testsPassed(request) ? [] : ["test/due-dates.test.js still fails"],
        }),
      bash(`git add src test README.md && git commit -m "${COMMIT_MESSAGE}"`, "Commits the feature"),
      (request) =>
        result({
          diff_summary: COMMIT_MESSAGE,
          files_modified: [],
          revision_ids: revisionsIn(lastOutput(request)),
          notes: [],
          refactoring_done: [],
          known_issues: [],
        }),
    ],
    artemis: [
      read("src/task.js", "test/task-list.test.js"),
      write(EDGE_TESTS),
      bash(`node --test ${EDGE_TESTS.file}`, "Runs the new tests"),
      (request) =>
        result({
          tests_added: [`${EDGE_TESTS.file}: overdue from the next day, not when done, leap years`],
          coverage_notes: "The due date's edges; the command line is not covered.",
          pass_status: testsPassed(request) ? "pass" : "fail",
        }),
    ],
    aether: [
      bash("node --test", "Runs all tests"),
      (request) => {
        const passed = testsPassed(request);
        return result(
          {
            checks_run: [`node --test: ${passed ? 0 : 1}`],
            failures: passed ? [] : ["node --test: a test fails"],
            fixes: [],
            release_ready: passed,
          },
          {
            outcome: { verdict: passed ? "APPROVE" : "REJECT", reason: `${passCount(request)} tests passed` },
          },
        );
      },
    ],
    hades: [
      read("src/day.js", "src/task.js", "src/render.js"),
      result(
        {
          vulnerabilities: [
            {
              issue: "overdue(today) trusts today (src/task.js)",
              severity: "low",
              testable_scenario: "overdue('soon') should be refused instead of comparing text",
              suggested_fix_agent: "hephaestus",
            },
          ],
          rollback_plan: "Revert the commit; stored tasks keep an unused due field.",
          minimal_patch: "",
          risk_level: "low",
        },
        { outcome: { verdict: "APPROVE", reason: "nothing above low" } },
      ),
    ],
    demeter: [
      callAll(
        plan({
          op: "append_log",
          title: "Due dates",
          markdown:
            "Done: hephaestus built the feature and committed it, artemis added test/overdue.test.js, aether ran node --test, hades approved.\n\nNext: an option for due dates on the command line.",
        }),
        plan({
          op: "append_decisions",
          rows_markdown:
            "| How is a due date kept? | as text, YYYY-MM-DD | no clock in the library (README) | days compare as text |",
        }),
        plan({
          op: "append_learnings",
          bullets: ["constraint: The library never reads the clock; the caller passes today as YYYY-MM-DD."],
        }),
        plan({ op: "update_plan", tick: ["1", "2", "3", "4", "5"], status: "complete" }),
      ),
      result({
        log_entry: "Due dates built, tested, verified and committed.",
        decisions: [],
        learnings: ["The library never reads the clock."],
        plan_updates: ["all tasks ticked"],
        session_summary: "The feature is complete; the command line has no option for it yet.",
      }),
    ],
  };
}

function bash(command: string, description: string): Turn {
  return call("bash", { command, description });
}

function plan(args: object): Turn {
  return call("plan_gaia", { slug: SLUG, ...args });
}

function lastOutput(request: RecordedRequest): string {
  return textOf(toolResults(request)[0]) ?? String(toolResults(request)[0]);
}

/** git says `[main 1a2b3c4] Message` when it has committed. */
function revisionsIn(output: string): string[] {
  const revision = /^\[\S+ ([0-9a-f]+)\]/m.exec(output)?.[1];
  return revision === undefined ? [] : [revision];
}

/** Node's runner says `# fail 0` or `ℹ fail 0`, as its version has it. */
function testsPassed(request: RecordedRequest): boolean {
  return /^\S+ fail 0$/m.test(lastOutput(request));
}

function passCount(request: RecordedRequest): string {
  return /^\S+ pass (\d+)$/m.exec(lastOutput(request))?.[1] ?? "no";
}
