import { realpathSync, statSync } from "node:fs";
import { homedir, hostname, networkInterfaces } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import type { ToolEffect } from "../host/tool-call.ts";
import { createError } from "../lib/error.ts";
import { lazy } from "../lib/lazy.ts";
import { USER_FOLDERS, userFolder } from "../lib/user-folders.ts";
import type { Examination } from "./examination.ts";
import type { CallContext } from "./examine-call.ts";
import type { OwnAddress } from "./own-address.ts";
import { projectFiles } from "./project-files.ts";
import { realPathOf } from "./real-path.ts";
import { HOME } from "./shell/scope.ts";

/** Examines a tool call by what it does. @throws GaiaError when the policy cannot be loaded */
export type ExamineCall = (tool: string, effect: ToolEffect) => Promise<Examination>;

/** What the policy of a project depends on. */
export interface PolicySettings extends Omit<
  CallContext,
  | "folder"
  | "project"
  | "resolve"
  | "realPath"
  | "readScript"
  | "listFolders"
  | "userFolders"
  | "machine"
  | "server"
> {
  /** The folder that calls are made in. */
  readonly directory: string;
  /** The folder that changes stay in; `directory` where it is left out. */
  readonly project?: string;
  /** Folders of hooks that git runs. */
  readonly hookFolders?: () => Promise<readonly string[]>;
  /** Where OpenCode listens now; null where it does not say. */
  readonly server?: () => OwnAddress | null;
}

/** A home as the policy writes it. */
const OWN_HOME = new RegExp(`^${HOME}/`, "u");
/** The user's folders of OpenCode and of this plugin, where the environment puts them. */
export function userFolders(env: Readonly<Record<string, string | undefined>>, home: string): string[] {
  const roots = USER_FOLDERS.map((kind) => userFolder(kind, env, home));
  const named = [env["OPENCODE_CONFIG_DIR"], env["OPENCODE_CONFIG"]].flatMap((path) => path || []);
  return withRealPaths([
    ...roots.flatMap((root) => [join(root, "opencode"), join(root, "opencode-gaia")]),
    ...named.map((path) => resolve(path)),
  ]);
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

/**
 * The policy for one project. It is the biggest part of the plugin and only GAIA's sessions need it, so it is loaded at
 * their first tool call instead of at everyone's start.
 */
export function loadPolicy({ directory, server, hookFolders, ...settings }: PolicySettings): ExamineCall {
  const home = homedir();
  // The policy writes the home folder in a way of its own.
  const absolute = (path: string): string =>
    isAbsolute(path) ? path.replace(OWN_HOME, `${home}/`) : `${directory}/${path}`;
  const context = {
    ...settings,
    folder: directory,
    project: settings.project ?? directory,
    realPath: (path: string) => realPathOf(absolute(path)),
    isFolder(path: string): boolean {
      try {
        return statSync(absolute(path)).isDirectory();
      } catch {
        return false; // What cannot be looked at may not be entered either.
      }
    },
    ...projectFiles(absolute),
    resolve(path: string): string | undefined {
      try {
        return realpathSync.native(absolute(path));
      } catch {
        return undefined; // There is nothing, and so nothing to show.
      }
    },
  };
  // A start asks the system for none of it.
  const surroundings = lazy(async () => ({
    userFolders: [...userFolders(process.env, home), ...withRealPaths((await hookFolders?.()) ?? [])],
    machine: machineNames(),
  }));
  return async (tool, effect) => {
    const { examineCall } = await import("./judges.ts").catch((cause: unknown) => {
      const hint = "The plugin was changed on disk while OpenCode ran: restart OpenCode.";
      throw createError("policy", "The policy could not be loaded.", { cause, hint });
    });
    const address = server?.() ?? null;
    const known = { ...context, ...(await surroundings()) };
    return examineCall(tool, effect, address === null ? known : { ...known, server: address });
  };
}
