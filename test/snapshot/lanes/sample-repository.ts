import { execFileSync } from "node:child_process";
import { appendFile, chmod, lstat, mkdir, mkdtemp, readdir, readFile } from "node:fs/promises";
import { readlink, realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import * as fc from "fast-check";
import { onTestFinished } from "vitest";
import { type LaneStore, openStore } from "../../../src/snapshot/lanes/store.ts";
import { readCases } from "../../support/cases.ts";

const KINDS = ["write", "delete", "mode", "link", "returns", "folder", "repository", "ignore"] as const;

/** Something that anyone does to a file; every text that is written holds a mark that is there only once. */
export type Deed =
  | { readonly kind: "edit"; readonly path: string; readonly at: number }
  | { readonly kind: "rename"; readonly path: string; readonly to: string }
  | { readonly kind: (typeof KINDS)[number]; readonly path: string }
  | { readonly kind: "git"; readonly args: readonly string[] };

export const PATHS = [
  "a.txt",
  "b.md",
  "dir/c.txt",
  "dir/d e.txt",
  "dir/deep/ü.txt",
  "run.sh",
  "data.bin",
  "new.txt",
  "dir/new/x.txt",
  "A.TXT",
  '-o "q"\n',
  "sub/inner.txt",
  "sub/new.txt",
  "sub",
] as const;
/** What is there from the beginning. */
const FIRST = 7;

/** How a repository is before anyone works in it. */
export interface Shape {
  readonly attributes?: string;
  readonly isUnborn?: boolean;
  readonly isDetached?: boolean;
  readonly isSparse?: boolean;
  readonly hasSubmodule?: boolean;
  readonly hasReturns?: boolean;
}

const rarely = fc.integer({ min: 0, max: 3 }).map((n) => n === 0);

export const SHAPES: fc.Arbitrary<Shape> = fc.record({
  attributes: fc.constantFrom("", "", "* text=auto eol=crlf\n", "*.txt text eol=lf\n*.bin binary\n"),
  isUnborn: rarely,
  isDetached: rarely,
  isSparse: rarely,
  hasSubmodule: rarely,
  hasReturns: rarely,
});

/** What only the user does: with git, and in ways that hide files from it. */
const WITH_GIT = readCases<readonly string[]>("snapshot/lanes/sample-repository.with-git");

const path = fc.constantFrom(...PATHS);
const EDIT = fc.record({ kind: fc.constant("edit" as const), path, at: fc.nat({ max: 11 }) });
const RENAME = fc.record({ kind: fc.constant("rename" as const), path, to: path });
const OTHER = fc.record({ kind: fc.constantFrom(...KINDS), path });
const BY_GIT = fc.record({ kind: fc.constant("git" as const), args: fc.constantFrom(...WITH_GIT) });

/** @param isUser whether git is used as well */
export function deeds(most: number, isUser = true): fc.Arbitrary<Deed[]> {
  const deed = fc.oneof(EDIT, EDIT, EDIT, RENAME, OTHER, OTHER, OTHER, ...(isUser ? [BY_GIT] : []));
  return fc.array<Deed>(deed, { maxLength: most });
}

/** That of git without anyone's settings. */
export const gitEnvironment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_ALLOW_PROTOCOL: "file",
  GIT_AUTHOR_NAME: "T",
  GIT_AUTHOR_EMAIL: "t@example.com",
  GIT_COMMITTER_NAME: "T",
  GIT_COMMITTER_EMAIL: "t@example.com",
});

export function git(folder: string, ...args: string[]): string {
  const stdio = ["ignore", "pipe", "pipe"] as const;
  return execFileSync("git", args, {
    cwd: folder,
    env: gitEnvironment(),
    encoding: "utf8",
    stdio: [...stdio],
  });
}

/** Runs lines of git one after the other, each a command without quotes. */
export function gitLines(folder: string, ...lines: readonly string[]): void {
  for (const line of lines) git(folder, ...line.split(" "));
}

const LINES = Array.from({ length: 12 }, (_, line) => `line ${line}`);

/** The store of a repository, with its data beside that. */
export async function openLanes(top: string, root = dirname(top)): Promise<LaneStore> {
  const opened = await openStore(top, { XDG_DATA_HOME: join(root, "data") });
  if (typeof opened === "string") throw new Error(opened);
  return opened;
}

/** A folder with a blank in its name, gone after the test. */
export async function openRoot(): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "gaia lanes-")));
  onTestFinished(async () => rm(root, { recursive: true, force: true }));
  return root;
}

/** A folder of its own, and a repository in it. */
export async function makeRepository(shape: Shape = {}): Promise<{ root: string; top: string }> {
  const root = await openRoot();
  const top = join(root, "the project");
  await mkdir(top);
  git(top, "init", "-q", "--template=", "-b", "main");
  if (shape.attributes) await put(top, ".gitattributes", shape.attributes);
  await put(top, ".gitignore", "ignored/\n");
  for (const path of PATHS.slice(0, FIRST)) {
    const end = shape.hasReturns && path.endsWith(".txt") ? "\r\n" : "\n";
    const binary = path.endsWith(".bin") ? "\0" : "";
    await put(top, path, `${binary}${[path, ...LINES].join(end)}${end}`);
  }
  await chmod(join(top, "run.sh"), 0o755);
  if (shape.hasSubmodule) {
    const inner = join(root, "inner");
    await mkdir(inner);
    await put(inner, "inner.txt", "inner\n");
    gitLines(inner, "init -q -b main", "add -A", "commit -qm inner");
    git(top, "submodule", "--quiet", "add", inner, "sub");
  }
  await put(top, "ignored/secret.txt", "ignored\n");
  if (shape.isUnborn) return { root, top };
  gitLines(top, "add -A", "commit -qm start");
  if (shape.isDetached) git(top, "checkout", "-q", "--detach");
  if (shape.isSparse) git(top, "sparse-checkout", "set", "--no-cone", "/*", "!/dir/deep/");
  return { root, top };
}

async function put(top: string, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(top, path)), { recursive: true });
  await writeFile(join(top, path), text);
}

let count = 0;

/** Does these deeds. @returns the marks that were written and stand in a file at the end */
export async function act(top: string, who: string, list: readonly Deed[]): Promise<string[]> {
  for (const deed of list) {
    count += 1;
    // What cannot be done as things stand is left out.
    await doOne(top, deed, `<${who}-${count}>`).catch(() => undefined);
  }
  const texts = [...(await readTree(top)).values()];
  return [...new Set(texts.flatMap((text) => text.match(new RegExp(`<${who}-\\d+>`, "gu")) ?? []))];
}

async function doOne(top: string, deed: Deed, mark: string): Promise<void> {
  if (deed.kind === "git") return void git(top, ...deed.args);
  const path = join(top, deed.path);
  const entry = await lstat(path).catch(() => null);
  if (deed.kind === "delete") return rm(path);
  if (deed.kind === "mode") return chmod(path, entry?.isFile() && (entry.mode & 0o100) === 0 ? 0o755 : 0o644);
  if (deed.kind === "rename") {
    await mkdir(dirname(join(top, deed.to)), { recursive: true });
    return entry === null || (await lstat(join(top, deed.to)).catch(() => null)) !== null
      ? undefined
      : rename(path, join(top, deed.to));
  }
  if (deed.kind === "link") {
    await rm(path);
    return symlink(`b.md ${mark}`, path);
  }
  if (deed.kind === "ignore") return appendFile(join(top, ".gitignore"), `/${deed.path.split("\n")[0]}\n`);
  if (deed.kind === "folder" || deed.kind === "repository") {
    if (entry?.isDirectory() !== true) await rm(path, { force: true });
    await put(top, `${deed.path}/inside.txt`, `${mark}\n`);
    return void (deed.kind === "folder" || git(path, "init", "-q", "--template="));
  }
  if (deed.kind === "write") return put(top, deed.path, `${[...LINES, mark].join("\n")}\n`);
  if (entry === null || !entry.isFile()) return;
  const text = await readFile(path, "utf8");
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text.split(end);
  if (deed.kind !== "edit") return writeFile(path, lines.join(end === "\n" ? "\r\n" : "\n"));
  lines.splice(Math.min(deed.at + 1, lines.length - 1), 0, mark);
  await writeFile(path, lines.join(end));
}

/** Every file of a folder but what git and the plugin keep: its kind and its bytes, by path. */
export async function readTree(top: string, below = ""): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const entry of await readdir(join(top, below), { withFileTypes: true })) {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (/^\.(?:git|gaia)$/u.test(entry.name)) continue;
    const full = join(top, path);
    if (entry.isDirectory()) for (const [inner, text] of await readTree(top, path)) found.set(inner, text);
    else if (entry.isSymbolicLink()) found.set(path, `-> ${await readlink(full)}`);
    else found.set(path, `${(await lstat(full)).mode & 0o100 ? "x" : "-"} ${await readFile(full, "latin1")}`);
  }
  return found;
}

/** Everything that git keeps for the user: index, HEAD, branches, stash, reflogs, configuration. */
export async function readGit(top: string): Promise<Map<string, string>> {
  const folder = join(top, ".git");
  const found = new Map<string, string>();
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isDirectory()) found.set(relative(folder, path), await readFile(path, "latin1"));
  }
  return found;
}
