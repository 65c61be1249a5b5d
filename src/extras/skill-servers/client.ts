import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ReadBuffer, serializeMessage } from "@modelcontextprotocol/sdk/shared/stdio.js";
import { ListToolsResultSchema, ResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { describeError } from "../../lib/error.ts";
import { head } from "../../lib/text.ts";
import { listOf, recordOf, textOf as textIn } from "../../lib/json.ts";
import type { PipedProcess } from "../../process/piped-process.ts";

/** How long a call may take, in milliseconds. */
const CALL_MS = 120_000;
/** What a model is given of one answer, in characters. */
const MAX_TEXT = 20_000;
/** What a server says that its results look like is nobody's concern here. */
const ANY_SCHEMA = {
  getValidator: () => (data: unknown) => ({
    valid: true as const,
    data: data as never,
    errorMessage: undefined,
  }),
};
/** A server that has a further page after this many is not asked for it. */
const MAX_PAGES = 50;

export interface ServerTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: unknown;
  /** Whether it says of itself that it changes nothing. */
  readonly isReadOnly: boolean;
}

export type RunningServer = Awaited<ReturnType<typeof openClient>>;

/** Speaks to a server that was started. @param timeout of each step until its tools are known, in milliseconds */
export async function openClient(process: PipedProcess, timeout: number) {
  const client = new Client(
    { name: "opencode-gaia", version: "1.0.0" },
    { capabilities: {}, jsonSchemaValidator: ANY_SCHEMA },
  );
  await client.connect(createTransport(process), { timeout });
  return {
    tools: await listTools(client, timeout),
    /** @returns what the tool said, as text @throws Error for a call that failed, with words for the model */
    async call(name: string, args: Record<string, unknown>, signal: AbortSignal): Promise<string> {
      const bounds = { timeout: CALL_MS, maxTotalTimeout: CALL_MS, signal };
      const params = { name, arguments: args };
      const answer = await client
        .request({ method: "tools/call", params }, ResultSchema, bounds)
        .catch((error: unknown) => {
          throw new Error(`The MCP server gave no answer: ${process.gone() ?? describeError(error)}`, {
            cause: error,
          });
        });
      const text = head(textOf(answer), MAX_TEXT);
      if (answer["isError"] === true) throw new Error(text || "The tool failed and says nothing of it.");
      return text;
    },
  };
}

async function listTools(client: Client, timeout: number): Promise<readonly ServerTool[]> {
  const tools: ServerTool[] = [];
  let params = {};
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const request = { method: "tools/list", params } as const;
    const listed = await client.request(request, ListToolsResultSchema, { timeout });
    for (const { name, description = "", inputSchema, annotations } of listed.tools)
      tools.push({ name, description, inputSchema, isReadOnly: annotations?.readOnlyHint === true });
    if (listed.nextCursor === undefined) break;
    params = { cursor: listed.nextCursor };
  }
  return tools;
}

/** What a tool said; of what is no text, what it is. */
function textOf({ content, structuredContent }: Readonly<Record<string, unknown>>): string {
  const texts = listOf(content).map((part) => {
    const { type, text, mimeType, resource } = recordOf(part);
    const whole = recordOf(resource);
    return (
      textIn(text) ?? textIn(whole["text"]) ?? `[${[type, mimeType, whole["uri"]].map(textIn).join(" ")}]`
    );
  });
  if (texts.length > 0 || structuredContent === undefined) return texts.join("\n");
  return JSON.stringify(structuredContent);
}

/** The protocol over the input and output of a process: a message is a line. What is no message is left out. */
function createTransport(process: PipedProcess): Transport {
  const lines = new ReadBuffer();
  const transport: Transport = {
    async start() {
      process.whenGone(() => transport.onclose?.());
      process.output.on("data", (chunk: Buffer) => {
        try {
          lines.append(chunk);
        } catch (error) {
          void process.end(describeError(error));
        }
        for (let message = take(); message !== null; message = take())
          if (message !== undefined) transport.onmessage?.(message);
      });
    },
    async send(message) {
      if (process.gone() !== null) throw new Error(process.gone() ?? "");
      process.input.write(serializeMessage(message));
    },
    close: async () => process.end(),
  };
  /** Undefined for a line that is no message: some print a greeting first. */
  const take = () => {
    try {
      return lines.readMessage();
    } catch {
      return undefined;
    }
  };
  return transport;
}
