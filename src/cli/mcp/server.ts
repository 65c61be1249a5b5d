import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod/mini";
import { bounded, systemClock } from "../../lib/async.ts";
import { createError, describeError } from "../../lib/error.ts";
import { excerpt } from "../../lib/text.ts";
import { redactDeep } from "../../lib/redaction.ts";
import { readArguments } from "../../lib/tool-arguments.ts";
import { readOwnPackage } from "../own-package.ts";
import { MCP_TOOLS, type McpProject } from "./tools.ts";

/** What is read from files is there by then, or never. */
const LIMIT_MS = 30_000;
const INSTRUCTIONS =
  "What the people of this project know, planned and did, as their files have it. Nothing here approves or accepts anything: people do that.";
/** Nobody is asked for input here, so nothing of it is ever checked. */
const getValidator = (): never => {
  throw createError("mcp", "Nobody is asked for input here.");
};

/** Serves the one client at the other end of standard input and output, until it goes away or `stopped` is. */
export async function serveStdio(project: McpProject, stopped: AbortSignal): Promise<void> {
  const { version } = await readOwnPackage();
  const server = new Server(
    { name: "opencode-gaia", version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS, jsonSchemaValidator: { getValidator } },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: MCP_TOOLS.map(({ name, description, input }) => ({
      name,
      description,
      inputSchema: {
        ...z.toJSONSchema(input, { io: "input" }),
        type: "object" as const,
        additionalProperties: false,
      },
    })),
  }));
  /** Secrets are replaced in all that is answered. */
  const answer = (value: object | string, isError = false) => {
    const data = redactDeep(value, project.redact);
    const text = typeof data === "string" ? data : JSON.stringify(data);
    return { content: [{ type: "text" as const, text }], isError };
  };
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    const tool = MCP_TOOLS.find(({ name }) => name === params.name);
    if (tool === undefined) throw new McpError(ErrorCode.InvalidParams, "There is no such tool.");
    const given = readArguments(tool.input, params.arguments ?? {});
    if (!given.ok) return answer(given.problem, true);
    const client = excerpt(server.getClientVersion()?.name ?? "a client", 60);
    try {
      const running = tool.run(given.args, { project, client, signal });
      const isSlow = tool.isSlow === true;
      return answer(await (isSlow ? running : bounded(running, LIMIT_MS, systemClock, tool.name)));
    } catch (error) {
      return answer(excerpt(describeError(error), 2_000), true);
    }
  });
  const closed = new Promise<void>((resolve) => {
    Object.assign(server, { onclose: resolve });
  });
  const end = (): void => void server.close();
  process.stdin.once("end", end).once("close", end);
  process.stdout.once("error", end);
  stopped.addEventListener("abort", end);
  await server.connect(new StdioServerTransport());
  if (stopped.aborted) end();
  await closed;
}
