import * as z from "zod/mini";
import { SPECIALISTS } from "../../../src/agents/registry.ts";
import { recordOf, type JsonRecord } from "../../../src/lib/json.ts";
import type { Answer, SpecialistMove, Trouble } from "../schedule.ts";
import type { ModelMove } from "../opencode/world.ts";

const ANSWERS = new Map<string, JsonRecord>();

/** The smallest answer that fits an agent's contract. */
function fittingAnswer(agent: string): JsonRecord {
  const known = ANSWERS.get(agent);
  if (known !== undefined) return known;
  const contract = SPECIALISTS.find(({ name }) => name === agent)?.contract;
  const fresh = recordOf(
    contract === null || contract === undefined
      ? {}
      : smallest(recordOf(z.toJSONSchema(contract.asked, { io: "input" }))),
  );
  ANSWERS.set(agent, fresh);
  return fresh;
}

function smallest(schema: JsonRecord): unknown {
  const values = schema["enum"] ?? (schema["const"] === undefined ? undefined : [schema["const"]]);
  if (Array.isArray(values)) return values[0];
  const union = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(union)) return smallest(recordOf(union[0]));
  if (schema["type"] === "boolean") return true;
  if (schema["type"] === "number" || schema["type"] === "integer") return 1;
  if (schema["type"] === "array") return [];
  if (schema["type"] !== "object") return "as asked";
  const required = (schema["required"] ?? []) as string[];
  const fields = recordOf(schema["properties"]);
  return Object.fromEntries(required.map((name) => [name, smallest(recordOf(fields[name]))]));
}

/** The last words of a specialist who answers in this way. */
export function wordsOf(agent: string, how: Answer): string {
  const answer = fittingAnswer(agent);
  const block = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value)}\n\`\`\``;
  const outcome = (verdict: string): JsonRecord => ({
    ...answer,
    outcome: { verdict, reason: "because of a.ts:1", next_step: "fix a.ts" },
  });
  switch (how) {
    case "ok":
      return `Done.\n${block(answer)}`;
    case "not-ok":
      return block({ ...answer, ok: false, errors: ["it does not work"] });
    case "approve":
      return block(outcome("APPROVE"));
    case "reject":
      return block(outcome("REJECT"));
    case "blocked":
      return block(outcome("BLOCKED"));
    case "bare-verdict":
      return block({ ...answer, outcome: "reject" });
    case "contradiction":
      return block({ ...outcome("APPROVE"), ok: false, errors: ["two tests fail"] });
    case "no-json":
      return "It is all done and works well.";
    case "half-json":
      return `\`\`\`json\n${JSON.stringify(outcome("REJECT")).slice(0, 60)}`;
    case "empty":
      return "";
    case "asks":
      return "Which of the two databases do you mean? I cannot go on without knowing.";
    case "assumes":
      return block({ ...answer, assumptions: [{ text: "the port is 80", confidence: 0.4 }] });
    case "wrong-types":
      return block({ ok: "yes", data: [], errors: "none" });
  }
}

/**
 * What a specialist's model does with one request.
 * @param turn which one it is
 */
export function specialistMove(agent: string, move: SpecialistMove, turn: number): ModelMove {
  switch (move.does) {
    case "answer":
      return { does: "say", text: wordsOf(agent, move.how) };
    case "edit":
      return call("edit", { filePath: move.file, oldString: "", newString: "made\n" });
    case "shell":
      return call("bash", { command: move.command });
    case "question":
      return call("question", question(move.header));
    case "loop":
      if (move.call === "read") return call("read", { filePath: "a.ts" });
      if (move.call === "varied") return call("read", { filePath: `${turn}.ts` });
      return move.call === "edit"
        ? call("edit", { filePath: "a.ts", oldString: "", newString: "again\n" })
        : call("bash", { command: "ls" });
    default:
      return troubleMove(move);
  }
}

export function troubleMove(move: Trouble): ModelMove {
  switch (move.does) {
    case "fail":
      return { does: "fail", error: ERRORS[move.error] };
    case "busy":
      return move;
    case "slow":
      return move;
    case "hang":
      return move;
  }
}

const ERRORS: Readonly<Record<Extract<Trouble, { does: "fail" }>["error"], JsonRecord>> = {
  429: apiError(429, "Rate limit reached"),
  500: apiError(500, "Internal server error"),
  401: { name: "ProviderAuthError", data: { providerID: "openai", message: "no key" } },
  context: { name: "ContextOverflowError", data: { message: "prompt is too long" } },
  content: apiError(400, "content policy"),
  timeout: { name: "UnknownError", data: { message: "The operation timed out." } },
};

function apiError(statusCode: number, message: string): JsonRecord {
  return { name: "APIError", data: { message, statusCode, isRetryable: statusCode !== 400 } };
}

export function call(tool: string, args: JsonRecord): ModelMove {
  return { does: "call", calls: [{ tool, args }] };
}

export function question(header: string): JsonRecord {
  const options = ["Yes", "No"].map((label) => ({ label, description: label }));
  return { questions: [{ header, question: `${header}?`, options }] };
}
