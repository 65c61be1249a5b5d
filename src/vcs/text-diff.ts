import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { devNull, tmpdir } from "node:os";
import { join } from "node:path";
import { askGit } from "../process/git.ts";

/** What is read of all their lines, in bytes for each file. */
const MAX_BYTES = 1_000_000;
/** Of no repository, whose filters would have to be kept out. What the user has set for people is set back. */
const LOOK =
  "diff --no-index --no-ext-diff --no-textconv --no-color --no-renames --src-prefix= --dst-prefix= -- a b";
const DIFF = [`--git-dir=${devNull}`, ...LOOK.split(" ")];
const HEADER = /^diff --git a\/(\d+) b\/\d+$/mu;

/** Two versions of one file. */
export interface Versions {
  readonly path: string;
  readonly before: Buffer;
  readonly after: Buffer;
}

/** The diff of each of these files, as git writes it; "" where its two are equal or nothing can be told. Never throws. */
export async function diffTexts(files: readonly Versions[]): Promise<string[]> {
  const diffs = files.map(() => "");
  if (files.length === 0) return diffs;
  // Only the user may read it, as the files themselves may be theirs alone.
  const folder = await mkdtemp(join(tmpdir(), "gaia-diff-")).catch(() => null);
  if (folder === null) return diffs;
  try {
    for (const side of ["a", "b"]) await mkdir(join(folder, side));
    for (const [index, { before, after }] of files.entries()) {
      await writeFile(join(folder, "a", String(index)), before);
      await writeFile(join(folder, "b", String(index)), after);
    }
    const limit = MAX_BYTES * files.length;
    const { text } = await askGit({ folder }, DIFF, { maxBytes: limit });
    // One that is cut off takes nothing away from the others.
    if (files.length > 1 && Buffer.byteLength(text) >= limit) return await diffEach(files);
    // No line of a file begins as a header does.
    const [, ...parts] = text.split(HEADER);
    for (let at = 0; at < parts.length; at += 2) {
      const [index, lines = ""] = [Number(parts[at]), parts[at + 1]];
      const start = lines.indexOf("\n@@ ");
      const path = files[index]?.path;
      if (start !== -1)
        diffs[index] = `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}${lines.slice(start)}`;
    }
    return diffs;
  } catch {
    return diffs; // A full disk, for one: the reviewer then reads the files.
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function diffEach(files: readonly Versions[]): Promise<string[]> {
  const diffs: string[] = [];
  for (const file of files) diffs.push(...(await diffTexts([file])));
  return diffs;
}
