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
