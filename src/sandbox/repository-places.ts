import { join, resolve } from "node:path";
import { gitFolders } from "../commit/refs.ts";
import { readTextSync } from "../lib/read-source.ts";
import { existingPaths } from "./hidden-places.ts";

/** What points to a repository of Jujutsu is one line: what is longer is something else. */
const MAX_POINTER_BYTES = 8_192;
/** What git looks for in a folder that is a git directory itself. */
const BARE = ["HEAD", "objects", "refs"];
/** Of a project that is a bare repository: its worktrees lie beside these. */
const BARE_ENTRIES = ["config", "packed-refs", "hooks", "info", "logs", "index", "modules", "worktrees"];

export function isBareRepository(names: ReadonlySet<string>): boolean {
  return BARE.every((name) => names.has(name));
}

/**
 * Where the repository of a folder is kept, as far as it exists: `.git` and `.jj`, the directories they point to (a linked
 * worktree or a submodule has it elsewhere), and what those share with other worktrees.
 */
export function repositoryPaths(folder: string): string[] {
  const bare = BARE.map((name) => join(folder, name));
  const isBare = existingPaths(bare).length === BARE.length;
  const { own, common } = gitFolders(folder);
  return existingPaths([
    join(folder, ".git"),
    own,
    common,
    ...jjPaths(join(folder, ".jj")),
    ...(isBare ? [...bare, ...BARE_ENTRIES.map((name) => join(folder, name))] : []),
  ]);
}

function jjPaths(folder: string): string[] {
  const repository = join(folder, "repo");
  const pointer = lineOf(repository);
  const directory = pointer === "" ? repository : resolve(folder, pointer);
  const store = join(directory, "store");
  const git = lineOf(join(store, "git_target"));
  return [folder, directory, ...(git === "" ? [] : [resolve(store, git)])];
}

/** The text of a small file; "" for anything else. */
function lineOf(file: string): string {
  return readTextSync(file, MAX_POINTER_BYTES).trim();
}
