#!/usr/bin/env node
/** What package.json says under `engines`; read from there it would be too late for a sentence. */
const OLDEST_NODE = 20;

// Whoever reads has seen enough, as in `| head`.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
  process.stderr.write(
    `opencode-gaia needs Node ${OLDEST_NODE} or newer, and this is ${process.versions.node}.\n`,
  );
  process.exitCode = 1;
} else {
  const [{ COMMANDS }, { runCli }] = await Promise.all([import("./commands.ts"), import("./main.ts")]);
  const to = (stream: NodeJS.WriteStream) => (text: string) => void stream.write(`${text}\n`);
  process.exitCode = await runCli(COMMANDS, process.argv.slice(2), to(process.stdout), to(process.stderr));
}
