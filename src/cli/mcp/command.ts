import { once } from "node:events";
import { defineCommand, interruptible, misuse } from "../main.ts";

const HELP = `opencode-gaia mcp [--http] [--port n]

Serves this project's knowledge, record and checks to other programs over the Model Context Protocol,
on standard input and output. Nothing through it approves, accepts or changes a plan; checks run only
here, and only those that you trust (opencode-gaia trust).

  --http        Over HTTP on 127.0.0.1 instead, for clients that show the token in GAIA_MCP_TOKEN.
  --port n      Its port; 4319 by default.`;
const PORT = "4319";

export const mcp = defineCommand({
  name: "mcp",
  summary: "serve knowledge, record and checks to other programs (MCP)",
  help: HELP,
  options: { http: { type: "boolean" }, port: { type: "string" } },
  async run({ http = false, port = PORT }, { print, from, environment }) {
    const number = Number(port);
    if (!Number.isInteger(number) || number < 0 || number > 65_535)
      throw misuse("mcp", `"${port}" is no port.`);
    return interruptible(async ({ signal: stopped }) => {
      // The protocol's code is for those who serve.
      const { listenForMcp, TOKEN_VARIABLE, tokenOf } = await import("./http.ts");
      const token = http ? tokenOf(environment) : "";
      const { openMcpProject } = await import("./tools.ts");
      const project = await openMcpProject(from, environment);
      // What a check prints is told to clients.
      delete process.env[TOKEN_VARIABLE];
      if (!http) {
        await (await import("./server.ts")).serveStdio(project, stopped);
        return 0;
      }
      const listening = await listenForMcp(project, token, number);
      print(`${project.directory} at ${listening.address}`);
      if (!stopped.aborted) await once(stopped, "abort");
      await listening.close();
      return 0;
    });
  },
});
