import { readFileSync } from "node:fs";
import { lstat, readdir, readlink } from "node:fs/promises";
import { isWithin, REPLACED } from "./profile.ts";

const MAX_SOCKETS = 100;
/** Open files that are looked at, of all programs together. */
const MAX_FILES = 20_000;

/**
 * The sockets on this machine that are named by a path, outside of the project: a read-only disk does not keep anyone from
 * connecting to them. Only Linux lists them.
 */
export function findSockets(project: string, list: () => string = listOfLinux): string[] {
  const paths = list()
    .split("\n")
    .flatMap((line) => /^(?:\S+\s+){7}(\/.*)$/u.exec(line)?.[1] ?? [])
    .filter((path) => !isReplaced(path, project));
  return [...new Set(paths)].slice(0, MAX_SOCKETS);
}

/** Whether a contained command has something else at a path, or something of the project's. */
export function isReplaced(path: string, project: string): boolean {
  return [...REPLACED, project].some((folder) => isWithin(path, folder));
}

function listOfLinux(): string {
  try {
    return readFileSync("/proc/net/unix", "utf8");
  } catch {
    return "";
  }
}

/**
 * The named pipes that some program has open, outside of the project: a read-only disk does not keep anyone from writing
 * to one, and what reads there may do as it is told. One that nobody reads leads nowhere.
 */
export async function findPipes(project: string): Promise<string[]> {
  const paths = new Set<string>();
  let left = MAX_FILES;
  for (const pid of await namesIn("/proc")) {
    if (!/^\d+$/u.test(pid) || left <= 0) continue;
    const files = await namesIn(`/proc/${pid}/fd`);
    left -= files.length;
    const targets = await Promise.all(
      files.map(async (file) => readlink(`/proc/${pid}/fd/${file}`).catch(() => "")),
    );
    for (const path of targets) if (path.startsWith("/") && !isReplaced(path, project)) paths.add(path);
  }
  const pipes: string[] = [];
  // One after the other: thousands at once would hold up everything else.
  for (const path of paths) {
    const found = await lstat(path).catch(() => null);
    if (found?.isFIFO() === true) pipes.push(path);
  }
  return pipes;
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}
