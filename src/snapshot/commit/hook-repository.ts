import type { Dirent } from "node:fs";
import { cp, copyFile, mkdir, readdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { readText } from "../../lib/read-source.ts";
import type { CommitRepository } from "./repository.ts";

/** Copied whole, for hooks that write there, as those that stash what is not staged. */
const COPIED = new Set(["refs", "reftable", "info"]);
/** Empty for hooks. */
const FRESH = new Set(["objects", "logs"]);
/** What makes a linked working tree's folder lean on the shared one, and what belongs to a commit that is under way. */
const LEFT_OUT = /^(?:commondir|gitdir|index|.*\.lock|gaia-commit-.*)$/u;

/** What a contained command finds in place of what is there. */
export interface View {
  readonly mounts: readonly { readonly from: string; readonly to: string; readonly isWritable: boolean }[];
  readonly env: Readonly<Record<string, string>>;
  /** More variables, where nothing can be shown in another's place (macOS). */
  readonly withoutMounts: Readonly<Record<string, string>>;
}

/** What hooks have in place of the repository: whatever they do to it reaches nobody else. */
export interface HookRepository {
  /** The message, as it lies outside of the sandbox. */
  readonly message: string;
  readonly messageVariable: string;
  readonly index: string;
  readonly view: View;
}

/** Names the message to a hook of the host's commit. */
export const MESSAGE_VARIABLE = "GAIA_COMMIT_MESSAGE";

/**
 * Makes it: settings and refs are copies, its objects go beside the repository's, and what else is there is read.
 * @param folder that no command has written yet @param index that is copied
 */
export async function copyForHooks(
  { top, gitFolder }: Pick<CommitRepository, "top" | "gitFolder">,
  folder: string,
  index: string,
  message: string,
): Promise<HookRepository> {
  const shared = await readText(join(gitFolder, "commondir"));
  const common = resolve(gitFolder, shared.trim());
  const isLinked = common !== gitFolder;
  const mounts: View["mounts"][number][] = [{ from: folder, to: gitFolder, isWritable: true }];
  const real = join("objects", "real");
  await mkdir(join(folder, real), { recursive: true });
  const take = async (from: string, entry: Dirent): Promise<void> => {
    const { name } = entry;
    const [source, target] = [join(from, name), join(folder, name)];
    if (LEFT_OUT.test(name)) return;
    if (entry.isFile()) await copyFile(source, target);
    else if (COPIED.has(name)) await cp(source, target, { recursive: true, force: true });
    else if (entry.isDirectory()) {
      await mkdir(target, { recursive: true });
      if (!FRESH.has(name)) mounts.push({ from: source, to: join(gitFolder, name), isWritable: false });
    }
  };
  for (const from of isLinked ? [common, gitFolder] : [common])
    for (const entry of await readdir(from, { withFileTypes: true })) await take(from, entry);
  mounts.push({ from: join(common, "objects"), to: join(gitFolder, real), isWritable: false });
  await mkdir(join(folder, "objects", "info"), { recursive: true });
  // Where nothing can be shown in another's place, the repository's own path leads there.
  await writeFile(join(folder, "objects", "info", "alternates"), `real\n${join(common, "objects")}\n`);
  await cp(index, join(folder, "index"), { preserveTimestamps: true });
  const file = join(folder, "COMMIT_EDITMSG");
  await writeFile(file, `${message}\n`);
  /** @param at where hooks see the copy */
  const named = (at: string) => ({
    GIT_INDEX_FILE: join(at, "index"),
    [MESSAGE_VARIABLE]: join(at, "COMMIT_EDITMSG"),
  });
  return {
    message: file,
    messageVariable: MESSAGE_VARIABLE,
    index: join(folder, "index"),
    view: {
      mounts,
      // As git has it: a linked working tree names its repository to hooks.
      env: { ...named(gitFolder), ...(isLinked ? { GIT_DIR: gitFolder, GIT_WORK_TREE: top } : {}) },
      withoutMounts: { ...named(folder), GIT_DIR: folder, GIT_WORK_TREE: top },
    },
  };
}
