import { createError } from "../../lib/error.ts";
import { type Command, parseFlags, type CommandScene } from "../main.ts";
import { tokenOf } from "./token.ts";

const HELP = `opencode-gaia mcp [--http] [--port n]

Serves this project's knowledge, record and checks to other programs over the Model Context Protocol,
on standard input and output. Nothing through it approves, accepts or changes a plan; checks run only
here, and only those that you trust (opencode-gaia trust).

  --http        Over HTTP on 127.0.0.1 instead, for clients that show the token in GAIA_MCP_TOKEN.
  --port n      Its port; 4319 by default.
  --help        This text.`;
const PORT = "4319";

/** `opencode-gaia mcp`. */
export const mcp: Command = {
  name: "mcp",
  summary: "serve knowledge, record and checks to other programs (MCP)",
  help: HELP,
  run: runMcp,
};

async function runMcp(args: readonly string[], { print, from, environment }: CommandScene): Promise<number> {
  const { http, port = PORT } = parseFlags("mcp", args, {
    http: { type: "boolean" },
    port: { type: "string" },
  });
  const number = Number(port);
  if (!Number.isInteger(number) || number < 0 || number > 65_535)
    throw createError("mcp", `"${port}" is no port.`, { hint: "See: opencode-gaia mcp --help" });
  const token = http === true ? tokenOf(environment) : "";
  const stopped = new AbortController();
  const stop = (): void => stopped.abort();
  process.once("SIGINT", stop).once("SIGTERM", stop).once("SIGHUP", stop);
  // The protocol's code is for those who serve.
  const { openMcpProject } = await import("./tools.ts");
  const project = await openMcpProject(from, environment);
  if (http !== true) {
    await (await import("./server.ts")).serveStdio(project, stopped.signal);
    return 0;
  }
  const listening = await (await import("./http.ts")).listenForMcp(project, token, number);
  print(`${project.directory} at ${listening.address}`);
  if (!stopped.signal.aborted)
    await new Promise((resolve) => {
      stopped.signal.addEventListener("abort", resolve);
    });
  await listening.close();
  return 0;
}
