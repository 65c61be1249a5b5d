import { applyEdits, createScanner, type Edit, type Node, parseTree } from "jsonc-parser";
import { isJsonObject } from "../../config/json-value.ts";
import { parseSourceText } from "../../config/source-text.ts";
import { isEmpty, PARSE_OPTIONS, PLUGIN_KEY, readPluginList, withoutMark } from "../opencode-files.ts";

/**
 * Adds an entry behind the last one of a list or an object. Only what is new is written, in the manner of its
 * neighbours: on the same line, or on one of its own with their indentation; a trailing comma stays one.
 * `modify` of jsonc-parser would format the whole list again, and put the entry before the comment of its neighbour.
 */
function appendEntry(text: string, container: Node, entry: string, unit: string): Edit[] {
  const close = container.offset + container.length - 1;
  const last = container.children?.at(-1);
  const end = last === undefined ? container.offset + 1 : last.offset + last.length;
  const gap = text.slice(end, close);
  const place = close - (gap.length - gap.trimEnd().length);
  const trailingComma = last !== undefined && hasComma(gap);
  const comma: Edit[] = last === undefined || trailingComma ? [] : [{ offset: end, length: 0, content: "," }];
  const newline = /\r?\n/.exec(text.slice(container.offset, close))?.[0];
  if (newline === undefined) {
    const space = last === undefined && gap.trim() === "" ? "" : " ";
    const content = `${space}${entry}${trailingComma ? "," : ""}`;
    return [...comma, { offset: place, length: 0, content }];
  }
  const indent = last === undefined ? indentAt(text, container.offset) + unit : indentAt(text, last.offset);
  const content = `${newline}${indent}${entry}${trailingComma ? "," : ""}`;
  return [...comma, { offset: place, length: 0, content }];
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

/**
 * Adds `spec` to the end of the list, which is made when it is missing. Everything else stays as it is written.
 * @returns null when the new text would say anything else than the old one plus `spec`
 */
export function addPlugin(text: string, spec: string, schema: string): string | null {
  const { mark, body } = withoutMark(text);
  const result = mark + addToBody(body, spec, schema);
  const [before, after] = [readPluginList(text), readPluginList(result)];
  if (before.problem !== undefined || after.problem !== undefined) return null;
  const isOneMore = JSON.stringify(after.entries) === JSON.stringify([...before.entries, spec]);
  return isOneMore && (isEmpty(text) || others(result) === others(text)) ? result : null;
}

/**
 * The reverse: what {@link addPlugin} has added leaves no trace. A list that becomes empty goes where that may have made it:
 * at the end of the file.
 * @returns null when the new text would say anything else than the old one without these entries
 */
export function removeEntries(text: string, places: readonly number[]): string | null {
  const { mark, body } = withoutMark(text);
  const was = readPluginList(text);
  if (was.problem !== undefined) return null;
  const kept = was.entries.filter((_entry, index) => !places.includes(index));
  const isRight = (left: string): boolean => {
    const now = readPluginList(left);
    return (
      now.problem === undefined &&
      JSON.stringify(now.entries) === JSON.stringify(kept) &&
      others(left) === others(text)
    );
  };
  // Behind a comment the end of the line has to stay.
  const left = [true, false].map((trims) => mark + without(body, places, trims, kept.length === 0));
  return left.find(isRight) ?? null;
}

function without(body: string, places: readonly number[], trims: boolean, isAll: boolean): string {
  const root = parseTree(body, [], PARSE_OPTIONS);
  if (root === undefined) return body;
  const list = propertiesNamed(root, PLUGIN_KEY).at(-1);
  if (list === undefined) return body;
  const properties = root.children ?? [];
  if (isAll && list === properties.at(-1)) return removeChild(body, root, properties.length - 1, trims);
  const [last, ...rest] = places.toSorted((a, b) => b - a);
  const items = list.children?.[1];
  if (last === undefined || items === undefined) return body;
  return without(removeChild(body, items, last, trims), rest, trims, isAll);
}

/** Whether a file holds nothing but what {@link addPlugin} makes of no file. */
export function isFresh(text: string, spec: string, schema: string): boolean {
  return text === freshFile("", spec, schema);
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

function others(text: string): string {
  const { value } = parseSourceText(withoutMark(text).body);
  const entries = isJsonObject(value) ? Object.entries(value) : [];
  return JSON.stringify(entries.filter(([key]) => key !== PLUGIN_KEY));
}

/** A key that is written twice counts where it stands last. */
function propertiesNamed(root: Node, name: string): Node[] {
  return (root.children ?? []).filter((property) => property.children?.[0]?.value === name);
}

function indentUnit(text: string): string {
  return /^(\t| +)(?=\S)/m.exec(text)?.[1] ?? "  ";
}
