import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import type { Readable, Writable } from "node:stream";
import type { Clock } from "../lib/clock.ts";
import { describeError } from "../lib/error.ts";
import { headlineOf } from "./excerpt.ts";
import { endProcessGroup, memoryOf, markedBy } from "./process-group.ts";
import { endWithUs } from "./end-with-us.ts";

/** How a program is started that is spoken to. */
export interface PipedStart {
  readonly command: readonly [program: string, ...args: string[]];
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly clock: Clock;
}

/** A program that is spoken to over its input and output until it is ended. */
export interface PipedProcess {
  readonly input: Writable;
  readonly output: Readable;
  /** What it has said last on its standard error: from the line that names an error on. */
  words(): string;
  /** Why it is no longer there, with its last words; null while it is. */
  gone(): string | null;
  /** Called once when it is no longer there, at once where that is so already. @returns takes the call back */
  whenGone(listener: () => void): () => void;
  /** Bytes that it and all it started hold; null where the platform does not tell. */
  memory(): Promise<number | null>;
  /** Ends it with everything that it started. Never rejects. @param why what is wrong with it */
  end(why?: string): Promise<void>;
}

const GRACE_MS = 1_000;
const KEPT_WORDS = 4_000;
const SHOWN_WORDS = 600;
const LAST_WORDS_MS = 300;

/** Starts a program, whose process dies with this one. @throws where it cannot be started at all */
export function startPiped({ command, folder, environment, clock }: PipedStart): PipedProcess {
  const marker = randomUUID();
  const [program, ...args] = command;
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...environment, ...markedBy(marker, environment) },
    stdio: ["pipe", "pipe", "pipe"],
    detached: process.platform !== "win32",
    windowsHide: true,
    // What npm installs on Windows is a script for its shell.
    shell: program.endsWith(".cmd"),
  });
  child.once("exit", endWithUs(child.pid));
  let words = "";
  let why: string | null = null;
  let ending: Promise<void> | null = null;
  const listeners = new Set<() => void>();
  const said = (): string =>
    words
      .slice(Math.max(0, words.indexOf(headlineOf(words))))
      .trim()
      .slice(0, SHOWN_WORDS);
  const lost = (reason: string): void => {
    why ??= reason + (said() === "" ? "" : `: ${said()}`);
    for (const listener of listeners) {
      listeners.delete(listener);
      listener();
    }
  };
  const end = async (): Promise<void> => {
    child.stdin.destroy();
    if (child.pid !== undefined) await endProcessGroup({ leader: child.pid, marker }, GRACE_MS, clock);
    child.stdout.destroy();
    child.stderr.destroy();
  };
  child.stderr.on("data", (chunk: Buffer) => {
    words = (words + chunk.toString("utf8")).slice(-KEPT_WORDS);
  });
  child.on("error", (error) => lost(describeError(error)));
  // Its last words may come behind its end, and never where something that it started holds on to them.
  child.on("exit", (code, signal) => {
    const ended = (): void => lost(`it ended (${signal ?? `exit code ${code}`})`);
    child.on("close", ended);
    clock.after(LAST_WORDS_MS, ended);
  });
  // A pipe that breaks is told of by the process that has ended.
  child.stdin.on("error", () => undefined);
  return {
    input: child.stdin,
    output: child.stdout,
    words: said,
    gone: () => why,
    whenGone(listener) {
      if (why === null) listeners.add(listener);
      else listener();
      return () => void listeners.delete(listener);
    },
    memory: async () => (child.pid === undefined ? null : memoryOf({ leader: child.pid, marker })),
    async end(wrong = "it was ended") {
      lost(wrong);
      ending ??= end();
      return ending;
    },
  };
}
