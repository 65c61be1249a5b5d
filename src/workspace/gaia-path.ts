import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

/** The folder that holds the whole record of a project. */
export const GAIA_FOLDER = ".gaia";

/** The answer of {@link resolveInsideGaia}. */
export type GaiaPath =
  /** `path`: the real absolute path; `inside`: the same below `.gaia`, with `/` between names. */
  | { readonly ok: true; readonly path: string; readonly inside: string }
  | { readonly ok: false; readonly reason: string };

/**
 * Decides by real path whether `candidate` lies inside `<projectDirectory>/.gaia/` (SPEC 9, 10). Works for files that do
 * not exist yet: the nearest existing parent is resolved. Anything that cannot be decided is refused.
 * @param candidate relative to the project, or absolute; what it names must be used through the returned `path`
 */
export async function resolveInsideGaia(projectDirectory: string, candidate: string): Promise<GaiaPath> {
  if (candidate === "" || candidate.includes("\0")) return refuse("it is empty or holds a NUL byte");
  if (candidate.split(/[\\/]/).includes("..")) return refuse("it holds a `..` step");
  const project = await realPathOf(resolve(projectDirectory));
  if (typeof project !== "string") return project;
  const path = await realPathOf(resolve(projectDirectory, candidate));
  if (typeof path !== "string") return path;
  const inside = relative(join(project, GAIA_FOLDER), path);
  if (inside === "") return refuse("it names the folder .gaia itself");
  if (inside.split(sep)[0] === ".." || isAbsolute(inside)) {
    return refuse(`its real path ${path} lies outside of ${GAIA_FOLDER}/`);
  }
  return { ok: true, path, inside: inside.split(sep).join("/") };
}

function refuse(reason: string): { ok: false; reason: string } {
  return { ok: false, reason };
}

/** The real path, with the names that do not exist yet appended to that of their nearest existing parent. */
async function realPathOf(path: string): Promise<string | { ok: false; reason: string }> {
  const missing: string[] = [];
  let existing = path;
  for (;;) {
    const kind = await kindOf(existing);
    if (kind === "unreadable") return refuse(`${existing} cannot be examined`);
    if (kind !== "missing" || dirname(existing) === existing) break;
    missing.unshift(basename(existing));
    existing = dirname(existing);
  }
  try {
    return join(await realpath(existing), ...missing);
  } catch (error) {
    return refuse(`${existing} is a link that cannot be followed (${codeOf(error)})`);
  }
}

/** Looks at the entry itself, so that a dangling link counts as existing: a write would follow it. */
async function kindOf(path: string): Promise<"present" | "missing" | "unreadable"> {
  try {
    await lstat(path);
    return "present";
  } catch (error) {
    return codeOf(error) === "ENOENT" ? "missing" : "unreadable";
  }
}

/** The system's error code, such as `ENOENT`, or an empty text. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
