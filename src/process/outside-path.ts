import { existsSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import { isInFolder, realOf, repositoryRoot } from "../lib/folders.ts";

/** Whether a file lies where commands of a session write: in the project, or in the one that OpenCode was started in. */
export function isInProject(path: string, directory: string): boolean {
  return isIn(topsOf(directory), path);
}

/** The top folders of these projects, by real path. */
function topsOf(directory: string): string[] {
  const started = repositoryRoot(process.cwd());
  const tops = [repositoryRoot(resolve(directory)), ...(existsSync(join(started, ".git")) ? [started] : [])];
  return tops.filter((top) => dirname(top) !== top).map(realOf);
}

function isIn(tops: readonly string[], path: string): boolean {
  const real = realOf(path);
  return tops.some((top) => isInFolder(real, top));
}

/**
 * An environment for a program that the host starts uncontained by its name: PATH without folders of the project, in which an
 * agent can lay a program of any name. `npx` and virtual environments put such folders in front.
 */
export function withOutsidePath(env: NodeJS.ProcessEnv, directory: string): NodeJS.ProcessEnv {
  const name = Object.keys(env).find((each) => each.toUpperCase() === "PATH") ?? "PATH";
  return { ...env, [name]: foldersOutside(env[name] ?? "", directory).join(delimiter) };
}

/** A program of the user's PATH; none that lies in the project, which a repository or an agent may have brought. */
export function findProgram(name: string, directory: string): string | null {
  const file = process.platform === "win32" ? `${name}.exe` : name;
  const paths = foldersOutside(process.env["PATH"] ?? "", directory).map((folder) => join(folder, file));
  return paths.find((path) => existsSync(path)) ?? null;
}

function foldersOutside(path: string, directory: string): string[] {
  const tops = topsOf(directory);
  return path.split(delimiter).filter((folder) => isAbsolute(folder) && !isIn(tops, folder));
}
