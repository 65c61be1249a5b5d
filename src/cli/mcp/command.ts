import { defineCommand, interruptible } from "../main.ts";

export const mcp = defineCommand({
  name: "mcp",
  summary: "serve knowledge, record and checks to other programs (MCP)",
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
