import { Transform } from "node:stream";
import { ErrorCode, JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js";
import { isRecord, parseJson } from "../../lib/json.ts";

/** A longer line is nobody's request. */
const MAX_LINE = 10_000_000;

/**
 * Lines of a client as single messages: several that came as one (a batch, as the protocol had it in 2025-03-26) each on its
 * own. What is no message is answered, so that nobody waits for it.
 * @param answer sends a line back
 */
export function singleMessages(answer: (line: string) => void): Transform {
  let left = Buffer.alloc(0);
  const refuse = (id: unknown, code: ErrorCode, message: string): void =>
    answer(`${JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } })}\n`);
  const messagesOf = (line: string): unknown[] => {
    const said = parseJson(line);
    if (said === undefined) refuse(null, ErrorCode.ParseError, "That line is not JSON.");
    const several = Array.isArray(said) ? (said as unknown[]) : [said];
    if (several.length === 0) refuse(null, ErrorCode.InvalidRequest, "There is no message in it.");
    return said === undefined ? [] : several;
  };
  const isMessage = (said: unknown): boolean => {
    if (JSONRPCMessageSchema.safeParse(said).success) return true;
    const id = isRecord(said) && ["string", "number"].includes(typeof said["id"]) ? said["id"] : null;
    refuse(id, ErrorCode.InvalidRequest, "That is no message of JSON-RPC 2.0.");
    return false;
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left = Buffer.concat([left, chunk]);
      const end = left.lastIndexOf("\n") + 1;
      const whole = left.subarray(0, end).toString("utf8");
      left = left.subarray(end);
      const lines = whole.split("\n").filter((line) => line.trim() !== "");
      for (const said of lines.flatMap(messagesOf).filter(isMessage)) this.push(`${JSON.stringify(said)}\n`);
      done(left.length > MAX_LINE ? new Error(`A line holds at most ${MAX_LINE} bytes.`) : null);
    },
  });
}
