import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { within } from "../lib/async.ts";
import { describeError } from "../lib/error.ts";
import { headlineOf } from "./output.ts";
import { DRAIN_MS, type GroupStart, startGroup } from "./process-group.ts";

/** How a program is started that is spoken to. */
export type PipedStart = GroupStart & { readonly command: readonly [program: string, ...args: string[]] };

/** A program that is spoken to over its input and output until it is ended. */
export type PipedProcess = ReturnType<typeof startPiped>;

const GRACE_MS = 1_000;
const KEPT_WORDS = 4_000;
const SHOWN_WORDS = 600;

/** Starts a program, whose process dies with this one. @throws where it cannot be started at all */
export function startPiped(start: PipedStart) {
  const group = startGroup({ ...start, mayBeScript: true }, "pipe");
  const { stdin, stdout, stderr } = group.child as ChildProcessWithoutNullStreams;
  let words = "";
  let why: string | null = null;
  let ending: Promise<void> | null = null;
  const listeners = new Set<() => void>();
  const said = (): string =>
    words
      .slice(Math.max(0, words.indexOf(headlineOf(words))))
      .trim()
      .slice(0, SHOWN_WORDS);
  const end = async (reason: string): Promise<void> => {
    why ??= reason + (said() === "" ? "" : `: ${said()}`);
    for (const listener of listeners) {
      listeners.delete(listener);
      listener();
    }
    stdin.destroy();
    ending ??= group.end(GRACE_MS);
    return ending;
  };
  stderr.on("data", (chunk: Buffer) => {
    words = (words + chunk.toString("utf8")).slice(-KEPT_WORDS);
  });
  group.child.on("error", (error) => void end(describeError(error)));
  // Its last words may come behind its end, and never where something that it started holds on to them.
  group.child.on("exit", (code, signal) => {
    const ended = `it ended (${signal ?? `exit code ${code}`})`;
    void within(group.closed, DRAIN_MS, start.clock).then(async () => end(ended));
  });
  // A pipe that breaks is told of by the process that has ended.
  stdin.on("error", () => undefined);
  return {
    input: stdin,
    output: stdout,
    /** What it has said last on its standard error: from the line that names an error on. */
    words: said,
    /** Why it is no longer there, with its last words; null while it is. */
    gone: (): string | null => why,
    /** Called once when it is no longer there, at once where that is so already. @returns takes the call back */
    whenGone(listener: () => void): () => void {
      if (why === null) listeners.add(listener);
      else listener();
      return () => void listeners.delete(listener);
    },
    /** Ends it with everything that it started. Never rejects. @param why what is wrong with it */
    end: async (reason = "it was ended"): Promise<void> => end(reason),
  };
}
