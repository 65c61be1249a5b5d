import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { recordOf } from "../../src/lib/json.ts";
import { toolResults, type RecordedRequest } from "../../src/scripted-model/request.ts";
import { call, say, type Turn } from "../../src/scripted-model/turn.ts";
import { openProject, type Project, lastText } from "../support/project.ts";
import {
  bash,
  check,
  done,
  follow,
  LONG_MS,
  notesOf,
  plan,
  recorded,
  reports,
  reviewed,
  UNIT,
  planOf,
} from "./scenes.ts";

let project: Project;
afterEach(async () => project.close());
vi.setConfig({ testTimeout: LONG_MS });

/** A file of many lines that both tasks change, in a folder whose name has a space. */
const FILE = "the folder/shared.txt";
/** That file, with these lines changed. */
const text = (change: Record<number, string> = {}): string =>
  Array.from({ length: 14 }, (_, at) => `${change[at] ?? `line ${at};`}\n`).join("");
const task = (name: string) => ({
  text: `Change ${name}`,
  wave: "1",
  files: `${name}.txt`,
  verify: `grep -q ${name} '${FILE}'`,
});
const PLAN = planOf("One file.", [task("top"), task("end")]);

/** @param steps what a specialist does one turn after the other, by the name of their task */
async function open(steps: (name: string) => readonly (Turn | (() => Promise<Turn>))[]): Promise<void> {
  project = await openProject({
    gaia: {
      mode: "autopilot",
      lanes: { mode: "auto", copy: ["*.cache", ".env"], setup: "test -f x.cache && echo ready > ready.txt" },
      definitionOfDone: { checks: [check("whole", `test -s '${FILE}'`)] },
    },
    files: { [FILE]: text(), ".gitignore": "*.cache\n.env\n" },
    // The plugin's own snapshots are none of its business.
    prepare: async (directory) =>
      writeFile(join(directory, ".git/hooks/pre-commit"), "#!/bin/sh\nexit 1\n", { mode: 0o755 }),
  });
  project.autoAnswer(() => "once");
  await project.write("x.cache", "cached\n");
  await project.write(".env", "KEY=1\n");
  const turns = new Map<string, number>();
  project.model.always("hephaestus", async (request: RecordedRequest) => {
    const name = /TASK: Change (\w+)/.exec(lastText(request, "user"))?.[1] ?? "";
    const turn = turns.get(name) ?? 0;
    turns.set(name, turn + 1);
    const step = steps(name)[turn] ?? done;
    return typeof step === "function" ? step() : step;
  });
  project.model.always("hades", reviewed("hades"));
  project.model.always("demeter", recorded);
}
const read = call("read", { filePath: FILE });
const edit = (from: string, to: string): Turn =>
  call("edit", { filePath: join(project.directory, FILE), oldString: from, newString: to });
/** What the tools told a specialist, the newest last. */
const told = (): string =>
  project.model
    .requestsOf("hephaestus")
    .map((request) => recordOf({ said: toolResults(request).at(-1) })["said"])
    .filter((said) => typeof said === "string")
    .join("\n");

it("plan_gaia run with worktrees has two specialists change one file beside the user, who changes it meanwhile", async () => {
  let seen = "";
  const meanwhile = async (): Promise<Turn> => {
    // Both have changed it, and the user sees nothing of that.
    await project.until("both edits", () => told().split("Edit applied").length > 2);
    seen = await project.read(FILE);
    await project.write(FILE, seen.replace("line 7;", "line 7; mine"));
    return done;
  };
  await open((name) => [
    read,
    edit(name === "top" ? "line 1;" : "line 12;", `${name};`),
    bash(`cd '${project.directory}' && pwd && git branch --show-current && echo made > ${name}.txt`),
    bash("cat ready.txt x.cache && ls -A"),
    bash("git commit -qam mine"),
    name === "top" ? meanwhile : done,
  ]);
  await project.write(FILE, text({ 4: "uncommitted;" }));
  await project.write("untracked.txt", "the user's\n");
  await project.git("add", "untracked.txt");
  const before = await project.git("status", "--short");
  project.model.script(
    "gaia",
    UNIT,
    plan("update_plan", { content: { markdown: PLAN } }),
    plan("run"),
    say("Built."),
  );
  const outcome = await follow(project, "Build it");
  expect(reports(outcome)).toEqual([expect.objectContaining({ ok: true, status: "finished", open: [] })]);
  expect(JSON.stringify(reports(outcome))).toContain("landed from worktrees: unit/1, unit/2");
  expect(seen).toBe(text({ 4: "uncommitted;" }));
  expect(await project.read(FILE)).toBe(
    text({ 1: "top;", 4: "uncommitted;", 7: "line 7; mine", 12: "end;" }),
  );
  // They know of the project only; their branch is their own, and its history is not theirs to make.
  expect(told()).toContain(`<path>${project.directory}/${FILE}</path>`);
  expect(told()).toMatch(new RegExp(`^${project.directory}\n(?:.*\n)*gaia/unit/1`, "mu"));
  // What they need came along and was made ready, secrets did not.
  expect(told()).toMatch(/^ready\ncached\n(?!(?:.*\n)*\.env\n)(?:.*\n)*x\.cache$/mu);
  expect(told()).toContain(".git is read-only; plan_gaia commit records the work");
  // git's refusal names the lock that it could not make.
  const withoutLock = told().replaceAll(/^fatal: Unable to create '[^\n]*index\.lock'/gmu, "");
  expect(withoutLock).not.toContain("opencode-gaia/worktree");
  // Each is told with what it changed, and the report with what has landed.
  const log = await project.read(".gaia/unit/log.md");
  expect(log).toContain(`Change top · ${FILE} +1 −1 · `);
  expect(log).toContain(`Change end · ${FILE} +1 −1 · `);
  const notes = (await notesOf(project, outcome.sessionId)).join("\n");
  expect(notes).toMatch(/^Changed: 3 files .* · the folder\/shared\.txt \+\d −\d · /mu);
  expect(notes).not.toContain("$ edit");
  // Nothing of git's own was touched, and each change is counted once.
  const after = (await project.git("status", "--short")).replace("?? .gaia/unit/\n", "");
  expect(after).toBe(`${before}?? end.txt\n?? top.txt\n`);
  expect(await project.git("branch", "--list")).toBe("* main\n");
});
