import type { JsonValue } from "../config/json-value.ts";
import { describeCheck } from "./config-rules.ts";
import { definePower, shown, type Power } from "./power.ts";

/** A Definition of Done in a project's file, as it was read: with or without what the reader filled in. */
export interface AskedDefinition {
  readonly checks: readonly object[];
  readonly gate: string;
}

/** What a Definition of Done in a file other than the configuration asks for: each of its commands, and a loose gate. */
export function definitionPowers(file: string, { checks, gate }: AskedDefinition): Power[] {
  const commands = checks.map((check) => {
    const value = plainJson(check);
    return definePower(file, "definitionOfDone.checks", { what: describeCheck(value), value });
  });
  const what = `of the checks, ${shown(gate)} have to pass`;
  const isLoose = gate !== "all";
  return [
    ...commands,
    ...(isLoose ? [definePower(file, "definitionOfDone.gate", { what, value: gate })] : []),
  ];
}

/** A specialist that a project defines in a file of its own. */
export interface AskedSpecialist {
  readonly name: string;
  readonly prompt: string;
  readonly permission?: Readonly<Record<string, unknown>>;
  readonly steps?: number;
}

/**
 * What a project's own specialist asks for beyond what a reader may: every permission that is no denial, and steps above
 * the default. It is one power together with its prompt, which says what is done with them.
 * @param readerSteps the bound on a reader's steps
 */
export function specialistPowers(
  file: string,
  { name, prompt, permission = {}, steps = 0 }: AskedSpecialist,
  readerSteps: number,
): Power[] {
  const allowed = Object.entries(permission).filter(([, rule]) => !isDenial(rule));
  if (allowed.length === 0 && steps <= readerSteps) return [];
  const may = allowed.map(([tool, rule]) => `${shown(tool)}: ${shown(plainJson(rule))}`);
  const how = [
    ...(may.length === 0 ? [] : [`may use ${may.join(", ")}`]),
    ...(steps <= readerSteps ? [] : [`may take ${steps} steps`]),
  ];
  const value = plainJson({ prompt, permission, steps });
  return [definePower(file, name, { what: `the specialist ${name} ${how.join(" and ")}`, value })];
}

function isDenial(rule: unknown): boolean {
  if (typeof rule !== "object" || rule === null) return rule === "deny";
  return Object.values(rule).every((action) => action === "deny");
}

function plainJson(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value)) as JsonValue;
}
