#!/usr/bin/env node
import { COMMANDS } from "./commands.ts";
import { runCli } from "./main.ts";

// Whoever reads has seen enough, as in `| head`.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});
process.exitCode = await runCli(COMMANDS, process.argv.slice(2), (text) => {
  process.stdout.write(`${text}\n`);
});
