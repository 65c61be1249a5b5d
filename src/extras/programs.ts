import { access, constants, stat } from "node:fs/promises";
import { delimiter, dirname, isAbsolute, join, relative, resolve } from "node:path";
import type { Host } from "../host/port.ts";
import type { FilePlace } from "../host/tool.ts";
import { succeeds } from "../lib/async.ts";
import { shellWord } from "../lib/quoting.ts";
import { realPathOf } from "../policy/real-path.ts";
import { isWithin } from "../sandbox/profile.ts";
import type { ContainedPrograms } from "../sandbox/load.ts";
import type { Vcs } from "../snapshot/vcs.ts";

export interface ProgramPlaces {
  /** Real path of the project, or of a worktree that stands for it. */
  readonly project: string;
  /** The user's own tree, where the tools of the project are installed. */
  readonly home: string;
  /** The variable PATH. */
  readonly path: string;
  /** Whether a program in one of these trees may be started: not one that came with the repository. */
  mayRun(path: string): Promise<boolean>;
}

/** A program with its arguments. */
export type ProgramCommand = readonly [program: string, ...args: string[]];

/**
 * A program that is installed in the project, else one on PATH; null where there is none.
 * @param own where a project has it, from one of its folders
 * @param folder where the project is looked through from, upwards
 */
export async function findInstalled(
  name: string,
  own: readonly string[],
  folder: string,
  { project, home, path, mayRun }: ProgramPlaces,
): Promise<string | null> {
  if (isAbsolute(name)) return runnable(name);
  const tops = foldersUpTo(folder, project).flatMap((at) => [at, resolve(home, relative(project, at))]);
  for (const each of new Set(tops.flatMap((top) => own.map((inside) => join(top, inside))))) {
    const found = await runnable(each);
    if (found !== null && (await mayRun(found))) return found;
  }
  for (const listed of path.split(delimiter)) {
    if (!isAbsolute(listed) || isWithin(listed, project) || isWithin(listed, home)) continue;
    const found = await runnable(join(listed, name));
    // A link in a folder of the user's may lead back into the project.
    if (found !== null && !isWithin(realPathOf(found), home)) return found;
  }
  return null;
}

/** A folder and those above it, up to another one. */
export function foldersUpTo(folder: string, top: string): string[] {
  const above = dirname(folder);
  return folder === top || above === folder ? [folder] : [folder, ...foldersUpTo(above, top)];
}

export interface ProgramNeeds {
  readonly host: Pick<Host, "project" | "worktree">;
  readonly vcs: Pick<Vcs, "isIgnored">;
  readonly contained: ContainedPrograms;
  readonly environment: NodeJS.ProcessEnv;
  /** When OpenCode came to this project, in milliseconds since 1970. */
  readonly since: number;
}

/**
 * Where programs of a place's project are found. Of those that lie in it any may be started that is contained, else those that
 * version control leaves alone and that stood there before OpenCode began, so that neither the repository nor an agent has put
 * them there.
 */
export function programsAt(
  { standsFor, project: named }: FilePlace,
  { host, vcs, contained, environment, since }: ProgramNeeds,
): ProgramPlaces & { readonly top: string } {
  const top = standsFor?.to ?? host.worktree;
  const trees = [realPathOf(named), realPathOf(host.project)] as const;
  const [project, home] = trees;
  const mayRun: ProgramPlaces["mayRun"] = async (path) => {
    if ((await contained.of(top)) !== null) return true;
    const real = realPathOf(path);
    const found = await stat(real).catch(() => null);
    if (found === null || found.ctimeMs >= since) return false;
    const ignored = [path, real].flatMap((each) => {
      const tree = trees.find((folder) => isWithin(each, folder));
      return tree === undefined ? [] : [vcs.isIgnored(relative(tree, each))];
    });
    return (await Promise.all(ignored)).every(Boolean);
  };
  return { top, project, home, path: environment["PATH"] ?? "", mayRun };
}

interface ContainedTree {
  /** Of the tree that it works in. */
  readonly top: string;
  readonly folder: string;
  /** What it may do in there. */
  readonly project: "read" | "write";
  readonly network?: boolean;
}

/** A program as it is to be started: contained wherever commands are. @throws Error when it has to be contained, and cannot be */
export async function contain(
  contained: ContainedPrograms,
  { top, folder, project, network = false }: ContainedTree,
  command: ProgramCommand,
): Promise<{ readonly command: ProgramCommand; readonly isContained: boolean }> {
  const containment = await contained.of(top);
  if (containment === null) return { command, isContained: false };
  const profile = { project, network, caches: true } as const;
  const line = `exec ${command.map(shellWord).join(" ")}`;
  return { command: await containment.command(profile, folder, line), isContained: true };
}

/** The program at a path, by the name that it has on this system; null for none. */
async function runnable(path: string): Promise<string | null> {
  for (const name of process.platform === "win32" ? [`${path}.cmd`, `${path}.exe`, path] : [path]) {
    if (await succeeds(access(name, constants.X_OK))) return name;
  }
  return null;
}
