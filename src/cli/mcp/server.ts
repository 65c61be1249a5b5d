import { Server } from "@modelcontextprotocol/sdk/server/index.js";
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
import { redactDeep } from "../../lib/redact-deep.ts";
import { readOwnPackage } from "../own-package.ts";
import { problemsOf, schemaOf } from "./arguments.ts";
import type { McpProject } from "./project.ts";
import { listMcpResources, MCP_RESOURCE_TEMPLATES, readMcpResource } from "./resources.ts";
import { MCP_TOOLS } from "./tools.ts";

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

/** A server that a client can be connected to, over whatever way. */
export async function createMcpServer(project: McpProject): Promise<Server> {
  const { version } = await readOwnPackage();
  const server = new Server(
    { name: "opencode-gaia", version },
    {
      capabilities: { tools: {}, resources: {} },
      instructions: INSTRUCTIONS,
      jsonSchemaValidator: NO_VALIDATOR,
    },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: MCP_TOOLS.map((tool) => ({
      name: tool.name,
      description: tool.description,
      inputSchema: schemaOf(tool),
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    const answer = (isError: boolean, value: object | string) => {
      const data = redactDeep(value, project.redact);
      const text = typeof data === "string" ? data : JSON.stringify(data);
      return { content: [{ type: "text" as const, text }], isError };
    };
    const tool = MCP_TOOLS.find(({ name }) => name === params.name);
    if (tool === undefined) throw new McpError(ErrorCode.InvalidParams, "There is no such tool.");
    const given = params.arguments ?? {};
    const problems = problemsOf(tool, given);
    if (problems.length > 0) return answer(true, `Wrong arguments: ${excerpt(problems.join("; "), 400)}.`);
    const client = excerpt(server.getClientVersion()?.name ?? "a client", 60);
    try {
      const running = tool.run(given as never, { project, client, signal });
      return answer(
        false,
        await (tool.isSlow === true ? running : bounded(running, LIMIT_MS, systemClock, tool.name)),
      );
    } catch (error) {
      return answer(true, excerpt(describeError(error), 2_000));
    }
  });
  server.setRequestHandler(ListResourcesRequestSchema, async () =>
    redactDeep(await bounded(listMcpResources(project), LIMIT_MS, systemClock, "The list"), project.redact),
  );
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: MCP_RESOURCE_TEMPLATES,
  }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => {
    try {
      const text = await bounded(readMcpResource(project, uri), LIMIT_MS, systemClock, "The resource");
      return { contents: [{ uri, mimeType: "text/markdown", text: project.redact(text) }] };
    } catch (error) {
      throw new McpError(ErrorCode.InvalidParams, describeError(error));
    }
  });
  return server;
}
