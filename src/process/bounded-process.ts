import type { ChildProcess } from "node:child_process";
import { type Clock, within, steadyClock } from "../lib/async.ts";
import { describeError } from "../lib/error.ts";
import { DRAIN_MS, type GroupStart, startGroup } from "./process-group.ts";
import { existsSync } from "node:fs";
import { withOutsidePath } from "./outside-path.ts";

/** A command with bounds: time, a signal that ends it, and a group that dies with it. */
export interface BoundedProcess extends GroupStart {
  readonly timeoutMs: number;
  /** Between asking to end and killing. */
  readonly graceMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Who takes its output as it comes, or open files that it goes into. */
  readonly output: OutputSink | OutputFiles;
  /** Standard input; empty by default. */
  readonly input?: string | undefined;
  /** Told when the command has ended, or is asked to by signal or time-out; what is left of it may run a moment longer. */
  readonly ended?: (() => void) | undefined;
}

/** Takes what a process prints; how much of it is kept is its own affair. */
export interface OutputSink {
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
  | { kind: "unstartable"; problem: string };

/**
 * Runs a command to its end, its time-out or the abort, whichever is first. When this returns nothing that the
 * command started is left: not background jobs, not (on Linux) daemons with a session of their own. Its group ends with this
 * process too, however that ends.
 * There is no terminal, and standard input ends after `input`, so a question gets end-of-file. Never throws.
 */
export async function runBoundedProcess(options: BoundedProcess): Promise<ProcessEnding> {
  const { input, output, signal, graceMs, clock } = options;
  if (signal?.aborted) return { kind: "cancelled" };
  // The clock's timers do not keep the process alive; the wait for a stubborn daemon must.
  const hold = setInterval(() => undefined, 60_000);
  try {
    const sinks = "write" in output ? (["pipe", "pipe"] as const) : [output.stdout, output.stderr];
    const group = startGroup(options, [input === undefined ? "ignore" : "pipe", ...sinks]);
    const { child, closed } = group;
    // It may end before it has read all of it.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(input);
    for (const source of ["stdout", "stderr"] as const)
      if ("write" in output) child[source]?.on("data", (chunk: Buffer) => output.write(source, chunk));
    const ending = await firstEnding(child, options);
    options.ended?.();
    if (ending.kind === "exited") await within(closed, DRAIN_MS, clock);
    await group.end(graceMs);
    return ending;
  } catch (error) {
    return { kind: "unstartable", problem: describeError(error) };
  } finally {
    clearInterval(hold);
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
      settle({ kind: "unstartable", problem: describeError(error) });
    });
    child.once(options.isPlain === true ? "close" : "exit", (code: number | null, signal: string | null) => {
      settle({ kind: "exited", code, signal });
    });
  });
}

export interface ProgramStart {
  readonly command: readonly [program: string, ...args: string[]];
  readonly env: NodeJS.ProcessEnv;
}

/** What one question may cost, and who takes the answer. */
export interface Limits {
  /** Ten seconds by default. */
  readonly timeoutMs?: number;
  /** Of its output; what is printed beyond is dropped. 64 MB by default. */
  readonly maxBytes?: number;
  readonly input?: string;
  readonly signal?: AbortSignal | undefined;
  readonly clock?: Clock;
  /** Whether it may start programs of the project: nothing of these is left, and they find PATH as it is given. */
  readonly startsProjects?: boolean;
  /** Takes the output in place of `bytes` and `text`. */
  readonly take?: ((chunk: Buffer) => void) | undefined;
}

export interface ProgramEnd {
  readonly ok: boolean;
  /** -1 where it came to no end of its own. */
  readonly code: number;
  readonly bytes: Buffer;
  readonly text: string;
  /** Whether its output was more than could be taken. */
  readonly isCut: boolean;
  /** Why it failed, in its own words: the end of them. */
  readonly words: string;
}

/** Between asking to end, by which git takes its locks away, and killing. */
const GRACE_MS = 2_000;
const MAX_BYTES = 64_000_000;
const MAX_WORDS = 20_000;

/** Asks a program of the user's that starts nothing of the project, such as git by `hostGit`, and takes its whole answer. Never rejects. */
export async function runProgram(
  { command, env }: ProgramStart,
  folder: string,
  limits: Limits = {},
): Promise<ProgramEnd> {
  const { timeoutMs = 10_000, maxBytes = MAX_BYTES, input, signal, startsProjects = false, take } = limits;
  const chunks: Buffer[] = [];
  let [words, left] = ["", maxBytes];
  const output = {
    write(source: "stdout" | "stderr", chunk: Buffer): void {
      if (source === "stderr") {
        words = (words + chunk.toString()).slice(-MAX_WORDS);
        return;
      }
      const part = chunk.subarray(0, Math.max(0, left));
      left -= chunk.length;
      if (take === undefined) chunks.push(part);
      else take(part);
    },
  };
  const bounds = { timeoutMs, graceMs: GRACE_MS, signal, clock: limits.clock ?? steadyClock };
  const ending = await runBoundedProcess({
    ...bounds,
    command,
    cwd: folder,
    env: startsProjects ? env : withOutsidePath(env, folder),
    input,
    output,
    isPlain: !startsProjects,
  });
  const code = ending.kind === "exited" ? (ending.code ?? -1) : -1;
  const bytes = Buffer.concat(chunks);
  return {
    ok: code === 0,
    code,
    bytes,
    get text() {
      return bytes.toString("utf8");
    },
    isCut: left < 0,
    words: [words.trim(), whyNot()].filter(Boolean).join("\n"),
  };

  function whyNot(): string {
    if (ending.kind === "timeout") return `${command[0]} did not answer within ${timeoutMs / 1_000} s`;
    if (ending.kind !== "unstartable") return "";
    return `${ending.problem}${existsSync(folder) ? "" : ` (${folder} is not there)`}`;
  }
}
