import { createHash } from "node:crypto";
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

/** Whether a process of this machine is running. One of another user counts; a reused id cannot be told apart. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}
