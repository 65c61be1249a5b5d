import type { HostFailure, ModelId } from "../host/port.ts";
import type { Clock } from "../lib/async.ts";
import { providerOf } from "./queue.ts";

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
  timeout: "model",
  stalled: "provider",
  refused: "model",
  unknown: "model",
  "context-overflow": "model",
  aborted: "neither",
  content: "neither",
} as const;

export type FailureClass = keyof typeof SPEAKS_AGAINST;

export function mayFallBack(failure: FailureClass): boolean {
  return SPEAKS_AGAINST[failure] !== "neither";
}

function coolsProvider(failure: FailureClass): boolean {
  return SPEAKS_AGAINST[failure] === "provider";
}

/** HTTP statuses with a meaning of their own (RFC 9110; 529 is Anthropic's). */
const BY_STATUS: Record<number, FailureClass> = {
  401: "auth",
  402: "quota",
  403: "auth",
  404: "not-found",
  408: "timeout",
  429: "quota",
  503: "overload",
  504: "timeout",
  529: "overload",
};

/**
 * Sorts a failed model turn by what can be done about it, from what the host says and the provider's status alone:
 * providers word their messages freely. What neither tells is worth the next model of the chain. Pure.
 */
export function classifyFailure({ reason, statusCode, promptSaved }: HostFailure): FailureClass {
  if (reason !== "other") return reason;
  // Without a saved prompt the status is that of OpenCode's own answer.
  if (statusCode === undefined || !promptSaved) return "unknown";
  return BY_STATUS[statusCode] ?? (statusCode < 500 ? "refused" : "server");
}

/** How long a provider that failed is skipped at least, in milliseconds. */
const COOL_DOWN_MS = 120_000;

export type Cooldowns = ReturnType<typeof createCooldowns>;

export function createCooldowns(clock: Clock) {
  const until = new Map<string, number>();
  return {
    /** @param answersAt when it says that it answers again, if that is later */
    record(model: ModelId | null, failure: FailureClass, answersAt = 0): void {
      if (model === null || !coolsProvider(failure)) return;
      until.set(providerOf(model), Math.max(answersAt, clock.now() + COOL_DOWN_MS));
    },
    isCooling: (provider: string): boolean => (until.get(provider) ?? 0) > clock.now(),
  };
}
