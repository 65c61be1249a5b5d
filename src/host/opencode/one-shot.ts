import { writeSync } from "node:fs";
import { constants } from "node:os";
import { terminalText } from "../../lib/text.ts";
import type { OneShot, OneShotEnd } from "../port.ts";

/** What of a process is used, so that a test can stand in for it. */
export interface OneShotProcess {
  readonly argv: readonly string[];
  readonly pid: number;
  readonly stdin: { readonly isTTY?: boolean };
  readonly stderr: { write(text: string | Uint8Array, ...rest: never[]): boolean };
  on(event: "exit", listener: (code: number) => void): unknown;
  once(event: NodeJS.Signals, listener: () => void): unknown;
  exit(code: number): unknown;
  kill(pid: number, signal: NodeJS.Signals): unknown;
}

/** So long may a signal that was told of take to end the process, in milliseconds. */
const SIGNAL_MS = 500;

/** OpenCode's line for each request that it would refuse, which it prints before anyone has answered. */
const REFUSAL = /permission requested: ([^]*); auto-rejecting/;

/** `opencode run` loads plugins into its own process: its streams and exit code are at hand. Nothing here throws. */
export function openOneShot(
  process: OneShotProcess,
  write: (stream: 1 | 2, text: string) => unknown = writeSync,
): OneShot {
  const { argv, stdin } = process;
  const isJson = argv.some(
    (arg, index) => arg === "--format=json" || `${argv[index - 1]} ${arg}` === "--format json",
  );
  let end: ((signal: NodeJS.Signals | null) => OneShotEnd | null) | null = null;
  const print = (stream: 1 | 2, text: string): void => {
    try {
      write(stream, `${stream === 2 ? terminalText(text) : text}\n`);
    } catch {
      // Nobody reads it any more.
    }
  };
  const held = holdRefusals(process.stderr);
  /** @returns what it told; null for nothing */
  const tellEnd = (signal: NodeJS.Signals | null): OneShotEnd | null => {
    held.release();
    let last: OneShotEnd | null = null;
    try {
      last = end?.(signal) ?? null;
    } catch {
      // OpenCode's own code tells enough.
    }
    end = null;
    if (last === null) return null;
    const about = { type: "gaia", timestamp: Date.now(), sessionID: last.session };
    if (isJson) print(1, JSON.stringify({ ...about, ...last.facts }));
    else if (last.text !== "") print(2, last.text);
    return last;
  };
  process.on("exit", (code) => {
    const last = tellEnd(null);
    if (last === null) return;
    // OpenCode fails with 1 where a turn of ours was held; what ended it by a signal has a code of its own.
    if (code <= 1 && last.exitCode !== 0 && last.exitCode !== code) process.exit(last.exitCode);
  });
  let isListening = false;
  const listen = (): void => {
    if (isListening) return;
    isListening = true;
    // A script's job in the background was begun to ignore Ctrl+C: to listen to it would end the job after all.
    for (const signal of stdin.isTTY === true ? (["SIGTERM", "SIGINT"] as const) : (["SIGTERM"] as const))
      process.once(signal, () => {
        setTimeout(() => process.exit(128 + constants.signals[signal]), SIGNAL_MS);
        tellEnd(signal);
        process.kill(process.pid, signal);
      });
  };
  return {
    print: (text) => print(2, text),
    atEnd(tell) {
      end = tell;
      listen();
    },
    settled: held.settled,
  };
}

/** Holds OpenCode's lines about requests back until it is known whether they are true. */
function holdRefusals(stderr: OneShotProcess["stderr"]): Pick<OneShot, "settled"> & { release(): void } {
  const pass = stderr.write.bind(stderr);
  /** By what was asked for: lines that wait for an answer, and answers that wait for their line. */
  const lines = new Map<string, string[]>();
  const answers = new Map<string, boolean[]>();
  let isLineEnd = false;
  stderr.write = (text, ...rest) => {
    const line = typeof text === "string" ? text : "";
    const asked = REFUSAL.exec(line)?.[1];
    if (asked === undefined) {
      const isEnd = isLineEnd && /^\r?\n$/.test(line);
      isLineEnd = false;
      return isEnd || pass(text, ...rest);
    }
    isLineEnd = true;
    const isAnswered = answers.get(asked)?.shift();
    if (isAnswered === undefined) lines.set(asked, [...(lines.get(asked) ?? []), line]);
    else if (!isAnswered) pass(`${line}\n`);
    return true;
  };
  return {
    settled({ permission, patterns }, isAnswered) {
      const asked = `${permission} (${patterns.join(", ")})`;
      const line = lines.get(asked)?.shift();
      if (line === undefined) answers.set(asked, [...(answers.get(asked) ?? []), isAnswered]);
      else if (!isAnswered) pass(`${line}\n`);
    },
    release() {
      for (const line of [...lines.values()].flat()) pass(`${line}\n`);
      lines.clear();
    },
  };
}
