import { access, constants, stat } from "node:fs/promises";
import { succeeds } from "./find-below.ts";

const ANY_WRITE_BIT = 0o222;

/**
 * Whether a file may be written, by its mode and by whom this is. Replacing a read-only file would work in a folder that is
 * writable, and is still not what its owner wants. @throws Error where there is none
 */
export async function isWritable(path: string): Promise<boolean> {
  const { mode } = await stat(path);
  return (mode & ANY_WRITE_BIT) !== 0 && succeeds(access(path, constants.W_OK));
}
