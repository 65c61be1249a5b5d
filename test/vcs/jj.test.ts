import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { createJj } from "../../src/vcs/jj.ts";

const COMMIT = "3cf51c1acf24b7eb02b8a4c8c1a2c5bd6b1a2c3d";
/** As jj's own tests and documentation show `jj diff --git`. */
const DIFF = `diff --git a/file1 b/file1
deleted file mode 100644
index 257cc5642c..0000000000
--- a/file1
+++ /dev/null
@@ -1,1 +0,0 @@
-foo
diff --git a/.gaia/limits/plan.md b/.gaia/limits/plan.md
new file mode 100644
index 0000000000..257cc5642c
--- /dev/null
+++ b/.gaia/limits/plan.md
@@ -0,0 +1,1 @@
+the record
diff --git a/file2 b/file2
index 257cc5642c..3bd1f0e297 100644
--- a/file2
+++ b/file2
@@ -1,1 +1,3 @@
 foo
+bar
+baz
diff --git a/old.txt b/new name.txt
rename from old.txt
rename to new name.txt
`;

let directory: string;
/** Not of the project: the host starts none of its programs. */
let bin: string;
const path = process.env["PATH"];
beforeEach(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), "gaia-jj-")));
  bin = `${directory}-bin`;
});
afterEach(async () => {
  process.env["PATH"] = path;
  for (const folder of [directory, bin]) await rm(folder, { recursive: true, force: true });
});

async function write(name: string, text: string): Promise<void> {
  await mkdir(dirname(join(directory, name)), { recursive: true });
  await writeFile(join(directory, name), text);
}

/** Puts a `jj` on the PATH that notes its arguments and answers as the real one does; it knows one revision. */
async function fakeJj(): Promise<() => Promise<string[]>> {
  await write("diff.txt", DIFF);
  await mkdir(bin);
  await writeFile(
    join(bin, "jj"),
    `#!/bin/sh
echo "$*" >> "${directory}/asked"
case "$*" in
  *--from=gone*) echo "Error: Revision \\"gone\\" doesn't exist" >&2; exit 1;;
  *" log "*) printf %s ${COMMIT};;
  *) cat "${directory}/diff.txt";;
esac
`,
  );
  await chmod(join(bin, "jj"), 0o755);
  process.env["PATH"] = `${bin}:${path}`;
  return async () => (await readFile(join(directory, "asked"), "utf8")).trimEnd().split("\n");
}

describe("jj, as its documentation shows it", () => {
  it("is asked for the revision below the working copy, and takes no snapshot for that", async () => {
    const asked = await fakeJj();
    expect(await createJj(directory, systemClock, false).baseRevision()).toBe(COMMIT);
    expect(await asked()).toEqual([
      "--no-pager --color=never log --ignore-working-copy --revisions=@- --no-graph --limit=1 --template=commit_id",
    ]);
  });

  it("tells what was changed since a revision, without the record", async () => {
    const asked = await fakeJj();
    expect(await createJj(directory, systemClock, false).changesSince(COMMIT)).toEqual({
      files: [
        { path: "file1", added: 0, removed: 1 },
        { path: "file2", added: 2, removed: 0 },
        { path: "new name.txt", added: 0, removed: 0 },
      ],
      base: COMMIT,
      known: true,
    });
    expect(await asked()).toEqual([`--no-pager --color=never diff --git --from=${COMMIT}`]);
  });

  it("tells what is not committed where the revision is gone", async () => {
    const asked = await fakeJj();
    const changes = await createJj(directory, systemClock, false).changesSince("gone");
    expect(changes).toMatchObject({ base: null, known: true });
    expect(changes.files).toHaveLength(3);
    expect(await asked()).toHaveLength(2);
  });

  it("shows the working copy, in which new files are already", async () => {
    await fakeJj();
    const { diff, newFiles } = await createJj(directory, systemClock, false).workingDiff(() => false);
    expect(diff).toContain("+bar");
    expect(diff).not.toContain("the record");
    expect(newFiles).toEqual([]);
  });

  it("says nothing where there is no jj", async () => {
    process.env["PATH"] = directory;
    const jj = createJj(directory, systemClock, false);
    expect(await jj.baseRevision()).toBeNull();
    const failed = expect.stringContaining("jj ENOENT") as string;
    expect(await jj.changesSince(COMMIT)).toEqual({ files: [], base: null, known: false, failed });
    expect(await jj.workingDiff(() => false)).toEqual({ diff: "", newFiles: [], failed });
    // Git takes the snapshots of every project.
    expect(await jj.fingerprint()).toBeNull();
  });
});

describe("a real jj", () => {
  it("agrees, where one is on the PATH", async () => {
    const run = promisify(execFile);
    const found = await run("jj", ["--version"]).catch(() => null);
    if (found === null) {
      console.warn("There is no jj on the PATH: only its documented outputs were checked.");
      await fakeJj();
    } else {
      process.env["JJ_CONFIG"] = "/dev/null";
      await run("jj", ["git", "init", "."], { cwd: directory });
      await write("old.txt", "one\n");
      await run("jj", ["commit", "-m", "first"], { cwd: directory });
    }
    const jj = createJj(directory, systemClock, false);
    const base = await jj.baseRevision();
    expect(base).toMatch(/^[0-9a-f]{40}$/);
    if (found !== null) {
      await rm(join(directory, "old.txt"));
      await write("file2", "foo\nbar\n");
      await write(".gaia/limits/plan.md", "the record\n");
    }
    const changes = await jj.changesSince(base);
    expect(changes).toMatchObject({ base, known: true });
    expect(changes.files).toContainEqual({ path: "file2", added: 2, removed: 0 });
    expect(changes.files.map((file) => file.path).join()).not.toContain(".gaia");
    expect((await jj.workingDiff(() => false)).diff).toContain("+bar");
  });
});
