import type { HostFailure } from "../host/port.ts";

/**
 * Why an attempt ended without an answer (SPEC 6), and what that speaks against: the provider, whose other requests will
 * fail too for a while; the model alone; or neither, so that another model would fare no better.
 */
const SPEAKS_AGAINST = {
  auth: "provider",
  "not-found": "model",
  quota: "provider",
  overload: "provider",
  server: "provider",
  connection: "provider",
  timeout: "model",
  stalled: "provider",
  "context-overflow": "model",
  "structured-output": "neither",
  aborted: "neither",
  content: "neither",
} as const;

/** One of the reasons above. */
export type FailureClass = keyof typeof SPEAKS_AGAINST;

/** Whether the next model of the chain is worth a try after this. */
export function mayFallBack(failure: FailureClass): boolean {
  return SPEAKS_AGAINST[failure] !== "neither";
}

/** Whether the provider should be left alone for the cool-down. */
export function coolsProvider(failure: FailureClass): boolean {
  return SPEAKS_AGAINST[failure] === "provider";
}

const BY_NAME: Record<string, FailureClass> = {
  ProviderAuthError: "auth",
  ProviderModelNotFoundError: "not-found",
  ModelNotFoundError: "not-found",
  ProviderInitError: "connection",
  ContextOverflowError: "context-overflow",
  StructuredOutputError: "structured-output",
  MessageAbortedError: "aborted",
  MessageOutputLengthError: "content",
};

/** Checked in order against the message, where neither name nor status decides. Providers word these freely. */
const BY_MESSAGE: readonly (readonly [FailureClass, RegExp])[] = [
  ["structured-output", /tool_choice|response_format|json_schema|structured output/i],
  ["context-overflow", /context (length|window)|maximum context|prompt is too long|too many tokens/i],
  ["auth", /unauthori[sz]ed|invalid api key|api key|authentication|forbidden/i],
  ["quota", /rate.?limit|quota|too many requests|insufficient|billing|usage limit|\b429\b/i],
  ["overload", /overloaded|capacity|try again later|service unavailable|\b(503|529)\b/i],
  ["not-found", /model.{0,60}(not found|does not exist|unknown|unsupported)|unknown model|no such model/i],
  ["timeout", /timed? ?out|timeout/i],
  ["connection", /unable to connect|econn|socket|fetch failed|network|connection|dns|enotfound/i],
  [
    "server",
    /json pars(e|ing)|invalid json|unexpected (token|end of)|internal server error|bad gateway|server error|\b5\d\d\b/i,
  ],
];

function byStatus(status: number): FailureClass | null {
  if (status === 401 || status === 403) return "auth";
  if (status === 404) return "not-found";
  if (status === 402 || status === 429) return "quota";
  if (status === 408 || status === 504) return "timeout";
  if (status === 503 || status === 529) return "overload";
  return status >= 500 ? "server" : null;
}

/** Sorts a failed model turn by what can be done about it. Pure; what it does not know is `content`. */
export function classifyFailure(failure: HostFailure): FailureClass {
  const named = BY_NAME[failure.name];
  if (named !== undefined) return named;
  const text = BY_MESSAGE.find(([, pattern]) => pattern.test(failure.quoted ?? failure.message))?.[0];
  if (failure.statusCode === undefined) return text ?? "content";
  // A 400 or 413 means only what its message says; of OpenCode's own 500 the message is the better guide.
  if (!failure.promptSaved || failure.statusCode < 500)
    return text ?? byStatus(failure.statusCode) ?? "content";
  return byStatus(failure.statusCode) ?? text ?? "server";
}
