import { isMap, LineCounter, parseDocument } from "yaml";
import * as z from "zod";
import { AgentOverrideSchema, INHERIT_MODEL } from "../../config/agent-override.ts";
import type { ConfigProblem } from "../../config/problem.ts";
import { defineContract, type Contract } from "../../contracts/contract.ts";
import { isRecord } from "../../lib/json.ts";
import type { SpecialistDefinition } from "../define.ts";
import type { PermissionRules } from "../permission.ts";
import { readObjectSchema } from "./json-schema.ts";

/** The front matter of `.gaia/agents/<name>.md` (SPEC 3). */
const FrontMatterSchema = z.strictObject({
  description: z.string().min(1),
  ...AgentOverrideSchema.pick({
    model: true,
    fallback: true,
    temperature: true,
    reasoningEffort: true,
    steps: true,
    permission: true,
  }).shape,
  contract: z.record(z.string(), z.unknown()).optional(),
});

export type CustomResult =
  | { ok: true; definition: SpecialistDefinition }
  | { ok: false; problem: ConfigProblem };

const FENCE = /^---[ \t]*\r?\n([^]*?)\r?\n---[ \t]*(?:\r?\n|$)/;

/**
 * Reads one file. Pure.
 * @param file its path, as problems show it
 */
export function parseCustomSpecialist(name: string, file: string, text: string): CustomResult {
  const fail = (message: string, suggestion: string, at: Partial<ConfigProblem> = {}): CustomResult => ({
    ok: false,
    problem: { kind: "wrong-value", file, path: "", message, suggestion, ...at },
  });
  const match = FENCE.exec(text.replace(/^\uFEFF/, ""));
  if (match === null)
    return fail("has no front matter", 'Begin with a "---" block that holds a description.', { line: 1 });
  const lines = new LineCounter();
  const document = parseDocument(match[1] ?? "", { lineCounter: lines });
  const [error] = document.errors;
  if (error !== undefined) {
    const place = lines.linePos(error.pos[0]);
    return fail(`is no valid YAML (${error.code})`, "Correct this line.", {
      kind: "syntax",
      line: place.line + 1,
      column: place.col,
    });
  }
  const parsed = FrontMatterSchema.safeParse(document.toJS({ maxAliasCount: 10 }));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const path = (issue?.code === "unrecognized_keys" ? issue.keys : (issue?.path ?? [])).map(String);
    const node = isMap(document.contents) ? document.getIn(path.slice(0, 1), true) : undefined;
    const range = (node as { range?: [number] } | undefined)?.range;
    const line = range === undefined ? 1 : lines.linePos(range[0]).line + 1;
    return fail(
      issue?.message ?? "does not fit",
      `Known keys: ${Object.keys(FrontMatterSchema.shape).join(", ")}.`,
      {
        line,
        path: path.join("."),
      },
    );
  }
  const body = text.slice(text.indexOf(match[0]) + match[0].length).trim();
  if (body === "") return fail("has no prompt", "Write the agent's instructions below the front matter.");
  return build(name, parsed.data, body, fail);
}

function build(
  name: string,
  head: z.infer<typeof FrontMatterSchema>,
  prompt: string,
  fail: (message: string, suggestion: string, at?: Partial<ConfigProblem>) => CustomResult,
): CustomResult {
  let contract: Contract | null = null;
  if (head.contract !== undefined) {
    const schema = readObjectSchema(head.contract);
    if (!schema.ok)
      return fail(schema.problem, "Correct the contract, or leave it out for free text.", {
        path: "contract",
      });
    contract = defineContract(schema.schema);
  }
  const permission = head.permission ?? {};
  const model = head.model === undefined || head.model === INHERIT_MODEL ? [] : [head.model];
  return {
    ok: true,
    definition: {
      name,
      description: head.description,
      prompt,
      contract,
      permission,
      access: { edit: grants(permission["edit"]) ? "ask" : "deny", bash: "read-only", webfetch: false },
      defaults: {
        models: [...model, ...(head.fallback ?? [])],
        temperature: head.temperature ?? 0.1,
        ...(head.reasoningEffort === undefined ? {} : { reasoningEffort: head.reasoningEffort }),
      },
      ...(head.steps === undefined ? {} : { steps: head.steps }),
    },
  };
}

function grants(rule: PermissionRules[string] | undefined): boolean {
  if (isRecord(rule)) return Object.values(rule).some((action) => action !== "deny");
  return rule !== undefined && rule !== "deny";
}
