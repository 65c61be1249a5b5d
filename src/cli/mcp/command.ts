import { defineCommand, interruptible } from "../main.ts";

const HELP = `opencode-gaia mcp

Serves this project's knowledge, record and checks to other programs over the Model Context Protocol,
on standard input and output. Nothing through it approves, accepts or changes a plan; checks run only
here, and only those that you trust (opencode-gaia trust).`;

export const mcp = defineCommand({
  name: "mcp",
  summary: "serve knowledge, record and checks to other programs (MCP)",
  help: HELP,
  options: {},
  async run(_given, { from, environment }) {
    return interruptible(async ({ signal: stopped }) => {
      // The protocol's code is for those who serve.
      const [{ serveStdio }, { openMcpProject }] = await Promise.all([
        import("./server.ts"),
        import("./tools.ts"),
      ]);
      await serveStdio(await openMcpProject(from, environment), stopped);
      return 0;
    });
  },
});
