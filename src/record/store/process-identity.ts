import { createHash, randomBytes } from "node:crypto";
import { readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { codeOf } from "../gaia-path.ts";

/** A short tag of the space in which process ids of this process mean something: machine and, on Linux, pid namespace. */
export const HOST_TAG: string = createHash("sha256")
  .update(`${hostname()}\n${pidNamespace()}`)
  .digest("hex")
  .slice(0, 8);

function pidNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch (error) {
    return codeOf(error);
  }
}

/** A hidden name for something that is not finished yet; it tells which process left it behind. */
export function temporaryName(name: string): string {
  return `.${name}.${process.pid}-${HOST_TAG}-${randomBytes(4).toString("hex")}.tmp`;
}

/** The process that made a temporary name, or null for every other name. */
export function parseTemporaryName(name: string): { readonly pid: number; readonly host: string } | null {
  const found = /\.(\d{1,10})-([0-9a-f]{8})-[0-9a-f]{8}\.tmp$/.exec(name);
  return found === null ? null : { pid: Number(found[1]), host: found[2] ?? "" };
}
