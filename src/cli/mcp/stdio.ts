import { StdioServerTransport } from "../../libraries/mcp.ts";
import type { McpProject } from "./project.ts";
import { createMcpServer } from "./server.ts";

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
