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
