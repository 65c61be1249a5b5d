import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { CheckDefinition } from "../../config/definition-of-done.ts";
import type { Clock } from "../../lib/async.ts";
import { type OutputSink, runBoundedProcess, type ProcessEnding } from "../../process/bounded-process.ts";
import { describeError } from "../../lib/error.ts";
import { pathBelow } from "../../lib/folders.ts";
import { realPathOf } from "../../policy/real-path.ts";
import { createOutputTail, excerptOutput } from "../../process/output.ts";
import { failureKey, type CheckReport } from "./report.ts";
import type { ProgramOf } from "../host-runs.ts";

export interface CheckContext {
  /** The project, as an absolute path; no check runs outside of it. */
  directory: string;
  signal: AbortSignal;
  clock: Clock;
  /** Takes secrets out of commands and outputs before anyone sees them. */
  redact(text: string): string;
  /** Gives the program that runs a check; absent where checks run as they are. */
  program?: ProgramOf | undefined;
  /** Told when the command has ended, or is asked to. */
  ended?: (() => void) | undefined;
}

const GRACE_MS = 2_000;
const MAX_CHARACTERS = 4_000;
const MAX_LINES_PASSED = 20;
/** What shells answer when there is no such program. */
const MISSING_PROGRAM = process.platform === "win32" ? 9009 : 127;

/** Runs one check to a described end; never throws and never outlasts its time-out by more than the grace. */
export async function runCheck(check: CheckDefinition, context: CheckContext): Promise<CheckReport> {
  const { directory, redact, clock } = context;
  const started = clock.now();
  const output = createOutputTail();
  const folder = await resolveFolder(directory, check.cwd ?? ".");
  const ending: ProcessEnding =
    "problem" in folder
      ? { kind: "unstartable", problem: folder.problem }
      : await runIn(folder.path, check, context, output);
  const end = describeEnding(ending, check);
  const duration_ms = Math.round(clock.now() - started);
  const text = output.whole(redact);
  // Of one that passed only the end, where one sees what it did last.
  const maxLines = end.status === "passed" ? { maxLines: MAX_LINES_PASSED } : {};
  return {
    id: check.id,
    command: redact(check.command),
    duration_ms,
    ...end,
    output_tail: excerptOutput(text, { maxCharacters: MAX_CHARACTERS, ...maxLines }),
    ...(end.status === "passed" ? {} : { signature: failureKey(text) }),
  };
}

async function runIn(
  folder: string,
  check: CheckDefinition,
  { signal, clock, program = async ({ command }) => command, ended }: CheckContext,
  output: OutputSink,
): Promise<ProcessEnding> {
  try {
    return await runBoundedProcess({
      command: await program(check, folder),
      cwd: folder,
      env: checkEnvironment(process.env),
      timeoutMs: check.timeoutSeconds * 1_000,
      graceMs: GRACE_MS,
      signal,
      clock,
      output,
      ended,
    });
  } catch (error) {
    return { kind: "unstartable", problem: describeError(error) };
  }
}

type End = Pick<CheckReport, "status" | "exit_code" | "detail">;

function describeEnding(ending: ProcessEnding, { timeoutSeconds }: CheckDefinition): End {
  if (ending.kind === "exited") return describeExit(ending.code, ending.signal);
  if (ending.kind === "cancelled") return { status: "cancelled", exit_code: null };
  if (ending.kind === "unstartable") return { status: "error", exit_code: null, detail: ending.problem };
  const detail = `not finished after ${timeoutSeconds} s; ended with everything it had started. One that watches files has to be told not to, for example by CI=true in front of it`;
  return { status: "timeout", exit_code: null, detail };
}

function describeExit(code: number | null, signal: string | null): End {
  if (code === 0) return { status: "passed", exit_code: 0 };
  if (code === MISSING_PROGRAM) {
    return { status: "missing", exit_code: code, detail: "the shell found no such program" };
  }
  if (code === null) return { status: "failed", exit_code: null, detail: `ended by ${signal ?? "a signal"}` };
  return { status: "failed", exit_code: code };
}

/** By real path, so that a link inside the project cannot take a check outside. */
async function resolveFolder(
  directory: string,
  folder: string,
): Promise<{ path: string } | { problem: string }> {
  const path = realPathOf(resolve(directory, folder));
  const found = await stat(path).catch(() => null);
  if (found === null) return { problem: `the folder ${folder} does not exist` };
  if (pathBelow(realPathOf(directory), path) === null)
    return { problem: `the folder ${folder} is outside of the project` };
  return found.isDirectory() ? { path } : { problem: `${folder} is not a folder` };
}

/**
 * What a check sees: the environment of OpenCode itself, so that it runs as it does for people, and no program waits for a person:
 * no pager, no editor, no prompts for passwords or downloads.
 */
function checkEnvironment(inherited: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { TERM } = inherited;
  return {
    ...inherited,
    TERM: TERM === undefined || TERM === "" || TERM === "dumb" ? "xterm-256color" : TERM,
    PAGER: "cat",
    GIT_PAGER: "cat",
    GIT_EDITOR: "true",
    GIT_TERMINAL_PROMPT: "0",
    SSH_ASKPASS_REQUIRE: "never",
    DEBIAN_FRONTEND: "noninteractive",
    PIP_NO_INPUT: "1",
    COREPACK_ENABLE_DOWNLOAD_PROMPT: "0",
  };
}
