import type { Clock } from "../../lib/clock.ts";
import { runBoundedProcess } from "../../process/bounded-process.ts";
import { hostGit } from "../../process/git.ts";

/** Where git works, and who may end it. */
export interface GitPlace {
  readonly directory: string;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
}

/** What git answered. */
export interface GitAnswer {
  readonly ok: boolean;
  readonly out: string;
  /** What it and its hooks said, the end of it. */
  readonly said: string;
}

/** What one call needs beside its arguments. */
export interface GitOptions {
  readonly input?: string;
  /** Set for git and what it starts. */
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 60_000;
const GRACE_MS = 2_000;
const MAX_OUT_BYTES = 64_000_000;
const MAX_SAID_BYTES = 200_000;

/**
 * Runs git as the user has it: with their configuration, filters, hooks and signing, which no agent can write. The environment
 * does not name another repository. Never throws.
 */
export async function usersGit(
  { directory, clock, signal }: GitPlace,
  args: readonly string[],
  { input, env, timeoutMs = TIMEOUT_MS }: GitOptions = {},
): Promise<GitAnswer> {
  const out: Buffer[] = [];
  let said = "";
  const git = hostGit(args, { isAgreed: true, ...(env === undefined ? {} : { env }) });
  const ending = await runBoundedProcess({
    command: git.command,
    cwd: directory,
    env: git.env,
    timeoutMs,
    graceMs: GRACE_MS,
    signal,
    clock,
    input,
    output: {
      maxBytes: MAX_OUT_BYTES,
      write(source, chunk) {
        if (source === "stdout") out.push(chunk);
        else said = (said + chunk.toString("utf8")).slice(-MAX_SAID_BYTES);
      },
    },
  });
  if (ending.kind === "unstartable") said = ending.problem;
  if (ending.kind === "timeout") said += `\nIt was ended after ${timeoutMs / 1_000} s.`;
  const ok = ending.kind === "exited" && ending.code === 0;
  return { ok, out: Buffer.concat(out).toString("utf8"), said: said.trim() };
}
