import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { describeError } from "../lib/error.ts";
import { withOutsidePath } from "./outside-path.ts";

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

const TIMEOUT_MS = 10_000;
/** Between asking to end, by which git takes its locks away, and killing. */
const GRACE_MS = 2_000;
const MAX_BYTES = 64_000_000;
const MAX_WORDS = 20_000;

/**
 * Asks a program of the user's that starts nothing of the project, such as git by `hostGit`, and takes its whole answer. For one
 * that may leave anything running there is `runBoundedProcess`. Never rejects.
 */
export async function runProgram(
  { command: [program, ...args], env }: ProgramStart,
  folder: string,
  { timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES, input = "", signal, take }: Limits = {},
): Promise<ProgramEnd> {
  const chunks: Buffer[] = [];
  let [words, left] = ["", maxBytes];
  const answer = (code: number, why = ""): ProgramEnd => {
    const bytes = Buffer.concat(chunks);
    const said = [words.trim(), why].filter(Boolean).join("\n");
    return {
      ok: code === 0,
      code,
      bytes,
      get text() {
        return bytes.toString("utf8");
      },
      isCut: left < 0,
      words: said,
    };
  };
  if (signal?.aborted === true) return answer(-1);
  return new Promise<ProgramEnd>((resolve) => {
    // A group of its own: what it has started ends with it.
    const isGroup = process.platform !== "win32";
    const options = { cwd: folder, env: withOutsidePath(env, folder), detached: isGroup, windowsHide: true };
    const child: Partial<ChildProcess> & Pick<ChildProcess, "kill" | "on" | "once"> = spawn(
      program,
      args,
      options,
    );
    let why = "";
    let kill: NodeJS.Timeout | undefined;
    const send = (name: NodeJS.Signals): void => {
      try {
        if (isGroup && child.pid !== undefined) process.kill(-child.pid, name);
        else child.kill(name);
      } catch {
        // It has ended meanwhile.
      }
    };
    const end = (): void => {
      send("SIGTERM");
      kill ??= setTimeout(() => {
        send("SIGKILL");
        // Without descriptors left it has no pipes; one that hangs in the kernel never closes them.
        child.stdout?.destroy();
        child.stderr?.destroy();
        settle(-1);
      }, GRACE_MS);
    };
    const timer = setTimeout(() => {
      why = `${program} did not answer within ${timeoutMs / 1_000} s`;
      end();
    }, timeoutMs);
    signal?.addEventListener("abort", end);
    const settle = (code: number): void => {
      clearTimeout(timer);
      clearTimeout(kill);
      signal?.removeEventListener("abort", end);
      resolve(answer(code, why));
    };
    child.on("error", (error) => {
      why = `${describeError(error)}${existsSync(folder) ? "" : ` (${folder} is not there)`}`;
      settle(-1);
    });
    child.once("close", (code) => settle(why === "" ? (code ?? -1) : -1));
    child.stdout?.on("data", (chunk: Buffer) => {
      const part = chunk.subarray(0, Math.max(0, left));
      left -= chunk.length;
      if (take === undefined) chunks.push(part);
      else take(part);
    });
    child.stderr?.on("data", (chunk: Buffer) => {
      words = (words + chunk.toString()).slice(-MAX_WORDS);
    });
    // It may end before it has read all of it.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(input);
  }).catch((error: unknown) => answer(-1, describeError(error)));
}
