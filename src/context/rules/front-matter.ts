const FENCE = /^---[ \t]*$/;
const FIELD = /^([A-Za-z][\w-]*)[ \t]*:[ \t]*(.*)$/;
const BLOCK = /^[|>][+-]?\d?$/;
/** What is longer is no line of a rule's head, and its end counts for nothing: files come from anybody. */
const MAX_LINE = 2_000;

/** The lines of a file, however it was saved. */
export function linesOf(file: string): string[] {
  return file.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/);
}

/** What stands before the text of a rule, as it is written, and the text. */
export interface FrontMatter {
  /** By names in lower case; a list's items are each on a line of their own. */
  readonly fields: ReadonlyMap<string, string>;
  readonly body: string;
  /** Lines of the file, from 1, of which nothing is understood; the first where it is never closed. */
  readonly broken: readonly number[];
}

/**
 * Reads front matter as editors' rules have it, which is often no YAML: `globs: *.ts, *.tsx` would name an alias. Keys at the
 * margin, their values behind them, or indented or as a list below. Pure.
 */
export function readFrontMatter(file: string): FrontMatter {
  const lines = linesOf(file);
  const fields = new Map<string, string>();
  if (!FENCE.test(lines[0] ?? "")) return { fields, body: lines.join("\n").trim(), broken: [] };
  const end = lines.findIndex((line, at) => at > 0 && FENCE.test(line));
  if (end === -1) return { fields, body: "", broken: [1] };
  const broken: number[] = [];
  let name: string | null = null;
  for (const [at, whole] of lines.slice(1, end).entries()) {
    const line = whole.slice(0, MAX_LINE);
    const [, key, value = ""] = FIELD.exec(line) ?? [];
    const isMore = /^(?:[ \t]|-[ \t]|[\]}])/.test(line);
    if (/^\s*(?:#|$)/.test(line)) continue;
    if (key !== undefined) {
      name = key.toLowerCase();
      fields.set(name, BLOCK.test(value.trim()) ? "" : value.trim());
    } else if (isMore && name !== null) {
      const item = line.trim().replace(/^-[ \t]+/, "");
      fields.set(name, `${fields.get(name) ?? ""}\n${item}`.trim());
    } else broken.push(at + 2);
  }
  return {
    fields,
    body: lines
      .slice(end + 1)
      .join("\n")
      .trim(),
    broken,
  };
}

/** A value that lists something: a list of YAML's in either form, or texts between commas, in quotes or not. */
export function readList(value: string): string[] {
  const inner = /^\[([^]*)\]$/.exec(value.trim())?.[1] ?? value;
  // Whole lists stand in quotes as well.
  return split(inner)
    .flatMap((item) => split(unquoted(item)))
    .map(unquoted)
    .filter(Boolean);
}

/** A value that is one text. */
export function readText(value: string): string {
  return unquoted(value.replaceAll("\n", " "));
}

/** At line ends and commas, but not within quotes or the braces of a pattern. */
function split(text: string): string[] {
  const items = [""];
  let quote = "";
  let depth = 0;
  for (const character of text) {
    if (character === "\n" || (character === "," && quote === "" && depth <= 0)) {
      items.push("");
      [quote, depth] = ["", 0];
      continue;
    }
    if (quote !== "") quote = character === quote ? "" : quote;
    else if (/["']/.test(character) && items.at(-1)?.trim() === "") quote = character;
    else if (character === "{") depth += 1;
    else if (character === "}") depth -= 1;
    items[items.length - 1] += character;
  }
  return items;
}

function unquoted(text: string): string {
  const bare = text.trim();
  const quoted = /^(["'])(.*)\1(?:[ \t]+#.*)?$/s.exec(bare)?.[2];
  return (quoted ?? bare.replace(/[ \t]#.*$/s, "")).trim();
}
