import type { RecordedRequest } from "./request.ts";

export interface ScriptedCall {
  readonly name: string;
  readonly args: unknown;
  /** Sent in place of the arguments, as it is: for what is no JSON. */
  readonly raw?: string;
}

/** What the scripted model does with one request. All times are milliseconds. */
export interface Turn {
  readonly reasoning?: string;
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  readonly usage?: { readonly input: number; readonly output: number; readonly cached?: number };
  readonly delayMs?: number;
  readonly chunkDelayMs?: number;
  readonly status?: number;
  readonly message?: string;
  /** What stands in the error's body in place of OpenAI's shape with `message`. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** `hang` and `reset` come before the first byte, `stall` after some text, `half-call` and `cut` within a call; `garbage` is no stream. */
  readonly trouble?: "hang" | "stall" | "half-call" | "cut" | "garbage" | "reset";
}

/** A turn, or a function of the request that makes one: for answers that depend on earlier results. */
export type TurnSource = Turn | ((request: RecordedRequest) => Turn | Promise<Turn>);

export function say(text: string, rest: Partial<Turn> = {}): Turn {
  return { text, ...rest };
}

/** The model calls tools; several calls of one turn run in parallel. @internal */
export function call(name: string, args: unknown): Turn {
  return { calls: [{ name, args }] };
}

export function result(data: Record<string, unknown>, rest: Record<string, unknown> = {}): Turn {
  return say(`\`\`\`json\n${JSON.stringify({ ok: true, data, errors: [], ...rest })}\n\`\`\``);
}
