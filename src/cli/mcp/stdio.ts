import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { singleMessages } from "./messages.ts";
import type { McpProject } from "./project.ts";
import { createMcpServer } from "./server.ts";

/** Serves the one client at the other end of standard input and output, until it goes away or `stopped` is. */
export async function serveStdio(project: McpProject, stopped: AbortSignal): Promise<void> {
  const server = await createMcpServer(project);
  const closed = new Promise<void>((resolve) => {
    Object.assign(server, { onclose: resolve });
  });
  const end = (): void => void server.close();
  const messages = singleMessages((line) => process.stdout.write(line));
  messages.once("end", end).once("error", end);
  process.stdin.once("close", end).pipe(messages);
  process.stdout.once("error", end);
  stopped.addEventListener("abort", end);
  await server.connect(new StdioServerTransport(messages));
  if (stopped.aborted) end();
  await closed;
}
