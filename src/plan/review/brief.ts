import { TEST_PATH } from "../files.ts";
import { excerpt } from "../../lib/text.ts";
import { fencedBlock } from "../../lib/quoting.ts";
import { type DiffFile, type DiffHunk, narrowed } from "../../lib/line-diff.ts";
import type { Vcs } from "../../snapshot/vcs.ts";

/** The project's current changes, shaped for their reviewer: the one place that tools and commands ask. */
export type ReviewerBriefs = ReturnType<typeof createReviewerBriefs>;

export interface ReviewedWork {
  readonly paths: readonly string[];
  /** Files of both, with its part of the lines alone. */
  readonly diffs: readonly DiffFile[];
  /** Files of the user's own, which are no part of it. */
  readonly leftOut: readonly string[];
  /** Files in which the user has changed something meanwhile. */
  readonly also: readonly string[];
}

const MAX_NAMES = 300;
const MAX_WORDS = 300;
const UNTOLD = "Version control does not tell all of what was changed";

interface ReviewerBriefsInput {
  readonly vcs: Vcs;
  /** Whether no model may see the content of a file, by its path relative to the project (SPEC 9). */
  readonly isSensitive: (path: string) => boolean;
  readonly redact: (text: string) => string;
}

export function createReviewerBriefs({ vcs, isSensitive, redact }: ReviewerBriefsInput) {
  return {
    /** @param base by default the newest commit @returns null when nothing is changed; never throws: what cannot be told is named */
    async current(
      depth: DiffDepth,
      signal?: AbortSignal,
      work: ReviewedWork | null = null,
      base?: string,
    ): Promise<string | null> {
      const { files: told, failed } = await vcs.workingDiff(isSensitive, signal, work?.paths, base);
      const files = [...told, ...(work?.diffs ?? [])];
      const untold =
        failed === undefined
          ? []
          : [`${UNTOLD} (${excerpt(redact(failed), MAX_WORDS)}): read the files yourself.`];
      if (files.length === 0) return untold[0] ?? null;
      const brief = shapeReview({ depth, files, isSensitive, redact });
      return [
        ...untold,
        ...named("The user's own uncommitted files are no part of it", work?.leftOut),
        ...named("The user has changed these meanwhile as well", work?.also),
        brief,
      ].join("\n\n");
    },
  };
}

function named(what: string, paths: readonly string[] = []): string[] {
  return paths.length === 0 ? [] : [`${what}: ${excerpt(paths.join(", "), MAX_NAMES)}.`];
}

/** How much reviewers are given (SPEC 8): changed lines, whole diffs, the risky files, or the reach into the repository. */
export type DiffDepth = "inline" | "diff" | "risk" | "deep_repo";

interface ReviewInput {
  depth: DiffDepth;
  files: readonly DiffFile[];
  /** Files whose content no model may see; their names and counts are shown. */
  isSensitive: (path: string) => boolean;
  redact: (text: string) => string;
}

/** Characters of diff per depth: about 1,500 to 6,000 tokens. */
export const DIFF_BUDGET: Readonly<Record<DiffDepth, number>> = {
  inline: 6_000,
  diff: 16_000,
  risk: 20_000,
  deep_repo: 24_000,
};
/** Characters of everything around the diff, so that a brief is never longer than both together. @internal */
export const LIST_BUDGET = 6_000;
const MAX_LISTED = 60;
const MAX_LINE = 400;
const AROUND_EXCERPT = 24;
const MAX_SECTION = 1_350;
const TASK: Record<DiffDepth, string> = {
  inline: "Review the changed lines only.",
  diff: "Review the diff of the touched files; each change stands in the block that it is part of.",
  risk: "Review the diff; the risk hotspots come first and need the closest look.",
  deep_repo:
    "Review the diff and its reach: who uses what changed, adjacent modules, dependencies, regressions.",
};

/** Shapes a change for its reviewers at the depth that the user chose. Pure: what it shows is what it was given. */
export function shapeReview(input: ReviewInput): string {
  const files = input.files.map((file) => withoutSecrets(file, input));
  const risky = input.depth === "risk" || input.depth === "deep_repo";
  const hotspots = risky ? hotspotsIn(files) : [];
  const ordered = [...hotspots, ...files.filter((file) => !hotspots.includes(file))];
  const isLong = ordered.reduce((sum, file) => sum + renderHunks(file.hunks, false).length, 0);
  const isNarrow = isLong > DIFF_BUDGET[input.depth];
  const excerpts = takeExcerpts(isNarrow ? ordered.map(narrowed) : ordered, input);
  const sections = [
    TASK[input.depth],
    isNarrow ? "Of each block only the lines around the change are shown." : "",
    section("Files", listFiles(files)),
    section("Risk hotspots", hotspots.map(describeHotspot)),
    section("Reach: find who uses what changed in", input.depth === "deep_repo" ? foldersOf(files) : []),
    ...excerpts.shown,
    section(
      "Not shown in full, read them yourself",
      excerpts.omitted.map((path) => `- ${path}`),
    ),
  ];
  const markdown = sections.filter((part) => part !== "").join("\n\n");
  return input.redact(markdown);
}

function takeExcerpts(
  files: readonly DiffFile[],
  input: ReviewInput,
): { shown: string[]; omitted: string[] } {
  let left = DIFF_BUDGET[input.depth];
  const shown: string[] = [];
  const omitted: string[] = [];
  for (const file of files) {
    if (file.hunks.length === 0) continue;
    const body = renderHunks(file.hunks, input.depth === "inline");
    const room = left - file.path.length - AROUND_EXCERPT;
    const excerpt = body.length <= room ? body : body.slice(0, Math.max(0, body.lastIndexOf("\n", room)));
    if (excerpt !== body) omitted.push(file.path);
    if (excerpt === "") continue;
    const block = `### ${file.path}\n${fencedBlock("diff", excerpt)}`;
    shown.push(block);
    left -= block.length;
  }
  return { shown, omitted };
}

function renderHunks(hunks: readonly DiffHunk[], changedOnly: boolean): string {
  const mark = { added: "+", removed: "-", context: " " };
  return hunks
    .map((hunk) => {
      const lines = hunk.lines.filter((line) => !changedOnly || line.kind !== "context");
      const body = lines.map((line) => mark[line.kind] + line.text.slice(0, MAX_LINE)).join("\n");
      return `@@ ${lines[0]?.line ?? 0} ${hunk.header}`.trimEnd() + `\n${body}`;
    })
    .join("\n");
}

function listFiles(files: readonly DiffFile[]): string[] {
  return files.map(({ path, status, bytes, added, removed }) =>
    bytes === undefined
      ? `- ${path} (${status}, +${added} −${removed})`
      : `- ${path} (binary, ${bytes} bytes)`,
  );
}

function foldersOf(files: readonly DiffFile[]): string[] {
  const folders = files.map(({ path }) => path.split("/").slice(0, -1).join("/") || ".");
  return [...new Set(folders)].map((folder) => `- ${folder}`);
}

/** Before anything is cut: half a key is no longer known as one. A sensitive file keeps its name and counts only. */
function withoutSecrets(file: DiffFile, { isSensitive, redact }: ReviewInput): DiffFile {
  if (isSensitive(file.path)) return { ...file, hunks: [] };
  const clean = (line: DiffHunk["lines"][number]) => ({ ...line, text: redact(line.text) });
  return { ...file, hunks: file.hunks.map((hunk) => ({ ...hunk, lines: hunk.lines.map(clean) })) };
}

function section(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return "";
  let left = MAX_SECTION;
  const fits = lines.slice(0, MAX_LISTED).filter((line) => (left -= line.length + 1) >= 0);
  const more = lines.length - fits.length;
  return [`## ${title}`, ...fits, ...(more > 0 ? [`- and ${more} more`] : [])].join("\n");
}

/** What a diff itself shows: much changed at once, a file is gone, one that nobody can read, a test asks for less. */
export function risksOf(file: DiffFile): readonly string[] {
  return [
    ...(sizeOf(file) >= LARGE ? ["large"] : []),
    ...(file.status === "deleted" || file.status === "binary" ? [file.status] : []),
    ...(linesGone(file).length > 0 ? ["tests"] : []),
  ];
}

const LARGE = 150;
const MAX_EVIDENCE = 3;

function sizeOf({ added, removed }: DiffFile): number {
  return added + removed;
}

/** Those at risk, the most of it first. */
function hotspotsIn(files: readonly DiffFile[]): DiffFile[] {
  return files
    .filter((file) => risksOf(file).length > 0)
    .toSorted((a, b) => risksOf(b).length - risksOf(a).length || sizeOf(b) - sizeOf(a));
}

function describeHotspot(file: DiffFile): string {
  const gone = linesGone(file).slice(0, MAX_EVIDENCE);
  const lines = gone.map((line) => `\n  - ${line.replaceAll("`", "'")}`).join("");
  return `- ${file.path}: ${risksOf(file).join(", ")}${lines}`;
}

/** What a test has lost, as `line: gone: text`. */
export function linesGone({ path, hunks }: DiffFile): string[] {
  if (!TEST_PATH.test(path)) return [];
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const now = new Set(lines.flatMap(({ kind, text }) => (kind === "removed" ? [] : [text.trim()])));
  const gone = lines.filter(
    ({ kind, text }) => kind === "removed" && text.trim() !== "" && !now.has(text.trim()),
  );
  return gone.map(({ line, text }) => `${line}: gone: ${text.trim().slice(0, 100)}`);
}
