import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { PipedProcess } from "../process/piped-process.ts";

/** A message that is longer is none, and its sender is ended, in characters. */
const MAX_MESSAGE = 16_000_000;

/** The protocol over the input and output of a process: a message is a line. What is no message is left out. */
export function createTransport(process: PipedProcess): Transport {
  let pending: string[] = [];
  let length = 0;
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
    try {
      transport.onmessage?.(JSON.parse(line));
    } catch {
      // Some print a greeting first.
    }
  };
  return transport;
}
