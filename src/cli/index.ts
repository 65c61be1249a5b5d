#!/usr/bin/env node
import { COMMANDS } from "./commands.ts";
import { runCli } from "./main.ts";

process.exitCode = await runCli(COMMANDS, process.argv.slice(2), (text) => {
  process.stdout.write(`${text}\n`);
});
