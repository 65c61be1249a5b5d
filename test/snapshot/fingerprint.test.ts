import { chmod, symlink, unlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createVcs } from "../../src/snapshot/vcs.ts";
import { createProject, writeFiles } from "../checks/project.ts";
import { git, gitLines, openRepository } from "../support/directory.ts";

async function hashOf(directory: string): Promise<string> {
  const fingerprint = await createVcs("git", directory).fingerprint();
  if (fingerprint === null) throw new Error("no fingerprint");
  return fingerprint;
}

const createRepository = async (): Promise<string> =>
  openRepository({ "a.txt": "one", "sub/b.txt": "two", ".gitignore": "out/\n" });

/** It is the name of a snapshot, whose own tests hold what that is made of; here is what it says of git. */
describe("the fingerprint of a git repository", () => {
  it.each(["--assume-unchanged", "--skip-worktree"])("changes with an edit behind %s", async (flag) => {
    const directory = await createRepository();
    const before = await hashOf(directory);
    await git(directory, "update-index", flag, "a.txt");
    expect(await hashOf(directory)).toBe(before);
    await writeFiles(directory, { "a.txt": "new" });
    expect(await hashOf(directory)).not.toBe(before);
  });

  it.each([
    ["", true],
    ["* text=auto", true],
    ["", false],
  ])(
    "does not change with staging and committing; attributes %j, other commits: %s",
    async (attributes, isBorn) => {
      const directory = isBorn ? await createRepository() : await createProject();
      if (!isBorn) await git(directory, "init", "-q");
      await writeFiles(directory, {
        "a.txt": "new",
        "crlf.txt": "one\r\ntwo\r\n",
        "ünï code/a b.txt": "1",
        "run.sh": "exit 0\n",
        "gone.txt": "1",
        ".gitattributes": attributes,
      });
      await chmod(join(directory, "run.sh"), 0o755);
      await symlink("a.txt", join(directory, "link"));
      if (isBorn) await git(directory, "add", "gone.txt");
      await unlink(join(directory, "gone.txt"));
      const before = await hashOf(directory);
      for (const step of ["add -N .", "add -A", "commit -qm all"]) {
        await gitLines(directory, step);
        expect(await hashOf(directory), step).toBe(before);
      }
    },
  );

  it("changes with everything in a submodule, however deep, and not with commits of it there", async () => {
    const [inner, middle] = [await createRepository(), await createRepository()];
    const directory = await createRepository();
    const submodule = "-c protocol.file.allow=always submodule --quiet";
    await gitLines(middle, `${submodule} add ${inner} in`, "commit -qm in");
    await gitLines(directory, `${submodule} add ${middle} mid`);
    await gitLines(directory, `${submodule} update --init --recursive`, "commit -qm mid");
    const seen = new Set([await hashOf(directory)]);
    for (const path of ["mid/a.txt", "mid/new.txt", "mid/in/a.txt", "mid/in/new.txt"]) {
      await writeFiles(directory, { [path]: "changed" });
      const now = await hashOf(directory);
      expect(seen, path).not.toContain(now);
      seen.add(now);
    }
    const before = await hashOf(directory);
    await writeFiles(directory, { "mid/out/x.js": "x" });
    await git(join(directory, "mid/in"), "add", ".");
    for (const folder of ["mid/in", "mid", "."])
      await git(join(directory, folder), "commit", "-qam", "there");
    expect(await hashOf(directory)).toBe(before);
  }, 60_000);
});
