import type { PluginInput } from "@opencode-ai/plugin";
import type { Clock } from "../../lib/clock.ts";
import { bounded } from "../../lib/bounded.ts";
import { createError } from "../../lib/error.ts";
import { isRecord, textOf } from "../../lib/json.ts";

/** How long OpenCode may take for a call that does no model work, in milliseconds. */
const CALL_LIMIT_MS = 10_000;

type Method = "get" | "post" | "patch";
type Call = { url: string; path?: Record<string, string>; body?: unknown; headers?: Record<string, string> };
type RawClient = Record<
  Method,
  (call: Call) => Promise<{ data?: unknown; error?: unknown; response?: Response }>
>;

/** A failed call: what OpenCode answered, with its HTTP status. */
export interface CallFailure {
  readonly status: number | null;
  readonly name: string;
  readonly message: string;
}

export type CallResult = { ok: true; data: unknown } | { ok: false; failure: CallFailure };

/** OpenCode's HTTP API from inside the process. */
export interface OpenCodeClient {
  /** One call, as long as it takes; never rejects. */
  request(method: Method, call: Call): Promise<CallResult>;
  /** One call within {@link CALL_LIMIT_MS}. @throws GaiaError when it fails or does not answer */
  call(method: Method, call: Call): Promise<unknown>;
}

/**
 * Wraps the client that OpenCode hands to plugins. Its typed methods lack most of what the server accepts (v1
 * types, OPENCODE.md "Sessions"), so the calls go through the untyped transport underneath.
 */
export function createOpenCodeClient(client: PluginInput["client"], clock: Clock): OpenCodeClient {
  const raw = (client as unknown as { _client: RawClient })._client;
  const request = async (method: Method, call: Call): Promise<CallResult> => {
    try {
      const headers = call.body === undefined ? {} : { "content-type": "application/json" };
      const result = await raw[method]({ ...call, headers });
      if (result.error === undefined) return { ok: true, data: result.data };
      return { ok: false, failure: readFailure(result.error, result.response?.status ?? null) };
    } catch (error) {
      return { ok: false, failure: readFailure(error, null) };
    }
  };
  return {
    request,
    async call(method, call) {
      const result = await bounded(
        request(method, call),
        CALL_LIMIT_MS,
        clock,
        `OpenCode (${method} ${call.url})`,
      );
      if (result.ok) return result.data;
      throw createError("host", `OpenCode refused ${method} ${call.url}: ${result.failure.message}`);
    },
  };
}

function readFailure(error: unknown, status: number | null): CallFailure {
  if (error instanceof Error) return { status, name: error.name, message: error.message };
  if (!isRecord(error)) return { status, name: "UnknownError", message: String(error) };
  const data = isRecord(error["data"]) ? error["data"] : {};
  return {
    status,
    name: textOf(error["name"]) ?? textOf(error["_tag"]) ?? "UnknownError",
    message: textOf(data["message"]) ?? textOf(error["message"]) ?? JSON.stringify(error),
  };
}
