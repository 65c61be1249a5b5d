import { head } from "./text.ts";

/** An error that a person can act on: where it arose, what happened, what to do next. */
export class GaiaError extends Error {
  override readonly name = "GaiaError";
  /** The part of the plugin that raised it; also the log tag, for example `workspace`. */
  readonly unit: string;
  /** What to do next, as one sentence; empty when the message already says it. */
  readonly hint: string;

  constructor(unit: string, message: string, options: { cause?: unknown; hint?: string } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.unit = unit;
    this.hint = options.hint ?? "";
  }
}

/** Whether it is one, by its name: what ships in a file of its own has a class of its own. */
export function isGaiaError(error: unknown): error is GaiaError {
  return error instanceof Error && error.name === "GaiaError" && "unit" in error && "hint" in error;
}

/**
 * The one way to make an error that crosses a boundary.
 * @param given the part of the plugin that fails, which becomes the log tag; what happened and where; `hint`: what to do
 * next, `cause`: the error underneath
 */
export function createError(...given: ConstructorParameters<typeof GaiaError>): GaiaError {
  return new GaiaError(...given);
}

/** The readable text of anything that was thrown: message, hint when there is one, never a stack. */
export function describeError(error: unknown): string {
  if (isGaiaError(error)) return error.hint ? `${error.message} ${error.hint}` : error.message;
  if (error instanceof Error) return error.message || error.name;
  if (typeof error === "string") return error;
  const text = JSON.stringify(error);
  return text === undefined ? String(error) : text;
}

/** Characters of a reason: it may quote an argument, and OpenCode cuts long results in the middle of their JSON. */
export const MAX_REASON = 4_000;

/** A step that is not taken: why, and what would be allowed instead. Both are for the model. */
export interface Refusal {
  readonly kind: "refused";
  readonly reason: string;
  /** "" where the reason says it all. */
  readonly hint: string;
  /** What the model needs beside the words; these keys end the result. */
  readonly details?: object;
  /** The call itself is wrong, which is nothing to a person as long as work goes on. */
  readonly isSlip?: true;
}

export function refuse(reason: string, hint = "", details?: object): Refusal {
  return {
    kind: "refused",
    reason: head(reason, MAX_REASON),
    hint,
    ...(details === undefined ? {} : { details }),
  };
}

/** Tells a refusal from the result of a step that was taken. */
export function isRefusal(result: object): result is Refusal {
  return "kind" in result && result.kind === "refused";
}

/** A refusal the way a delegation that failed reads (SPEC 5). */
export function renderAsTask({ reason, hint, details }: Refusal): { status: "failed"; message: string } {
  return { status: "failed", message: hint === "" ? reason : `${reason} ${hint}`, ...details };
}

/** A refusal the way an operation of the record that was not done reads (SPEC 5). */
export function renderAsOperation({ reason, hint, details }: Refusal): object {
  return { ok: false, error: reason, ...(hint === "" ? {} : { hint }), ...details };
}

export type LogLevel = "debug" | "info" | "warn" | "error";

/** Where every unit writes what it has to say; never the console, which OpenCode's TUI owns. */
export interface Logger {
  /** @param unit the log tag: the file name of the unit that speaks */
  log(level: LogLevel, unit: string, message: string, extra?: Record<string, unknown>): void;
}

/** What becomes of work that nobody waits for, or whose absence is a normal result, where it fails: a line of the log. */
export function logFailure(logger: Logger, level: LogLevel, unit: string, extra?: Record<string, unknown>) {
  return (error: unknown): undefined => {
    logger.log(level, unit, describeError(error), extra);
  };
}

export const silentLogger: Logger = { log: () => undefined };
