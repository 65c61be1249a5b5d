import * as machine from "node:fs";
import { dirname } from "node:path";
import {
  attach,
  detach,
  failure,
  fileAt,
  findNode,
  folderAt,
  isThere,
  makeNode,
  moveNode,
  nodeAt,
  ownPath,
  write,
  type Node,
} from "./nodes.ts";

/**
 * Takes the place of `node:fs` in the bundle of the simulator: a schedule's own files are in memory, all others the machine's.
 */
// What is not here is taken as it is; an export of this file goes before one of the same name.
export * from "node:fs";

interface Options {
  readonly encoding?: BufferEncoding;
  readonly flag?: string;
  readonly mode?: number;
  readonly recursive?: boolean;
  readonly force?: boolean;
  readonly bigint?: boolean;
  readonly throwIfNoEntry?: boolean;
  readonly withFileTypes?: boolean;
}
type Given = Options | BufferEncoding | null | undefined;

/** A call about a path: ours, or the machine's where the path is none of ours. */
function calls<Given extends unknown[], Result>(
  elsewhere: (path: never, ...given: never[]) => unknown,
  here: (path: string, ...given: Given) => Result,
): (path: unknown, ...given: Given) => Result {
  return (path, ...given) => {
    const own = ownPath(path);
    if (own !== null) return here(own, ...given);
    return elsewhere(path as never, ...(given as unknown[] as never[])) as Result;
  };
}

const read = (given: Given): Options => (typeof given === "string" ? { encoding: given } : (given ?? {}));

/** What a node looks like. @param isBig whether its numbers are asked for as big integers */
export function statsOf({ ino, bytes, mode, entries, names, changed }: Node, isBig = false) {
  const number = isBig ? BigInt : Number;
  const mtimeMs = Number(changed / 1_000_000n);
  const isFolder = entries !== null;
  return {
    ino: number(ino),
    size: number(bytes.length),
    mode: number(mode | (isFolder ? 0o40_000 : 0o100_000)),
    nlink: number(names),
    mtimeNs: changed,
    ctimeNs: changed,
    mtimeMs,
    ctimeMs: mtimeMs,
    mtime: new Date(mtimeMs),
    isDirectory: () => isFolder,
    isFile: () => !isFolder,
    isSymbolicLink: () => false,
  };
}
type Stats = ReturnType<typeof statsOf>;

const look =
  (call: string) =>
  (path: string, given?: Given): Stats | undefined => {
    const { bigint, throwIfNoEntry } = read(given);
    const node = throwIfNoEntry === false ? findNode(path) : nodeAt(path, call);
    return node && statsOf(node, bigint);
  };
export const statSync = calls(machine.statSync, look("stat"));
export const lstatSync = calls(machine.lstatSync, look("lstat"));
export const existsSync = calls(machine.existsSync, (path) => findNode(path) !== undefined);
export const accessSync = calls(machine.accessSync, (path) => void nodeAt(path, "access"));
export const chmodSync = calls(machine.chmodSync, (path, mode: number) => {
  nodeAt(path, "chmod").mode = mode;
});
const realPath = (path: string): string => {
  nodeAt(path, "realpath");
  return path;
};
export const realpathSync = Object.assign(calls(machine.realpathSync, realPath), {
  native: calls(machine.realpathSync.native, realPath),
});
export const readlinkSync = calls(machine.readlinkSync, (path): string => {
  nodeAt(path, "readlink");
  throw failure("EINVAL", "readlink", path);
});
export const symlinkSync = (_target: unknown, path: unknown): never => {
  throw failure("ENOTSUP", "symlink", String(path));
};

export const readFileSync = calls(machine.readFileSync, (path, given?: Given): string | Buffer => {
  const { bytes } = fileAt(path, "open");
  const { encoding } = read(given);
  return encoding === undefined ? Buffer.from(bytes) : bytes.toString(encoding);
});

/** Opens a file with the words of `fopen`, or the numbers of `open`. */
export function openNode(path: string, flags: string | number = "r", mode = 0o666): Node {
  const { O_CREAT, O_EXCL, O_TRUNC } = machine.constants;
  const has = (bit: number, words: RegExp): boolean =>
    typeof flags === "number" ? (flags & bit) !== 0 : words.test(flags);
  const found = findNode(path);
  if (found !== undefined && has(O_EXCL, /x/u)) throw failure("EEXIST", "open", path);
  if (found === undefined)
    return has(O_CREAT, /[wa]/u) ? makeNode(path, false, mode, "open") : nodeAt(path, "open");
  if (found.entries !== null && has(O_CREAT, /[wa+]/u)) throw failure("EISDIR", "open", path);
  if (has(O_TRUNC, /w/u)) write(found, Buffer.alloc(0));
  return found;
}

export function put(node: Node, text: unknown, isAdded: boolean): void {
  const bytes = typeof text === "string" ? Buffer.from(text) : Buffer.from(text as Uint8Array);
  write(node, isAdded ? Buffer.concat([node.bytes, bytes]) : bytes);
}

const writer = (otherwise: string) => (path: string, text: unknown, given?: Given) => {
  const { flag = otherwise, mode } = read(given);
  put(openNode(path, flag, mode), text, flag.startsWith("a"));
};
export const writeFileSync = calls(machine.writeFileSync, writer("w"));
export const appendFileSync = calls(machine.appendFileSync, writer("a"));

export const mkdirSync = calls(machine.mkdirSync, (path, given?: Given): string | undefined => {
  const { recursive = false, mode = 0o777 } = read(given);
  if (recursive && isThere(path)) {
    if (nodeAt(path, "mkdir").entries === null) throw failure("EEXIST", "mkdir", path);
    return undefined;
  }
  const above = recursive ? mkdirSync(dirname(path), given) : undefined;
  makeNode(path, true, mode, "mkdir");
  return recursive ? (above ?? path) : undefined;
});
export const mkdtempSync = calls(machine.mkdtempSync, (path): string => {
  const name = `${path}${String(Math.random()).slice(2, 8)}`;
  makeNode(name, true, 0o700, "mkdtemp");
  return name;
});

/** A schedule's programs leave nothing behind: it is not looked for among the machine's processes, a twentieth of the whole time. */
const readMachine = (path: string, options: null): unknown[] =>
  path === "/proc" ? [] : machine.readdirSync(path, options);
export const readdirSync = calls(readMachine, (path, given?: Given): unknown[] => {
  const { withFileTypes, recursive } = read(given);
  const list = (folder: string): unknown[] =>
    [...folderAt(folder, "scandir")].flatMap(([name, node]) => {
      const below = recursive === true && node.entries !== null ? list(`${folder}/${name}`) : [];
      const shown = `${folder}/${name}`.slice(path.length + 1);
      const entry = { ...statsOf(node), name, path: folder, parentPath: folder };
      return [withFileTypes === true ? entry : shown, ...below];
    });
  return list(path);
});

export const rmSync = calls(machine.rmSync, (path, given?: Given) => {
  const { force, recursive } = read(given);
  if (force === true && !isThere(path)) return;
  const isFolder = nodeAt(path, "rm").entries !== null;
  if (isFolder && recursive !== true) throw failure("ERR_FS_EISDIR", "rm", path);
  detach(path, "rm");
});
export const unlinkSync = calls(machine.unlinkSync, (path) => {
  fileAt(path, "unlink");
  detach(path, "unlink");
});
export const rmdirSync = calls(machine.rmdirSync, (path) => {
  if (folderAt(path, "rmdir").size > 0) throw failure("ENOTEMPTY", "rmdir", path);
  detach(path, "rmdir");
});
export const renameSync = calls(machine.renameSync, (path, to: unknown) =>
  moveNode(path, inMemory(to, "rename")),
);
export const linkSync = calls(machine.linkSync, (path, to: unknown) => {
  const name = inMemory(to, "link");
  const node = nodeAt(path, "link");
  if (findNode(name) !== undefined) throw failure("EEXIST", "link", name);
  folderAt(dirname(name), "link");
  if (node.entries !== null) throw failure("EPERM", "link", path);
  attach(name, node, "link");
});
export const copyFileSync = calls(machine.copyFileSync, (path, to: unknown, mode: number = 0) => {
  const flag = (mode & machine.constants.COPYFILE_EXCL) === 0 ? "w" : "wx";
  put(openNode(inMemory(to, "copyfile"), flag), fileAt(path, "copyfile").bytes, false);
});

/** Nothing is moved between the machine's files and a schedule's. */
function inMemory(path: unknown, call: string): string {
  const own = ownPath(path);
  if (own === null) throw failure("ENOTSUP", call, String(path));
  return own;
}
