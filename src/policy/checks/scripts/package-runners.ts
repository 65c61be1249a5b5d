import { WRITING_OPTION } from "../tools.ts";
import { type Parts, partsOf } from "../words.ts";
import { packageRun } from "./package-scripts.ts";
import type { ScriptReader } from "./reader.ts";
import { below, type Run } from "./script.ts";

const set = (words: string): ReadonlySet<string> => new Set(words.split(" "));
const NPM_VALUED = set(
  "-w --workspace --prefix -C --loglevel --omit --include --script-shell --node-options",
);
const PNPM_VALUED = set(
  "-F --filter --filter-prod -C --dir --workspace-concurrency --reporter --loglevel --resume-from --test-pattern",
);
const YARN_VALUED = set("--cwd -j --jobs --from --include --exclude --since");
const BUN_VALUED = set("--filter -F --cwd --config -c --env-file");
const TURBO_VALUED = set(
  "--filter -F --concurrency --cwd --output-logs --log-order --cache-dir --env-mode --log-prefix --ui --cache",
);
const RUN = /^(?:run|run-script|rum|urn)$/u;
const TEST = /^(?:t|tst|test)$/u;
/** Verbs of package managers that run no script; `exec` and its like are launchers. */
const OWN =
  /^(?:i|install|ci|clean-install|add|remove|rm|un|uninstall|up|update|upgrade|link|unlink|publish|pack|version|init|create|dlx|exec|x|start|stop|restart|config|c|login|logout|set|patch|import|rebuild|rb|prune|dedupe|store|cache|self-update|global|plugin|patch-commit|env|deploy|fetch|root|bin|why|list|ls|outdated|info|npm|pm|repl|build-binary|unpublish|owner|access|token|pkg|approve-builds|ignored-builds|setup|server|licenses)$/u;
/** Options with which another shell or other settings would hold. */
const STEERING =
  /^--?(?:script-shell|shell|node-options|userconfig|globalconfig|global|g|location|call|c|config|env-file|use-yarnrc|modules-folder|preload|require)$/u;

/** What a package manager runs; undefined when that is no script. */
export function packageManagerRun(
  words: readonly string[],
  folder: string,
  reader: ScriptReader,
): Run | undefined {
  const [program = "", ...rest] = words;
  if (program === "npm") return npm(rest, folder, reader);
  const valued = program === "pnpm" ? PNPM_VALUED : program === "yarn" ? YARN_VALUED : BUN_VALUED;
  let parts = partsOf(rest, valued, 1);
  let selectors = selectorsOf(parts);
  let at = folderOf(parts, folder);
  if (at === undefined || isSteered(parts)) return undefined;
  let [verb = ""] = parts.operands;
  if (program === "yarn" && verb === "workspace") {
    selectors = parts.rest.slice(0, 1);
    parts = partsOf(parts.rest.slice(1), valued, 1);
    [verb = ""] = parts.operands;
  } else if (program === "yarn" && verb === "workspaces") {
    selectors = ["*"];
    parts = partsOf(parts.rest[0] === "foreach" ? parts.rest.slice(1) : parts.rest, valued, 1);
    [verb = ""] = parts.operands;
  } else if (program === "pnpm" && /^(?:recursive|multi|m)$/u.test(verb)) {
    selectors = [...selectors, "*"];
    parts = partsOf(parts.rest, valued, 1);
    [verb = ""] = parts.operands;
  }
  if (RUN.test(verb)) {
    parts = partsOf(parts.rest, valued, 1);
    selectors = [...selectors, ...selectorsOf(parts)];
    at = folderOf(parts, at);
    const [name] = parts.operands;
    if (name === undefined || at === undefined || isSteered(parts)) return undefined;
    return packageRun({ folder: at, selectors, names: [name], args: argsOf(parts) }, reader);
  }
  if (verb === "audit")
    return parts.rest.some((word) => /fix|signatures/u.test(word)) ? undefined : { scripts: [], args: [] };
  if (verb === "" || OWN.test(verb) || (program === "bun" && verb === "test" && selectors.length === 0))
    return undefined;
  const args = argsOf(parts);
  const name = program !== "yarn" && TEST.test(verb) ? "test" : verb;
  return packageRun({ folder: at, selectors, names: [name], args, tool: [verb, ...args] }, reader);
}

/** npm takes options anywhere before `--`, and hands on operands and what stands behind. */
function npm(rest: readonly string[], folder: string, reader: ScriptReader): Run | undefined {
  const parts = partsOf(rest, NPM_VALUED, Infinity);
  const at = folderOf(parts, folder);
  const [verb = "", ...operands] = parts.operands;
  if (at === undefined || isSteered(parts)) return undefined;
  if (verb === "audit") return operands.length > 0 ? undefined : { scripts: [], args: [] };
  const [name, ...args] = RUN.test(verb) ? operands : TEST.test(verb) ? ["test", ...operands] : [];
  if (name === undefined) return undefined;
  return packageRun(
    { folder: at, selectors: selectorsOf(parts), names: [name], args: [...args, ...parts.rest] },
    reader,
  );
}

/** What runs scripts in many packages, or several scripts of one; undefined when it does something else. */
export function taskRunnerRun(
  words: readonly string[],
  folder: string,
  reader: ScriptReader,
): Run | undefined {
  const [program = "", ...rest] = words;
  switch (program) {
    case "turbo": {
      const parts = partsOf(rest, TURBO_VALUED, Infinity);
      const [first = "", ...more] = parts.operands;
      const names = first === "run" ? more : parts.operands;
      const plain = names.map((name) => name.replace(/^.*#/u, ""));
      if (plain.length === 0 || (first !== "run" && OWN_TURBO.test(first))) return undefined;
      const selectors = selectorsOf(parts);
      return packageRun(
        { folder, selectors: selectors.length > 0 ? selectors : ["*"], names: plain, args: parts.rest },
        reader,
      );
    }
    case "nx":
      return nx(rest, folder, reader);
    case "lerna": {
      const parts = partsOf(rest, set("--scope --ignore --concurrency --since"), Infinity);
      const [verb, name] = parts.operands;
      if (verb !== "run" || name === undefined) return undefined;
      return packageRun(
        {
          folder,
          selectors: parts.options.get("--scope") ?? ["*"],
          names: name.split(","),
          args: parts.rest,
        },
        reader,
      );
    }
    case "rushx":
    case "run-s":
    case "run-p":
    case "npm-run-all":
    case "npm-run-all2": {
      const names = rest.filter((word) => !word.startsWith("-"));
      return names.length === 0
        ? undefined
        : packageRun(
            { folder, selectors: [], names: program === "rushx" ? names.slice(0, 1) : names, args: [] },
            reader,
          );
    }
    case "mix":
    case "rebar3": {
      const own = rest[0] === "as" ? rest.slice(2) : rest;
      const tasks = own
        .slice(1)
        .join(" ")
        .split(/\s*,\s*|\s+\+\s+/u);
      if (own[0] !== "do") return undefined;
      return { scripts: [{ name: "", lines: tasks.map((task) => `${program} ${task}`), folder }], args: [] };
    }
    case "concurrently": {
      const { operands } = partsOf(
        rest,
        set("-n --names -c --prefix-colors -p --prefix --max-processes -s --success"),
        Infinity,
      );
      const lines = operands.map((text) => text.replace(/^(?:npm|yarn|pnpm|bun):(?=\S+$)/u, "npm run "));
      return { scripts: [{ name: "", lines, folder }], args: [] };
    }
    default:
      return undefined;
  }
}

const OWN_TURBO =
  /^(?:login|logout|link|unlink|prune|gen|generate|daemon|info|ls|telemetry|watch|scan|config|boundaries|query|docs|bin|completion)$/u;
const OWN_NX =
  /^(?:generate|g|add|release|migrate|reset|connect|import|init|format|format:write|sync|daemon|exec|repair|report|list|graph|show|view-logs|login|watch|fix-ci|serve|dev|start|deploy|publish|affected:graph|print-affected|workspace-generator|dep-graph|new|mcp|configure-ai-agents|register|cloud)$/u;

function nx(words: readonly string[], folder: string, reader: ScriptReader): Run | undefined {
  // What it does not know itself, it hands on to what a target runs.
  if (words.some((word) => WRITING_OPTION.test(word) || word === "-u")) return undefined;
  const names = targetNames(words);
  const parts = partsOf(
    words,
    set(
      "--base --head --parallel --configuration -c --exclude --projects -p --project --output-style --runner",
    ),
    Infinity,
  );
  const [verb = "", subject] = parts.operands;
  const own = ["--projects", "-p", "--project"]
    .flatMap((option) => parts.options.get(option) ?? [])
    .flatMap((text) => text.split(","));
  if (/^(?:format:check|sync:check|show|list|report)$/u.test(verb)) return { scripts: [], args: [] };
  if (verb === "run-many" || verb === "affected")
    return names.length === 0
      ? undefined
      : packageRun({ folder, selectors: own.length > 0 ? own : ["*"], names, args: parts.rest }, reader);
  const affected = /^affected:([\w-]+)$/u.exec(verb)?.[1];
  if (affected !== undefined)
    return packageRun({ folder, selectors: ["*"], names: [affected], args: parts.rest }, reader);
  const [project = "", target] = verb === "run" ? (subject ?? "").split(":") : [subject ?? "*", verb];
  if (target === undefined || target === "" || OWN_NX.test(target)) return undefined;
  return packageRun({ folder, selectors: [project], names: [target], args: parts.rest }, reader);
}

/** The targets of `-t test lint`, `--target=test` and `--targets=test,lint`. */
function targetNames(words: readonly string[]): string[] {
  const at = words.findIndex((word) => /^(?:-t|--targets?)(?:=|$)/u.test(word));
  if (at === -1) return [];
  const [, attached] = (words[at] ?? "").split("=");
  if (attached !== undefined) return attached.split(",");
  const rest = words.slice(at + 1);
  const end = rest.findIndex((word) => word.startsWith("-"));
  return (end === -1 ? rest : rest.slice(0, end)).flatMap((word) => word.split(","));
}

/** Where a manager's options send it; undefined where that is outside. */
function folderOf({ options }: Parts, folder: string): string | undefined {
  const [path] = ["-C", "--dir", "--prefix", "--cwd"].flatMap((option) => options.get(option) ?? []);
  if (path === undefined) return folder;
  return path.split("/").includes("..") ? undefined : below(folder, path);
}

function selectorsOf({ options }: Parts): string[] {
  const named = ["-w", "--workspace", "-F", "--filter", "--filter-prod"]
    .flatMap((option) => options.get(option) ?? [])
    .filter((text) => text !== "");
  const all = ["-r", "--recursive", "-ws", "--workspaces", "-A", "--all"].some((option) =>
    options.has(option),
  );
  return named.length > 0 ? named : all ? ["*"] : [];
}

function isSteered({ options }: Parts): boolean {
  return [...options.keys()].some((option) => STEERING.test(option));
}

/** What follows a script's name; a `--` before it is the manager's. */
function argsOf({ rest }: Parts): readonly string[] {
  return rest[0] === "--" ? rest.slice(1) : rest;
}
