import { lstat, realpath, stat } from "node:fs/promises";
import { delimiter, dirname, isAbsolute, join, relative } from "node:path";
import type { Clock } from "../../lib/clock.ts";
import { runBoundedProcess } from "../../process/bounded-process.ts";
import type { Vcs } from "../../vcs/port.ts";

/** What finding ast-grep depends on. */
export interface ProgramInput {
  readonly project: string;
  /** The top of the tree around the project. */
  readonly worktree: string;
  readonly vcs: Pick<Vcs, "blobsBelow">;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** When OpenCode came to this project, in milliseconds since 1970. */
  readonly since: number;
}

const VERSION_LIMIT_MS = 5_000;
/** Another program prints another name; `sg` alone is one of the system's. */
const VERSION = /^ast-grep (\d+\.\d+\.\d+\S*)/u;
const known = new Map<string, string>();
const IS_WINDOWS = process.platform === "win32";
const NAME = IS_WINDOWS ? "ast-grep.exe" : "ast-grep";
/** Where the npm package has its program, on any system: its own entry is a script where install scripts may not run. */
const PACKAGES = ["", "-gnu", "-musl", "-msvc"].map(
  (library) => `@ast-grep/cli-${process.platform}-${process.arch}${library}/${NAME}`,
);

/**
 * The ast-grep of the project, else that of the PATH; null where there is none. What stands in the project is run only if the
 * user put it there: not what the repository brought with it, and not what was written since OpenCode began.
 */
export async function findAstGrep(input: ProgramInput): Promise<string | null> {
  const { project, worktree, environment } = input;
  const folders = [project];
  for (let folder = project; folder !== worktree && folder !== dirname(folder);) {
    folder = dirname(folder);
    folders.push(folder);
  }
  const own = (folder: string): string[] =>
    [...PACKAGES, `.bin/${NAME}`].map((path) => join(folder, "node_modules", path));
  const onPath = (environment["PATH"] ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
  for (const path of [...folders.flatMap(own), ...onPath.map((folder) => join(folder, NAME))])
    if ((await isUsers(path, input)) && (await isKnown(path, input))) return path;
  return null;
}

async function isUsers(path: string, { project, worktree, vcs, since }: ProgramInput): Promise<boolean> {
  try {
    const real = await realpath(path);
    const program = await stat(real);
    if (!program.isFile()) return false;
    const isInside = [path, real].some((each) => [project, worktree].some((top) => isBelow(each, top)));
    if (!isInside) return true;
    const newest = Math.max(program.ctimeMs, (await lstat(path)).ctimeMs);
    return newest < since && (await vcs.blobsBelow([path, real])).size === 0;
  } catch {
    return false; // There is none.
  }
}

function isBelow(path: string, folder: string): boolean {
  const inside = relative(folder, path);
  return inside !== ".." && !inside.startsWith("../") && !inside.startsWith("..\\") && !isAbsolute(inside);
}

/** What a file has printed of itself holds as long as it is the same file. */
async function isKnown(path: string, input: ProgramInput): Promise<boolean> {
  const { ino, size, ctimeMs } = await stat(path);
  const now = [ino, size, ctimeMs].join();
  if (known.get(path) === now) return true;
  const isIt = await isAstGrep(path, input);
  if (isIt) known.set(path, now);
  return isIt;
}

async function isAstGrep(path: string, { project, environment, clock }: ProgramInput): Promise<boolean> {
  let printed = "";
  const ending = await runBoundedProcess({
    command: [path, "--version"],
    cwd: project,
    env: surroundings(environment),
    timeoutMs: VERSION_LIMIT_MS,
    graceMs: 200,
    clock,
    output: {
      maxBytes: 1_000,
      write: (source, chunk) => void (printed += source === "stdout" ? chunk.toString() : ""),
    },
  });
  return ending.kind === "exited" && ending.code === 0 && VERSION.test(printed);
}

/** What it needs of the environment: neither keys nor settings. */
export function surroundings(environment: Readonly<Record<string, string | undefined>>): NodeJS.ProcessEnv {
  const names = ["PATH", "HOME", "SystemRoot", "TMPDIR", "TEMP"];
  return Object.fromEntries(names.map((name) => [name, environment[name]]));
}
