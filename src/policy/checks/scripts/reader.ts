import { parse } from "jsonc-parser";
import { load } from "../../../libraries/js-yaml.ts";
import type { ProjectFiles } from "../outputs.ts";
import { below } from "./script.ts";

/** Files, folders and characters that are read for one command; behind them, names have to tell. */
const MAX_FILES = 60;
const MAX_LISTED = 20;
const MAX_CHARACTERS = 400_000;
/** Characters of a YAML file, which is slow to read. */
const MAX_YAML = 32_768;

export type Fields = Readonly<Record<string, unknown>>;

/** True for an object with fields. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The strings in a value that should be a list of them, or one. */
export function stringsIn(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((item) => typeof item === "string");
}

/** Reads a project's files for one command, each once and all together no more than is bounded. */
export class ScriptReader {
  readonly #files: ProjectFiles;
  readonly #texts = new Map<string, string | undefined>();
  readonly #parsed = new Map<string, Fields | undefined>();
  #characters = 0;
  #listed = 0;

  constructor(files: ProjectFiles) {
    this.#files = files;
  }

  text(folder: string, name: string): string | undefined {
    const path = below(folder, name);
    if (this.#texts.has(path)) return this.#texts.get(path);
    const isFull = this.#texts.size >= MAX_FILES || this.#characters > MAX_CHARACTERS;
    const text = isFull ? undefined : this.#files.readScript?.(path);
    this.#characters += text?.length ?? 0;
    this.#texts.set(path, text);
    return text;
  }

  /** The fields of a JSON file, with or without comments, or of a YAML file by its name; undefined where it is none. */
  fields(folder: string, name: string): Fields | undefined {
    const path = below(folder, name);
    if (this.#parsed.has(path)) return this.#parsed.get(path);
    const text = this.text(folder, name);
    const isYaml = /\.ya?ml$/u.test(name);
    const isRead = text !== undefined && !(isYaml && text.length > MAX_YAML);
    const value = isRead ? parsed(text, isYaml) : undefined;
    const fields = isFields(value) ? value : undefined;
    this.#parsed.set(path, fields);
    return fields;
  }

  folders(folder: string): readonly string[] {
    return this.#listed++ < MAX_LISTED ? (this.#files.listFolders?.(folder) ?? []) : [];
  }
}

function parsed(text: string, isYaml: boolean): unknown {
  try {
    return isYaml ? load(text) : JSON.parse(text);
  } catch {
    // With comments it takes longer, and broken files name no scripts.
    return isYaml ? undefined : parse(text);
  }
}
