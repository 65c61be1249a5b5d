import type { RecordedRequest } from "./request.ts";

export interface ScriptedCall {
  readonly name: string;
  readonly args: unknown;
  /** Sent in place of the arguments, as it is: for what is no JSON. */
  readonly raw?: string;
}

/** What the scripted model does with one request. All times are milliseconds. */
export interface Turn {
  /** What the model thinks aloud before it answers. */
  readonly reasoning?: string;
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  readonly usage?: { readonly input: number; readonly output: number; readonly cached?: number };
  /** Wait before the first byte. */
  readonly delayMs?: number;
  /** Wait between the pieces of the stream. */
  readonly chunkDelayMs?: number;
  /** An HTTP error instead of an answer. */
  readonly status?: number;
  readonly message?: string;
  /** What stands in the error's body in place of OpenAI's shape with `message`. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** How the connection misbehaves: `hang` before the first byte, `stall` after some text, `half-call` in the middle
   * of a tool call, after which nothing more comes; `cut` the same, but the stream ends there; `garbage` a 200 that is
   * no stream; `reset` the connection breaks before the first byte. */
  readonly trouble?: "hang" | "stall" | "half-call" | "cut" | "garbage" | "reset";
}

/** A turn, or a function of the request that makes one: for answers that depend on earlier results. */
export type TurnSource = Turn | ((request: RecordedRequest) => Turn | Promise<Turn>);

/** The model says something and stops. */
export function say(text: string, rest: Partial<Turn> = {}): Turn {
  return { text, ...rest };
}

/** The model calls tools; several calls of one turn run in parallel. @internal */
export function call(name: string, args: unknown): Turn {
  return { calls: [{ name, args }] };
}

/** A specialist ends with its contract, as text. */
export function result(data: Record<string, unknown>, rest: Record<string, unknown> = {}): Turn {
  return say(`\`\`\`json\n${JSON.stringify({ ok: true, data, errors: [], ...rest })}\n\`\`\``);
}
