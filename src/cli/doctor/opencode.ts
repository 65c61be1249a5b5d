import { mkdtemp, open, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { systemClock } from "../../lib/async.ts";
import { excerpt } from "../../lib/text.ts";
import { isRecord, parseJson, recordOf, textOf } from "../../lib/json.ts";
import { runBoundedProcess } from "../../process/bounded-process.ts";
import { factsOf } from "../../host/opencode/read.ts";

/** npm's `opencode.cmd` is started by Windows' shell alone, which looks it up itself. */
const PROGRAM: readonly [string, ...string[]] =
  process.platform === "win32" ? ["cmd.exe", "/d", "/s", "/c", "opencode"] : ["opencode"];
/** How much of an error of OpenCode is passed on, in characters. */
const MAX_WORDS = 400;

/** What OpenCode answered, or why it did not. */
export type Reading<T> = { readonly value: T } | { readonly problem: string };

/** Runs the OpenCode of the PATH in the folder that is examined. @returns what it printed. Never rejects */
export type RunOpenCode = (args: string) => Promise<Reading<string>>;

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
        command: [...PROGRAM, ...args.split(" ")],
        cwd: options.directory,
        env: { ...options.environment, XDG_STATE_HOME: join(folder, "state") },
        timeoutMs: options.limit,
        graceMs: 0,
        signal: options.interrupt,
        clock: systemClock,
        output: { stdout: out.fd, stderr: err.fd },
      });
      await Promise.all([out.close(), err.close()]);
      if (ending.kind === "timeout" || ending.kind === "cancelled")
        return { problem: `"opencode ${args}" did not end in time and was stopped.` };
      if (ending.kind === "unstartable") return { problem: "OpenCode was not found on the PATH." };
      const [printed, words] = [await readFile(stdout, "utf8"), await readFile(stderr, "utf8")];
      return ending.code === 0 ? { value: printed } : { problem: describeFailure(args, words || printed) };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
}

/** OpenCode quotes a file that it cannot parse, keys of providers and all; the place of the slip is enough. */
export function describeFailure(args: string, printed: string): string {
  const [before = "", quoted] = stripVTControlCharacters(printed).trim().split("--- JSONC Input ---");
  const place = /\w+ at line \d+, column \d+/.exec(quoted?.split("--- Errors ---").at(-1) ?? "")?.[0];
  const words = excerpt([before, place].filter(Boolean).join(" "), MAX_WORDS);
  return `"opencode ${args}" failed: ${words || "it said nothing"}`;
}

export const readVersion = reader("--version", (printed) => printed.trim());

/** OpenCode's merged configuration, reduced to what is looked at; keys of providers are never kept. */
export const readMergedConfig = reader("debug config", (printed) => {
  const config = recordOf(parseJson(printed));
  const origins = Array.isArray(config["plugin_origins"]) ? config["plugin_origins"].filter(isRecord) : [];
  const agents = Object.entries(recordOf(config["agent"]));
  return {
    permission: recordOf(config["permission"]),
    /** Each agent's prompt, as far as it has one. */
    prompts: new Map(agents.flatMap(([name, agent]) => [[name, textOf(recordOf(agent)["prompt"])] as const])),
    shell: textOf(config["shell"]) ?? null,
    isOn: (key: "lsp" | "formatter"): boolean => (config[key] ?? false) !== false,
    plugins: origins.map(({ spec, source }) => ({ entry: spec, source: textOf(source) ?? "" })),
  };
});

/** The models that can be used now. */
export const readModels = reader("models --verbose", (printed) => {
  // Each name stands on a line of its own, and what is known of it below, as JSON.
  const [, ...parts] = printed.split(/^([^/\s{}"]+\/\S+)\s*$/m);
  const names = parts.filter((_part, index) => index % 2 === 0);
  const facts = names.flatMap(
    (name, at) => factsOf(name, recordOf(parseJson(parts[2 * at + 1] ?? ""))) ?? [],
  );
  return { names: new Set(names), facts };
});

/** Asks OpenCode, and reads what it printed. */
function reader<T>(args: string, read: (printed: string) => T) {
  return async (run: RunOpenCode): Promise<Reading<T>> => {
    const result = await run(args);
    return "value" in result ? { value: read(result.value) } : result;
  };
}
