import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CheckSession, createCheckSession } from "../../src/checks/check-session.ts";
import { createChecksPutBack } from "../../src/work-tree/put-back.ts";
import { createWorkStore, type WorkStore } from "../../src/work-tree/work-store.ts";
import { createWorkWatch } from "../../src/work-tree/work-watch.ts";
import { silentLogger } from "../../src/lib/error.ts";
import { createVcs } from "../../src/snapshot/vcs.ts";
import { createProject, writeFiles } from "../checks/project.ts";
import { createFakeClock } from "../support/fake-clock.ts";
import { openRepository } from "../support/directory.ts";

const { signal } = new AbortController();
let directory: string;
let workStore: WorkStore;
afterEach(async () => workStore.settled());

async function open(withGit: boolean): Promise<CheckSession> {
  const files = { "a.txt": "one\n", ".gitignore": "dist/\n", "yours.txt": "committed\n" };
  directory = await (withGit ? openRepository(files) : createProject(files));
  await writeFiles(directory, { "yours.txt": "not committed\n" });
  const vcs = createVcs(withGit ? "git" : "none", directory);
  workStore = createWorkStore(await createProject({}), directory, silentLogger);
  const isSensitive = () => false;
  const clock = createFakeClock();
  const workWatch = createWorkWatch({ directory, vcs, clock, logger: silentLogger, store: workStore });
  return createCheckSession(vcs, createChecksPutBack({ workWatch, workStore, isSensitive }));
}
const texts = async (...paths: readonly string[]): Promise<string[]> =>
  Promise.all(paths.map(async (path) => readFile(join(directory, path), "utf8").catch(() => "gone")));

describe.each([true, false])("what a check changes, with git %s", (withGit) => {
  let session: CheckSession;
  beforeEach(async () => {
    session = await open(withGit);
  });

  it("is put back, told and kept elsewhere, and the tree is the one that was checked", async () => {
    const work = async (): Promise<string> => {
      await writeFiles(directory, { "a.txt": "two\n", "new/report.txt": "1\n", "yours.txt": "spoiled\n" });
      return "passed";
    };
    const { value, tree, notes, kept } = await session(work, { commands: ["npm test"], signal });
    expect(value).toBe("passed");
    const after = await texts("a.txt", "new/report.txt", "yours.txt");
    expect(after).toEqual(["one\n", "gone", "not committed\n"]);
    expect(tree).not.toBeNull();
    expect(kept).toEqual([]);
    expect(notes.join()).toMatch(/^`npm test` changed .*a\.txt.*; put back\. What they held is kept in /);
    const [, place = ""] = /kept in (.*)\.$/.exec(notes.join()) ?? [];
    expect(await readFile(join(place, "yours.txt"), "utf8")).toBe("spoiled\n");
  });

  it("is not what someone saves once it has ended, be it by Esc: that stays, and nothing is proven by it", async () => {
    const work = async (ended: () => void): Promise<void> => {
      await writeFiles(directory, { "a.txt": "two\n", "yours.txt": "spoiled\n" });
      ended();
      await new Promise((resolve) => setTimeout(resolve, 20));
      await writeFiles(directory, { "yours.txt": "saved\n", "new/mine.txt": "saved\n" });
    };
    const { tree, notes } = await session(work, { commands: ["npm test"], signal });
    const after = await texts("a.txt", "yours.txt", "new/mine.txt");
    expect(after).toEqual(["one\n", "saved\n", "saved\n"]);
    expect(notes.join()).not.toContain("mine.txt");
    expect(tree).toBeNull();
    // Nor is it anyone else's work later.
    const again = await session(async () => undefined, { commands: ["npm test"], signal });
    expect([again.notes, await texts("yours.txt")]).toEqual([[], ["saved\n"]]);
  });

  it("stays where its globs allow it, and then the tree is another one", async () => {
    const work = async () => writeFiles(directory, { "a.txt": "two\n", "snap/a.snap": "1\n" });
    const run = { commands: ["npm test"], writes: ["snap/**", "a.txt"], signal };
    const { tree, kept, notes } = await session(work, run);
    expect(await texts("a.txt", "snap/a.snap")).toEqual(["two\n", "1\n"]);
    expect(kept.toSorted()).toEqual(["a.txt", "snap/a.snap"]);
    expect([tree, notes]).toEqual([null, []]);
  });

  it("is put back once, at the end of all that run at the same time", async () => {
    const change = (path: string, ms: number) => async (): Promise<void> => {
      await writeFiles(directory, { [path]: "made\n" });
      await new Promise((resolve) => setTimeout(resolve, ms));
    };
    const [one, other] = await Promise.all([
      session(change("b.txt", 10), { commands: ["a"], signal }),
      session(change("c.txt", 200), { commands: ["b"], signal }),
    ]);
    expect(await texts("b.txt", "c.txt")).toEqual(["gone", "gone"]);
    expect(one.tree).not.toBeNull();
    expect(one.tree).toBe(other.tree);
    const again = await session(async () => undefined, { commands: ["a"], signal });
    expect(again).toMatchObject({ tree: one.tree, notes: [] });
  });
});
