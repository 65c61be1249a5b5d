import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, constants, link, lstat, mkdir, rename, rm, rmdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { failed } from "./run-git.ts";
import type { LaneStore } from "./store.ts";
import { laneChanges, contentsOf, dropEmpty, type IsWay, isVersion, waysIn } from "./versions.ts";
import { makeFile, writeSynced } from "../restore.ts";
import { type FileVersion, LINK, type TreeChange } from "../version.ts";
import { succeeds } from "../../lib/async.ts";
import { isProcessAlive } from "../../lib/is-process-alive.ts";
import { MAX_SOURCE_BYTES, readRegular } from "../../lib/read-source.ts";

/** What is done with the user's tree, before it is done: by this it is taken back or completed after a crash. */
interface Journal {
  readonly pid: number;
  /** Once every file stands: then it is completed, before that taken back. */
  readonly isWhole: boolean;
  readonly steps: readonly TreeChange[];
}

class InTheWay extends Error {}

/** Any of these says that something stands where nothing was. */
const TAKEN = /^(?:EEXIST|ENOTDIR|EISDIR|ENOTEMPTY|ENOENT)$/u;

/**
 * Brings the user's tree from one state to another, all of it or nothing. What is there is moved aside and looked at before
 * anything takes its place, and nothing is ever written over: what the user changes meanwhile stays.
 * @param from the tree as the caller saw it
 * @returns null once it is there; else the path that someone changed meanwhile or that is in the way: the tree is as it was
 * @throws GaiaError where a landing is under way, or was left and has to be settled first
 */
export async function land(store: LaneStore, from: string, to: string): Promise<string | null> {
  const [steps, isWay] = await Promise.all([laneChanges(store, from, to), waysIn(store, from)]);
  if (isLanding(store)) throw failed("Another landing is under way.");
  await refuseElsewhere(store, steps);
  const contents = await contentsOf(store, steps);
  const journal: Journal = { pid: process.pid, isWhole: false, steps };
  // Without a journal nobody knows what it was: it may be someone's only copy.
  if (existsSync(aside(store))) await rename(aside(store), `${aside(store)}-${Date.now()}`);
  await mkdir(aside(store), { recursive: true });
  await write(store, journal).catch(async (error: unknown) => {
    // Nothing lies there yet: it is no one's copy of anything.
    await rmdir(aside(store)).catch(() => undefined);
    throw error;
  });
  const olds = [...steps.entries()].filter(([, step]) => step.before.id !== "");
  try {
    // What goes makes room first: a file may stand where a folder comes.
    for (const [index, step] of olds) await setAside(store, step, aside(store, index), isWay);
    for (const { path, after: next } of steps) if (next.id === "") await dropEmpty(store.top, path);
    for (const [index, step] of steps.entries())
      if (step.after.id !== "")
        await put(store, step, aside(store, index), contents[index] ?? Buffer.of(), isWay);
    // Who had a file open writes into what was moved aside.
    for (const [index, step] of olds) await check(aside(store, index), step);
    await write(store, { ...journal, isWhole: true });
  } catch (error) {
    await takeBack(store, journal);
    if (error instanceof InTheWay) return error.message;
    throw error;
  }
  await complete(store, journal);
  return null;
}

/** @throws GaiaError for a file on another file system: it cannot be moved aside and back whole */
async function refuseElsewhere(store: LaneStore, steps: readonly TreeChange[]): Promise<void> {
  const devices = new Map<string, Promise<number>>();
  const deviceOf = async (folder: string): Promise<number> => {
    const known =
      devices.get(folder) ??
      lstat(folder).then(
        ({ dev }) => dev,
        async () => deviceOf(dirname(folder)),
      );
    devices.set(folder, known);
    return known;
  };
  const own = await deviceOf(aside(store));
  for (const { path } of steps)
    if ((await deviceOf(dirname(join(store.top, path)))) !== own)
      throw failed(`${path} lies on another file system than ${aside(store)}: work without worktrees here.`);
}

/**
 * Ends a landing that a crash has left: one that was whole is completed, every other taken back.
 * @returns what became of it; null where nothing was left, or a living process is at it
 */
export async function settleLanding(store: LaneStore): Promise<"completed" | "taken back" | null> {
  const text = (await readRegular(journalOf(store), MAX_SOURCE_BYTES))?.toString("utf8") ?? null;
  const journal = text === null ? null : (JSON.parse(text) as Journal);
  if (journal === null || (journal.pid !== process.pid && isProcessAlive(journal.pid))) return null;
  await (journal.isWhole ? complete : takeBack)(store, journal);
  return journal.isWhole ? "completed" : "taken back";
}

async function check(path: string, { before, path: name }: TreeChange): Promise<void> {
  if (!(await isVersion(path, before))) throw new InTheWay(name);
}

async function setAside(store: LaneStore, step: TreeChange, place: string, isWay: IsWay): Promise<void> {
  const path = join(store.top, step.path);
  if (!(await isWay(step.path))) throw new InTheWay(step.path);
  await check(path, step);
  await rename(path, place).catch((error: unknown) => inTheWay(error, step));
  await check(place, step);
}

function inTheWay(error: unknown, { path }: TreeChange): never {
  throw TAKEN.test(String((error as NodeJS.ErrnoException).code)) ? new InTheWay(path) : error;
}

async function put(
  store: LaneStore,
  step: TreeChange,
  place: string,
  bytes: Buffer,
  isWay: IsWay,
): Promise<void> {
  const path = join(store.top, step.path);
  if (!(await isWay(step.path))) throw new InTheWay(step.path);
  const made = `${place}.new`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await makeFile(made, bytes, step.after.mode, place);
    if (step.after.mode === LINK) return await symlink(bytes, path);
    // Neither takes the place of what is there.
    await link(made, path).catch(async (error: NodeJS.ErrnoException) => {
      if (TAKEN.test(String(error.code))) throw error;
      await copyFile(made, path, constants.COPYFILE_EXCL);
    });
  } catch (error) {
    // What stands there is not ours.
    await rm(made, { force: true });
    inTheWay(error, step);
  }
}

/** Takes back what was done: files that someone changed since stay as they are, and so does what was there before. */
async function takeBack(store: LaneStore, { steps }: Journal): Promise<void> {
  for (const [index, { path, before, after }] of steps.entries()) {
    if (await isOurs(store, path, index, after)) await removeOurs(store, path, after);
    if (before.id === "") await dropEmpty(store.top, path);
  }
  for (const [index, { path, before }] of steps.entries()) {
    const full = join(store.top, path);
    const place = aside(store, index);
    await mkdir(dirname(full), { recursive: true }).catch(() => undefined);
    // Something else stands there: it is someone's.
    if (before.id !== "" && !(await comesBack(place, full))) await keepBeside(place, full, before);
  }
  await finish(store);
}

/** Whether we put it there, and nobody changed it since: it is the file that was made for it, or its copy. */
async function isOurs(store: LaneStore, path: string, index: number, to: FileVersion): Promise<boolean> {
  const made = await lstat(`${aside(store, index)}.new`).catch(() => null);
  const there = await lstat(join(store.top, path)).catch(() => null);
  if (to.id === "" || made === null || there === null) return false;
  return (made.ino === there.ino || made.nlink === 1) && isVersion(join(store.top, path), to);
}

/** Only while it is what we wrote: it may be changed between the look and the removal, so it is moved out first. */
async function removeOurs(store: LaneStore, path: string, to: FileVersion): Promise<void> {
  const full = join(store.top, path);
  const out = join(aside(store), "out");
  await rm(out, { force: true });
  await rename(full, out);
  if (!(await isVersion(out, to))) await comesBack(out, full);
}

const isThere = async (path: string): Promise<boolean> => succeeds(lstat(path));

async function comesBack(from: string, to: string): Promise<boolean> {
  if (!(await isThere(from))) return true;
  return !(await isThere(to)) && succeeds(rename(from, to));
}

async function complete(store: LaneStore, { steps }: Journal): Promise<void> {
  for (const [index, { path, before }] of steps.entries())
    await keepBeside(aside(store, index), join(store.top, path), before);
  await finish(store);
}

/** What was moved aside stays beside what stands in its place now, unless the store has it anyway. */
async function keepBeside(kept: string, path: string, from: FileVersion): Promise<void> {
  if (!(await isThere(kept))) return;
  if (await isVersion(kept, from)) return rm(kept, { force: true });
  let name = `${path}.before-landing`;
  while (await isThere(name)) name += "-";
  await mkdir(dirname(name), { recursive: true }).catch(() => undefined);
  await rename(kept, name);
}

/** The journal goes first: without it nothing that is left means anything. */
async function finish(store: LaneStore): Promise<void> {
  await rm(journalOf(store), { force: true });
  await rm(aside(store), { recursive: true, force: true });
}

async function write(store: LaneStore, journal: Journal): Promise<void> {
  const fresh = `${journalOf(store)}.new`;
  await writeSynced(fresh, JSON.stringify(journal));
  await rename(fresh, journalOf(store));
}

/** Beside the store, out of the project: a repository that brought one along would have files put wherever it says. */
function journalOf({ folder, landing }: LaneStore): string {
  const key = createHash("sha256").update(dirname(landing)).digest("hex");
  return join(folder, `landing-${key.slice(0, 12)}.json`);
}

export function isLanding(store: LaneStore): boolean {
  return existsSync(journalOf(store));
}

function aside({ landing }: LaneStore, index?: number): string {
  return index === undefined ? landing : join(landing, String(index));
}
