import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { appendFile, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { checkGit } from "../../src/cli/doctor/checks.ts";
import { readPlace } from "../../src/extras/pull-requests/survey.ts";
import { createReviewerBriefs } from "../../src/plan/review/brief.ts";
import { askGitFacts } from "../../src/sandbox/ask-git.ts";
import { findBranchBase, readCommits } from "../../src/commit/history.ts";
import { createVcs, type Vcs } from "../../src/snapshot/vcs.ts";
import { findHookFolders } from "../../src/process/git.ts";
import * as engine from "../../src/snapshot/lanes/engine.ts";
import { git, writeIn, commitAll, gitLines } from "../support/directory.ts";
import { readCases } from "../support/cases.ts";

let root: string;
let top: string;
let vcs: Vcs;
/** The programs of a repository write their name here. */
let canary: string;
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "armed-")));
  top = join(root, "project");
  canary = join(root, "canary");
  await mkdir(top);
  vcs = createVcs("git", top);
  await git(top, "init", "-q", "-b", "main");
  await writeIn(top, "a.ts", "one\ntwo\n");
  await writeIn(top, "b.more", "one\n");
  await commitAll(top);
  await armAll();
}, 60_000);
beforeEach(async () => rm(canary, { force: true }));
afterAll(async () => rm(root, { recursive: true, force: true }));

const HOOKS = readCases<string>("snapshot/armed-repository.hooks");
/** A program that says its name for `{program}`, a line of shell that does for `{says}`. */
const SETTINGS = readCases<[name: string, value: string]>("snapshot/armed-repository.settings");

/** Has everything in a repository's settings that can name a program name one. */
async function arm(folder: string, gitFolder = join(folder, ".git")): Promise<void> {
  const says = (name: string): string => `echo ${name} >> '${canary}'`;
  const program = async (path: string, text: string): Promise<void> =>
    writeFile(path, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  await mkdir(join(gitFolder, "armed-hooks"), { recursive: true });
  for (const hook of HOOKS) await program(join(gitFolder, "armed-hooks", hook), says(`hook ${hook}`));
  await writeFile(join(gitFolder, "included"), `[filter "more"]\n\tclean = "${says("included")}; cat"\n`);
  for (const [name, value] of SETTINGS) {
    const path = join(gitFolder, `armed-${name}`);
    await program(path, `${says(name)}\ncat`);
    const [, section = "", middle, key = ""] = /^([^.]+)(?:\.(.+))?\.([^.]+)$/u.exec(name) ?? [];
    const head = middle === undefined ? section : `${section} "${middle}"`;
    const given = value
      .replace("{says}", says(name))
      .replace("{program}", path)
      .replace("{folder}", gitFolder);
    await appendFile(join(gitFolder, "config"), `[${head}]\n\t${key} = ${JSON.stringify(given)}\n`);
  }
}

const ATTRIBUTES = "*.ts filter=evil diff=evil merge=evil\n*.more filter=more\n*.md filter=slow\n";

/** A repository below the project, as a contained command makes one. */
async function nest(path: string): Promise<string> {
  const folder = join(top, path);
  await mkdir(folder, { recursive: true });
  await git(folder, "init", "-q");
  await writeIn(folder, "inner.ts", "one\n");
  await writeIn(folder, ".gitattributes", ATTRIBUTES);
  await commitAll(folder);
  return folder;
}

/** The whole of it: the repository itself, and all ways in which another one can lie in it. */
async function armAll(): Promise<void> {
  const nested = await nest("lib/embedded");
  const link = await nest("lib/link");
  const module = await nest("lib/module");
  await git(top, "add", "lib/link", "lib/module");
  await writeIn(top, ".gitmodules", '[submodule "module"]\n\tpath = lib/module\n\turl = ./lib/module\n');
  await writeIn(top, ".gitattributes", ATTRIBUTES);
  await gitLines(top, "add .gitmodules .gitattributes", "commit -qm nested", "init -q --bare bare");
  for (const folder of [nested, link, module]) await arm(folder);
  await arm(top, join(top, "bare"));
  await arm(top);
  for (const folder of [top, nested, link, module]) {
    await writeIn(folder, "new.ts", "new\n");
    await writeIn(folder, "new.md", "new\n");
    await writeIn(folder, folder === top ? "a.ts" : "inner.ts", "two\nchanged\n");
  }
  await writeIn(top, "b.more", "changed\n");
}

/** What the host asks, by what it is for. */
const ASKS: Readonly<Record<string, () => Promise<unknown>>> = {
  fingerprint: async () => vcs.fingerprint(),
  "changed files": async () => vcs.changesSince(await vcs.baseRevision()),
  "what is uncommitted": async () => vcs.uncommitted(),
  "a brief for reviewers": async () =>
    createReviewerBriefs({ vcs, isSensitive: () => false, redact: (text) => text }).current("deep_repo"),
  "a diff in a folder below": async () => createVcs("git", join(top, "lib")).workingDiff(() => false),
  "the tree before and after, with the bytes for check-ins and undo": async () => {
    const before = await vcs.trees.read();
    await writeIn(top, "a.ts", "three\n");
    const after = await vcs.trees.read();
    if (before === null || after === null) throw new Error("nobody looked");
    expect((await vcs.trees.changes(before, after))?.map(({ path }) => path)).toEqual(["a.ts"]);
    for (const [path, { committed, now }] of after.dirty) {
      for (const version of [committed, now]) await vcs.trees.bytes(version);
      await vcs.trees.isStashed(path, now);
    }
  },
  history: async () => {
    await readCommits({ folder: top }, { path: "a.ts", line: 1 });
    await readCommits({ folder: top }, { text: "one two" });
    await findBranchBase("git", { folder: top }, null);
  },
  "what the index holds": async () => vcs.isIgnored("a.ts"),
  "where a pull request goes": async () => readPlace({ folder: top }),
  hooks: async () => findHookFolders({ worktree: top, directory: top }),
  doctor: async () => checkGit({ top }),
  "repositories for the sandbox": async () => askGitFacts(top),
  "repositories inside": async () => {
    for (const path of ["lib/embedded", "lib/link", "lib/module", "bare"]) {
      const inner = createVcs("git", join(top, path));
      await inner.fingerprint();
      await inner.uncommitted();
      await inner.workingDiff(() => false);
    }
  },
  lanes: async () => {
    const store = await openStore();
    const { commit: base, tree } = await engine.takeSnapshot(store);
    const lane = await engine.makeLane(store, "unit/1", { commit: base, tree });
    await writeIn(lane.folder, "a.ts", "four\n");
    const merged = await engine.mergeLanes(store, tree, [
      { lane, commit: await engine.recordLane(store, lane) },
    ]);
    await engine.sizeOf(store, base, merged.tree);
    await engine.removeLane(store, lane, "left");
  },
  "a unit's branch": async () => {
    // With submodules there is none, which takes a look at them.
    expect(await engine.openUnitTree(await openStore(), "unit", top)).toContain("submodules");
  },
};

async function openStore(): Promise<Awaited<ReturnType<typeof engine.openStore>> & object> {
  const store = await engine.openStore(top, { XDG_DATA_HOME: join(root, "data") });
  if (typeof store === "string") throw new Error(store);
  return store;
}

describe.runIf(process.platform !== "win32")("an armed repository", () => {
  it("runs its programs by plain git", async () => {
    spawnSync("git", ["diff"], { cwd: top, stdio: "ignore" });
    expect(await readFile(canary, "utf8")).toMatch(/fsmonitor[^]*external/u);
  });

  it.each(Object.entries(ASKS))("runs nothing for %s", async (_, ask) => {
    await ask();
    expect(existsSync(canary) ? await readFile(canary, "utf8") : "").toBe("");
  });
});
