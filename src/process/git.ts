import { existsSync } from "node:fs";
import { devNull } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { isInFolder } from "../lib/folders.ts";
import { type ProgramEnd, type Limits, type ProgramStart, runProgram } from "./bounded-process.ts";

export interface GitHow {
  /** `user`: the user's and the repository's settings count. `own`: none do, in a repository of the plugin's own. Default `user`. */
  readonly settings?: "user" | "own";
  /** Settings by which filters run contained, or do nothing; without them they run as the settings say. */
  readonly filters?: readonly string[];
  /** What the user has agreed to in a dialog: remotes are reached and hooks run as their settings say. */
  readonly isAgreed?: boolean;
  /** What is asked is where the hooks lie. Nothing that is asked so runs any. */
  readonly namesHooks?: boolean;
  /** Set for git alone. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Against settings that would have git start a program, look into another repository, hide new files, or leave the format that is read here. */
const OPTIONS = [
  "core.fsmonitor=false",
  "core.quotePath=false",
  "i18n.logOutputEncoding=UTF-8",
  // The first commit counts as well.
  "log.showRoot=true",
  "log.showSignature=false",
  "gc.auto=0",
  "maintenance.auto=false",
  "status.showUntrackedFiles=normal",
  "submodule.recurse=false",
  "fetch.recurseSubmodules=false",
  // A folder of the project that looks like a bare repository is none.
  "safe.bareRepository=explicit",
];
const WITHOUT_HOOKS = [`core.hooksPath=${devNull}`];
const WITHOUT_REMOTES = ["core.alternateRefsCommand=true", "core.sshCommand=false", "credential.helper="];

const PLAIN_DIFF = ["--no-ext-diff", "--no-textconv", "--submodule=short", "--ignore-submodules=dirty"];
/** By the verb. Without `dirty` git starts itself in submodules, with the settings that those bring. */
const FLAGS: Readonly<Record<string, readonly string[]>> = {
  diff: PLAIN_DIFF,
  "diff-tree": PLAIN_DIFF,
  log: PLAIN_DIFF,
  status: ["--ignore-submodules=dirty"],
  grep: ["--no-textconv", "--no-recurse-submodules"],
};

/** Verbs that neither look at the content of a file nor write an index, which does; every other one may run filters. */
const WITHOUT_CONTENT: ReadonlySet<string> = new Set([
  "bundle",
  "check-ignore",
  "commit-tree",
  "config",
  "diff-tree",
  "for-each-ref",
  "init",
  "log",
  "ls-files",
  "ls-tree",
  "merge-base",
  "mktree",
  "remote",
  "rev-list",
  "rev-parse",
  "symbolic-ref",
  "update-ref",
  "version",
]);

/** What would have git look into another repository than the folder's, or read paths in another way. */
const ELSEWHERE =
  /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|NAMESPACE|PREFIX|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|\w+_PATHSPECS)$/;
/** The user's settings in the environment, and where git may look for repositories. */
const USERS = /^GIT_(?:CONFIG_\w+|EXEC_PATH|CEILING_DIRECTORIES|DISCOVERY_ACROSS_FILESYSTEM)$/;
const OWN = { GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: devNull };
/** No dialog, no lock, and history as it is: without replacements and grafts. */
const QUIET = {
  GIT_TERMINAL_PROMPT: "0",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_NO_REPLACE_OBJECTS: "1",
  // A file that cannot be there: of one that is there and empty git tells at length that it is out of date.
  GIT_GRAFT_FILE: `${devNull}/none`,
  LC_ALL: "C",
};
/** A repository of the plugin's own takes up bundles and clones of this disk. */
const PROTOCOLS = { user: "none", own: "file" };

/**
 * The only way in which the plugin starts git (SPEC 9): git runs no program that a repository names, takes no locks for a look,
 * and does not depend on the environment that OpenCode was started in.
 */
export function hostGit(args: readonly string[], how: GitHow = {}): ProgramStart {
  const { settings = "user", filters = [], isAgreed = false, namesHooks = isAgreed } = how;
  const at = verbAt(args);
  const verb = args[at] ?? "";
  const options = [
    ...OPTIONS,
    ...(namesHooks ? [] : WITHOUT_HOOKS),
    ...(isAgreed ? [] : WITHOUT_REMOTES),
    ...filters,
  ].flatMap((one) => ["-c", one]);
  const rest = [...args.slice(0, at + 1), ...(FLAGS[verb] ?? []), ...args.slice(at + 1)];
  const isKept = (name: string): boolean => {
    if (!name.startsWith("GIT_")) return true;
    if (isAgreed) return !ELSEWHERE.test(name);
    return settings === "user" && USERS.test(name);
  };
  const kept = Object.entries(process.env).filter(([name]) => isKept(name));
  return {
    command: ["git", "--no-pager", ...options, ...rest],
    env: {
      ...Object.fromEntries(kept),
      ...(settings === "own" ? OWN : {}),
      ...QUIET,
      ...(isAgreed ? {} : { GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: PROTOCOLS[settings] }),
      ...how.env,
    },
  };
}

/** A folder in which git works, and who may end it. */
export interface GitPlace extends Omit<GitHow, "isAgreed" | "filters"> {
  readonly folder: string;
  readonly signal?: AbortSignal | undefined;
}

/** Asks git something, see {@link hostGit}; filters do nothing. Never rejects. */
export async function askGit(
  { folder, signal, ...how }: GitPlace,
  args: readonly string[],
  limits: Limits = {},
): Promise<ProgramEnd> {
  const ask = async (words: readonly string[], its: Limits, more: GitHow = {}): Promise<ProgramEnd> =>
    runProgram(hostGit(words, { ...how, ...more }), folder, { signal, ...its });
  // The plugin's own repositories have attributes by which no filter is run.
  const mayFilter = how.settings !== "own" && !WITHOUT_CONTENT.has(args[verbAt(args)] ?? "");
  if (!mayFilter) return ask(args, limits);
  const listed = await ask(LIST_FILTERS, {});
  const filters = withoutFilters(listed);
  if (typeof filters !== "string") return ask(args, limits, { filters });
  return { ...listed, ok: false, code: -1, bytes: Buffer.of(), text: "", words: filters };
}

/** The folder out of which git runs its hooks, wherever that is set; null without a repository. */
export async function findHookFolder(folder: string): Promise<string | null> {
  const { ok, text } = await askGit({ folder, namesHooks: true }, ["rev-parse", "--git-path", "hooks"]);
  return ok && text.trim() !== "" ? resolve(folder, text.replace(/\n$/u, "")) : null;
}

/** The folders in which hooks are written by hand: that of git, or what husky's leads to. Empty for one that holds the project itself. */
export async function findHookFolders({
  worktree,
  directory,
}: {
  readonly worktree: string;
  readonly directory: string;
}): Promise<readonly string[]> {
  const folder = existsSync(join(worktree, ".git")) ? await findHookFolder(directory) : null;
  if (folder === null) return [];
  // Husky writes that folder anew; what it runs lies above.
  const written = basename(folder) === "_" ? dirname(folder) : folder;
  return isInFolder(resolve(directory), written) ? [] : [written];
}

/** Lists the filters that settings name, and whose settings these are. */
const LIST_FILTERS = [
  "config",
  "--show-scope",
  "--name-only",
  "-z",
  "--get-regexp",
  String.raw`^filter\.`,
] as const;

/** Git's words for settings that lie in a repository. */
const REPOSITORYS: ReadonlySet<string> = new Set(["local", "worktree"]);
/** The one filter that runs nothing of a project; formatters and `python -m` run what they find there. */
const LFS = "filter.lfs.";
/** `config` exits so where nothing fits. */
const NOTHING_FOUND = 1;

/**
 * Options by which filters do nothing but for LFS of the user's own settings: attributes, which agents write, choose them.
 * @returns a text that says why that cannot be
 */
function withoutFilters(listed: ProgramEnd): readonly string[] | string {
  if (listed.code !== 0 && listed.code !== NOTHING_FOUND)
    return `git does not list its filters: ${listed.words || "it did not answer"}`;
  const fields = listed.text.split("\0");
  const isKept = (name: string, scope: string): boolean => name.startsWith(LFS) && !REPOSITORYS.has(scope);
  const names = fields.filter((name, at) => at % 2 === 1 && !isKept(name, fields[at - 1] ?? ""));
  const filters = [...new Set(names.map((name) => name.slice(0, name.lastIndexOf("."))))];
  const unnamed = filters.find((name) => name.includes("="));
  if (unnamed !== undefined) return `settings name a filter that cannot be turned off: ${unnamed}`;
  return filters.flatMap((name) =>
    ["clean=", "smudge=", "process=", "required=false"].map((setting) => `${name}.${setting}`),
  );
}

/** Where the verb stands, behind options of git itself. */
function verbAt(args: readonly string[]): number {
  return args.findIndex((arg, at) => !arg.startsWith("-") && args[at - 1] !== "-c");
}
