import { existsSync } from "node:fs";
import { chmod, rename, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { openSnapshots, type Snapshots } from "../../src/snapshot/snapshots.ts";
import { createProject, writeFiles } from "../checks/project.ts";
import { readCases } from "../support/cases.ts";
import { git, openFolder, openRepository } from "../support/directory.ts";

/** What is done to a project between two looks: `SNAPSHOT_STEPS` for a long run. */
const STEPS = Number(process.env["SNAPSHOT_STEPS"] ?? 8);
type Deed = (directory: string, text: string) => Promise<unknown>;
const BY_HAND: readonly Deed[] = [
  async (directory, text) => writeFiles(directory, { "a.txt": text }),
  async (directory, text) => writeFiles(directory, { "sub/b.txt": `${text}\r\n` }),
  async (directory, text) => writeFiles(directory, { [`new-${text}.txt`]: text }),
  async (directory, text) => writeFiles(directory, { ".gitignore": `out/\nnew-${text}.txt\n` }),
  async (directory, text) => writeFiles(directory, { [`odd "\n\\${text}.txt`]: text }),
  async (directory) => rm(join(directory, "sub/c.txt"), { force: true }),
  async (directory) => rename(join(directory, "a.txt"), join(directory, "A.txt")),
  async (directory) => chmod(join(directory, "sub/b.txt"), 0o755),
  async (directory) => utimes(join(directory, "a.txt"), 1, 1),
  // A file in the place of a folder, a folder in the place of a file, a link in the place of both.
  async (directory, text) => {
    await rm(join(directory, "thing"), { recursive: true, force: true });
    if (text === "x") await writeFile(join(directory, "thing"), text);
    if (text === "y") await writeFiles(directory, { "thing/in.txt": text });
    if (text === "z") await symlink("a.txt", join(directory, "thing"));
  },
  async (directory, text) => {
    await git(directory, "init", "-q", `inner-${text}`);
    await writeFiles(directory, { [`inner-${text}/one.txt`]: text, [`inner-${text}/deep/two.txt`]: text });
  },
  async (directory, text) => git(directory, "init", "-q", `inner-${text}/deep`),
  async (directory, text) => rm(join(directory, `inner-${text}`), { recursive: true, force: true }),
];
const BY_GIT: readonly Deed[] = readCases<string[]>("snapshot/steps.by-git").map(
  (args) => async (directory: string) => git(directory, ...args),
);

it.each([
  ["a repository", true],
  ["a plain folder", false],
])(
  "is the same as what is read anew, whatever was done to %s meanwhile",
  async (_what, hasGit) => {
    const files = { "a.txt": "one", "sub/b.txt": "two", "sub/c.txt": "3", ".gitignore": "out/\n" };
    const directory = await (hasGit ? openRepository(files) : createProject(files));
    await writeFiles(directory, { "out/made.js": "made" });
    const data = await openFolder();
    const at = (name = "known"): Snapshots => openSnapshots(directory, join(data, name));
    const known = at();
    const deeds = hasGit ? [...BY_HAND, ...BY_GIT] : BY_HAND;
    const seed = Number(process.env["SNAPSHOT_SEED"] ?? 11);
    const step = fc.tuple(fc.nat(deeds.length - 1), fc.constantFrom("x", "y", "z"));
    for (const [index, [deed, text]] of fc.sample(step, { seed, numRuns: STEPS }).entries()) {
      await deeds[deed]?.(directory, text).catch(() => undefined);
      const fresh = await at(`fresh-${index}`).take();
      const now = await known.take();
      if (fresh !== now) {
        const differs = (await known.diff(now ?? "", fresh ?? ""))?.map(({ path }) => path);
        expect([index, deed, text, differs]).toEqual([]);
      }
      // Another process takes over from what this one knew.
      expect([deed, await at().take()]).toEqual([deed, fresh]);
    }
    expect(existsSync(join(directory, ".git"))).toBe(hasGit);
  },
  600_000,
);
