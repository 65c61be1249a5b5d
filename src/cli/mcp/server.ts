import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import {
  CallToolRequestSchema,
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { bounded } from "../../lib/bounded.ts";
import { systemClock } from "../../lib/clock.ts";
import { createError, describeError } from "../../lib/error.ts";
import { excerpt } from "../../lib/excerpt.ts";
import { redactDeep } from "../../lib/redaction.ts";
import { readOwnPackage } from "../own-package.ts";
import { MCP_TOOLS, type McpProject, type McpTool } from "./tools.ts";

/** What is read from files is there by then, or never. */
const LIMIT_MS = 30_000;
const INSTRUCTIONS =
  "What the people of this project know, planned and did, as their files have it. Nothing here approves or accepts anything: people do that.";
/** Nobody is asked for input here, so nothing of it is ever checked. */
const NO_VALIDATOR = {
  getValidator(): never {
    throw createError("mcp", "Nobody is asked for input here.");
  },
};

/** Serves the one client at the other end of standard input and output, until it goes away or `stopped` is. */
export async function serveStdio(project: McpProject, stopped: AbortSignal): Promise<void> {
  const { version } = await readOwnPackage();
  const server = new McpServer(
    { name: "opencode-gaia", version },
    { instructions: INSTRUCTIONS, jsonSchemaValidator: NO_VALIDATOR },
  );
  for (const tool of MCP_TOOLS) register(server, tool, project);
  const closed = new Promise<void>((resolve) => {
    Object.assign(server.server, { onclose: resolve });
  });
  const end = (): void => void server.close();
  process.stdin.once("end", end).once("close", end);
  process.stdout.once("error", end);
  stopped.addEventListener("abort", end);
  await server.connect(new StdioServerTransport());
  if (stopped.aborted) end();
  await closed;
}

/** Its arguments are checked against its schema before it runs; secrets are replaced in all that it answers. */
function register(server: McpServer, tool: McpTool, project: McpProject): void {
  const { name, description, input, isSlow = false } = tool;
  const answer = (value: object | string, isError = false) => {
    const data = redactDeep(value, project.redact);
    const text = typeof data === "string" ? data : JSON.stringify(data);
    return { content: [{ type: "text" as const, text }], isError };
  };
  server.registerTool(name, { description, inputSchema: input }, async (given, { signal }) => {
    const client = excerpt(server.server.getClientVersion()?.name ?? "a client", 60);
    try {
      const running = tool.run(given as never, { project, client, signal });
      return answer(await (isSlow ? running : bounded(running, LIMIT_MS, systemClock, name)));
    } catch (error) {
      return answer(excerpt(describeError(error), 2_000), true);
    }
  });
}
