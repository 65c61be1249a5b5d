import type { DataCallback, Event, MessageReader } from "vscode-jsonrpc/node";
import type { PipedProcess } from "../../process/piped-process.ts";

/** A message that is longer is none, and a server that prints so much else is none, in bytes. */
const MAX_MESSAGE = 64_000_000;
const MAX_NOISE = 1_000_000;
const SHOWN_NOISE = 120;
/** Of a head that is one and nothing else, in bytes. */
const USUAL_HEAD = 200;
const HEAD_END = /\r?\n\r?\n/;
const never: Event<never> = () => ({ dispose: () => undefined });

/**
 * The messages that a language server prints. What stands between them is passed over, for scripts around servers print
 * greetings; a server that prints no end of what is no message is ended.
 */
export function createMessageReader({ output, end }: Pick<PipedProcess, "output" | "end">): MessageReader {
  let chunks: Buffer[] = [];
  let length = 0;
  /** Bytes of the message that has begun; null before its head was read. */
  let wanted: number | null = null;

  /** All that came and was not taken yet. */
  const pending = (): Buffer => {
    const [only] = chunks;
    return only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks);
  };
  const take = (bytes: number): Buffer => {
    const all = pending();
    chunks = [all.subarray(bytes)];
    length = all.length - bytes;
    return all.subarray(0, bytes);
  };

  const readHead = (): boolean => {
    const near = pending().toString("latin1", 0, USUAL_HEAD);
    const text = length <= USUAL_HEAD || HEAD_END.test(near) ? near : pending().toString("latin1");
    const found = HEAD_END.exec(text);
    if (found === null && length > MAX_NOISE)
      void end(`it prints something else than the protocol: ${text.slice(0, SHOWN_NOISE).trim()}`);
    if (found === null) return false;
    const head = take(found.index + found[0].length).toString("latin1");
    const size = [...head.matchAll(/content-length: *(\d+)/gi)].at(-1)?.[1];
    wanted = size === undefined ? null : Number(size);
    if (wanted !== null && wanted > MAX_MESSAGE) void end(`it sends a message of ${wanted} bytes`);
    return true;
  };

  return {
    onError: never,
    onClose: never,
    onPartialMessage: never,
    listen(callback: DataCallback) {
      const read = (chunk: Buffer): void => {
        chunks.push(chunk);
        length += chunk.length;
        for (;;) {
          if (wanted === null && !readHead()) return;
          if (wanted === null) continue;
          if (wanted > MAX_MESSAGE || length < wanted) return;
          const body = take(wanted).toString("utf8");
          wanted = null;
          const message = parse(body);
          if (message !== undefined) callback(message);
        }
      };
      output.on("data", read);
      return { dispose: () => void output.off("data", read) };
    },
    dispose: () => void output.removeAllListeners("data"),
  };
}

function parse(text: string): Parameters<DataCallback>[0] | undefined {
  try {
    const message = JSON.parse(text) as unknown;
    return typeof message === "object" && message !== null
      ? (message as Parameters<DataCallback>[0])
      : undefined;
  } catch {
    return undefined; // Something else was printed into it: who waits for it waits for its bound.
  }
}
