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

export type Reading<T> =
  | { readonly state: "read"; readonly value: T }
  | { readonly state: "failed"; readonly message: string }
  /** Not asked, because an earlier answer made it pointless. */
  | { readonly state: "skipped" };

export type VersionReading = Reading<string> | { readonly state: "missing" };

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
  /** Those for which OpenCode has no price, so that a budget in money does not count them. */
  readonly unpriced: ReadonlySet<string>;
}

export async function readVersion(run: RunOpenCode): Promise<VersionReading> {
  const answer = await ask(run, "--version");
  return answer.state === "read" ? { state: "read", value: answer.value.trim() } : answer;
}

export async function readMergedConfig(run: RunOpenCode): Promise<Reading<MergedConfig>> {
  const answer = withoutMissing(await ask(run, "debug config"));
  if (answer.state !== "read") return answer;
  try {
    return { state: "read", value: readConfig(JSON.parse(answer.value)) };
  } catch {
    return { state: "failed", message: '"opencode debug config" printed no JSON.' };
  }
}

export async function readModels(run: RunOpenCode): Promise<Reading<ModelList>> {
  const answer = withoutMissing(await ask(run, "models --verbose"));
  if (answer.state !== "read") return answer;
  // Each name stands on a line of its own, and what is known of it below, as JSON.
  const [, ...parts] = answer.value.split(/^([^/\s{}"]+\/\S+)\s*$/m);
  const names = parts.filter((_part, index) => index % 2 === 0);
  const about = names.map((name, at) => ({ name, said: recordOf(parseJson(parts[2 * at + 1] ?? "")) }));
  const unpriced = about.filter(({ said }) => {
    const { input, output } = recordOf(said["cost"]);
    return input === 0 && output === 0;
  });
  const facts = about.flatMap(({ name, said }) => factsOf(name, said) ?? []);
  const free = new Set(unpriced.map(({ name }) => name));
  return { state: "read", value: { names: new Set(names), facts, unpriced: free } };
}

function readConfig(raw: unknown): MergedConfig {
  const config = recordOf(raw);
  const origins = Array.isArray(config["plugin_origins"]) ? config["plugin_origins"].filter(isRecord) : [];
  return {
    permission: recordOf(config["permission"]),
    shell: textOf(config["shell"]) ?? null,
    plugins: origins.map(({ spec, source }) => ({ entry: spec, source: textOf(source) ?? "" })),
  };
}

async function ask(run: RunOpenCode, args: string): Promise<VersionReading> {
  const result = await run(args.split(" "));
  if (result.state === "missing") return result;
  if (result.state === "timed out") {
    return { state: "failed", message: `"opencode ${args}" did not end in time and was stopped.` };
  }
  if (result.code === 0) return { state: "read", value: result.stdout };
  const words = withoutContent(stripVTControlCharacters(result.stderr.trim() || result.stdout.trim()));
  const said = excerpt(words, MAX_WORDS) || "it said nothing";
  return { state: "failed", message: `"opencode ${args}" failed: ${said}` };
}

function withoutMissing(answer: VersionReading): Reading<string> {
  return answer.state === "missing" ? { state: "failed", message: "OpenCode was not found." } : answer;
}

/** OpenCode quotes a file that it cannot parse, keys of providers and all; the place of the slip is enough. */
function withoutContent(words: string): string {
  const [before, quoted] = words.split("--- JSONC Input ---");
  const place = /\w+ at line \d+, column \d+/.exec(quoted?.split("--- Errors ---").at(-1) ?? "")?.[0];
  return [before, place].filter(Boolean).join(" ");
}
