import { resolve } from "node:path";

/**
 * The files of a schedule: below one folder, in this process's memory. Reading and writing them was a third of what a schedule
 * cost. There are no links by path in it; who makes one is told.
 */
export interface Node {
  readonly ino: number;
  /** A folder's entries; null for a file. */
  readonly entries: Map<string, Node> | null;
  bytes: Buffer;
  mode: number;
  /** The moment of its last change, in nanoseconds: no two are the same. */
  changed: bigint;
  /** How many names it has. */
  names: number;
}

/** Where the memory begins; what lies elsewhere is the machine's. */
let root = "";
/** Every node by its path. */
let nodes = new Map<string, Node>();
let count = 0;
/** What a path may hold that leads nowhere new. */
const ROUNDABOUT = /\/(?:\/|\.{0,2}(?:\/|$))/u;
/** Later than any real file, in nanoseconds, so that the order of changes is told. */
const FIRST = 1_760_000_000_000_000_000n;

/** Begins with an empty folder at this absolute path. */
export function emptyDisk(path: string): void {
  root = path;
  nodes = new Map([[path, newNode(true, 0o755)]]);
}

/** @returns the path as it is known here; null for a place of the machine's */
export function ownPath(path: unknown): string | null {
  const text = String(path);
  // Most paths are of something that is there.
  if (nodes.has(text)) return text;
  if (root === "" || !text.startsWith(root)) return null;
  const whole = ROUNDABOUT.test(text) ? resolve(text) : text;
  return whole === root || whole.startsWith(`${root}/`) ? whole : null;
}

export function findNode(path: string): Node | undefined {
  return nodes.get(path);
}

/** @throws ENOENT or ENOTDIR as the system does */
export function nodeAt(path: string, call: string): Node {
  const node = nodes.get(path);
  if (node === undefined) throw failure(isBelowFile(path) ? "ENOTDIR" : "ENOENT", call, path);
  return node;
}

/** @throws ENOTDIR where it is none */
export function folderAt(path: string, call: string): Map<string, Node> {
  const { entries } = nodeAt(path, call);
  if (entries === null) throw failure("ENOTDIR", call, path);
  return entries;
}

/** @throws EISDIR where it is a folder */
export function fileAt(path: string, call: string): Node {
  const node = nodeAt(path, call);
  if (node.entries !== null) throw failure("EISDIR", call, path);
  return node;
}

export function makeNode(path: string, isFolder: boolean, mode: number, call: string): Node {
  if (nodes.has(path)) throw failure("EEXIST", call, path);
  const node = newNode(isFolder, mode);
  attach(path, node, call);
  return node;
}

/** Gives a file one more name. */
export function attach(path: string, node: Node, call: string): void {
  const [above, name] = split(path);
  folderAt(above, call).set(name, node);
  nodes.set(path, node);
  node.names += 1;
  touch(nodeAt(above, call));
}

/** Takes a name away, and what lies below it. */
export function detach(path: string, call: string): void {
  const node = nodeAt(path, call);
  if (node.entries !== null) for (const name of node.entries.keys()) detach(`${path}/${name}`, call);
  const [above, name] = split(path);
  nodes.get(above)?.entries?.delete(name);
  nodes.delete(path);
  node.names -= 1;
  const folder = nodes.get(above);
  if (folder !== undefined) touch(folder);
}

/** Moves a name; what the other one named is gone. */
export function moveNode(from: string, to: string): void {
  for (const path of [from, to]) folderAt(split(path)[0], "rename");
  const node = nodeAt(from, "rename");
  const there = nodes.get(to);
  if (there === node) return;
  if (to.startsWith(`${from}/`)) throw failure("EINVAL", "rename", to);
  if (there?.entries != null) {
    if (node.entries === null) throw failure("EISDIR", "rename", to);
    if (there.entries.size > 0) throw failure("ENOTEMPTY", "rename", to);
  } else if (there !== undefined && node.entries !== null) throw failure("ENOTDIR", "rename", to);
  const below = [...nodes].filter(([path]) => path.startsWith(`${from}/`));
  if (there !== undefined) detach(to, "rename");
  for (const [path] of below) nodes.delete(path);
  const [above, name] = split(from);
  nodes.get(above)?.entries?.delete(name);
  nodes.delete(from);
  node.names -= 1;
  attach(to, node, "rename");
  for (const [path, each] of below) nodes.set(to + path.slice(from.length), each);
}

export function write(node: Node, bytes: Buffer): void {
  node.bytes = bytes;
  touch(node);
}

/** Everything, folders before what is in them. */
export function everyNode(): ReadonlyMap<string, Node> {
  return nodes;
}

function touch(node: Node): void {
  count += 1;
  node.changed = FIRST + BigInt(count) * 1_000_000n;
}

function newNode(isFolder: boolean, mode: number): Node {
  const entries = isFolder ? new Map<string, Node>() : null;
  const node = { ino: count + 1, entries, bytes: Buffer.alloc(0), mode, changed: FIRST, names: 0 };
  touch(node);
  return node;
}

function split(path: string): [folder: string, name: string] {
  const at = path.lastIndexOf("/");
  return [path.slice(0, at), path.slice(at + 1)];
}

/** @throws ENOTDIR for what would lie in a file */
export function isThere(path: string): boolean {
  if (nodes.has(path)) return true;
  if (isBelowFile(path)) throw failure("ENOTDIR", "lstat", path);
  return false;
}

function isBelowFile(path: string): boolean {
  for (let at = path.lastIndexOf("/"); at > root.length; at = path.lastIndexOf("/", at - 1)) {
    const above = nodes.get(path.slice(0, at));
    if (above !== undefined) return above.entries === null;
  }
  return false;
}

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: "no such file or directory",
  ENOTDIR: "not a directory",
  EISDIR: "illegal operation on a directory",
  EEXIST: "file already exists",
  ENOTEMPTY: "directory not empty",
  EINVAL: "invalid argument",
  ENOTSUP: "not made for the simulator",
};

/** An error as the system's calls throw it. Where it was thrown is not noted: most are answers, and it costs more than they. */
export function failure(code: string, call: string, path: string): Error {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  const error = new Error(`${code}: ${WORDS[code] ?? ""}, ${call} '${path}'`);
  Error.stackTraceLimit = stackTraceLimit;
  return Object.assign(error, { code, syscall: call, path });
}
