import {
  accessSync,
  chmodSync,
  closeSync,
  constants as fileConstants,
  copyFileSync,
  cpSync,
  appendFileSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";

/**
 * Takes the place of `node:fs/promises` in the bundle of the simulator: the same calls on the same files, without a thread.
 * Files of a schedule lie in memory, where waking a thread takes ten times as long as the call; and what is read at the
 * same time comes in the order in which it was asked for, so that a seed does the same each time.
 */
function later<Given extends unknown[], Result>(
  run: (...given: Given) => Result,
): (...given: Given) => Promise<Result> {
  return async (...given) => {
    await Promise.resolve();
    return run(...given);
  };
}

// What is not here is taken as it is; an export of this file goes before one of the same name.
export * from "node:fs/promises";
export const constants = fileConstants;
export const access = later(accessSync);
export const appendFile = later(appendFileSync);
export const chmod = later(chmodSync);
export const copyFile = later(copyFileSync);
export const cp = later(cpSync);
export const lstat = later(lstatSync);
export const mkdir = later(mkdirSync);
export const mkdtemp = later(mkdtempSync);
export const readdir = later(readdirSync);
export const readFile = later(readFileSync);
export const readlink = later(readlinkSync);
export const realpath = later(realpathSync.native);
export const rename = later(renameSync);
export const rm = later(rmSync);
export const stat = later(statSync);
export const symlink = later(symlinkSync);
export const unlink = later(unlinkSync);
export const writeFile = later(writeFileSync);

/** The calls of a file handle that the plugin uses. */
export async function open(...given: Parameters<typeof openSync>) {
  await Promise.resolve();
  const file = openSync(...given);
  return {
    fd: file,
    chmod: later((mode: number) => {
      fchmodSync(file, mode);
    }),
    stat: later(() => fstatSync(file)),
    read: later((buffer: Buffer, offset: number, length: number, position: number | null) => ({
      bytesRead: readSync(file, buffer, offset, length, position),
      buffer,
    })),
    readFile: later((encoding?: BufferEncoding) => readFileSync(file, encoding)),
    writeFile: later((text: string | Buffer) => {
      writeFileSync(file, text);
    }),
    sync: later(() => {
      fsyncSync(file);
    }),
    close: later(() => {
      closeSync(file);
    }),
  };
}
