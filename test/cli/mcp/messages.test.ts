import { text } from "node:stream/consumers";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { singleMessages } from "../../../src/cli/mcp/messages.ts";

const ping = (id: unknown): object => ({ jsonrpc: "2.0", id, method: "ping" });
const lineOf = (value: unknown): string => `${JSON.stringify(value)}\n`;

/** What goes on to the server, and what the client is answered at once. */
async function send(chunks: readonly (string | Buffer)[]): Promise<{ sent: string; answers: unknown[] }> {
  const answers: unknown[] = [];
  const messages = singleMessages((line) => void answers.push(JSON.parse(line)));
  for (const chunk of chunks) messages.write(Buffer.from(chunk));
  messages.end();
  return { sent: await text(messages), answers };
}
const refused = (id: unknown, code: number): object => ({ id, error: { code } });

it("messages that come as one are handed on one by one, in their order", async () => {
  const { sent, answers } = await send([lineOf([ping(1), ping("two")]), "\r\n", lineOf(ping(3))]);
  expect(sent).toBe([ping(1), ping("two"), ping(3)].map(lineOf).join(""));
  expect(answers).toEqual([]);
});

it.each<[string, string, object]>([
  ["no JSON", "what now", refused(null, -32_700)],
  ["half of it", '{"jsonrpc":"2.0","id":1', refused(null, -32_700)],
  ["of another form", '{"id":7,"method":"ping"}', refused(7, -32_600)],
  [
    "a number that is none for certain",
    '{"jsonrpc":"2.0","id":1e300,"method":"ping"}',
    refused(1e300, -32_600),
  ],
  ["no object", "[1]", refused(null, -32_600)],
  ["a batch of nothing", "[]", refused(null, -32_600)],
])("a line that is %s is answered, and those after it are read", async (_what, line, answer) => {
  const { sent, answers } = await send([`${line}\n`, lineOf(ping(2))]);
  expect(sent).toBe(lineOf(ping(2)));
  expect(answers).toEqual([expect.objectContaining({ jsonrpc: "2.0" })]);
  expect(answers[0]).toMatchObject(answer);
});

it("messages are the same wherever their bytes are cut", async () => {
  const bytes = Buffer.from(lineOf(ping("größer 🌍")) + lineOf(ping(2)));
  await fc.assert(
    fc.asyncProperty(fc.nat(bytes.length), fc.nat(bytes.length), async (one, other) => {
      const [from = 0, to = 0] = [one, other].toSorted((a, b) => a - b);
      const { sent } = await send([bytes.subarray(0, from), bytes.subarray(from, to), bytes.subarray(to)]);
      expect(sent).toBe(bytes.toString());
    }),
    { numRuns: 40 },
  );
});

it("a line without an end is given up", async () => {
  const messages = singleMessages(() => undefined);
  const failed = new Promise<Error>((resolve) => {
    messages.once("error", resolve);
  });
  messages.write(Buffer.alloc(10_000_001, "x"));
  expect((await failed).message).toContain("at most 10000000 bytes");
});
