import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { RuleInput } from "./load.ts";
import type { RuleCatalogue } from "./rule.ts";

/** Without any of them nothing is loaded. */
const PLACES = [
  ".gaia/rules",
  ".claude/rules",
  ".cursor/rules",
  ".github/instructions",
  "docs/principles/manifest",
  "docs/domain/INDEX.md",
];

export async function findRules(input: RuleInput): Promise<RuleCatalogue | null> {
  const folders = [...new Set([input.directory, input.top])];
  const looks = folders.flatMap((folder) => PLACES.map(async (path) => stat(join(folder, path))));
  if (!(await Promise.allSettled(looks)).some(({ status }) => status === "fulfilled")) return null;
  const { loadCatalogue } = await import("./load.ts");
  return loadCatalogue(input);
}
