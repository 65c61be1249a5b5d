import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type * as z from "zod";
import { describeError } from "../../lib/error.ts";
import { type DefinitionOfDone, foreignDefinition } from "./definition.ts";

/** Where a definition came from, or why the file that should hold it cannot be used. */
export type LoadedDefinition =
  | { kind: "found"; definition: DefinitionOfDone; source: string }
  | { kind: "broken"; source: string; problem: string };

/** A definition is a page of text; a larger file is something else by mistake. */
const MAX_FILE_BYTES = 1_000_000;

/**
 * Finds the project's Definition of Done (SPEC 11): the GAIA config first, then `agency.json`, then
 * `.agency/dod.json`. A broken file ends the search with its problem: going on to the next source would replace
 * the user's gate by another one without a word.
 * @param configured `definitionOfDone` of `.gaia/config.jsonc`, already validated
 * @returns null when no source has one
 */
export async function loadDefinitionOfDone(input: {
  directory: string;
  configured?: DefinitionOfDone | undefined;
}): Promise<LoadedDefinition | null> {
  if (input.configured) {
    return { kind: "found", definition: input.configured, source: ".gaia/config.jsonc" };
  }
  return (await loadFile(input.directory, "agency.json")) ?? loadFile(input.directory, ".agency/dod.json");
}

async function loadFile(directory: string, source: string): Promise<LoadedDefinition | null> {
  const text = await readText(join(directory, source));
  if (text === null) return null;
  if (typeof text === "object") return { kind: "broken", source, problem: `${source}: ${text.problem}` };
  return parseForeignFile(text, source);
}

function parseForeignFile(text: string, source: string): LoadedDefinition | null {
  const json = parseJson(text.replace(/^\uFEFF/, ""));
  if (!json.ok) return { kind: "broken", source, problem: `${source} is not valid JSON: ${json.problem}` };
  const held = definitionIn(json.value, source);
  if (held === undefined) return null;
  const parsed = foreignDefinition().safeParse(held);
  if (parsed.success) return { kind: "found", definition: parsed.data, source };
  return { kind: "broken", source, problem: `${source}: ${describeIssues(parsed.error)}` };
}

/** `agency.json` holds much else beside the definition; `dod.json` is the definition, wrapped or bare. */
function definitionIn(value: unknown, source: string): unknown {
  if (typeof value === "object" && value !== null && "definitionOfDone" in value)
    return value.definitionOfDone;
  return source === "agency.json" ? undefined : value;
}

function describeIssues(error: z.ZodError): string {
  const shown = error.issues.slice(0, 3).map((issue) => {
    const path = issue.path.map(String).join(".");
    return path ? `${path}: ${issue.message}` : issue.message;
  });
  const more = error.issues.length - shown.length;
  return shown.join("; ") + (more > 0 ? ` (and ${more} more)` : "");
}

type Parsed = { ok: true; value: unknown } | { ok: false; problem: string };

function parseJson(text: string): Parsed {
  try {
    const value: unknown = JSON.parse(text);
    return { ok: true, value };
  } catch (error) {
    return { ok: false, problem: describeError(error) };
  }
}

async function readText(path: string): Promise<string | null | { problem: string }> {
  try {
    const bytes = await readFile(path);
    return bytes.length > MAX_FILE_BYTES ? { problem: "is larger than 1 MB" } : bytes.toString("utf8");
  } catch (error) {
    return isMissing(error) ? null : { problem: `cannot be read (${describeError(error)})` };
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}
