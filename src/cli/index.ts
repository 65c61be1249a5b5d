#!/usr/bin/env node
import { runCli } from "./main.ts";

// What all of them come to is shipped compressed.
const { COMMANDS } = await import("./commands.ts");
process.exitCode = await runCli(COMMANDS, process.argv.slice(2), (text) => {
  process.stdout.write(`${text}\n`);
});
