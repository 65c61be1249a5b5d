import type { ConfigProblem } from "../../config/problem.ts";
import { linesOf, readList } from "./front-matter.ts";
import { DOMAIN_INDEX } from "./places.ts";
import { lineProblem, type Entry, type Listed } from "./rule.ts";

const MAX_LINE = 2_000;
const HEADING = /^#{2,4}[ \t]+(.*?)[ \t#]*$/;
const LABEL = /^[ \t]*(?:[-*+][ \t]+)?[*_]{0,2}(keywords|files)[*_]{0,2}[ \t]*:[*_]{0,2}[ \t]*(.*)$/i;
const ITEM = /^[ \t]*[-*+][ \t]+(.*)$/;
/** A link, a name in backticks, or a name up to white space, and what is said of it. */
const FILE = /^(?:\[[^\]]*\]\(([^)\s]+)[^)]*\)|`([^`]+)`|(\S+?),?(?=\s|$))[ \t]*(?:[—–:-]+[ \t]*)?(.*)$/;

interface Domain {
  readonly name: string;
  readonly line: number;
  readonly words: string[];
  readonly files: { readonly path: string; readonly about: string; readonly line: number }[];
  /** What the lines below a label are. */
  listing: "keywords" | "files" | null;
  isLabelled: boolean;
}

/** Reads the sections of an index: `Keywords:` and `Files:`, in a line or as a list. Everything else is prose. Pure. */
export function readDomainIndex(content: string): Listed {
  const domains: Domain[] = [];
  for (const [at, whole] of linesOf(content).entries()) {
    const line = whole.slice(0, MAX_LINE);
    const heading = HEADING.exec(line)?.[1];
    if (heading !== undefined) {
      domains.push({ name: heading, line: at + 1, words: [], files: [], listing: null, isLabelled: false });
      continue;
    }
    const domain = domains.at(-1);
    if (domain !== undefined) take(domain, line, at + 1);
  }
  const used = domains.filter(({ isLabelled }) => isLabelled);
  return {
    entries: used.flatMap(({ name, words, files }) =>
      files.map(({ path, about, line }): Entry => ({
        files: [path],
        words,
        paths: [],
        always: false,
        about: about === "" ? name : `${name}: ${about}`,
        line,
      })),
    ),
    problems: used.flatMap(problemsOf),
  };
}

function take(domain: Domain, line: string, number: number): void {
  const [, label, rest = ""] = LABEL.exec(line) ?? [];
  const item = label === undefined ? ITEM.exec(line)?.[1] : undefined;
  if (label !== undefined) {
    domain.listing = label.toLowerCase() === "files" ? "files" : "keywords";
    domain.isLabelled = true;
  } else if (item === undefined) {
    if (line.trim() !== "") domain.listing = null;
    return;
  }
  const text = (item ?? rest).trim();
  if (domain.listing === "keywords")
    domain.words.push(...readList(text).map((word) => word.replaceAll("`", "")));
  if (domain.listing !== "files" || text === "") return;
  for (const each of item === undefined ? readList(text) : [text]) {
    const [, linked, quoted, bare, about = ""] = FILE.exec(each) ?? [];
    const path = linked ?? quoted ?? bare ?? "";
    if (path !== "") domain.files.push({ path, about: about.trim(), line: number });
  }
}

function problemsOf({ name, line, words, files }: Domain): ConfigProblem[] {
  if (files.length === 0)
    return [lineProblem(DOMAIN_INDEX, line, `${name} names no files`, 'List them under "Files:".')];
  return words.length > 0
    ? []
    : [lineProblem(DOMAIN_INDEX, line, `${name} has no keywords`, 'Add a line "Keywords:".')];
}
