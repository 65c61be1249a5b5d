const LINE_END = /\r\n|\r|\n/;
const FENCE = /^---[ \t]*$/;
const FIELD = /^([A-Za-z][\w-]*)[ \t]*:[ \t]*(.*)$/;
/** The rest of a longer line counts for nothing: files come from anyone. */
const MAX_LINE = 2_000;

/** The lines of a file, however it was saved, with their numbers from 1. */
export function linesOf(file: string): (readonly [line: string, number: number])[] {
  const lines = file.replace(/^\uFEFF/, "").split(LINE_END);
  return lines.map((line, at) => [line.slice(0, MAX_LINE), at + 1]);
}

/**
 * Reads front matter as editors' rules have it, which is often no YAML: `globs: *.ts, *.tsx` would name an alias. Keys at the
 * margin, their values behind them, or indented or as a list below. Pure.
 */
export function readFrontMatter(file: string) {
  const lines = linesOf(file);
  const fields = new Map<string, string>();
  const isFenced = FENCE.test(lines[0]?.[0] ?? "");
  const end = isFenced ? lines.findIndex(([line], at) => at > 0 && FENCE.test(line)) : 0;
  const broken: number[] = [];
  const doubled = new Set<string>();
  if (end === -1) return { fields, head: "", end, body: "", bodyLine: 1, doubled, broken: [1] };
  let name = "";
  for (const [line, number] of lines.slice(1, end)) {
    const [, key, value = ""] = FIELD.exec(line) ?? [];
    if (key !== undefined) {
      name = key.toLowerCase();
      if (fields.has(name)) doubled.add(name);
      fields.set(name, value.replace(/^[|>][+-]?\s*$/, ""));
    } else if (name !== "" && /^(?:\s|- |[\]}])/.test(line)) {
      fields.set(name, `${fields.get(name) ?? ""}\n${line.trim().replace(/^-\s/, "")}`);
    } else if (!/^\s*(?:#|$)/.test(line)) broken.push(number);
  }
  const text = file.split(LINE_END).slice(isFenced ? end + 1 : 0);
  const blank = text.findIndex((line) => /\S/.test(line));
  return {
    /** As written, by names in lower case; a list's items are each on a line of their own. */
    fields,
    /** What stands between the fences, as it is. */
    head: file.split(LINE_END).slice(1, end).join("\n"),
    /** The line, from 0, that ends it; 0 without one, -1 where it is never closed. */
    end,
    body: text
      .join("\n")
      .replace(/^\uFEFF/, "")
      .trim(),
    /** Names that are said more than once, of which the last holds. */
    doubled,
    /** The line of the file, from 1, with which the text begins. */
    bodyLine: (isFenced ? end + 2 : 1) + Math.max(0, blank),
    /** Lines of the file, from 1, of which nothing is understood; the first where it is never closed. */
    broken,
  };
}

/** What is remarked behind a value, to the end of its line; a sign within quotes has one of them behind it. */
const REMARK = /(?:^|[ \t])#(?:[ \t][^"'\n]*)?$/gm;

/** A value that lists something: a list of YAML's in either form, or texts between commas, in quotes or not. */
export function readList(value: string): string[] {
  const bare = value.replaceAll(REMARK, "").trim();
  if (/^(?:null|~)$/iu.test(bare)) return [];
  // One that is never closed is a list all the same; a pattern that begins like one has the other bracket in it.
  const inner = /^\[([^]*)\]$/.exec(bare)?.[1] ?? bare.replace(/^\[(?=[^\]]*$)/, "");
  // Whole lists stand in quotes as well.
  return split(inner)
    .flatMap((item) => split(readScalar(item)))
    .map(readScalar)
    .filter(Boolean);
}

/** A value that is one text, without its quotes or what is remarked behind it. */
export function readScalar(value: string): string {
  const bare = value.trim();
  const quoted = /^(["'])(.*)\1(?:\s+#.*)?$/s.exec(bare)?.[2];
  return (quoted ?? bare.replace(/(?:^|\s)#.*$/m, "")).trim();
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
    if (quote === character) quote = "";
    else if (quote === "" && /["']/.test(character) && items.at(-1)?.trim() === "") quote = character;
    else if (character === "{") depth += 1;
    else if (character === "}") depth -= 1;
    items[items.length - 1] += character;
  }
  return items;
}
