import { dirname, join } from "node:path";
import { messagesOf, type RecordedRequest } from "../../../src/scripted-model/request.ts";
import { call, result, say, type Turn } from "../../../src/scripted-model/turn.ts";
import { callAll, lastText } from "../../support/project.ts";
import { parentOf } from "../../support/simulated-model/recording.ts";
import { type Change, type ChangedFile, isTest } from "./history.ts";

/** Who answers a request, from its text alone. */
export type Player = (request: RecordedRequest) => Turn;

/** The message of the commit: no quotes, so that a command line may hold it. */
export const messageOf = ({ subject }: Change): string => subject.replaceAll("'", "");

/** One edit in each answer, as models mostly do. */
const edit =
  (directory: string) =>
  ({ path, before, after, edits }: ChangedFile): Turn[] => {
    const filePath = join(directory, path);
    if (before === null) return [call("write", { filePath, content: after })];
    return edits.map((each) => call("edit", { filePath, ...each }));
  };

const read = (files: readonly ChangedFile[], directory: string): Turn[] => {
  const there = files.filter(({ before }) => before !== null);
  const calls = there.map(({ path }) => call("read", { filePath: join(directory, path) }));
  return there.length === 0 ? [] : [callAll(...calls)];
};

/** What is there. */
const look = (files: readonly ChangedFile[], directory: string): Turn =>
  call("glob", { pattern: `${dirname(files[0]?.path ?? "")}/*`, path: directory });

/** Lines before and behind the places that decide: a screen each. */
const AROUND = 40;

/** The lines around what a change is about: who plans it changes none of them. */
const readAround = (files: readonly ChangedFile[], directory: string): Turn[] => {
  const there = files.flatMap(({ path, before, edits }) => {
    if (before === null) return [];
    const lineAt = (at: number): number => before.slice(0, at).split("\n").length;
    const places = edits.map(({ oldString }) => before.indexOf(oldString));
    const ends = edits.map(({ oldString }, index) => (places[index] ?? 0) + oldString.length);
    const offset = Math.max(1, lineAt(Math.min(...places)) - AROUND);
    return [{ filePath: join(directory, path), offset, limit: lineAt(Math.max(...ends)) + AROUND - offset }];
  });
  return there.length === 0 ? [] : [callAll(...there.map((args) => call("read", args)))];
};

const codeOf = ({ files }: Change): ChangedFile[] => files.filter(({ path }) => !isTest(path));

const words = ({ subject, files }: Change): string =>
  `${subject}. Changed ${files.map(({ path }) => path).join(", ")}; npm test passes.`;

/** Reads all three files, edits them, runs the tests, commits and says so, in one session. */
export function playBuild(change: Change, directory: string): Player {
  const paths = change.files.map(({ path }) => path).join(" ");
  const command = `git add ${paths} && git commit -qm '${messageOf(change)}'`;
  const turns = [
    look(change.files, directory),
    ...read(change.files, directory),
    ...change.files.flatMap(edit(directory)),
    call("bash", { command: "npm test", description: "Runs the tests" }),
    call("bash", { command, description: "Commits the change" }),
    say(words(change)),
  ];
  return (request) => turns[answersIn(request)] ?? say("Done.");
}

/**
 * GAIA reads the code around the place, plans one task, as her prompt has it for so few files, and has the host carry it out: code with its test,
 * review, revision and record. Who edits reads what the task does not show, and the reviewer a file more where the diff does not show whole blocks.
 */
export function playGaia(change: Change, directory: string): Player {
  const turns = [
    look(codeOf(change), directory),
    ...readAround(codeOf(change), directory),
    call("plan_gaia", {
      op: "run",
      slug: "change",
      title: change.subject,
      content: { markdown: planOf(change) },
      commit: messageOf(change),
    }),
    say(words(change)),
  ];
  return (request) => {
    if (parentOf(request) === "") return turns[answersIn(request)] ?? say("Done.");
    return playSpecialist(request, lastText(request, "user"), change, directory);
  };
}

function playSpecialist(request: RecordedRequest, task: string, change: Change, directory: string): Turn {
  const done = answersIn(request);
  switch (request.agent) {
    case "hades": {
      // A file more, where the task does not show each change with all of the block that it stands in.
      const isCut = task.includes("Not shown in full") || task.includes("only the lines around the change");
      const looks = isCut ? read(codeOf(change).slice(0, 1), directory) : [];
      return looks[done] ?? result(REVIEWED, { outcome: { verdict: "APPROVE" } });
    }
    case "demeter":
      return result({ log_entry: words(change), decisions: [], learnings: [], plan_updates: [] });
    default: {
      const unread = change.files.filter(({ path }) => !task.split("\n").includes(path));
      return [...read(unread, directory), ...change.files.flatMap(edit(directory))][done] ?? result(WRITTEN);
    }
  }
}

const WRITTEN = {
  diff_summary: "Did what the task asks for.",
  checks_run: [],
  notes: [],
  refactoring_done: [],
  known_issues: [],
};
const REVIEWED = {
  vulnerabilities: [],
  rollback_plan: "git revert",
  minimal_patch: "",
  risk_level: "low",
};

function planOf({ subject, files }: Change): string {
  const list = files.map(({ path }) => path).join(", ");
  return `## Goal
${subject}

## Tasks
- [ ] 1. Change the code, with its test
  - agent: hephaestus
  - files: ${list}
  - verify: npm test

## Done When
- [ ] npm test passes
`;
}

/** Answers since someone last spoke to it: a session may be given a second task. */
function answersIn({ body }: RecordedRequest): number {
  const messages = messagesOf(body);
  const spoken = messages.findLastIndex(({ role }) => role === "user");
  return messages.slice(spoken).filter(({ role }) => role === "assistant").length;
}
