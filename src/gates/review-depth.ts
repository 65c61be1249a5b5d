import { fencedBlock } from "./fenced-block.ts";
import { findRiskHotspots, type RiskHotspot } from "./risk-hotspots.ts";
import { type DiffFile, type DiffHunk, parseUnifiedDiff } from "./unified-diff.ts";

/** How much reviewers are given (SPEC 8): changed lines, whole diffs, the risky files, or the reach into the repository. */
export type ReviewDepth = "inline" | "diff" | "risk" | "deep_repo";

/** What reviewers need so that they do not have to find it out again. */
export interface ReviewInput {
  depth: ReviewDepth;
  /** A unified diff as git writes it. */
  diff: string;
  /** All files touched, including new ones that no diff shows; relative to the project. */
  touchedFiles: readonly string[];
  /** Files whose content no model may see; their names and counts are shown. */
  isSensitive?: (path: string) => boolean;
  redact?: (text: string) => string;
}

/** The shaped text and what was left out of it. */
export interface ReviewBrief {
  markdown: string;
  hotspots: RiskHotspot[];
  /** Files whose diff did not fit, or only its beginning. */
  omitted: string[];
}

/** Characters of diff per depth: about 1,500 to 6,000 tokens. */
const BUDGET: Record<ReviewDepth, number> = { inline: 6_000, diff: 16_000, risk: 20_000, deep_repo: 24_000 };
const MAX_LISTED = 60;
const MAX_SYMBOLS = 30;
const TASK: Record<ReviewDepth, string> = {
  inline: "Review the changed lines only.",
  diff: "Review the diff of the touched files.",
  risk: "Review the diff; the risk hotspots come first and need the closest look.",
  deep_repo:
    "Review the diff and its reach: who uses what changed, adjacent modules, dependencies, regressions.",
};

/** Shapes a change for its reviewers at the depth that the user chose. Pure: what it shows is what it was given. */
export function shapeReview(input: ReviewInput): ReviewBrief {
  const files = parseUnifiedDiff(input.diff);
  const risky = input.depth === "risk" || input.depth === "deep_repo";
  const hotspots = risky ? findRiskHotspots(files).map((hotspot) => withoutSecrets(hotspot, input)) : [];
  const ordered = [...files].toSorted((a, b) => rankOf(a, hotspots) - rankOf(b, hotspots));
  const excerpts = takeExcerpts(ordered, input);
  const sections = [
    TASK[input.depth],
    section("Files", listFiles(files, input.touchedFiles)),
    section("Risk hotspots", hotspots.slice(0, MAX_LISTED).map(describeHotspot)),
    section("Reach", input.depth === "deep_repo" ? describeReach(files) : []),
    ...excerpts.shown,
    section(
      "Not shown in full, read them yourself",
      excerpts.omitted.slice(0, MAX_LISTED).map((path) => `- ${path}`),
    ),
  ];
  const markdown = sections.filter((part) => part !== "").join("\n\n");
  return { markdown: input.redact?.(markdown) ?? markdown, hotspots, omitted: excerpts.omitted };
}

function takeExcerpts(
  files: readonly DiffFile[],
  input: ReviewInput,
): { shown: string[]; omitted: string[] } {
  let left = BUDGET[input.depth];
  const shown: string[] = [];
  const omitted: string[] = [];
  for (const file of files) {
    if (file.hunks.length === 0 || input.isSensitive?.(file.path)) continue;
    const body = renderHunks(file.hunks, input.depth === "inline");
    const excerpt = body.length <= left ? body : body.slice(0, Math.max(0, body.lastIndexOf("\n", left)));
    if (excerpt !== "") shown.push(`### ${file.path}\n${fencedBlock("diff", excerpt)}`);
    if (excerpt !== body) omitted.push(file.path);
    left -= excerpt.length;
  }
  return { shown, omitted };
}

function renderHunks(hunks: readonly DiffHunk[], changedOnly: boolean): string {
  const mark = { added: "+", removed: "-", context: " " };
  return hunks
    .map((hunk) => {
      const lines = hunk.lines.filter((line) => !changedOnly || line.kind !== "context");
      const body = lines.map((line) => `${mark[line.kind]}${line.text.slice(0, 400)}`).join("\n");
      return `@@ ${lines[0]?.line ?? 0} ${hunk.header}`.trimEnd() + `\n${body}`;
    })
    .join("\n");
}

function listFiles(files: readonly DiffFile[], touched: readonly string[]): string[] {
  const known = new Set(files.map((file) => file.path));
  const listed = [
    ...files.map((file) => `- ${file.path} (${file.status}, +${file.added} −${file.removed})`),
    ...touched.filter((path) => !known.has(path)).map((path) => `- ${path} (no diff)`),
  ];
  const more = listed.length - MAX_LISTED;
  return more > 0 ? [...listed.slice(0, MAX_LISTED), `- and ${more} more`] : listed;
}

const DEFINITION =
  /^\s*(?:export\s+(?:default\s+)?(?:async\s+)?(?:function|class|const|interface|type|enum)|pub\s+(?:async\s+)?(?:fn|struct|enum|trait)|func(?:\s+\([^)]*\))?|(?:async\s+)?def|class)\s+([A-Za-z_$][\w$]*)/;

/** Names that others may use, and the folders they would use them from. */
function describeReach(files: readonly DiffFile[]): string[] {
  const changed = files.flatMap((file) => file.hunks).flatMap((hunk) => hunk.lines);
  const symbols = changed
    .filter((line) => line.kind !== "context")
    .map((line) => DEFINITION.exec(line.text)?.[1])
    .filter((name) => name !== undefined);
  const folders = files.map((file) => file.path.split("/").slice(0, -1).join("/") || ".");
  const names = [...new Set(symbols)].slice(0, MAX_SYMBOLS);
  return [
    `- folders: ${[...new Set(folders)].slice(0, MAX_SYMBOLS).join(", ")}`,
    ...(names.length > 0 ? [`- changed definitions, find their users: ${names.join(", ")}`] : []),
  ];
}

function describeHotspot(hotspot: RiskHotspot): string {
  const lines = hotspot.evidence.map((line) => `\n  - ${line.replaceAll("`", "'")}`).join("");
  return `- ${hotspot.path}: ${hotspot.kinds.join(", ")}${lines}`;
}

function withoutSecrets(hotspot: RiskHotspot, input: ReviewInput): RiskHotspot {
  return input.isSensitive?.(hotspot.path) ? { ...hotspot, evidence: [] } : hotspot;
}

function rankOf(file: DiffFile, hotspots: readonly RiskHotspot[]): number {
  const rank = hotspots.findIndex((hotspot) => hotspot.path === file.path);
  return rank < 0 ? hotspots.length : rank;
}

function section(title: string, lines: readonly string[]): string {
  return lines.length > 0 ? `## ${title}\n${lines.join("\n")}` : "";
}
