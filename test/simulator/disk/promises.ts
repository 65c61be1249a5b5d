import * as machine from "node:fs/promises";
import { fileAt, ownPath, type Node } from "./nodes.ts";
import * as sync from "./sync.ts";

/**
 * Takes the place of `node:fs/promises` in the bundle of the simulator: the same calls, a turn later and without a thread.
 * What is read at the same time comes in the order in which it was asked for, so that a seed does the same each time.
 */
// What is not here is taken as it is; an export of this file goes before one of the same name.
export * from "node:fs/promises";
export { constants } from "node:fs";

function later<Given extends unknown[], Result>(
  run: (...given: Given) => Result,
): (...given: Given) => Promise<Result> {
  return async (...given) => {
    await Promise.resolve();
    return run(...given);
  };
}

export const access = later(sync.accessSync);
export const appendFile = later(sync.appendFileSync);
export const chmod = later(sync.chmodSync);
export const copyFile = later(sync.copyFileSync);
export const link = later(sync.linkSync);
export const lstat = later(sync.lstatSync);
export const mkdir = later(sync.mkdirSync);
export const mkdtemp = later(sync.mkdtempSync);
export const readdir = later(sync.readdirSync);
export const readFile = later(sync.readFileSync);
export const readlink = later(sync.readlinkSync);
export const realpath = later(sync.realpathSync.native);
export const rename = later(sync.renameSync);
export const rm = later(sync.rmSync);
export const rmdir = later(sync.rmdirSync);
export const stat = later(sync.statSync);
export const symlink = later(sync.symlinkSync);
export const unlink = later(sync.unlinkSync);
export const writeFile = later(sync.writeFileSync);

/** A file handle, with the calls of it that the plugin uses. */
export async function open(path: unknown, flags?: string | number, mode?: number): Promise<unknown> {
  await Promise.resolve();
  const own = ownPath(path);
  if (own === null) return machine.open(String(path), flags, mode);
  return handleOf(sync.openNode(own, flags, mode), own, typeof flags === "string" && flags.startsWith("a"));
}

function handleOf(node: Node, path: string, isAdded: boolean): object {
  let at = 0;
  return {
    chmod: later((mode: number) => void (node.mode = mode)),
    stat: later((options?: { readonly bigint?: boolean }) => sync.statsOf(node, options?.bigint)),
    read: later((buffer: Buffer, offset: number, length: number, position: number | null) => {
      const { bytes } = node.entries === null ? node : fileAt(path, "read");
      const from = position ?? at;
      const bytesRead = bytes.copy(buffer, offset, from, from + length);
      if (position === null) at += bytesRead;
      return { bytesRead, buffer };
    }),
    readFile: later((encoding?: BufferEncoding) =>
      encoding === undefined ? Buffer.from(node.bytes) : node.bytes.toString(encoding),
    ),
    writeFile: later((text: unknown) => sync.put(node, text, isAdded)),
    sync: later(() => undefined),
    close: later(() => undefined),
  };
}
