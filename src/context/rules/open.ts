import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Host } from "../../host/port.ts";
import { createCurrent, type Current } from "../current.ts";
import type { RuleInput } from "./load.ts";
import type { RuleCatalogue } from "./rule.ts";

/** The rules that a project's files hold; a project without any costs a few looks. */
export type Rules = Current<RuleCatalogue>;

interface OpenRulesInput extends Omit<RuleInput, "givenByHost"> {
  /** Patterns of files that the host gives to every agent by itself, as far as it has told; none by default. */
  readonly givenByHost?: () => readonly string[];
}

/** @param host shows the user what cannot be used */
export function openRules(
  { givenByHost = () => [], ...input }: OpenRulesInput,
  host: Pick<Host, "logger" | "toast">,
): Rules {
  const { logger, toast } = host;
  return createCurrent({ logger, toast, clock: input.clock, what: "rules" }, async () =>
    findRules({ ...input, givenByHost: givenByHost() }),
  );
}

/** Without any of them nothing is loaded. */
const PLACES = [
  ".gaia/rules",
  ".claude/rules",
  ".cursor/rules",
  ".github/instructions",
  "docs/principles/manifest",
  "docs/domain/INDEX.md",
];

async function findRules(input: RuleInput): Promise<RuleCatalogue | null> {
  const folders = [...new Set([input.directory, input.top])];
  const looks = folders.flatMap((folder) => PLACES.map(async (path) => stat(join(folder, path))));
  if (!(await Promise.allSettled(looks)).some(({ status }) => status === "fulfilled")) return null;
  const { loadCatalogue } = await import("./load.ts");
  return loadCatalogue(input);
}
