import { access, constants, stat } from "node:fs/promises";

const ANY_WRITE_BIT = 0o222;

/**
 * Whether a file may be written, by its mode and by whom this is. Replacing a read-only file would work in a folder that is
 * writable, and is still not what its owner wants. @throws Error where there is none
 */
export async function isWritable(path: string): Promise<boolean> {
  const { mode } = await stat(path);
  const isAllowed = await access(path, constants.W_OK).then(
    () => true,
    () => false,
  );
  return isAllowed && (mode & ANY_WRITE_BIT) !== 0;
}
