import { mkdtemp, open, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { systemClock } from "../../lib/clock.ts";
import { excerpt } from "../../lib/excerpt.ts";
import { isRecord, type JsonRecord, parseJson, recordOf, textOf } from "../../lib/json.ts";
import { type ProcessEnding, runBoundedProcess } from "../../process/bounded-process.ts";
import type { ModelFacts } from "../../host/port.ts";
import { factsOf } from "../../host/opencode/read.ts";

const PROGRAM = "opencode";

export type OpenCodeResult =
  | { readonly state: "ended"; readonly code: number; readonly stdout: string; readonly stderr: string }
  | { readonly state: "missing" }
  | { readonly state: "timed out" };

/** Runs the OpenCode of the PATH in the folder that is examined. Never rejects. */
export type RunOpenCode = (args: readonly string[]) => Promise<OpenCodeResult>;

interface RunOptions {
  readonly directory: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Milliseconds until OpenCode and everything that it started is killed. */
  readonly limit: number;
  /** Ends whatever runs at this moment; the result is the same as at the limit. */
  readonly interrupt: AbortSignal;
}

/**
 * A {@link RunOpenCode} over real processes. Output goes to files: OpenCode 1.18.33 exits before a pipe has taken more than
 * 64 KB of it. Its state, which is nothing but locks and what was used last, goes into the same folder: a short command ends
 * before the background installation does, and would leave a lock that keeps the user's next start waiting for up to a minute.
 */
export function createRunOpenCode(options: RunOptions): RunOpenCode {
  return async (args) => {
    // Only its owner may look in: OpenCode's configuration comes with the providers' keys filled in.
    const folder = await mkdtemp(join(tmpdir(), "gaia-doctor-"));
    const [stdout, stderr] = [join(folder, "stdout"), join(folder, "stderr")];
    try {
      const [out, err] = [await open(stdout, "w", 0o600), await open(stderr, "w", 0o600)];
      const ending = await runBoundedProcess({
        command: openCodeCommand(args),
        cwd: options.directory,
        env: { ...options.environment, XDG_STATE_HOME: join(folder, "state") },
        timeoutMs: options.limit,
        graceMs: 0,
        signal: options.interrupt,
        clock: systemClock,
        output: { stdout: out.fd, stderr: err.fd },
      });
      await Promise.all([out.close(), err.close()]);
      const state = stateOf(ending);
      if (state !== "ended") return { state };
      const code = ending.kind === "exited" ? (ending.code ?? 1) : 1;
      return { state, code, stdout: await readFile(stdout, "utf8"), stderr: await readFile(stderr, "utf8") };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
}

/** npm's `opencode.cmd` is started by the shell alone, which looks it up itself. */
export function openCodeCommand(
  args: readonly string[],
  platform: NodeJS.Platform = process.platform,
): readonly [string, ...string[]] {
  return platform === "win32" ? ["cmd.exe", "/d", "/s", "/c", PROGRAM, ...args] : [PROGRAM, ...args];
}

function stateOf(ending: ProcessEnding): OpenCodeResult["state"] {
  if (ending.kind === "timeout" || ending.kind === "cancelled") return "timed out";
  return ending.kind === "unstartable" && ending.missing ? "missing" : "ended";
}

/** How much of an error of OpenCode is passed on, in characters. */
const MAX_WORDS = 400;

/** What OpenCode answered, or why it did not. */
export type Reading<T> = { readonly value: T } | { readonly problem: string };

/** OpenCode's merged configuration, reduced to what is looked at; keys of providers are never kept. */
export interface MergedConfig {
  readonly permission: JsonRecord;
  readonly plugins: readonly PluginOrigin[];
  readonly shell: string | null;
}

export interface PluginOrigin {
  /** A name or URL, or a tuple with options. */
  readonly entry: unknown;
  readonly source: string;
}

/** The models that can be used now. */
interface ModelList {
  readonly names: ReadonlySet<string>;
  readonly facts: readonly ModelFacts[];
}

export const readVersion = async (run: RunOpenCode): Promise<Reading<string>> =>
  ask(run, "--version", (printed) => printed.trim());

export const readMergedConfig = async (run: RunOpenCode): Promise<Reading<MergedConfig>> =>
  ask(run, "debug config", (printed) => {
    const config = parseJson(printed);
    return config === undefined ? null : readConfig(config);
  });

export const readModels = async (run: RunOpenCode): Promise<Reading<ModelList>> =>
  ask(run, "models --verbose", (printed) => {
    // Each name stands on a line of its own, and what is known of it below, as JSON.
    const [, ...parts] = printed.split(/^([^/\s{}"]+\/\S+)\s*$/m);
    const names = parts.filter((_part, index) => index % 2 === 0);
    const facts = names.flatMap(
      (name, at) => factsOf(name, recordOf(parseJson(parts[2 * at + 1] ?? ""))) ?? [],
    );
    return { names: new Set(names), facts };
  });

function readConfig(raw: unknown): MergedConfig {
  const config = recordOf(raw);
  const origins = Array.isArray(config["plugin_origins"]) ? config["plugin_origins"].filter(isRecord) : [];
  return {
    permission: recordOf(config["permission"]),
    shell: textOf(config["shell"]) ?? null,
    plugins: origins.map(({ spec, source }) => ({ entry: spec, source: textOf(source) ?? "" })),
  };
}

/** @param read null for what it cannot read */
async function ask<T>(
  run: RunOpenCode,
  args: string,
  read: (printed: string) => T | null,
): Promise<Reading<T>> {
  const result = await run(args.split(" "));
  if (result.state === "missing") return { problem: "OpenCode was not found on the PATH." };
  if (result.state === "timed out")
    return { problem: `"opencode ${args}" did not end in time and was stopped.` };
  if (result.code === 0) {
    const value = read(result.stdout);
    return value === null ? { problem: `"opencode ${args}" printed what is not understood.` } : { value };
  }
  const words = withoutContent(stripVTControlCharacters(result.stderr.trim() || result.stdout.trim()));
  return { problem: `"opencode ${args}" failed: ${excerpt(words, MAX_WORDS) || "it said nothing"}` };
}

/** OpenCode quotes a file that it cannot parse, keys of providers and all; the place of the slip is enough. */
function withoutContent(words: string): string {
  const [before, quoted] = words.split("--- JSONC Input ---");
  const place = /\w+ at line \d+, column \d+/.exec(quoted?.split("--- Errors ---").at(-1) ?? "")?.[0];
  return [before, place].filter(Boolean).join(" ");
}
