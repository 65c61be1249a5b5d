import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { isRecord, parseJson } from "../../lib/json.ts";
import type { PipedProcess } from "../../process/piped-process.ts";

/** A message that is longer is none, and its sender is ended, in characters. */
const MAX_MESSAGE = 16_000_000;

/** The protocol over the input and output of a process: a message is a line. What is no message is left out. */
export function createTransport(process: PipedProcess): Transport {
  let pending: string[] = [];
  let length = 0;
  /** Characters since the last message that belong to none. */
  let noise = 0;
  const transport: Transport = {
    async start() {
      process.whenGone(() => transport.onclose?.());
      process.output.setEncoding("utf8").on("data", (chunk: string) => {
        const lines = chunk.split("\n");
        for (const [at, line] of lines.entries()) {
          pending.push(line);
          length += line.length;
          if (at < lines.length - 1) take();
        }
        if (length > MAX_MESSAGE)
          void process.end(`it sends a message of more than ${MAX_MESSAGE} characters`);
        else if (noise > MAX_MESSAGE)
          void process.end(`it prints more than ${MAX_MESSAGE} characters that are no message`);
      });
    },
    async send(message) {
      if (process.gone() !== null) throw new Error(process.gone() ?? "");
      process.input.write(`${JSON.stringify(message)}\n`);
    },
    close: async () => process.end(),
  };
  const take = (): void => {
    const line = pending.join("");
    [pending, length] = [[], 0];
    const message = parseJson(line);
    noise = isRecord(message) ? 0 : noise + line.length + 1;
    try {
      // Some print a greeting first.
      if (noise === 0) transport.onmessage?.(message as JSONRPCMessage);
    } catch {
      // What it says in a form of its own answers nobody.
    }
  };
  return transport;
}
