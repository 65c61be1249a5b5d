import { linesOf, readFrontMatter, readList, readScalar } from "../../lib/front-matter.ts";
import { anywhere, type RuleEntry, type Tell } from "../catalogue.ts";

export interface RuleSource {
  /** A folder, or a file that is an index. */
  readonly path: string;
  /** What the names of a folder's files end with; an index has none. */
  readonly end?: string;
  /** Where an index's files are looked for, the likeliest first. */
  readonly bases?: readonly string[];
  /** What one of its files says. @param file its path, for what is to be told */
  read(content: string, file: string, tell: Tell): RuleEntry[];
  /** A text of its own at the end of the entry, without the head. */
  body?(content: string): string;
}

/** Words between commas, those of other scripts among them, or what else people put there: it is part of no word. */
function readWords(value: string): string[] {
  return readList(value.replaceAll(/[\uFF0C\u3001\uFF1B\u060C;|]/g, ","));
}

/** @param isBareAlways a file that names no case always applies @param isAnywhere a bare pattern means any folder */
function ruleFile(isBareAlways: boolean, isAnywhere = false): RuleSource["read"] {
  return (content, file, tell) => {
    const { fields, broken } = readFrontMatter(content);
    const listOf = (name: string): string[] => readList(fields.get(name) ?? "");
    const paths = ["paths", "globs", "applyto"]
      .flatMap(listOf)
      .map((path) => (isAnywhere ? anywhere(path) : path));
    const words = readWords(fields.get("keywords") ?? "");
    const isUnclosed = broken[0] === 1;
    for (const line of broken)
      tell(
        file,
        isUnclosed ? 'no line "---" ends its front matter: it is left out' : 'this line is no "key: value"',
        line,
      );
    const isBare = paths.length + words.length === 0 && isBareAlways && !isUnclosed;
    const always = isBare || /^true$/i.test(readScalar(fields.get("alwaysapply") ?? ""));
    const about = readScalar(fields.get("description") ?? "").replaceAll("\n", " ");
    return [{ paths, words, always, about, files: [], line: 1 }];
  };
}

const SETTING = /^(?:export\s+)?([\w-]+?)_(STATE|RECALL|FILE|ALWAYS_ON)\s*=(.*)$/i;
const YES = /^(?:active|true|yes|on|1)$/i;

/** `NAME_STATE`, `NAME_RECALL` and `NAME_FILE`, a line each. What is not active is left out; other settings are not ours. */
const readManifest: RuleSource["read"] = (content, file, tell) => {
  const drafts = new Map<string, { readonly values: Map<string, string>; readonly line: number }>();
  for (const [text, number] of linesOf(content)) {
    const line = text.trim();
    const [, name, setting = "", value = ""] = SETTING.exec(line) ?? [];
    if (name === undefined) {
      if (line !== "" && !/^#|=/.test(line))
        tell(file, "this line is no NAME_FILE=path and no NAME_RECALL=words", number);
      continue;
    }
    const draft = drafts.get(name) ?? { values: new Map(), line: number };
    drafts.set(name, draft);
    draft.values.set(setting.toUpperCase(), value);
  }
  return [...drafts].flatMap(([name, { values, line }]) => {
    const textOf = (setting: string): string => values.get(setting) ?? "";
    if (values.has("STATE") && !YES.test(readScalar(textOf("STATE")))) return [];
    return {
      paths: [],
      words: readWords(textOf("RECALL")),
      always: YES.test(readScalar(textOf("ALWAYS_ON"))),
      about: name,
      files: readList(textOf("FILE")),
      line,
    };
  });
};

const LABEL = /^[\s*_+-]*(keyword|file)s?[*_\s]*:[*_]*(.*)$/i;
/** A link, a name in backticks, or a name up to white space; what is said of it follows. */
const FILE = /^(?:\[[^\]]*\]\(([^)\s]+)|`([^`]+)`|(\S+?),?(?=\s|$))/;

/** The sections of an index: `Keywords:` and `Files:`, in a line or as a list. Everything else is prose. */
const readDomains: RuleSource["read"] = (content) => {
  const entries: (RuleEntry & { words: string[]; files: string[] })[] = [];
  let domain = { name: "", words: [] as string[], files: [] as string[], line: 0 };
  let listing = "";
  const close = (): void => {
    const { name: about, words, files, line } = domain;
    if (words.length + files.length > 0)
      entries.push({ paths: [], words, always: false, about, files, line });
  };
  for (const [line, number] of linesOf(content)) {
    const name = /^#+\s+(.*)$/.exec(line)?.[1];
    const [, label, rest = ""] = LABEL.exec(line) ?? [];
    const item = /^\s*(?:[-*+]|\d+[.)])\s+(.*)$/.exec(line)?.[1];
    if (name !== undefined) {
      close();
      domain = { name, words: [], files: [], line: number };
    }
    if (name !== undefined || label !== undefined) listing = label?.toLowerCase() ?? "";
    else if (item === undefined && line.trim() !== "") listing = "";
    const text = label === undefined ? (item ?? "") : rest;
    if (listing === "keyword") domain.words.push(...readWords(text.replaceAll("`", "")));
    if (listing !== "file") continue;
    for (const each of label === undefined ? [text] : readList(text)) {
      const [, linked, quoted, bare] = FILE.exec(each) ?? [];
      domain.files.push(...[linked ?? quoted ?? bare ?? ""].filter(Boolean));
    }
  }
  close();
  return entries;
};

function folder(path: string, end: string, isBareAlways: boolean, isAnywhere = false): RuleSource {
  return {
    path,
    end,
    read: ruleFile(isBareAlways, isAnywhere),
    body: (content) => readFrontMatter(content).body,
  };
}

const PRINCIPLES = "docs/principles";
const DOMAINS = "docs/domain";

/** GAIA's own first: where room is short, they are given before the others. */
export const SOURCES: readonly RuleSource[] = [
  folder(".gaia/rules", ".md", true),
  { path: `${PRINCIPLES}/manifest`, bases: ["", PRINCIPLES], read: readManifest },
  { path: `${DOMAINS}/INDEX.md`, bases: [DOMAINS, ""], read: readDomains },
  folder(".claude/rules", ".md", true),
  folder(".cursor/rules", ".mdc", false, true),
  folder(".github/instructions", ".instructions.md", false),
];
