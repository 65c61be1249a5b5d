import { createError } from "../../lib/error.ts";
import { recordOf, textOf, type JsonRecord } from "../../lib/json.ts";

/** How long OpenCode may take to answer one request, in milliseconds. */
const REQUEST_LIMIT_MS = 30_000;

export interface OpenCodeEvent {
  readonly type: string;
  readonly properties: JsonRecord;
}

/** The part of OpenCode's HTTP API that the demo needs, for one project directory. Every call is bounded. */
export interface OpenCodeApi {
  /** @throws GaiaError with OpenCode's own words when it refuses */
  call(method: "GET" | "POST" | "PATCH" | "DELETE", path: string, body?: unknown): Promise<unknown>;
  /** Follows the project's events until `signal` aborts; resolves once it listens. */
  follow(onEvent: (event: OpenCodeEvent) => void, signal: AbortSignal): Promise<void>;
}

export function createOpenCodeApi(
  url: string,
  directory: string,
  limitMs: number = REQUEST_LIMIT_MS,
): OpenCodeApi {
  const headers = {
    "content-type": "application/json",
    "x-opencode-directory": encodeURIComponent(directory),
  };
  const call: OpenCodeApi["call"] = async (method, path, body) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers,
      signal: AbortSignal.timeout(limitMs),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) {
      throw createError(
        "demo",
        `OpenCode refused ${method} ${path} (${response.status}): ${text.slice(0, 500)}`,
      );
    }
    return text === "" ? null : (JSON.parse(text) as unknown);
  };
  return {
    call,
    async follow(onEvent, signal) {
      const response = await fetch(`${url}/event`, { headers, signal });
      if (response.body === null) throw createError("demo", "OpenCode's event stream is empty.");
      readEvents(response.body, onEvent).catch(() => undefined); // Ends with the signal, or with OpenCode.
    },
  };
}

async function readEvents(
  body: ReadableStream<Uint8Array>,
  onEvent: (event: OpenCodeEvent) => void,
): Promise<void> {
  const decoder = new TextDecoder();
  let buffer = "";
  for await (const chunk of body) {
    buffer += decoder.decode(chunk, { stream: true });
    const blocks = buffer.split("\n\n");
    buffer = blocks.pop() ?? "";
    for (const block of blocks.filter((text) => text.startsWith("data: "))) {
      const { type, properties } = recordOf(JSON.parse(block.slice("data: ".length)));
      onEvent({ type: textOf(type) ?? "", properties: recordOf(properties) });
    }
  }
}
