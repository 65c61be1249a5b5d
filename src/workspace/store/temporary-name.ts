import { randomBytes } from "node:crypto";
import { HOST_TAG } from "./process-identity.ts";

/** A hidden name for something that is not finished yet; it tells which process left it behind. */
export function temporaryName(name: string): string {
  return `.${name}.${process.pid}-${HOST_TAG}-${randomBytes(4).toString("hex")}.tmp`;
}

/** The process that made a temporary name, or null for every other name. */
export function parseTemporaryName(name: string): { readonly pid: number; readonly host: string } | null {
  const found = /\.(\d{1,10})-([0-9a-f]{8})-[0-9a-f]{8}\.tmp$/.exec(name);
  return found === null ? null : { pid: Number(found[1]), host: found[2] ?? "" };
}
