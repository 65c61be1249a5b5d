import { devNull } from "node:os";
import { basename, extname } from "node:path";
import { parseJson, recordOf, textOf } from "../../lib/json.ts";
import { runBoundedProcess } from "../../process/bounded-process.ts";
import { withThrowawayFiles } from "../../process/throwaway-files.ts";
import { surroundings } from "./program.ts";
import type { Rewrite } from "./rewrite.ts";
import type { SearchInput } from "./search.ts";

/** Changed files that are looked at, and their bytes together. */
const MAX_FILES = 100;
const MAX_BYTES = 10_000_000;
const LIMIT_MS = 20_000;

/**
 * The names of changed files that have more syntax errors than before, or in which what is put in place of a whole piece of
 * code is none: within a file ast-grep's parser adds a missing bracket by itself. Nothing where it cannot tell.
 */
export async function findBroken(
  { changes, samples }: Pick<Rewrite, "changes" | "samples">,
  input: Pick<SearchInput, "program" | "lang" | "environment" | "clock" | "signal">,
): Promise<string[]> {
  const looked = changes.slice(0, MAX_FILES);
  if (looked.reduce((sum, { after }) => sum + after.length, 0) > MAX_BYTES) return [];
  const files = new Map(
    looked.flatMap(({ name, before, after }, index) => {
      const sample = samples[index] ?? { before: "", after: "" };
      const states = { before, after, taken: sample.before, put: sample.after };
      return Object.entries(states).map(
        ([state, content]) => [`${index}-${state}${extname(name)}`, content] as const,
      );
    }),
  );
  const errors = await withThrowawayFiles(files, async (folder) => listErrors(folder, input));
  const count = (index: number, state: string): number =>
    errors.filter((each) => each === `${index}-${state}`).length;
  return looked.flatMap(({ name }, index) =>
    count(index, "after") > count(index, "before") || count(index, "put") > count(index, "taken")
      ? [name]
      : [],
  );
}

/** The names, without their endings, of files with errors, once for each. */
async function listErrors(
  folder: string,
  { program, lang, environment, clock, signal }: Parameters<typeof findBroken>[1],
): Promise<string[]> {
  const rule = JSON.stringify({ id: "broken", language: lang, severity: "hint", rule: { kind: "ERROR" } });
  let printed = "";
  const ending = await runBoundedProcess({
    command: [program, "scan", `--config=${devNull}`, "--json=stream", `--inline-rules=${rule}`, folder],
    cwd: folder,
    env: surroundings(environment),
    timeoutMs: LIMIT_MS,
    graceMs: 200,
    signal,
    clock,
    output: { write: (source, chunk) => void (printed += source === "stdout" ? chunk.toString() : "") },
  });
  if (ending.kind !== "exited") return [];
  return printed
    .split("\n")
    .map((line) => basename(textOf(recordOf(parseJson(line))["file"]) ?? "").replace(/\..*$/u, ""));
}
