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
