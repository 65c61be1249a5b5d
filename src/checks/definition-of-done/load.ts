import { join } from "node:path";
import { type DefinitionOfDone, foreignDefinition } from "../../config/definition-of-done.ts";
import { type KeyPath, renderKeyPath } from "../../config/json-value.ts";
import { renderProblem } from "../../config/problem.ts";
import { systemClock } from "../../lib/async.ts";
import { isRecord, parseJson, recordOf } from "../../lib/json.ts";
import { IN_ENGLISH } from "../../lib/schema.ts";
import { readSource } from "../../lib/read-source.ts";

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
  const bytes = read.state === "read" ? read.bytes : new Uint8Array();
  const broken = async (path: KeyPath, message: string): Promise<LoadedDefinition> => {
    // Most have none, or one without faults.
    const { locate, problems } = (await import("../../config/source-text.ts")).parseSourceBytes(bytes);
    const place = { ...locate(path, "value"), ...problems[0], path: renderKeyPath(path), file: source };
    const problem = renderProblem({ ...place, kind: "syntax", message, suggestion: "Correct it first." });
    return { kind: "broken", problem };
  };
  if (read.state === "failed") return broken([], read.message);
  // Without a byte order mark.
  const value = parseJson(new TextDecoder().decode(bytes));
  if (value === undefined) return broken([], "not valid JSON");
  // `agency.json` holds much else beside the definition; `dod.json` is the definition, wrapped or bare.
  const isWrapped = source === "agency.json" || (isRecord(value) && "definitionOfDone" in value);
  const held = isWrapped ? recordOf(value)["definitionOfDone"] : value;
  if (held === undefined) return null;
  const { success, data, error } = foreignDefinition().safeParse(held, IN_ENGLISH);
  if (success) return { kind: "found", definition: data, source };
  const [{ path, message } = { path: [], message: "" }] = error.issues;
  return broken([...(isWrapped ? ["definitionOfDone"] : []), ...(path as (string | number)[])], message);
}
