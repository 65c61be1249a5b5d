import { parseTree } from "jsonc-parser";
import { isJsonObject, ownValue } from "../config/json-value.ts";
import { parseSourceText } from "../config/source-text.ts";

/** The key under which OpenCode's files list plugins. */
export const PLUGIN_KEY = "plugin";
/** As OpenCode reads its files. */
export const PARSE_OPTIONS = { allowTrailingComma: true, allowEmptyContent: true };
const BYTE_ORDER_MARK = "\uFEFF";

/** The entries of `plugin`, or why the text cannot be used: what is wrong, and where when there is a place. */
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
  const list = ownValue(source.value, PLUGIN_KEY);
  const keys = Object.keys(source.value);
  if (list === undefined) return { ok: true, entries: [], declared: false, keys };
  if (Array.isArray(list)) return { ok: true, entries: list, declared: true, keys };
  return { ok: false, problem: `"${PLUGIN_KEY}" is not a list`, ...source.locate([PLUGIN_KEY], "value") };
}

/** Whether a text has no content but comments. */
export function isEmpty(text: string): boolean {
  return parseTree(withoutMark(text).body, [], PARSE_OPTIONS) === undefined;
}

/** A text in two: its byte order mark, if it has one, and the rest. */
export function withoutMark(text: string): { mark: string; body: string } {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
  return { mark, body: text.slice(mark.length) };
}

/** Where a list goes wrong, as `file:line:column`. */
export function placeOf(file: string, { line, column }: Extract<PluginList, { ok: false }>): string {
  return [file, line, column].filter((part) => part !== undefined).join(":");
}
