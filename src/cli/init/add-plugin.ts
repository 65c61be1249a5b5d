import { applyEdits, parseTree, type Node } from "jsonc-parser";
import { isJsonObject } from "../../config/json-value.ts";
import { parseSourceText } from "../../config/source-text.ts";
import { isEmpty, PARSE_OPTIONS, PLUGIN_KEY, readPluginList, withoutMark } from "../plugin-list.ts";
import { appendEntry } from "./append-entry.ts";

/**
 * Adds `spec` to the end of the list, which is made when it is missing. Everything else stays as it is written.
 * @param text a text that {@link readPluginList} can read
 * @param schema address of the file's JSON Schema, for a file that has no content yet
 * @returns the new text, or null when it would say anything else than the old one plus `spec`
 */
export function addPlugin(text: string, spec: string, schema: string): string | null {
  const { mark, body } = withoutMark(text);
  const result = mark + addToBody(body, spec, schema);
  const [before, after] = [readPluginList(text), readPluginList(result)];
  if (!before.ok || !after.ok) return null;
  const isOneMore = JSON.stringify(after.entries) === JSON.stringify([...before.entries, spec]);
  return isOneMore && (isEmpty(text) || others(result) === others(text)) ? result : null;
}

/**
 * Takes entries out of the list; everything else stays as it is written.
 * @param dead their places in the list that {@link readPluginList} gives
 * @returns the new text, or null when it would say anything else than the old one without them
 */
export function removeEntries(text: string, dead: readonly number[]): string | null {
  const { mark, body } = withoutMark(text);
  const root = parseTree(body, [], PARSE_OPTIONS);
  const items = (root && propertiesNamed(root, PLUGIN_KEY).at(-1)?.children?.[1]?.children) ?? [];
  let left = body;
  for (const index of dead.toSorted((a, b) => b - a)) {
    const [item, next, before] = [items[index], items[index + 1], items[index - 1]];
    if (item === undefined) return null;
    const isLast = next === undefined || dead.includes(index + 1);
    const start = isLast && before !== undefined ? before.offset + before.length : item.offset;
    const end = isLast ? item.offset + item.length : next.offset;
    const rest = left.slice(end);
    // With nothing left in front of it, a trailing comma goes as well.
    left = left.slice(0, start) + (isLast && before === undefined ? rest.replace(/^\s*,/, "") : rest);
  }
  const [was, now] = [readPluginList(text), readPluginList(mark + left)];
  if (!was.ok || !now.ok) return null;
  const kept = was.entries.filter((_entry, index) => !dead.includes(index));
  const isRight =
    JSON.stringify(now.entries) === JSON.stringify(kept) && others(mark + left) === others(text);
  return isRight ? mark + left : null;
}

function addToBody(body: string, spec: string, schema: string): string {
  const root = parseTree(body, [], PARSE_OPTIONS);
  if (root === undefined) return freshFile(body, spec, schema);
  const unit = indentUnit(body);
  const list = propertiesNamed(root, PLUGIN_KEY).at(-1)?.children?.[1];
  if (list !== undefined) return applyEdits(body, appendEntry(body, list, JSON.stringify(spec), unit));
  return applyEdits(body, appendEntry(body, root, `"${PLUGIN_KEY}": [${JSON.stringify(spec)}]`, unit));
}

/** A file without content may still hold comments, which stay on top. */
function freshFile(comments: string, spec: string, schema: string): string {
  const above = comments.trim() === "" ? "" : `${comments.trimEnd()}\n`;
  return `${above}{\n  "$schema": "${schema}",\n  "${PLUGIN_KEY}": [${JSON.stringify(spec)}]\n}\n`;
}

/** Everything but the list, in order. */
function others(text: string): string {
  const { value } = parseSourceText(withoutMark(text).body);
  const entries = isJsonObject(value) ? Object.entries(value) : [];
  return JSON.stringify(entries.filter(([key]) => key !== PLUGIN_KEY));
}

/** A key that is written twice counts where it stands last. */
function propertiesNamed(root: Node, name: string): Node[] {
  return (root.children ?? []).filter((property) => property.children?.[0]?.value === name);
}

/** One step of indentation as the file has it. */
function indentUnit(text: string): string {
  return /^(\t| +)(?=\S)/m.exec(text)?.[1] ?? "  ";
}
