import { Server } from "@modelcontextprotocol/sdk/server/index.js";
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
import { titleOf } from "../../record/entries/entry.ts";
import { renderJsonSchema } from "../../contracts/json-schema.ts";
import { bounded } from "../../lib/bounded.ts";
import { systemClock } from "../../lib/clock.ts";
import { createError, describeError } from "../../lib/error.ts";
import { excerpt, head, tail } from "../../lib/excerpt.ts";
import { redactDeep } from "../../lib/redaction.ts";
import { readOwnPackage } from "../own-package.ts";
import { MCP_TOOLS, type McpProject, problemsOf } from "./tools.ts";

const MAX_LISTED = 500;
const MAX_TEXT = 100_000;
const DOCUMENTS = { plan: "plan_md", spec: "spec_md", log: "log_md", decisions: "decisions_md" } as const;
const FINDINGS = "gaia://findings";
const ADDRESS =
  /^gaia:\/\/(?:unit\/([a-z0-9-]{1,64})\/(plan|spec|log|decisions)|knowledge\/([a-z0-9._-]{1,64}))$/;

/** Findings, documents of open units and accepted knowledge, as addresses that {@link readMcpResource} takes. */
async function listMcpResources({ workspace, knowledge }: McpProject) {
  const list = await workspace.listWorkUnits();
  const units = list.ok ? list.units : [];
  const documents = units.flatMap(({ slug, title }) =>
    (["plan", "log", "decisions"] as const).map((name) => ({
      uri: `gaia://unit/${slug}/${name}`,
      name: `${name} of ${title || slug}`,
      mimeType: "text/markdown",
    })),
  );
  const known = (await knowledge.accepted()).map((entry) => ({
    uri: `gaia://knowledge/${entry.id}`,
    name: titleOf(entry),
    mimeType: "text/markdown",
  }));
  const found = await workspace.readFindings();
  const isAny = found.ok && found.findings.length > 0;
  const findings = { uri: FINDINGS, name: "what reviewers and CI found", mimeType: "text/markdown" };
  return { resources: [...(isAny ? [findings] : []), ...documents, ...known].slice(0, MAX_LISTED) };
}

/** How addresses are built, those of documents that the list leaves out among them. */
const MCP_RESOURCE_TEMPLATES = [
  {
    uriTemplate: "gaia://unit/{unit}/{document}",
    name: `a unit's ${Object.keys(DOCUMENTS).join(", ")}`,
    mimeType: "text/markdown",
  },
  { uriTemplate: "gaia://knowledge/{id}", name: "an accepted entry", mimeType: "text/markdown" },
];

async function readMcpResource({ workspace, knowledge }: McpProject, uri: string): Promise<string> {
  const found = uri === FINDINGS ? await workspace.readDocument({ path: "findings.md" }) : null;
  if (found?.ok === true && found.text !== "") return head(found.text, MAX_TEXT);
  const [, slug, name, id] = ADDRESS.exec(uri) ?? [];
  if (id !== undefined) {
    const found = (await knowledge.accepted()).filter((entry) => entry.id === id);
    const entry = found.find(({ scope }) => scope === "project") ?? found[0];
    if (entry !== undefined) return entry.body;
  }
  const read = slug === undefined ? null : await workspace.readWorkUnit({ slug });
  if (read?.ok !== true) throw createError("mcp", "There is no such resource.", { hint: "List them." });
  const text = read.content[DOCUMENTS[name as keyof typeof DOCUMENTS]] ?? "";
  return name === "log" ? tail(text, MAX_TEXT) : head(text, MAX_TEXT);
}

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
      inputSchema: { ...renderJsonSchema(tool.input), type: "object" as const, additionalProperties: false },
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

/** Serves the one client at the other end of standard input and output, until it goes away or `stopped` is. */
export async function serveStdio(project: McpProject, stopped: AbortSignal): Promise<void> {
  const server = await createMcpServer(project);
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
