import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { bounded } from "../lib/bounded.ts";
import type { Clock } from "../lib/clock.ts";
import { describeError } from "../lib/error.ts";
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "../libraries/json-rpc.ts";
import { endProcessGroup, memoryOf } from "../process/process-group.ts";

/** How a server's process is started. */
export interface Launch {
  readonly command: readonly [program: string, ...args: string[]];
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly clock: Clock;
}

/** What a server says without being asked, and asks for itself. */
export interface Listener {
  notified(method: string, params: unknown): void;
  /** @returns the answer */
  asked(method: string, params: unknown): unknown;
}

/** A running server. */
export interface Wire {
  /** @throws Error when the server refuses, ends, or does not answer within `ms` */
  request(method: string, params: unknown, ms: number): Promise<unknown>;
  notify(method: string, params: unknown): void;
  /** Why it is no longer there; null while it is. */
  gone(): string | null;
  /** Bytes that it and all it started hold; null where the platform does not tell. */
  memory(): Promise<number | null>;
  /** Ends it with everything that it started. Never rejects. */
  end(): Promise<void>;
}

const MARKER = "GAIA_PROCESS";
const GRACE_MS = 1_000;
const KEPT_WORDS = 600;
const LAST_WORDS_MS = 300;

/** The protocol's codes for an answer that has to be asked for again. */
const ASK_AGAIN = new Set([-32_801, -32_802]);
const MAX_ASKED = 5;
const PAUSE_MS = 200;

/** Starts a server. Its process dies with this one: it reads of the end of its input, and is told whose child it is. */
export function launch({ command, folder, environment, clock }: Launch, listener: Listener): Wire {
  const marker = randomUUID();
  const outer = environment[MARKER];
  const [program, ...args] = command;
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...environment, [MARKER]: outer ? `${outer}/${marker}` : marker },
    stdio: ["pipe", "pipe", "pipe"],
    detached: process.platform !== "win32",
    windowsHide: true,
    // What npm installs on Windows is a script for its shell.
    shell: program.endsWith(".cmd"),
  });
  let words = "";
  let why: string | null = null;
  const connection = createMessageConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  const leave: (() => void)[] = [];
  const lost = (reason: string): void => {
    why ??= reason + (words.trim() === "" ? "" : `: ${words.trim()}`);
    for (const reject of leave.splice(0)) reject();
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
  connection.onError(() => undefined);
  connection.onNotification((method, params) => listener.notified(method, params));
  connection.onRequest((method, params) => listener.asked(method, params) ?? null);
  connection.listen();

  const alive = async <T>(answer: Promise<T>): Promise<T> => {
    let quit: () => void = () => undefined;
    const end = new Promise<never>((_resolve, reject) => {
      quit = () => reject(new Error(why ?? "it ended"));
      leave.push(quit);
    });
    try {
      return await Promise.race([answer, end]);
    } finally {
      const at = leave.indexOf(quit);
      if (at !== -1) leave.splice(at, 1);
    }
  };

  const ask = async (method: string, params: unknown): Promise<unknown> => {
    for (let asked = 1; ; asked += 1) {
      try {
        return await connection.sendRequest<unknown>(method, params);
      } catch (error) {
        if (asked >= MAX_ASKED || !ASK_AGAIN.has(codeOf(error))) throw error;
        await new Promise<void>((done) => {
          clock.after(PAUSE_MS, done);
        });
      }
    }
  };

  return {
    async request(method, params, ms) {
      if (why !== null) throw new Error(why);
      return bounded(alive(ask(method, params)), ms, clock, method);
    },
    notify(method, params) {
      if (why !== null) return;
      connection.sendNotification(method, params).catch(() => undefined); // Its end is told of by the process.
    },
    gone: () => why,
    memory: async () => (child.pid === undefined ? null : memoryOf({ leader: child.pid, marker })),
    async end() {
      lost("it was ended");
      connection.dispose();
      child.stdin.destroy();
      if (child.pid !== undefined) await endProcessGroup({ leader: child.pid, marker }, GRACE_MS, clock);
      child.stdout.destroy();
      child.stderr.destroy();
    },
  };
}

/** The protocol's code of an error; 0 for another kind. */
export function codeOf(error: unknown): number {
  return error instanceof Error && "code" in error && typeof error.code === "number" ? error.code : 0;
}
