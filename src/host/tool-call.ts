import { isRecord } from "../lib/json.ts";

/** What an edit does to one file. */
export interface FileEdit {
  /** As the call gives it. */
  readonly path: string;
  /** The pieces that are replaced; null where the whole file is, whose text the call does not tell. */
  readonly before: string | null;
  readonly after: string;
  /** Where a file that the edit moves was before. */
  readonly movedFrom?: string;
  /** The file is deleted. */
  readonly isDeleted?: true;
  /** A patch adds the file, over whatever lies there. */
  readonly isAdded?: true;
}

/** What a native tool call does, in our own words: the one reading of a host's tool names and arguments. */
export type ToolEffect =
  /** Looks, or keeps notes; `paths` are files and folders, `patterns` globs of file names, `addresses` on the web. */
  | {
      readonly kind: "read";
      readonly paths: readonly string[];
      readonly patterns: readonly string[];
      readonly addresses: readonly string[];
      /** What it shows are lines of files that it finds by itself. */
      readonly searches?: true;
      /** The skill that it loads. */
      readonly skill?: string;
    }
  /** `isPatch`: one text changes any number of files, instead of one file that the call names. */
  | { readonly kind: "edit"; readonly isPatch: boolean; readonly edits: readonly FileEdit[] }
  | { readonly kind: "command"; readonly command: string; readonly workdir: string | null }
  | { readonly kind: "question"; readonly questions: readonly Readonly<Record<string, unknown>>[] }
  | { readonly kind: "todos" }
  /** Has another agent work in a session below this one, whose own calls are calls like these. */
  | { readonly kind: "subtask" }
  /** The plugin's own tools, other plugins', those of MCP servers; what its arguments call a path or an address. */
  | { readonly kind: "other"; readonly paths: readonly string[]; readonly addresses: readonly string[] };

/** What a call is about, for a line on the screen. */
export type ToolTarget = { readonly path: string } | { readonly text: string };

/** Lines that a call added to and removed from a file. */
export interface FileLines {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
}

/** What came of a call, by the host's own account, in which the model has no part. */
export interface ToolOutcome {
  /** What the model is shown; null for what is no text. */
  readonly text: string | null;
  /** Of a command. */
  readonly exitCode: number | null;
  readonly files: readonly FileLines[];
  /** The labels that the user chose, per question. */
  readonly answers: readonly (readonly string[])[];
}

/** Of a call that did nothing to any file, and is not quoted. */
export const NO_OUTCOME: ToolOutcome = { text: null, exitCode: null, files: [], answers: [] };

/** How arguments are called that hold a path or an address. */
const PLACE = /(?:path|file|filename|folder|dir|directory|destination|dest|target|source|uri|url)s?$/i;
const MAX_DEPTH = 8;
const MAX_TEXTS = 200;

/** What the arguments of a tool that is not known call a path or an address, as far as their names tell. */
export function readPlaces(args: unknown): { paths: string[]; addresses: string[] } {
  const found: string[] = [];
  const collect = (value: unknown, isPlace: boolean, depth: number): void => {
    if (found.length >= MAX_TEXTS || depth > MAX_DEPTH) return;
    if (typeof value === "string" && isPlace) found.push(value);
    else if (Array.isArray(value)) for (const item of value) collect(item, isPlace, depth + 1);
    else if (isRecord(value))
      for (const [key, item] of Object.entries(value)) collect(item, PLACE.test(key), depth + 1);
  };
  collect(args, false, 0);
  const isAddress = (text: string): boolean => /^[a-z][a-z0-9+.-]+:\/\//i.test(text) && !/^file:/i.test(text);
  return {
    paths: found
      .filter((text) => !isAddress(text))
      .map((text) => text.replace(/^file:\/\/(?:localhost)?/i, "")),
    addresses: found.filter(isAddress),
  };
}
