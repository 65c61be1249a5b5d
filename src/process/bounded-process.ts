import type { ChildProcess } from "node:child_process";
import { within } from "../lib/bounded.ts";
import type { Clock } from "../lib/clock.ts";
import { describeError } from "../lib/error.ts";
import { DRAIN_MS, startGroup } from "./process-group.ts";

/** A command with bounds: time, a signal that ends it, and a group that dies with it. */
export interface BoundedProcess {
  /** A string goes to the shell untouched; a list is started as it stands, without a shell. */
  command: string | readonly [program: string, ...args: string[]];
  cwd: string;
  env: NodeJS.ProcessEnv;
  timeoutMs: number;
  /** Between asking to end and killing. */
  graceMs: number;
  signal?: AbortSignal | undefined;
  clock: Clock;
  /** Who takes its output as it comes, or open files that it goes into. */
  output: OutputSink | OutputFiles;
  /** Standard input; empty by default. */
  input?: string | undefined;
  /** See {@link GroupStart}; all of its output is taken. */
  isPlain?: boolean;
  /** Told when the command has ended, or is asked to by signal or time-out; what is left of it may run a moment longer. */
  ended?: (() => void) | undefined;
}

/** Takes what a process prints; how much of it is kept is its own affair. */
export interface OutputSink {
  /** Of each stream; what is printed beyond is read and dropped. No bound when absent. */
  readonly maxBytes?: number;
  write(source: "stdout" | "stderr", chunk: Buffer): void;
}

/** File descriptors, for a program that ends before a pipe has taken all of its output. */
export interface OutputFiles {
  readonly stdout: number;
  readonly stderr: number;
}

export type ProcessEnding =
  | { kind: "exited"; code: number | null; signal: string | null }
  | { kind: "timeout" }
  | { kind: "cancelled" }
  /** `missing`: there is no such program. */
  | { kind: "unstartable"; problem: string; missing: boolean };

/**
 * Runs a command to its end, its time-out or the abort, whichever is first. When this returns nothing that the
 * command started is left: not background jobs, not (on Linux) daemons with a session of their own. Its group ends with this
 * process too, however that ends.
 * There is no terminal, and standard input ends after `input`, so a question gets end-of-file. Never throws.
 */
export async function runBoundedProcess(options: BoundedProcess): Promise<ProcessEnding> {
  const { input, output, signal, cwd, env, graceMs, clock } = options;
  if (signal?.aborted) return { kind: "cancelled" };
  // The clock's timers do not keep the process alive; the wait for a stubborn daemon must.
  const hold = setInterval(() => undefined, 60_000);
  try {
    const sinks = "write" in output ? (["pipe", "pipe"] as const) : [output.stdout, output.stderr];
    const group = startGroup({ ...options, folder: cwd, environment: env }, [
      input === undefined ? "ignore" : "pipe",
      ...sinks,
    ]);
    const { child, closed } = group;
    // It may end before it has read all of it.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(input);
    if ("write" in output) readOutput(child, output);
    const ending = await firstEnding(child, options);
    options.ended?.();
    if (ending.kind === "exited") await within(closed, DRAIN_MS, clock);
    await group.end(graceMs);
    return ending;
  } catch (error) {
    return unstartable(error);
  } finally {
    clearInterval(hold);
  }
}

function readOutput(child: ChildProcess, sink: OutputSink): void {
  for (const source of ["stdout", "stderr"] as const) {
    let left = sink.maxBytes ?? Infinity;
    child[source]?.on("data", (chunk: Buffer) => {
      if (left > 0) sink.write(source, chunk.length > left ? chunk.subarray(0, left) : chunk);
      left -= chunk.length;
    });
  }
}

function firstEnding(child: ChildProcess, options: BoundedProcess): Promise<ProcessEnding> {
  return new Promise((resolve) => {
    const settle = (ending: ProcessEnding): void => {
      cancelTimer();
      options.signal?.removeEventListener("abort", abort);
      resolve(ending);
    };
    const abort = (): void => {
      settle({ kind: "cancelled" });
    };
    const cancelTimer = options.clock.after(options.timeoutMs, () => {
      settle({ kind: "timeout" });
    });
    options.signal?.addEventListener("abort", abort);
    // Stays for good: an error event without a listener would be thrown.
    child.on("error", (error) => {
      settle(unstartable(error));
    });
    child.once(options.isPlain === true ? "close" : "exit", (code: number | null, signal: string | null) => {
      settle({ kind: "exited", code, signal });
    });
  });
}

function unstartable(error: unknown): ProcessEnding {
  const missing = error instanceof Error && "code" in error && error.code === "ENOENT";
  return { kind: "unstartable", problem: describeError(error), missing };
}
