import { execFile } from "node:child_process";
import { describeError } from "../lib/error.ts";

/** How long the first contained call may take, in milliseconds. */
const PROBE_MS = 5_000;

/** Runs a harmless program as a contained one is run. @returns the last line of what it said as it failed; null where it did not */
export async function runProbe(
  [program, ...args]: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv,
  cwd: string,
): Promise<string | null> {
  return new Promise((done) => {
    const options = { env, cwd, timeout: PROBE_MS };
    const child = execFile(program, args, options, (error, _out, words) => {
      const end =
        typeof error?.code === "string" ? describeError(error) : `ended with ${error?.signal ?? error?.code}`;
      done(error === null ? null : words.trim().split("\n").at(-1) || end);
    });
    child.stdin?.end();
  });
}
