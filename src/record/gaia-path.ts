import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { createError } from "../lib/error.ts";
import { pathBelow } from "../lib/folders.ts";

/** The folder that holds the whole record of a project. */
export const GAIA_FOLDER = ".gaia";
/** What belongs to this checkout alone, below it. It ignores itself in git, so it can neither be committed nor conflict. */
export const LOCAL_FOLDER = ".local";
/** The entries of what was learnt, below it. */
export const KNOWLEDGE_FOLDER = "knowledge";
/** Work units that are over, each behind the day of its end: `2026-01-31.auth`. */
export const ARCHIVE = "archive";

export function slugOfArchived(folder: string): string {
  return folder.replace(/^\d{4}-\d{2}-\d{2}\./, "");
}

type GaiaPath =
  /** `path`: the real absolute path; `inside`: the same below `.gaia`, with `/` between names. */
  | { readonly ok: true; readonly path: string; readonly inside: string }
  | { readonly ok: false; readonly reason: string };

/** Decides by real path whether `candidate` lies inside `.gaia/` (SPEC 9, 10); it need not exist. In doubt it does not. */
export async function resolveInsideGaia(projectDirectory: string, candidate: string): Promise<GaiaPath> {
  if (candidate === "" || candidate.includes("\0")) return refuse("it is empty or holds a NUL byte");
  if (candidate.split(/[\\/]/).includes("..")) return refuse("it holds a `..` step");
  const [project, path] = await Promise.all([
    realPathOf(resolve(projectDirectory)),
    realPathOf(resolve(projectDirectory, candidate)),
  ]);
  if (typeof project !== "string") return project;
  if (typeof path !== "string") return path;
  const inside = pathBelow(join(project, GAIA_FOLDER), path);
  if (inside === "") return refuse("it names the folder .gaia itself");
  if (inside === null) return refuse(`its real path ${path} lies outside of ${GAIA_FOLDER}/`);
  return { ok: true, path, inside };
}

function refuse(reason: string): { ok: false; reason: string } {
  return { ok: false, reason };
}

/** The real path, with the names that do not exist yet appended to that of their nearest existing parent. */
async function realPathOf(path: string): Promise<string | { ok: false; reason: string }> {
  const missing: string[] = [];
  for (let existing = path; ; existing = dirname(existing)) {
    try {
      // The entry itself, as a link that leads nowhere is one, and first: in the other order a folder that is made meanwhile would look like a link that leads nowhere.
      const found = await unlessMissing(lstat(existing), null);
      if (found !== null) return join(await realpath(existing), ...missing);
    } catch (error) {
      const code = codeOf(error);
      return refuse(describeSystemProblem(code) ?? `${existing} cannot be followed (${code})`);
    }
    missing.unshift(basename(existing));
  }
}

/** What a look at the disk finds, or `missing` where nothing of that name is there. */
export async function unlessMissing<T, M>(look: Promise<T>, missing: M): Promise<T | M> {
  try {
    return await look;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return missing;
    throw error;
  }
}

/** The system's error code, such as `ENOENT`, or an empty text. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

/** What the file system says, in words that a person can act on: what is so, and what to do. */
const PROBLEMS: Readonly<Record<string, string>> = {
  EACCES: "permission is denied; check the permissions of .gaia/",
  EPERM: "permission is denied; check the permissions of .gaia/",
  EROFS: "the file system is read-only; make .gaia/ writable",
  ENOSPC: "the disk is full; make room on it",
  EDQUOT: "your quota on the disk is used up; make room on it",
  ENOTDIR: "a file stands where .gaia/ needs a folder; move that file away",
  EEXIST: "a file stands where .gaia/ needs a folder; move that file away",
  EISDIR: "a folder stands where .gaia/ needs a file; move that folder away",
};

/** What an error of the file system means for the record and what to do about it; null for one that nobody can act on. */
export function describeSystemProblem(code: string): string | null {
  return PROBLEMS[code] ?? null;
}

/** Names in `.gaia/` with a meaning of their own, and the device names that no Windows folder can have. */
const RESERVED = new Set(
  "archive config knowledge learnings agents gaia-init plans con prn aux nul"
    .split(" ")
    .concat(Array.from({ length: 10 }, (_, digit) => [`com${digit}`, `lpt${digit}`]).flat()),
);

/** Why a text cannot name a work unit, or null when it can: `[a-z0-9][a-z0-9-]{0,63}` and not reserved (SPEC 10). */
export function refuseSlug(slug: string): string | null {
  // `$` would accept a trailing line break, hence the length check on what really matched.
  if (/^[a-z0-9][a-z0-9-]{0,63}$/.exec(slug)?.[0] !== slug) {
    return "A work unit's slug is 1 to 64 of a-z, 0-9 and -, and begins with a letter or digit.";
  }
  return RESERVED.has(slug) ? `"${slug}" is a reserved name; add a word to it.` : null;
}

/** A file of this checkout's part of the record. @throws GaiaError for a link that leads out */
export async function localFile(project: string, name: string): Promise<string> {
  const own = `${GAIA_FOLDER}/${LOCAL_FOLDER}/${name}`;
  const place = await resolveInsideGaia(project, own);
  const hint = "Remove that link.";
  if (!place.ok) throw createError("workspace", `${own} cannot be written: ${place.reason}.`, { hint });
  return join(project, own);
}
