import { readFileSync } from "node:fs";
import { isWithin, REPLACED } from "./profile.ts";

const MAX_SOCKETS = 100;

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
