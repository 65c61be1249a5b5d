import { isJsonObject, type JsonValue } from "../config/json-value.ts";
import { describeCheck } from "./config-rules.ts";
import { definePower, inOrder, shown, type Power } from "./power.ts";

/** A Definition of Done in a project's file, as it was read: with or without what the reader filled in. */
export interface AskedDefinition {
  readonly checks?: readonly object[] | undefined;
  readonly gate?: string | undefined;
}

/** What a Definition of Done in a file other than the configuration asks for: each of its commands, and a loose gate. */
export function definitionPowers(file: string, { checks = [], gate = "all" }: AskedDefinition): Power[] {
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

export interface AskedSpecialist {
  readonly name: string;
  readonly role: string | null;
  readonly prompt: string;
  readonly permission?: Readonly<Record<string, unknown>>;
  readonly steps?: number;
}

/**
 * What a project's own specialist asks for beyond what a reader may: every permission that is no denial, a role, which
 * lets its verdict count or its checks run, and steps above the default. It is one power together with its prompt, which says what is done with them.
 * @param readerSteps the bound on a reader's steps
 */
export function specialistPowers(
  file: string,
  { name, role, prompt, permission = {}, steps = 0 }: AskedSpecialist,
  readerSteps: number,
): Power[] {
  const allowed = Object.entries(permission).filter(([tool, rule]) => !isDenial(tool, rule));
  const may = allowed.map(([tool, rule]) => `${shown(tool)}: ${shown(plainJson(rule))}`);
  const how = [
    ...(role === null ? [] : [`has the role ${shown(role)}`]),
    ...(may.length === 0 ? [] : [`may use ${may.join(", ")}`]),
    ...(steps <= readerSteps ? [] : [`may take ${steps} steps`]),
  ];
  if (how.length === 0) return [];
  const rules = plainJson(permission);
  const value = plainJson({ prompt, role, permission: isJsonObject(rules) ? inOrder(rules) : rules, steps });
  return [definePower(file, name, { what: `the specialist ${name} ${how.join(" and ")}`, value })];
}

/** Patterns in the place of a rule for several tools would take away what denies all of them. */
export function isDenial(tool: string, rule: unknown): boolean {
  if (typeof rule !== "object" || rule === null) return rule === "deny";
  return !/[*?]/.test(tool) && Object.values(rule).every((action) => action === "deny");
}

function plainJson(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value)) as JsonValue;
}
