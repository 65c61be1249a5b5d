import { join } from "node:path";
import type * as z from "zod/mini";
import { type DefinitionOfDone, foreignDefinition } from "../../config/definition-of-done.ts";
import { systemClock } from "../../lib/clock.ts";
import { describeError } from "../../lib/error.ts";
import { readSource } from "../../lib/read-source.ts";
import { IN_ENGLISH } from "../../lib/schema.ts";

export const CONFIGURATION = ".gaia/config.jsonc";

/** What the configuration says now; shared by all who run it. */
export interface AdoptedDefinition {
  definition: DefinitionOfDone | undefined;
}

/** The project's definition with where it stands, or why the file that should hold it cannot be used. */
export type LoadedDefinition =
  | { kind: "found"; definition: DefinitionOfDone; source: string }
  | { kind: "broken"; problem: string };

/**
 * Finds the project's Definition of Done (SPEC 11): the GAIA config first, then `agency.json`, then
 * `.agency/dod.json`. A broken file ends the search with its problem: going on to the next source would replace
 * the user's gate by another one without a word.
 * @param configured `definitionOfDone` of `.gaia/config.jsonc`, already validated
 * @returns null when no source has one
 */
export async function loadDefinitionOfDone(
  directory: string,
  configured?: DefinitionOfDone,
): Promise<LoadedDefinition | null> {
  if (configured) return { kind: "found", definition: configured, source: CONFIGURATION };
  return (await loadFile(directory, "agency.json")) ?? loadFile(directory, ".agency/dod.json");
}

async function loadFile(directory: string, source: string): Promise<LoadedDefinition | null> {
  const read = await readSource(join(directory, source), systemClock);
  if (read.state === "absent") return null;
  if (read.state === "failed") return broken(`${source}: ${read.message}`);
  return parseForeignFile(Buffer.from(read.bytes).toString("utf8"), source);
}

function parseForeignFile(text: string, source: string): LoadedDefinition | null {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    return broken(`${source} is not valid JSON: ${describeError(error)}`);
  }
  const held = definitionIn(value, source);
  if (held === undefined) return null;
  const parsed = foreignDefinition().safeParse(held, IN_ENGLISH);
  if (parsed.success) return { kind: "found", definition: parsed.data, source };
  return broken(`${source}: ${describeIssues(parsed.error)}`);
}

/** `agency.json` holds much else beside the definition; `dod.json` is the definition, wrapped or bare. */
function definitionIn(value: unknown, source: string): unknown {
  if (typeof value === "object" && value !== null && "definitionOfDone" in value)
    return value.definitionOfDone;
  return source === "agency.json" ? undefined : value;
}

function describeIssues(error: z.core.$ZodError): string {
  const shown = error.issues.slice(0, 3).map((issue) => {
    const path = issue.path.map(String).join(".");
    return path ? `${path}: ${issue.message}` : issue.message;
  });
  const more = error.issues.length - shown.length;
  return shown.join("; ") + (more > 0 ? ` (and ${more} more)` : "");
}

function broken(problem: string): LoadedDefinition {
  return { kind: "broken", problem };
}
