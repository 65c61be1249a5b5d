import type { Clock } from "../../lib/async.ts";
import { head, tail } from "../../lib/text.ts";
import type { Redactor } from "../../lib/redaction.ts";
import { runBoundedProcess } from "../../process/bounded-process.ts";
import { hostGit } from "../../process/git.ts";
import { withOutsidePath } from "../../process/outside-path.ts";

export interface Surroundings {
  readonly directory: string;
  readonly clock: Clock;
  readonly redact: Redactor;
}

export interface ProgramAnswer {
  /** null where it came to no end of its own: nobody knows how far it came. */
  readonly code: number | null;
  readonly out: string;
  /** What it said, or the beginning and the end of it, on one line and without secrets; or why it came to no end. */
  readonly why: string;
}

const MAX_BYTES = 2_000_000;
const MAX_WHY = 500;
/** Some say first what is wrong, and then at length how they are used. */
const MAX_FIRST = 160;
/** Nothing asks anyone: there is no terminal, and a window of its own would be none of the dialog that was answered. */
const QUIET = {
  GIT_TERMINAL_PROMPT: "0",
  GCM_INTERACTIVE: "never",
  SSH_ASKPASS_REQUIRE: "never",
  GH_PROMPT_DISABLED: "1",
  NO_PROMPT: "1",
  LC_ALL: "C",
};
/** Nothing is a terminal: gh would colour its lists. */
const TERMINAL = /^(?:GH_FORCE_TTY|CLICOLOR_FORCE)$/;

/** Runs a program as it stands, without a shell and without anyone to ask. Never throws. */
export async function run(
  { directory, clock, redact }: Surroundings,
  command: readonly [program: string, ...args: string[]],
  timeoutMs: number,
  signal: AbortSignal,
): Promise<ProgramAnswer> {
  const chunks = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  const [program, ...args] = command;
  const git = hostGit(program === "git" ? args : [], { isAgreed: true });
  const kept = Object.entries(git.env).filter(([name]) => !TERMINAL.test(name));
  const ending = await runBoundedProcess({
    command: program === "git" ? git.command : command,
    cwd: directory,
    env: { ...withOutsidePath(Object.fromEntries(kept), directory), ...QUIET },
    timeoutMs,
    graceMs: 2_000,
    signal,
    clock,
    output: { maxBytes: MAX_BYTES, write: (source, chunk) => void chunks[source].push(chunk) },
  });
  const [out, said] = [chunks.stdout, chunks.stderr].map((each) => Buffer.concat(each).toString());
  const code = ending.kind === "exited" ? ending.code : null;
  const end =
    ending.kind === "unstartable"
      ? ending.problem
      : ending.kind === "timeout"
        ? `nothing within ${timeoutMs / 1_000} s`
        : "it was stopped";
  const words = redact(said?.trim() || (out ?? "")) || `exit code ${String(code)}`;
  return { code, out: out ?? "", why: code === null ? end : bothEnds(words.replaceAll(/\s+/g, " ")) };
}

function bothEnds(words: string): string {
  if (words.length <= MAX_WHY) return words;
  return `${head(words, MAX_FIRST)} ${tail(words, MAX_WHY - MAX_FIRST - 1)}`;
}
