import { mkdtemp, open, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../lib/clock.ts";
import { runBoundedProcess, type ProcessEnding } from "../../process/bounded-process.ts";

const PROGRAM = "opencode";

/** What became of a call of OpenCode. */
export type OpenCodeResult =
  | { readonly state: "ended"; readonly code: number; readonly stdout: string; readonly stderr: string }
  | { readonly state: "missing" }
  | { readonly state: "timed out" };

/** Runs the OpenCode of the PATH in the folder that is examined. Never rejects. */
export type RunOpenCode = (args: readonly string[]) => Promise<OpenCodeResult>;

export interface RunOptions {
  readonly directory: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Milliseconds until OpenCode and everything that it started is killed. */
  readonly limit: number;
  /** Ends whatever runs at this moment; the result is the same as at the limit. */
  readonly interrupt: AbortSignal;
}

/**
 * A {@link RunOpenCode} over real processes. Output goes to files: OpenCode 1.18.33 exits before a pipe has taken more than
 * 64 KB of it. Its state, which is nothing but locks and what was used last, goes into the same folder: a short command ends
 * before the background installation does, and would leave a lock that keeps the user's next start waiting for up to a minute.
 */
export function createRunOpenCode(options: RunOptions): RunOpenCode {
  return async (args) => {
    // Only its owner may look in: OpenCode's configuration comes with the providers' keys filled in.
    const folder = await mkdtemp(join(tmpdir(), "gaia-doctor-"));
    const [stdout, stderr] = [join(folder, "stdout"), join(folder, "stderr")];
    try {
      const [out, err] = [await open(stdout, "w", 0o600), await open(stderr, "w", 0o600)];
      const ending = await runBoundedProcess({
        command: openCodeCommand(args),
        cwd: options.directory,
        env: { ...options.environment, XDG_STATE_HOME: join(folder, "state") },
        timeoutMs: options.limit,
        graceMs: 0,
        signal: options.interrupt,
        clock: systemClock,
        output: { stdout: out.fd, stderr: err.fd },
      });
      await Promise.all([out.close(), err.close()]);
      const state = stateOf(ending);
      if (state !== "ended") return { state };
      const code = ending.kind === "exited" ? (ending.code ?? 1) : 1;
      return { state, code, stdout: await readFile(stdout, "utf8"), stderr: await readFile(stderr, "utf8") };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
}

/** npm's `opencode.cmd` is started by the shell alone, which looks it up itself. */
export function openCodeCommand(
  args: readonly string[],
  platform: NodeJS.Platform = process.platform,
): readonly [string, ...string[]] {
  return platform === "win32" ? ["cmd.exe", "/d", "/s", "/c", PROGRAM, ...args] : [PROGRAM, ...args];
}

function stateOf(ending: ProcessEnding): OpenCodeResult["state"] {
  if (ending.kind === "timeout" || ending.kind === "cancelled") return "timed out";
  return ending.kind === "unstartable" && ending.missing ? "missing" : "ended";
}
