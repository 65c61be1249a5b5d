import { homedir, hostname, networkInterfaces } from "node:os";
import { join, resolve } from "node:path";
import type { ToolEffect } from "../host/tool-call.ts";
import { lazy } from "../lib/async.ts";
import { USER_FOLDERS, userFolder } from "../lib/folders.ts";
import { askGit } from "../process/git.ts";
import type { OwnAddress } from "./protected-target.ts";
import { type CallContext, examineCall } from "./examine-call.ts";
import type { Examination } from "./examination.ts";
import { realPathOf } from "./real-path.ts";

/** Examines a tool call by what it does. */
export type ExamineCall = (tool: string, effect: ToolEffect) => Promise<Examination>;

/** What is left out is not there: tools of ours, formatters, language servers, an address. */
export interface PolicySettings
  extends
    Pick<CallContext, "dangerous" | "allow" | "allowSensitive" | "isDenied">,
    Partial<Pick<CallContext, "own" | "formatters" | "languageServers">> {
  /** The folder that calls are made in. */
  readonly directory: string;
  /** The folder that changes stay in; `directory` where it is left out. */
  readonly project?: string;
  /** Folders out of which programs are run by their names: hooks of git, and those of PATH. */
  readonly runFolders?: () => Promise<readonly string[]>;
  /** Where OpenCode listens now; null where it does not say. */
  readonly server?: () => OwnAddress | null;
  /** The shell that commands run in; bash where it is left out. */
  readonly shell?: () => string;
}

const LIMITS = { timeoutMs: 2_000, maxBytes: 8 * 2 ** 20 };
const OTHER_SHELL = /(?:^|[\\/])(?:pwsh|powershell|cmd|fish|nu)(?:\.exe)?$/iu;

/** The user's folders of OpenCode and of this plugin, where the environment puts them. */
export function userFolders(env: Readonly<Record<string, string | undefined>>, home: string): string[] {
  const roots = USER_FOLDERS.map((kind) => userFolder(kind, env, home));
  return withRealPaths([
    ...roots.flatMap((root) => [join(root, "opencode"), join(root, "opencode-gaia")]),
    ...namedConfig(env),
  ]);
}

/** OpenCode's configuration as the environment names it, a folder or a file. */
export function namedConfig(env: Readonly<Record<string, string | undefined>>): string[] {
  const named = [env["OPENCODE_CONFIG_DIR"], env["OPENCODE_CONFIG"]];
  return named.flatMap((path) => (path ? resolve(path) : []));
}

const withRealPaths = (paths: readonly string[]): string[] =>
  paths.flatMap((path) => [path, realPathOf(path)]);

/** What this machine is called and reached by; the system takes its time to tell. */
const machineNames = lazy(() => [
  hostname(),
  ...Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .map(({ address, family }) => (family === "IPv6" ? `[${address}]` : address)),
]);

/** The policy for one project. */
export function loadPolicy(settings: PolicySettings): ExamineCall {
  const { directory, server, shell, runFolders, own = [], project = directory } = settings;
  const { formatters = async () => [], languageServers = () => false } = settings;
  const surroundings = lazy(async () => ({
    userFolders: [...userFolders(process.env, homedir()), ...withRealPaths((await runFolders?.()) ?? [])],
    machine: machineNames(),
  }));
  return async (tool, effect) =>
    examineCall(tool, effect, {
      ...settings,
      ...(await surroundings()),
      own,
      formatters,
      languageServers,
      folder: directory,
      project,
      server: server?.() ?? null,
      isPosix: !OTHER_SHELL.test(shell?.() ?? ""),
      realPath: (path) => realPathOf(path),
      ignored: async (patterns) => ignoredOf(project, patterns),
    });
}

/**
 * The ignored files that these patterns stand for, or that lie in them. None without a repository; the first pattern itself where
 * git does not say in time, or they are too many to be listed.
 */
async function ignoredOf(project: string, patterns: readonly string[]): Promise<readonly string[]> {
  const list = ["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--"];
  const globs = patterns.map((pattern) => `:(glob)${pattern}`);
  const { code, isCut, text } = await askGit({ folder: project }, [...list, ...globs], LIMITS);
  return isCut || code === -1 ? patterns.slice(0, 1) : text.split("\0").filter((path) => path !== "");
}
