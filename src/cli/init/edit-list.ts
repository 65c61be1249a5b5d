import { applyEdits, createScanner, type Edit, type Node, parseTree } from "jsonc-parser";
import { isJsonObject } from "../../config/json-value.ts";
import { parseSourceText } from "../../config/source-text.ts";
import { PLUGIN_KEY, readPluginList, withoutMark } from "../opencode-files.ts";

/** undefined for a text that has no content but comments. */
function treeOf(body: string): Node | undefined {
  return parseTree(body, [], { allowTrailingComma: true, allowEmptyContent: true });
}

/**
 * The one change of a list of plugins: the entries at `gone` go, and `spec` comes. It takes the place of the first of them, whose
 * options stay, else the end of the list, which is made when it is missing. Everything else stays as it is written, so that a later
 * change without a `spec` leaves no trace of one before: a list that becomes empty goes where that may have made it, at the end of
 * the file.
 * What was there before is known by its form: a gap in front of the first entry is only written into a list or a file that was empty.
 * @param before null where there is no file
 * @returns the new text, null for a file that held nothing but what this makes of no file; undefined when it would say anything else
 */
export function changePlugins(
  before: string | null,
  gone: readonly number[],
  spec: string | null,
  schema: string,
): string | null | undefined {
  const text = before ?? "";
  const place = spec === null ? undefined : gone[0];
  const others = gone.filter((at) => at !== place);
  const { mark, body } = withoutMark(text);
  const wanted = (entries: readonly unknown[]): unknown[] => {
    const left = entries.map((entry, at) => (at === place ? replaced(entry, spec) : entry));
    const kept = left.filter((_entry, at) => !others.includes(at));
    return spec === null || place !== undefined ? kept : [...kept, spec];
  };
  const only = readPluginList(text).entries[gone[0] ?? -1];
  if (spec === null && typeof only === "string") {
    if (text === freshFile("", only, schema)) return null;
    if (text === freshFile("", only, schema, " ")) return "";
  }
  // Behind a comment the end of the line has to stay.
  const results = [true, false].map((trims) => {
    const left = removeFromBody(body, others, trims);
    return mark + (spec === null ? left : addToBody(left, spec, schema, before === null ? "" : " ", place));
  });
  return results.find((result) => isOnlyChange(text, result, wanted));
}

function replaced(entry: unknown, spec: string | null): unknown {
  return Array.isArray(entry) ? [spec, ...entry.slice(1)] : spec;
}

/** Whether the second text says what the first one says, but for its plugins. */
function isOnlyChange(
  before: string,
  after: string,
  change: (entries: readonly unknown[]) => readonly unknown[],
): boolean {
  const [was, is] = [readPluginList(before), readPluginList(after)];
  if (was.problem !== undefined || is.problem !== undefined) return false;
  const others = (text: string): string => {
    const { value } = parseSourceText(withoutMark(text).body);
    const entries = isJsonObject(value) ? Object.entries(value) : [];
    return JSON.stringify(entries.filter(([key]) => key !== PLUGIN_KEY));
  };
  const isSameList = JSON.stringify(is.entries) === JSON.stringify(change(was.entries));
  return isSameList && (treeOf(withoutMark(before).body) === undefined || others(before) === others(after));
}

function addToBody(body: string, spec: string, schema: string, gap: string, place = -1): string {
  const root = treeOf(body);
  if (root === undefined) return freshFile(body, spec, schema, gap);
  const entry = JSON.stringify(spec);
  const list = pluginProperty(root)?.children?.[1];
  const item = list?.children?.[place];
  const old = item?.type === "array" ? item.children?.[0] : item;
  if (old !== undefined)
    return applyEdits(body, [{ offset: old.offset, length: old.length, content: entry }]);
  if (list !== undefined) return applyEdits(body, appendEntry(body, list, entry));
  return applyEdits(body, appendEntry(body, root, `"${PLUGIN_KEY}": [${entry}]`));
}

/** A file without content may still hold comments, which stay on top. */
function freshFile(comments: string, spec: string, schema: string, gap = ""): string {
  const above = comments.trim() === "" ? "" : `${comments.trimEnd()}\n`;
  return `${above}{\n  "$schema": "${schema}",\n  "${PLUGIN_KEY}": [${gap}${JSON.stringify(spec)}]\n}\n`;
}

/** A key that is written twice counts where it stands last. */
function pluginProperty(root: Node): Node | undefined {
  return root.children?.findLast((property) => property.children?.[0]?.value === PLUGIN_KEY);
}

/**
 * Adds an entry behind the last one of a list or an object. Only what is new is written, in the manner of its
 * neighbours: on the same line, or on one of its own with their indentation; a trailing comma stays one.
 * `modify` of jsonc-parser would format the whole list again, and put the entry before the comment of its neighbour.
 */
function appendEntry(text: string, container: Node, entry: string): Edit[] {
  const close = container.offset + container.length - 1;
  const last = container.children?.at(-1);
  const end = last === undefined ? container.offset + 1 : last.offset + last.length;
  const gap = text.slice(end, close);
  const hasTrailing = last !== undefined && hasComma(gap);
  const comma: Edit[] = last === undefined || hasTrailing ? [] : [{ offset: end, length: 0, content: "," }];
  const newline = /\r?\n/.exec(text.slice(container.offset, close))?.[0];
  const unit = /^(\t| +)(?=\S)/m.exec(text)?.[1] ?? "  ";
  const indent = last === undefined ? indentAt(text, container.offset) + unit : indentAt(text, last.offset);
  const space = last === undefined && gap.trim() === "" && container.type === "object" ? "" : " ";
  const content = `${newline === undefined ? space : newline + indent}${entry}${hasTrailing ? "," : ""}`;
  return [...comma, { offset: end + gap.trimEnd().length, length: 0, content }];
}

/** Whether the first thing that is no comment is a comma. */
function hasComma(gap: string): boolean {
  const scanner = createScanner(gap, true);
  scanner.scan();
  return gap[scanner.getTokenOffset()] === ",";
}

function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? "";
}

function removeFromBody(body: string, places: readonly number[], trims: boolean): string {
  const root = treeOf(body);
  const property = root && pluginProperty(root);
  const list = property?.children?.[1];
  const [last, ...rest] = places.toSorted((a, b) => b - a);
  if (root === undefined || list === undefined || last === undefined) return body;
  const properties = root.children ?? [];
  const wasEmpty = body.charAt(list.offset + 1).trim() === "";
  if (places.length === list.children?.length && property === properties.at(-1) && !wasEmpty)
    return removeChild(body, root, properties.length - 1, trims);
  return removeFromBody(removeChild(body, list, last, trims), rest, trims);
}

/** Takes one entry out of a list or an object: the inverse of {@link appendEntry} for the last one. */
function removeChild(text: string, container: Node, index: number, trims: boolean): string {
  const children = container.children ?? [];
  const [before, item, next] = [children[index - 1], children[index], children[index + 1]];
  if (item === undefined) return text;
  const end = item.offset + item.length;
  if (next !== undefined) return text.slice(0, item.offset) + text.slice(next.offset);
  const start = trims ? text.slice(0, item.offset).trimEnd().length : item.offset;
  const rest = text.slice(end);
  // A comma behind it was there before it, in front of it.
  const close = container.offset + container.length - 1;
  if (hasComma(text.slice(end, close))) return text.slice(0, start) + rest.replace(",", "");
  if (before === undefined) return text.slice(0, start) + rest;
  const behind = before.offset + before.length;
  return text.slice(0, behind) + text.slice(behind, start).replace(",", "") + rest;
}
