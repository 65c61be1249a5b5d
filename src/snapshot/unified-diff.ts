import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { devNull, tmpdir } from "node:os";
import { join } from "node:path";
import { askGit } from "../process/git.ts";

interface DiffLine {
  kind: "added" | "removed" | "context";
  text: string;
  /** Number in the new file, or in the old one for a removed line. */
  line: number;
}

/** A run of lines that belong together, with the heading that git found for it. */
export interface DiffHunk {
  header: string;
  lines: DiffLine[];
}

/** What a diff says about one file. */
export interface DiffFile {
  /** The new path, or the old one of a deleted file. */
  path: string;
  status: "added" | "modified" | "deleted" | "binary";
  bytes?: number;
  added: number;
  removed: number;
  hunks: DiffHunk[];
}

/** Characters of a diff that are read; more cannot be reviewed in one go. */
const MAX_DIFF_CHARACTERS = 4_000_000;

/**
 * Reads a unified diff as git writes it. Tolerant: what is not understood is left out, nothing throws. Lines are
 * counted by the hunk headers, so a removed line that itself looks like a header does not end its hunk.
 */
export function parseUnifiedDiff(diff: string): DiffFile[] {
  const reader = new DiffReader();
  for (const line of diff.slice(0, MAX_DIFF_CHARACTERS).split("\n")) reader.read(line);
  return reader.files;
}

class DiffReader {
  readonly files: DiffFile[] = [];
  private hunk: DiffHunk | null = null;
  private oldLine = 0;
  private newLine = 0;
  private oldLeft = 0;
  private newLeft = 0;

  read(line: string): void {
    const file = this.files.at(-1);
    if (file && this.hunk && (this.oldLeft > 0 || this.newLeft > 0)) this.readBody(file, this.hunk, line);
    else if (line.startsWith("diff --git ")) this.startFile(pathOfGitLine(line));
    else if (file && line.startsWith("@@ ")) this.startHunk(file, line);
    else if (file) readHeader(file, line);
    else if (line.startsWith("--- ")) this.startFile("");
  }

  private startFile(path: string): void {
    this.files.push({ path, status: "modified", added: 0, removed: 0, hunks: [] });
    this.hunk = null;
  }

  private startHunk(file: DiffFile, line: string): void {
    const range = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/.exec(line);
    if (!range) return;
    this.oldLine = Number(range[1]);
    this.oldLeft = Number(range[2] ?? 1);
    this.newLine = Number(range[3]);
    this.newLeft = Number(range[4] ?? 1);
    this.hunk = { header: range[5] ?? "", lines: [] };
    file.hunks.push(this.hunk);
  }

  private readBody(file: DiffFile, hunk: DiffHunk, line: string): void {
    const text = line.slice(1);
    if (line.startsWith("+")) {
      file.added += 1;
      this.newLeft -= 1;
      hunk.lines.push({ kind: "added", text, line: this.newLine++ });
    } else if (line.startsWith("-")) {
      file.removed += 1;
      this.oldLeft -= 1;
      hunk.lines.push({ kind: "removed", text, line: this.oldLine++ });
    } else if (!line.startsWith("\\")) {
      this.oldLeft -= 1;
      this.newLeft -= 1;
      this.oldLine += 1;
      hunk.lines.push({ kind: "context", text, line: this.newLine++ });
    }
  }
}

function readHeader(file: DiffFile, line: string): void {
  const target = /^(?:\+\+\+ b\/|\+\+\+ (?!\/dev\/null)|rename to )(.+?)\t?$/.exec(line)?.[1];
  if (target) file.path = unquote(target);
  if (line.startsWith("new file")) file.status = "added";
  else if (line.startsWith("deleted file")) file.status = "deleted";
  else if (line.startsWith("Lines not shown, "))
    [file.added, file.removed] = [...line.matchAll(/\d+/gu)].map(Number) as [number, number];
  else if (line.startsWith("Binary file, ")) {
    file.status = "binary";
    file.bytes = Number.parseInt(line.slice("Binary file, ".length), 10);
  } else if (line.startsWith("Binary files ") || line === "GIT binary patch") file.status = "binary";
}

function pathOfGitLine(line: string): string {
  const target = / "?b\/(.+?)"?$/.exec(line)?.[1];
  return target ? unquote(target) : "";
}

/** Git puts names with unusual characters in quotes; with core.quotePath off only the quotes are left to remove. */
function unquote(path: string): string {
  return path.replace(/^"(?:b\/)?(.*)"$/, "$1");
}

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
