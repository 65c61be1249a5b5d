import { createHash, randomUUID } from "node:crypto";
import { copyFile, mkdir, readdir, realpath, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { isProcessAlive } from "../lib/is-process-alive.ts";
import { askGit, type GitPlace } from "../process/git.ts";
import type { ProgramEnd } from "../process/bounded-process.ts";
import { keepRules, lookForRepository, makeBare, stampsOf } from "./repository.ts";

const DAY_MS = 86_400_000;
const KEPT = "30.days.ago";
const KEPT_MS = 60 * DAY_MS;
const MAX_KILOBYTES = 2_000_000;

export type Told = Pick<ProgramEnd, "ok" | "text" | "bytes"> & Partial<Pick<ProgramEnd, "isCut">>;

export interface How {
  /** File names or rows, each ended by NUL. */
  readonly input?: string;
  readonly maxBytes?: number;
  /** Whether git sees the objects of the user's repository. */
  readonly borrows?: boolean;
  readonly index?: string;
}

/** A project's shadow: a repository in the plugin's data folder with the same working tree. */
export interface Shadow {
  readonly project: string;
  /** The project's path from the top of its repository, with a `/` at its end; empty for the top. */
  readonly below: string;
  readonly hash: "sha1" | "sha256";
  /** Whether the user has a git repository here. */
  readonly hasGit: boolean;
  readonly index: string;
  /** A larger file is identified by size and time; there is a default. */
  readonly maxFileBytes?: number;
  isNew: boolean;
  git(args: readonly string[], how?: How): Promise<Told>;
  askUsers(args: readonly string[]): Promise<Told>;
  /** Copies the user's ignore rules. @returns a text that changes with the rules and the user's index */
  readRules(): Promise<string>;
}

/** Opens the shadow of a project, and removes old ones. Null where that fails. */
export async function openShadow(directory: string, folder: string): Promise<Shadow | null> {
  const project = await realpath(directory).catch(() => null);
  if (project === null) return null;
  const users = await lookForRepository(project);
  const { top, hash } = users;
  const key = createHash("sha256").update(`${top}\0${project}\0${hash}`).digest("hex").slice(0, 24);
  const repository = join(folder, key);
  const own = `${process.pid}-${randomUUID().slice(0, 8)}`;
  const index = join(repository, `index-${own}`);
  const below = top === project ? "" : `${relative(top, project).replaceAll("\\", "/")}/`;
  const env = { GIT_DIR: repository, GIT_WORK_TREE: top };
  const borrowed =
    users.objects === "" ? {} : { GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(users.objects) };
  const excludes = ["-c", `core.excludesFile=${users.excludes}`];
  // After an edit only the changed part of the index is written.
  const split = ["-c", "core.splitIndex=true"];
  const git: Shadow["git"] = async (
    args,
    { input = "", maxBytes = 64_000_000, borrows = true, index: other = index } = {},
  ) => {
    const at = { ...env, ...(borrows ? borrowed : {}), GIT_INDEX_FILE: other };
    const place: GitPlace = { folder: project, settings: "own", env: at };
    const options = other === index ? [...excludes, ...split] : excludes;
    const told = await askGit(place, [...options, ...args], { input, maxBytes });
    return told.isCut ? { ...told, ok: false } : told;
  };
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await makeBare(repository, hash, project);
  const rules = [
    `/${escaped(below)}.gaia/`,
    ".jj/",
    // Where the home folder is the project, skip the plugin's own data.
    ...(folder.startsWith(`${top}/`) ? [`/${escaped(relative(top, dirname(folder)))}/`] : []),
  ];
  const isNew = !(await takeNewestIndex(repository, index));
  void tidy(folder, repository, git);
  return {
    project,
    below,
    hash,
    hasGit: users.hasGit,
    index,
    isNew,
    git,
    askUsers: async (args) => askGit({ folder: project }, args),
    async readRules() {
      const text = await keepRules(repository, users, rules);
      return text + (await stampsOf([users.index, users.excludes]));
    },
  };
}

function escaped(path: string): string {
  return path.replaceAll(/[\\*?[\]]/gu, (sign) => `\\${sign}`);
}

/** Starts with a copy of the newest index of another process, and removes those of dead processes. @returns whether there was one */
async function takeNewestIndex(repository: string, index: string): Promise<boolean> {
  const names = (await readdir(repository)).filter((name) => name.startsWith("index-"));
  const dated = await Promise.all(
    names
      .filter((name) => /^index-\d+-\w+$/u.test(name))
      .map(async (name) => {
        const path = join(repository, name);
        return { path, at: (await stat(path).catch(() => null))?.mtimeMs ?? 0 };
      }),
  );
  const [newest] = dated.toSorted((a, b) => b.at - a.at);
  const isTaken = newest !== undefined && (await copyIndex(newest.path, newest.at, index).catch(() => false));
  for (const name of names)
    if (!isProcessAlive(Number(name.split("-")[1]))) await rm(join(repository, name), { force: true });
  return isTaken;
}

async function copyIndex(from: string, at: number, index: string): Promise<true> {
  // Renamed when complete: a kill leaves no half index.
  const fresh = `${index}.new`;
  await copyFile(from, fresh);
  // By its time git knows which stats it may trust.
  await utimes(fresh, new Date(at), new Date(at));
  await rename(fresh, index);
  return true;
}

/** Once a day: removes old objects of this project, and shadows of projects that were not opened for long. Never rejects. */
async function tidy(folder: string, repository: string, git: Shadow["git"]): Promise<void> {
  const stamp = join(repository, "used");
  const ageOf = async (path: string): Promise<number> =>
    Date.now() - ((await stat(path).catch(() => null))?.mtimeMs ?? 0);
  try {
    if ((await ageOf(stamp)) < DAY_MS) return;
    await writeFile(stamp, "");
    const sizes = await git(["count-objects", "-v"]);
    const kilobytes = Number(/^size: (\d+)$/mu.exec(sizes.text)?.[1]);
    // The objects of this index stay.
    await git(["prune", `--expire=${kilobytes > MAX_KILOBYTES ? "1.day.ago" : KEPT}`]);
    for (const name of await readdir(folder))
      if ((await ageOf(join(folder, name, "used"))) > KEPT_MS && (await ageOf(join(folder, name))) > KEPT_MS)
        await rm(join(folder, name), { recursive: true, force: true });
  } catch {
    // Another process may tidy up at the same time.
  }
}
