import { dirname, join, resolve } from "node:path";
import type { Clock } from "../lib/clock.ts";
import { isSensitivePath } from "../policy/sensitive-path.ts";
import { hostGit } from "../process/git.ts";
import { runVcs } from "../vcs/command.ts";
import { isWithin } from "./profile.ts";

/** What git says of a project, by absolute path. */
export interface GitFacts {
  /** Folders that the index holds as repositories: git looks into each, also one that is made there later. */
  readonly submodules: readonly string[];
  /** Files with secrets that the index holds. */
  readonly tracked: ReadonlySet<string>;
  /** Files in the tree that its configuration consists of, and its folder of hooks there. */
  readonly settings: readonly string[];
}

const MAX_INDEX_BYTES = 256 * 1024 * 1024;
const MAX_SETTINGS_BYTES = 1024 * 1024;
const MAX_SUBMODULES = 500;

/** Asks git for what it follows in a project's tree; nothing where there is no repository. */
export async function askGit(project: string, clock: Clock): Promise<GitFacts> {
  const repository = { directory: project, clock };
  const submodules: string[] = [];
  const tracked = new Set<string>();
  // The index of a big project is read piece by piece.
  const decoder = new TextDecoder();
  let rest = "";
  const take = (chunk: Buffer): void => {
    const entries = (rest + decoder.decode(chunk, { stream: true })).split("\0");
    rest = entries.pop() ?? "";
    for (const entry of entries) {
      const path = join(project, entry.slice(entry.indexOf("\t") + 1));
      if (entry.startsWith("160000 ")) submodules.push(path);
      else if (isSensitivePath(path)) tracked.add(path);
    }
  };
  const [, settings] = await Promise.all([
    runVcs(repository, hostGit(["ls-files", "--stage", "-z"]), MAX_INDEX_BYTES, take),
    runVcs(
      repository,
      hostGit(["config", "--list", "--show-origin", "-z"], { namesHooks: true }),
      MAX_SETTINGS_BYTES,
    ),
  ]);
  return {
    submodules: submodules.slice(0, MAX_SUBMODULES),
    tracked,
    settings: settingsIn(project, settings.text),
  };
}

/** @param listed for each setting its file, a NUL, its name, a line break, its value and a NUL */
function settingsIn(project: string, listed: string): string[] {
  const fields = listed.split("\0");
  const paths = fields.flatMap((field, at) => {
    const origin = fields[at - 1] ?? "";
    if (at % 2 === 0 || !origin.startsWith("file:")) return [];
    const file = resolve(project, origin.slice("file:".length));
    const end = field.indexOf("\n");
    const [name, value] = [field.slice(0, end), field.slice(end + 1)];
    if (name === "core.hookspath") return [file, resolve(project, value)];
    // A file without settings is the origin of none.
    const isInclude = name.startsWith("include") && name.endsWith(".path");
    return isInclude ? [file, resolve(dirname(file), value)] : [file];
  });
  return [...new Set(paths)].filter((path) => path !== project && isWithin(path, project));
}
