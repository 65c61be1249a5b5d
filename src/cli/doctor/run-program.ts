import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, open, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isRecord } from "../../lib/json.ts";

/** What became of a program that was run. */
export type ProgramResult =
  | { readonly state: "ended"; readonly code: number; readonly stdout: string; readonly stderr: string }
  | { readonly state: "missing" }
  | { readonly state: "timed out" };

/** Runs a program from the PATH in the folder that is examined. Never rejects. */
export type RunProgram = (program: string, args: readonly string[]) => Promise<ProgramResult>;

export interface RunOptions {
  readonly directory: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Milliseconds until the program and everything that it started is killed. */
  readonly limit: number;
  /** Ends whatever runs at this moment; the result is the same as at the limit. */
  readonly interrupt: AbortSignal;
}

/** A {@link RunProgram} over real processes, each leading a group of its own so that nothing of it stays behind. */
export function createRunProgram(options: RunOptions): RunProgram {
  return async (program, args) => {
    // Only its owner may look in: OpenCode's configuration comes with the providers' keys filled in.
    const folder = await mkdtemp(join(tmpdir(), "gaia-doctor-"));
    try {
      return await runInto(folder, program, args, options);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
}

/**
 * Output goes to files: OpenCode 1.18.33 exits before a pipe has taken more than 64 KB of it. Its state, which is
 * nothing but locks and what was used last, goes into the same folder: a short command ends before the background
 * installation does, and would leave a lock that keeps the user's next start waiting for up to a minute.
 */
async function runInto(
  folder: string,
  program: string,
  args: readonly string[],
  { directory, environment, limit, interrupt }: RunOptions,
): Promise<ProgramResult> {
  const [stdout, stderr] = [join(folder, "stdout"), join(folder, "stderr")];
  const [out, err] = [await open(stdout, "w", 0o600), await open(stderr, "w", 0o600)];
  try {
    const child = spawn(program, args, {
      cwd: directory,
      env: { ...environment, XDG_STATE_HOME: join(folder, "state") },
      stdio: ["ignore", out.fd, err.fd],
      detached: true,
    });
    const end = await endOf(child, limit, interrupt);
    if (typeof end === "string") return { state: end };
    const read = async (file: string): Promise<string> => readFile(file, "utf8");
    return { state: "ended", code: end, stdout: await read(stdout), stderr: await read(stderr) };
  } finally {
    await out.close();
    await err.close();
  }
}

/** A timer of its own: in Node 20 a signal made by `AbortSignal.any` may be collected before its time-out fires. */
async function endOf(
  child: ChildProcess,
  limit: number,
  interrupt: AbortSignal,
): Promise<number | "missing" | "timed out"> {
  return new Promise((resolve) => {
    const end = (how: number | "missing" | "timed out"): void => {
      clearTimeout(timer);
      interrupt.removeEventListener("abort", stop);
      // What it may have left running is of no use to anybody.
      killGroup(child);
      resolve(how);
    };
    const stop = (): void => {
      end("timed out");
    };
    const timer = setTimeout(stop, limit);
    interrupt.addEventListener("abort", stop);
    if (interrupt.aborted) stop();
    child.once("error", (error) => {
      end(isRecord(error) && error["code"] === "ENOENT" ? "missing" : 1);
    });
    child.once("exit", (code) => {
      end(code ?? 1);
    });
  });
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    child.kill("SIGKILL"); // Its group is gone already, or this system has none.
  }
}
