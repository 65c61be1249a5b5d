import { applyEdits, parseTree, type Node } from "jsonc-parser";
import { parseSourceText } from "../../config/source-text.ts";
import { isJsonObject, ownValue } from "../../config/json-value.ts";
import { appendEntry } from "./append-entry.ts";

const KEY = "plugin";
const BYTE_ORDER_MARK = "\uFEFF";
/** As OpenCode reads its files. */
const PARSE_OPTIONS = { allowTrailingComma: true, allowEmptyContent: true };

/** The entries of `plugin`, or why the text cannot be edited: what is wrong, and where when there is a place. */
export type PluginList =
  | {
      readonly ok: true;
      readonly entries: readonly unknown[];
      readonly declared: boolean;
      /** All keys of the file. */
      readonly keys: readonly string[];
    }
  | { readonly ok: false; readonly problem: string; readonly line?: number; readonly column?: number };

/** Reads the list from a text of opencode.json or tui.json, with comments or without. Pure; never throws. */
export function readPluginList(text: string): PluginList {
  const source = parseSourceText(withoutMark(text).body);
  const slip = source.findings.find(({ kind }) => kind === "syntax");
  if (slip !== undefined) return { ok: false, problem: slip.message, ...slip.position };
  if (isEmpty(text)) return { ok: true, entries: [], declared: false, keys: [] };
  if (!isJsonObject(source.value))
    return { ok: false, problem: "an object was expected", line: 1, column: 1 };
  const list = ownValue(source.value, KEY);
  const keys = Object.keys(source.value);
  if (list === undefined) return { ok: true, entries: [], declared: false, keys };
  if (Array.isArray(list)) return { ok: true, entries: list, declared: true, keys };
  return { ok: false, problem: `"${KEY}" is not a list`, ...source.locate([KEY], "value") };
}

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

function addToBody(body: string, spec: string, schema: string): string {
  const root = parseTree(body, [], PARSE_OPTIONS);
  if (root === undefined) return freshFile(body, spec, schema);
  const unit = indentUnit(body);
  const list = propertiesNamed(root, KEY).at(-1)?.children?.[1];
  if (list !== undefined) return applyEdits(body, appendEntry(body, list, JSON.stringify(spec), unit));
  return applyEdits(body, appendEntry(body, root, `"${KEY}": [${JSON.stringify(spec)}]`, unit));
}

/** A file without content may still hold comments, which stay on top. */
function freshFile(comments: string, spec: string, schema: string): string {
  const above = comments.trim() === "" ? "" : `${comments.trimEnd()}\n`;
  return `${above}{\n  "$schema": "${schema}",\n  "${KEY}": [${JSON.stringify(spec)}]\n}\n`;
}

/** Everything but the list, in order. */
function others(text: string): string {
  const { value } = parseSourceText(withoutMark(text).body);
  const entries = isJsonObject(value) ? Object.entries(value) : [];
  return JSON.stringify(entries.filter(([key]) => key !== KEY));
}

/** A key that is written twice counts where it stands last. */
function propertiesNamed(root: Node, name: string): Node[] {
  return (root.children ?? []).filter((property) => property.children?.[0]?.value === name);
}

/** One step of indentation as the file has it. */
function indentUnit(text: string): string {
  return /^(\t| +)(?=\S)/m.exec(text)?.[1] ?? "  ";
}

function isEmpty(text: string): boolean {
  return parseTree(withoutMark(text).body, [], PARSE_OPTIONS) === undefined;
}

function withoutMark(text: string): { mark: string; body: string } {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
  return { mark, body: text.slice(mark.length) };
}
