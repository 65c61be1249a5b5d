import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { ConfigProblem } from "../../config/problem.ts";
import { bounded, type Clock } from "../../lib/async.ts";
import { readSource } from "../../lib/read-source.ts";
import { isDenial } from "../../trust/file-powers.ts";
import type { SpecialistDefinition } from "../define.ts";

const FOLDER = ".gaia/agents";
/** How long the list of files may take, in milliseconds: a folder may lie on a disk that does not answer. */
const LIST_LIMIT_MS = 2_000;
/** More files than this are no roster that an orchestrator could choose from. */
const MAX_FILES = 50;
/** Names that OpenCode's own agents have, or that would break a plain object. */
const RESERVED = new Set([
  "build",
  "plan",
  "general",
  "explore",
  "title",
  "summary",
  "compaction",
  "__proto__",
  "constructor",
]);
const NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;

export function fileOf({ name }: SpecialistDefinition): string {
  return `${FOLDER}/${name}.md`;
}

/**
 * The project's own specialists (SPEC 3). Never throws: a file that cannot be used is a problem, the others apply.
 * @param taken names of the agents that ship with the plugin
 */
export async function loadCustomSpecialists(directory: string, taken: readonly string[], clock: Clock) {
  const names = await listFiles(join(directory, FOLDER), clock);
  if (names.length === 0) return { definitions: [], problems: [] };
  // The YAML parser is loaded only by projects that need it.
  const { parseCustomSpecialist } = await import("./parse.ts");
  const results = await Promise.all(
    names.slice(0, MAX_FILES).map(async (fileName) => {
      const file = `${FOLDER}/${fileName}`;
      const name = fileName.slice(0, -".md".length);
      if (!NAME.test(name) || RESERVED.has(name) || taken.includes(name)) {
        return refused(
          file,
          `"${name}" cannot be a specialist's name`,
          "Use an own name of a-z, 0-9 and dashes.",
        );
      }
      const source = await readSource(join(directory, file), clock);
      if (source.state === "absent") return refused(file, "is gone", "Save it again.");
      if (source.state === "failed") return refused(file, source.message, source.suggestion);
      return parseCustomSpecialist(name, file, Buffer.from(source.bytes).toString("utf8"));
    }),
  );
  return {
    definitions: results.flatMap((result) => (result.ok ? [result.definition] : [])),
    problems: results.flatMap((result) => (result.ok ? [] : [result.problem])),
  };
}

async function listFiles(folder: string, clock: Clock): Promise<string[]> {
  try {
    const names = await bounded(readdir(folder), LIST_LIMIT_MS, clock, folder);
    return names.filter((name) => name.endsWith(".md")).toSorted();
  } catch {
    return []; // The folder is optional, and OpenCode's start waits for this.
  }
}

function refused(file: string, message: string, suggestion: string): { ok: false; problem: ConfigProblem } {
  return { ok: false, problem: { kind: "wrong-value", file, path: "", message, suggestion } };
}

/** Until the user trusts it a project's own specialist only reads. What its file denies stays denied; prompt, models and contract are as written. */
export function asReader(definition: SpecialistDefinition): SpecialistDefinition {
  const { steps: _steps, permission = {}, ...rest } = definition;
  const denied = Object.entries(permission).filter(([tool, rule]) => isDenial(tool, rule));
  return {
    ...rest,
    role: null,
    access: { edit: "deny", web: false, commands: false },
    permission: { ...Object.fromEntries(denied), skill: "deny" },
  };
}
