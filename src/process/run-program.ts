import { existsSync } from "node:fs";
import { steadyClock } from "../lib/clock.ts";
import { runBoundedProcess } from "./bounded-process.ts";
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

const TIMEOUT_MS = 10_000;
/** Between asking to end, by which git takes its locks away, and killing. */
const GRACE_MS = 2_000;
const MAX_BYTES = 64_000_000;
const MAX_WORDS = 20_000;

/** Asks a program of the user's that starts nothing of the project, such as git by `hostGit`, and takes its whole answer. Never rejects. */
export async function runProgram(
  { command, env }: ProgramStart,
  folder: string,
  { timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES, input, signal, startsProjects = false, take }: Limits = {},
): Promise<ProgramEnd> {
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
  const environment = startsProjects ? env : withOutsidePath(env, folder);
  const bounds = { timeoutMs, graceMs: GRACE_MS, signal, clock: steadyClock };
  const ending = await runBoundedProcess({
    ...bounds,
    command,
    cwd: folder,
    env: environment,
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
    words: [words.trim(), whyNot(ending)].filter(Boolean).join("\n"),
  };

  function whyNot(ended: typeof ending): string {
    if (ended.kind === "timeout") return `${command[0]} did not answer within ${timeoutMs / 1_000} s`;
    if (ended.kind !== "unstartable") return "";
    return `${ended.problem}${existsSync(folder) ? "" : ` (${folder} is not there)`}`;
  }
}
