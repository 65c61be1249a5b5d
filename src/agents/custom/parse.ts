import { load, YAMLException } from "js-yaml";
import * as z from "zod/mini";
import { AgentOverrideSchema } from "../../config/agent-override.ts";
import { INHERIT_MODEL } from "../../config/inherit-model.ts";
import type { JsonValue, KeyPath } from "../../config/json-value.ts";
import type { ConfigProblem } from "../../config/problem.ts";
import { givesVerdict, ROLES } from "../../config/roles.ts";
import { validateSource } from "../../config/validate.ts";
import { defineContract } from "../../contracts/contract.ts";
import { isRecord } from "../../lib/json.ts";
import type { SpecialistDefinition } from "../define.ts";
import type { PermissionRules } from "../../host/hook-events.ts";

/** What a field of a contract may hold; enough for data, and the same for every model. */
const FIELDS = {
  string: () => z.string(),
  "string[]": () => z.array(z.string()),
  number: () => z.number(),
  boolean: () => z.boolean(),
};
const KINDS = Object.keys(FIELDS) as (keyof typeof FIELDS)[];

/** The front matter of `.gaia/agents/<name>.md` (SPEC 3). */
const FrontMatterSchema = z.strictObject({
  description: z.string().check(z.minLength(1)),
  /** The record has one writer, so that nobody else can be its historian. */
  role: z.optional(z.enum(ROLES.filter((role) => role !== "historian"))),
  ...z.pick(AgentOverrideSchema, {
    model: true,
    fallback: true,
    temperature: true,
    reasoningEffort: true,
    steps: true,
    permission: true,
  }).shape,
  contract: z.optional(z.record(z.string(), z.enum(KINDS))),
});

export type CustomResult =
  | { ok: true; definition: SpecialistDefinition }
  | { ok: false; problem: ConfigProblem };

/** What one whose verdict counts hands over beside it, unless its file says otherwise. */
const FINDINGS: z.infer<typeof FrontMatterSchema>["contract"] = { findings: "string[]" };

const FENCE = /^---[ \t]*\r?\n([^]*?)\r?\n---[ \t]*(?:\r?\n|$)/;

export function parseCustomSpecialist(name: string, file: string, text: string): CustomResult {
  const fail = (message: string, suggestion: string, at: Partial<ConfigProblem> = {}): CustomResult => ({
    ok: false,
    problem: { kind: "wrong-value", file, path: "", message, suggestion, ...at },
  });
  const match = FENCE.exec(text.replace(/^\uFEFF/, ""));
  if (match === null)
    return fail("has no front matter", 'Begin with a "---" block that holds a description.', { line: 1 });
  const source = match[1] ?? "";
  const head = readYaml(source);
  if (!head.ok) return fail(head.message, "Correct this line.", { kind: "syntax", line: head.line });
  const locate = ([key]: KeyPath) => ({ line: lineOfKey(source, key) });
  const [problem] = validateSource(FrontMatterSchema, head.value as JsonValue, locate).problems;
  if (problem !== undefined) return { ok: false, problem: { ...problem, file } };
  const body = text.slice(text.indexOf(match[0]) + match[0].length).trim();
  if (body === "") return fail("has no prompt", "Write the agent's instructions below the front matter.");
  return { ok: true, definition: build(name, FrontMatterSchema.parse(head.value), body) };
}

/** Aliases are refused: a few lines of them stand for more than a machine can hold. Lines are those of the file, whose first line is the fence. */
function readYaml(
  source: string,
): { ok: true; value: unknown } | { ok: false; message: string; line: number } {
  try {
    return { ok: true, value: load(source, { maxAliases: 0 }) };
  } catch (error) {
    if (!(error instanceof YAMLException)) return { ok: false, message: "cannot be read as YAML", line: 1 };
    return { ok: false, message: `is no valid YAML (${error.reason})`, line: (error.mark?.line ?? 0) + 2 };
  }
}

function lineOfKey(source: string, key: string | number | undefined): number {
  const index = source.split("\n").findIndex((line) => key !== undefined && line.startsWith(`${key}:`));
  return index + 2;
}

function build(name: string, head: z.infer<typeof FrontMatterSchema>, prompt: string): SpecialistDefinition {
  const role = head.role ?? null;
  const reviews = givesVerdict(role);
  const fields = head.contract ?? (reviews ? FINDINGS : undefined);
  const shape = Object.entries(fields ?? {}).map(([field, kind]) => [field, FIELDS[kind]()] as const);
  const contract = fields === undefined ? null : defineContract({ reviews }, () => Object.fromEntries(shape));
  const permission = head.permission ?? {};
  const model = head.model === undefined || head.model === INHERIT_MODEL ? [] : [head.model];
  return {
    name,
    role,
    description: head.description,
    prompt,
    contract,
    permission,
    access: { edit: grants(permission["edit"]) ? "ask" : "deny", web: false },
    defaults: {
      models: [...model, ...(head.fallback ?? [])],
      temperature: head.temperature ?? 0.1,
      ...(head.reasoningEffort === undefined ? {} : { reasoningEffort: head.reasoningEffort }),
    },
    ...(head.steps === undefined ? {} : { steps: head.steps }),
  };
}

function grants(rule: PermissionRules[string] | undefined): boolean {
  if (isRecord(rule)) return Object.values(rule).some((action) => action !== "deny");
  return rule !== undefined && rule !== "deny";
}
