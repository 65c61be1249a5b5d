import { createHash } from "node:crypto";
import { accessSync, constants, existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as breathe } from "node:timers/promises";
import { statAll } from "../lib/stat-all.ts";
import type { How, Shadow } from "./shadow.ts";
import { isSame, NO_FILE, nulRows, OPAQUE, parseRaw, stampOf } from "./version.ts";

export const MAX_FILE_BYTES = 16_000_000;
/** A project with more files has no snapshots; without a repository it may be a whole disk. */
const MAX_FILES = 300_000;
const MAX_PLAIN_FILES = 20_000;
const AT_ONCE = 5_000;
const BREATH = 200;
/** Attempts, where files changed meanwhile or the index is broken. */
const MAX_TRIES = 4;
const MAX_NESTED = 100;
const MAX_NESTING = 6;
/** A made-up index entry: with one, git lists a nested repository like any folder. */
const DOOR = ".gaia-door";
const RULES = ".gitignore";
const LIST = ["ls-files", "-z", "--exclude-standard"];

interface Seen {
  /** By path: the id in the index for an opaque file, else "". */
  readonly changed: ReadonlyMap<string, string>;
  readonly gone: readonly string[];
}

export interface Taken {
  readonly tree: string;
  readonly rules: string;
}

/** Takes all files into the index. @param last what it holds; null for unknown @returns null where that fails */
export async function takeTree(shadow: Shadow, last: Taken | null): Promise<Taken | null> {
  const rules = await shadow.readRules();
  for (let at = 0; at < MAX_TRIES; at++) {
    await rm(`${shadow.index}.lock`, { force: true });
    const isKnown = last !== null && last.rules === rules && at === 0;
    const seen = await look(shadow, isKnown);
    if (seen === "too many") return null;
    if (seen === null && shadow.isNew) return null;
    const isSame = seen !== null && seen.changed.size + seen.gone.length === 0;
    if (isSame && isKnown) return last;
    const isIn = isSame || (seen !== null && (await takeIn(shadow, seen)));
    const tree = isIn ? await writeTree(shadow) : null;
    if (tree !== null) {
      if (shadow.isNew) await keepUncommitted(shadow, tree);
      shadow.isNew = false;
      return { tree, rules };
    }
    if (seen !== null && !isIn && at === 0) continue;
    // The index is broken, or borrowed objects are gone: read all files again.
    await rm(shadow.index, { force: true }).catch(() => undefined);
    shadow.isNew = true;
  }
  return null;
}

/** @param isKnown whether the ignore rules are unchanged @returns null where git fails, as for a broken index */
async function look(shadow: Shadow, isKnown: boolean): Promise<Seen | "too many" | null> {
  const max = shadow.hasGit ? MAX_FILES : MAX_PLAIN_FILES;
  const [edits, others, ruled] = await Promise.all([
    shadow.git(["diff-files", "--raw", "-z", "--no-abbrev", "--relative"]),
    shadow.git([...LIST, "-o"]),
    isKnown ? NO_REST : lookAtIgnored(shadow),
  ]);
  if (!edits.ok || !others.ok) return null;
  const changed = new Map<string, string>();
  const gone: string[] = [];
  for (const { path, before, after } of parseRaw(edits.text)) {
    if (isSame(after, NO_FILE)) gone.push(path);
    else changed.set(path, before.mode === OPAQUE ? before.id : "");
  }
  let fresh = nulRows(others.text);
  if (fresh.length > max) return "too many";
  // Git does not list a repository that replaced a file.
  const instead = gone.filter((path) => existsSync(join(shadow.project, path, ".git")));
  const nested = [...fresh.filter((path) => path.endsWith("/")), ...instead.map((path) => `${path}/`)];
  if (nested.length > 0) fresh = [...fresh, ...(await lookInside(shadow, nested))];
  const hasNewRules = [...fresh, ...gone, ...changed.keys()].some((path) => path.endsWith(RULES));
  const rest = isKnown && hasNewRules ? await lookAtIgnored(shadow) : ruled;
  if (rest === null) return null;
  gone.push(...rest.unwanted);
  const all = [...fresh.filter((path) => !path.endsWith("/")), ...rest.wanted];
  if (all.length > max) return "too many";
  const isGone = new Set(gone);
  for (const path of isGone) changed.delete(path);
  for (const path of all) if (!isGone.has(path)) changed.set(path, changed.get(path) ?? "");
  return withSizes(shadow, { changed, gone });
}

const NO_REST = { wanted: [], unwanted: [] };

/** Ignored files that the user's repository tracks and the index lacks, and files of the index that are ignored now. */
async function lookAtIgnored(shadow: Shadow) {
  const [ignored, tracked] = await Promise.all([
    shadow.git([...LIST, "-ci"]),
    shadow.hasGit ? shadow.askUsers([...LIST, "-ci"]) : null,
  ]);
  if (!ignored.ok) return null;
  const held = new Set(nulRows(ignored.text));
  const tracks = new Set(nulRows(tracked?.text ?? "").filter((path) => !path.startsWith(".gaia/")));
  return {
    wanted: [...tracks].filter((path) => !held.has(path)),
    unwanted: [...held].filter((path) => !tracks.has(path)),
  };
}

/** The files of nested repositories, without their `.git`. */
async function lookInside(shadow: Shadow, nested: readonly string[]): Promise<string[]> {
  const known = new Set<string>();
  const files = new Set<string>();
  let next = nested;
  for (let depth = 0; depth < MAX_NESTING && next.length > 0 && known.size < MAX_NESTED; depth++) {
    const rows = next.map((path) => `${OPAQUE} ${idOf(path, shadow)}\t${shadow.below}${path}${DOOR}\0`);
    for (const path of next) known.add(path);
    if (!(await shadow.git(["update-index", "--replace", "-z", "--index-info"], { input: rows.join("") })).ok)
      break;
    const listed = nulRows((await shadow.git([...LIST, "-o"])).text);
    for (const path of listed) if ([...known].some((folder) => path.startsWith(folder))) files.add(path);
    next = listed.filter((path) => path.endsWith("/") && !known.has(path));
  }
  await remove(
    shadow,
    [...known].map((path) => `${path}${DOOR}`),
  );
  return [...files];
}

/** The same with ids for files that are too large or unreadable, and without files that are gone. */
async function withSizes(shadow: Shadow, { changed, gone }: Seen): Promise<Seen> {
  const stats = await statAll([...changed.keys()].map((path) => join(shadow.project, path)));
  const left = new Map<string, string>();
  for (const [at, [path, known]] of [...changed].entries()) {
    if (at % BREATH === 0) await breathe();
    const file = join(shadow.project, path);
    const entry = stats.get(file);
    if (entry?.isFile() !== true && entry?.isSymbolicLink() !== true) continue;
    const isOpaque =
      entry.isFile() && (entry.size > (shadow.maxFileBytes ?? MAX_FILE_BYTES) || !isReadable(file));
    const id = isOpaque ? stampOf(entry, shadow.hash) : "";
    if (id === "" || id !== known) left.set(path, id);
  }
  return { changed: left, gone };
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

function idOf(text: string, { hash }: Shadow): string {
  return createHash(hash).update(text).digest("hex");
}

async function remove({ git }: Shadow, paths: readonly string[]): Promise<boolean> {
  if (paths.length === 0) return true;
  return (await git(["update-index", "-z", "--force-remove", "--stdin"], { input: paths.join("\0") })).ok;
}

async function takeIn(shadow: Shadow, { changed, gone }: Seen): Promise<boolean> {
  const rows = [...changed].flatMap(([path, id]) =>
    id === "" ? [] : [`${OPAQUE} ${id}\t${shadow.below}${path}\0`],
  );
  const plain = [...changed].flatMap(([path, id]) => (id === "" ? [path] : []));
  if (!(await remove(shadow, gone))) return false;
  if (rows.length > 0) {
    const given = { input: rows.join("") };
    if (!(await shadow.git(["update-index", "--replace", "-z", "--index-info"], given)).ok) return false;
  }
  // Objects outside of the user's commits are stored here too: their git may prune them.
  return addAll(shadow, plain, { borrows: shadow.isNew });
}

async function addAll({ git }: Shadow, paths: readonly string[], how: How): Promise<boolean> {
  for (let at = 0; at < paths.length; at += AT_ONCE) {
    const input = paths.slice(at, at + AT_ONCE).join("\0");
    const add = ["update-index", "-z", "--add", "--replace", "--remove", "--stdin"];
    if (!(await git(add, { ...how, input })).ok) return false;
  }
  return true;
}

/** Stores the bytes of files that differ from the user's newest commit, at the first snapshot. */
async function keepUncommitted(shadow: Shadow, tree: string): Promise<void> {
  if (!shadow.hasGit) return;
  const head = await shadow.askUsers(["rev-parse", "--verify", "--quiet", "HEAD:./"]);
  const names = ["--name-only", "-z", "--no-renames", "--diff-filter=d"];
  const differs = head.ok
    ? await shadow.git(["diff-tree", "-r", ...names, head.text.trim(), tree])
    : await shadow.git(["ls-tree", "-r", "--name-only", "-z", tree]);
  const index = `${shadow.index}.kept`;
  await addAll(shadow, nulRows(differs.text), { borrows: false, index });
  await rm(index, { force: true });
}

async function writeTree({ git, below }: Shadow): Promise<string | null> {
  const written = await git(["write-tree", ...(below === "" ? [] : [`--prefix=${below}`])]);
  if (written.ok) return written.text.trim();
  const held = await git(["ls-files", "-z"]);
  if (!held.ok || held.text !== "") return null;
  const nothing = await git(["mktree"], { input: "" });
  return nothing.ok ? nothing.text.trim() : null;
}
