/** Strings by section and key, of a TOML or INI file; several where the value is a list. Everything else is left out. */
export type Sections = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

const MAX_LINES = 4_000;
const STRING = /"((?:[^"\\]|\\.)*)"|'([^']*)'/gu;

/** Keys of a table that stands in one line, with their values. */
const FIELD = /([\w-]+)\s*=\s*("(?:[^"\\]|\\.)*"|'[^']*'|\[[^\]]*\])/gu;

function stringsIn(value: string): readonly string[] {
  return [...value.matchAll(STRING)].map(
    ([, double, single]) => double?.replaceAll(/\\(.)/gu, "$1") ?? single ?? "",
  );
}

/** Reads the strings of a TOML file: one line each, or a list over several lines; a table in one line is a section. */
export function parseToml(text: string): Sections {
  const sections = new Map<string, Map<string, readonly string[]>>();
  let keys = new Map<string, readonly string[]>();
  let section = "";
  const lines = text.split(/\r?\n/u).slice(0, MAX_LINES);
  for (let index = 0; index < lines.length; index++) {
    const line = (lines[index] ?? "").trim();
    const header = /^\[+([^\]]+)\]+$/u.exec(line)?.[1];
    if (header !== undefined) {
      section = header.replaceAll(/["'\s]/gu, "");
      keys = sections.get(section) ?? new Map();
      sections.set(section, keys);
      continue;
    }
    const [, key, start = ""] = /^["']?([\w.:-]+)["']?\s*=\s*(.*)$/u.exec(line) ?? [];
    if (key === undefined) continue;
    let value = start;
    if (start.startsWith("["))
      while (!value.includes("]") && index + 1 < lines.length) value += ` ${lines[++index] ?? ""}`;
    if (start.startsWith("{")) {
      const fields = [...start.matchAll(FIELD)].map(([, name = "", of = ""]): [string, readonly string[]] => [
        name,
        stringsIn(of),
      ]);
      sections.set(`${section}.${key}`, new Map(fields));
      value = "";
    }
    const block = /^("""|''')/u.exec(start)?.[1];
    if (block === undefined) keys.set(key, stringsIn(value));
    else {
      while (!value.slice(3).includes(block) && index + 1 < lines.length)
        value += `\n${lines[++index] ?? ""}`;
      keys.set(key, [value.slice(3).split(block, 1)[0] ?? ""]);
    }
  }
  return sections;
}

/** Reads an INI file: a key's lines, those further in belonging to it. */
export function parseIni(text: string): Sections {
  const sections = new Map<string, Map<string, readonly string[]>>();
  let keys = new Map<string, readonly string[]>();
  let key = "";
  for (const line of text
    .replaceAll(/\\\r?\n\s*/gu, " ")
    .split(/\r?\n/u)
    .slice(0, MAX_LINES)) {
    const header = /^\[([^\]]+)\]/u.exec(line)?.[1];
    const [, name, value = ""] = /^([\w-]+)\s*=\s*(.*)$/u.exec(line) ?? [];
    if (header !== undefined) {
      keys = new Map();
      sections.set(header, keys);
    } else if (name !== undefined) {
      key = name;
      keys.set(key, value === "" ? [] : [value]);
    } else if (/^\s+[^\s#;]/u.test(line)) keys.set(key, [...(keys.get(key) ?? []), line.trim()]);
  }
  return sections;
}
