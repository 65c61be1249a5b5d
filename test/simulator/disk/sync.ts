import * as machine from "node:fs";
import { basename, dirname } from "node:path";
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

type Options = { readonly [name: string]: unknown } | string | null | undefined;

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

const isSet = (options: Options, name: string): boolean =>
  typeof options === "object" && options !== null && options[name] === true;
const flagOf = (options: Options, otherwise: string): string =>
  typeof options === "object" && typeof options?.["flag"] === "string" ? options["flag"] : otherwise;
const modeOf = (options: Options, otherwise: number): number =>
  typeof options === "object" && typeof options?.["mode"] === "number" ? options["mode"] : otherwise;
const encodingOf = (options: Options): BufferEncoding | null => {
  const encoding = typeof options === "string" ? options : options?.["encoding"];
  return typeof encoding === "string" ? (encoding as BufferEncoding) : null;
};

/** What a node looks like. */
class Stats {
  readonly ino: number | bigint;
  readonly size: number | bigint;
  readonly mode: number | bigint;
  readonly nlink: number | bigint;
  readonly mtimeNs: bigint;
  readonly isFolder: boolean;
  constructor(
    { ino, bytes, mode, entries, names, changed }: Node,
    number: (value: number) => number | bigint,
  ) {
    this.isFolder = entries !== null;
    this.ino = number(ino);
    this.size = number(bytes.length);
    this.mode = number(mode | (this.isFolder ? 0o40_000 : 0o100_000));
    this.nlink = number(names);
    this.mtimeNs = changed;
  }
  get ctimeNs(): bigint {
    return this.mtimeNs;
  }
  get mtimeMs(): number {
    return Number(this.mtimeNs / 1_000_000n);
  }
  get ctimeMs(): number {
    return this.mtimeMs;
  }
  get mtime(): Date {
    return new Date(this.mtimeMs);
  }
  isDirectory(): boolean {
    return this.isFolder;
  }
  isFile(): boolean {
    return !this.isFolder;
  }
  isSymbolicLink(): boolean {
    return false;
  }
}

/** @param isBig whether its numbers are asked for as big integers */
export function statsOf(node: Node, isBig: boolean): Stats {
  return new Stats(node, isBig ? BigInt : Number);
}

const look =
  (call: string) =>
  (path: string, options?: Options): Stats | undefined => {
    const node = findNode(path);
    if (node !== undefined) return statsOf(node, isSet(options, "bigint"));
    if (typeof options === "object" && options?.["throwIfNoEntry"] === false) return undefined;
    return statsOf(nodeAt(path, call), false);
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

export const readFileSync = calls(machine.readFileSync, (path, options?: Options): string | Buffer => {
  const { bytes } = fileAt(path, "open");
  const encoding = encodingOf(options);
  return encoding === null ? Buffer.from(bytes) : bytes.toString(encoding);
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

export const writeFileSync = calls(machine.writeFileSync, (path, text: unknown, options?: Options) => {
  const flag = flagOf(options, "w");
  put(openNode(path, flag, modeOf(options, 0o666)), text, flag.startsWith("a"));
});
export const appendFileSync = calls(machine.appendFileSync, (path, text: unknown, options?: Options) => {
  put(openNode(path, flagOf(options, "a"), modeOf(options, 0o666)), text, true);
});

export const mkdirSync = calls(machine.mkdirSync, (path, options?: Options): string | undefined => {
  if (!isSet(options, "recursive")) {
    makeNode(path, true, modeOf(options, 0o777), "mkdir");
    return undefined;
  }
  if (isThere(path)) {
    if (nodeAt(path, "mkdir").entries === null) throw failure("EEXIST", "mkdir", path);
    return undefined;
  }
  const above = mkdirSync(dirname(path), options);
  makeNode(path, true, modeOf(options, 0o777), "mkdir");
  return above ?? path;
});
export const mkdtempSync = calls(machine.mkdtempSync, (path): string => {
  const name = `${path}${String(Math.random()).slice(2, 8)}`;
  makeNode(name, true, 0o700, "mkdtemp");
  return name;
});

/** A schedule's programs leave nothing behind: it is not looked for among the machine's processes, a twentieth of the whole time. */
const readMachine = (path: string, options: null): unknown[] =>
  path === "/proc" ? [] : machine.readdirSync(path, options);
export const readdirSync = calls(readMachine, (path, options?: Options): unknown[] => {
  const isTyped = isSet(options, "withFileTypes");
  const list = (folder: string): unknown[] =>
    [...folderAt(folder, "scandir")].flatMap(([name, node]) => {
      const below = isSet(options, "recursive") && node.entries !== null ? list(`${folder}/${name}`) : [];
      const shown = `${folder}/${name}`.slice(path.length + 1);
      const entry = Object.assign(statsOf(node, false), { name, path: folder, parentPath: folder });
      return [isTyped ? entry : shown, ...below];
    });
  return list(path);
});

export const rmSync = calls(machine.rmSync, (path, options?: Options) => {
  if (isSet(options, "force") && !isThere(path)) return;
  const isFolder = nodeAt(path, "rm").entries !== null;
  if (isFolder && !isSet(options, "recursive")) throw failure("ERR_FS_EISDIR", "rm", path);
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
export const renameSync = calls(machine.renameSync, (path, to: unknown) => {
  moveNode(path, inMemory(to, "rename"));
});
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
  if (own === null) throw failure("ENOTSUP", call, `${dirname(String(path))}/${basename(String(path))}`);
  return own;
}
