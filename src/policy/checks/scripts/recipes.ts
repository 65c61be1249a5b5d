/** What a file of recipes says, as far as it can be read without running anything. */
export interface Recipes {
  /** The recipe that runs when none is named. */
  readonly first: string | undefined;
  has(name: string): boolean;
  /** What runs before a recipe. */
  needs(name: string): readonly string[];
  /** Its lines, undefined where there is no such recipe. */
  lines(name: string): readonly string[] | undefined;
}

/** Lines of one file that are looked at, and characters of one line after its variables are put in. */
const MAX_LINES = 2_000;
const MAX_LINE = 1_024;
const MAX_DEPTH = 3;

const HEADER =
  /^@?([\w./%-][\w./% -]*?)((?:\s+[\w*+$-]+(?:=(?:'[^']*'|"[^"]*"|\S+))?)*)\s*::?(?![=:])\s*(.*)$/u;
const MAKE_HEADER = /^([^\s#:=][^:=#]*?)()\s*::?(?![=:])\s*([^;#=]*)(?:;.*|#.*)?$/u;
const VARIABLE = /^(?:export\s+|override\s+)?([A-Za-z_][\w.-]*)\s*(?::{0,3}|\?|\+)=\s*(.*)$/u;

const INCLUDE = /^[ ]*(?:-|s)?include[ \t]+([\w./ \t-]+?)[ \t]*$/gmu;
const MAX_INCLUDED = 20;
const RULE =
  /^(?:(?:export|override)\s+)*(?:SHELL|\.SHELLFLAGS|(?:GNU)?MAKEFLAGS|PATH|BASH_ENV|ENV)\s*[:?+!]*=|^\.(?:IGNORE|ONESHELL|POSIX)\b/u;

/** A Makefile with those of the project that it includes by plain names, settings with secrets left out. */
export function withIncluded(text: string, read: (name: string) => string | undefined): string {
  let left = MAX_INCLUDED;
  const put = (source: string, depth: number): string =>
    source.replaceAll(INCLUDE, (line: string, names: string) =>
      names
        .split(/\s+/u)
        .map((name) => {
          const isRead = !/^\/|(?:^|\/)\.(?:\.|env)/u.test(name) && depth < MAX_DEPTH && left-- > 0;
          const found = isRead ? read(name) : undefined;
          return found === undefined ? line : put(found, depth + 1);
        })
        .join("\n"),
    );
  return put(text, 0);
}

/** The lines of a Makefile that decide how every recipe runs and ends. */
export function rulesOf(text: string): readonly string[] {
  return joined(text).filter((line) => RULE.test(line));
}

/** Whether no recipe can fail by such a line. */
export function forgives(rule: string): boolean {
  return /^\.IGNORE\s*:\s*$|SHELL\s*[:?]*=.*\btrue\s*$|MAKEFLAGS\s*[:?+]*=\s*-?(?:\w*i\w*\b|.*(?:\s-i\b|--ignore-errors))/u.test(
    rule,
  );
}

/** Reads a Makefile: targets with prerequisites and lines, variables put in where they are plain text. */
export function parseMakefile(text: string): Recipes {
  return parse(text, MAKE_HEADER, /\$(?:\(([^()$]*)\)|\{([^{}$]*)\}|([@<^*?+]))/gu, (line) =>
    line.replaceAll("$$", "$"),
  );
}

/** Reads a justfile: recipes with dependencies and lines. */
export function parseJustfile(text: string): Recipes {
  return parse(text, HEADER, /\{\{\s*([^{}]*?)\s*\}\}/gu, (line) => line);
}

function parse(text: string, header: RegExp, reference: RegExp, unescape: (line: string) => string): Recipes {
  const all = new Map<string, { needs: string[]; lines: string[] }>();
  const variables = new Map<string, string>();
  let first: string | undefined;
  let open: { needs: string[]; lines: string[] }[] = [];
  for (const line of joined(text)) {
    if (/^(?:\t|\s{2,})\S/u.test(line)) {
      for (const recipe of open) recipe.lines.push(line.trim());
      continue;
    }
    const variable = VARIABLE.exec(line);
    if (variable !== null)
      variables.set(variable[1] ?? "", variable[2]?.replace(/^(["'])(.*)\1$/u, "$2") ?? "");
    const found = variable === null ? header.exec(line) : null;
    if (found === null) continue;
    const names = (found[1] ?? "").trim().split(/\s+/u);
    const needs = (found[3] ?? "")
      .replaceAll(/&&|[()]|\|/gu, " ")
      .split(/\s+/u)
      .filter((word) => /^[\w./-]+$/u.test(word));
    open = names.map((name) => {
      const recipe = all.get(name) ?? { needs: [], lines: [] };
      recipe.needs.push(...needs);
      all.set(name, recipe);
      if (!name.startsWith(".")) first ??= name;
      return recipe;
    });
  }
  const put = (line: string, depth = 0): string =>
    line.length > MAX_LINE || depth > MAX_DEPTH
      ? line
      : line.replaceAll(reference, (_, round: string | undefined, curly: string | undefined) => {
          const name = (round ?? curly ?? "").trim();
          if (name === "MAKE") return "make";
          const value = variables.get(name);
          // What cannot be told is a variable that the shell does not know either.
          return value === undefined ? `\${${/^\w+$/u.test(name) ? name : "_"}}` : put(value, depth + 1);
        });
  return {
    first,
    has: (name) => all.has(name),
    needs: (name) => all.get(name)?.needs ?? [],
    lines: (name) => {
      const lines = all.get(name)?.lines;
      return lines && scriptOf(lines.map((line) => plainLine(unescape(put(line)))));
    },
  };
}

/** A line as the shell gets it; how one with a dash before it ends is ignored. */
function plainLine(line: string): string {
  const [marks = ""] = /^[@+-]*/u.exec(line) ?? [];
  const source = line.slice(marks.length).trimStart();
  return marks.includes("-") ? `${source} || :` : source;
}

/** Lines in a shell each, or all of them in the one that the first names. */
function scriptOf(lines: readonly string[]): readonly string[] {
  const [first = ""] = lines;
  if (!first.startsWith("#!")) return lines.filter((line) => !line.startsWith("#"));
  return /\b(?:ba|z|da)?sh\b/u.test(first) ? [lines.slice(1).join("\n")] : ["unreadable-script"];
}

/** Lines, those that a backslash joins in one. */
function joined(text: string): readonly string[] {
  return text
    .replaceAll(/\\\r?\n[ \t]*/gu, " ")
    .split(/\r?\n/u)
    .slice(0, MAX_LINES);
}
