import * as z from "zod/mini";
import { SPECIALISTS } from "../../../src/agents/registry.ts";
import { recordOf, type JsonRecord } from "../../../src/lib/json.ts";
import { sampleOf } from "../../support/sample.ts";
import type { Answer, SpecialistMove, Trouble } from "../schedule.ts";
import type { ModelMove } from "../opencode/world.ts";

const ANSWERS = new Map<string, JsonRecord>();

/** The smallest answer that fits an agent's contract. */
function fittingAnswer(agent: string): JsonRecord {
  const known = ANSWERS.get(agent);
  if (known !== undefined) return known;
  const asked = SPECIALISTS.find(({ name }) => name === agent)?.contract?.asked;
  const fresh =
    asked === undefined
      ? {}
      : recordOf(sampleOf(z.toJSONSchema(asked, { io: "input" }), "as asked", false, 0));
  ANSWERS.set(agent, fresh);
  return fresh;
}

const block = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value)}\n\`\`\``;
const withVerdict = (answer: JsonRecord, verdict: string): JsonRecord => ({
  ...answer,
  outcome: { verdict, reason: "because of a.ts:1", next_step: "fix a.ts" },
});
const WORDS: Readonly<Record<Answer, (answer: JsonRecord) => string>> = {
  ok: (answer) => `Done.\n${block(answer)}`,
  "not-ok": (answer) => block({ ...answer, ok: false, errors: ["it does not work"] }),
  approve: (answer) => block(withVerdict(answer, "APPROVE")),
  reject: (answer) => block(withVerdict(answer, "REJECT")),
  blocked: (answer) => block(withVerdict(answer, "BLOCKED")),
  "bare-verdict": (answer) => block({ ...answer, outcome: "reject" }),
  contradiction: (answer) =>
    block({ ...withVerdict(answer, "APPROVE"), ok: false, errors: ["two tests fail"] }),
  "no-json": () => "It is all done and works well.",
  "half-json": (answer) => block(withVerdict(answer, "REJECT")).slice(0, 68),
  empty: () => "",
  asks: () => "Which of the two databases do you mean? I cannot go on without knowing.",
  assumes: (answer) => block({ ...answer, assumptions: [{ text: "the port is 80", confidence: 0.4 }] }),
  "wrong-types": () => block({ ok: "yes", data: [], errors: "none" }),
};

/** The last words of a specialist who answers in this way. */
export function wordsOf(agent: string, how: Answer): string {
  return WORDS[how](fittingAnswer(agent));
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
      if (move.call === "shell") return call("bash", { command: "ls" });
      if (move.call === "edit")
        return call("edit", { filePath: "a.ts", oldString: "", newString: "again\n" });
      return call("read", { filePath: move.call === "varied" ? `${turn}.ts` : "a.ts" });
    default:
      return troubleMove(move);
  }
}

export function troubleMove(move: Trouble): ModelMove {
  return move.does === "fail" ? { does: "fail", error: ERRORS[move.error] } : move;
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
