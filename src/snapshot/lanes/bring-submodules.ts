import { existsSync } from "node:fs";
import { join } from "node:path";
import { askLaneGit, askUsers, nulRows } from "./run-git.ts";
import type { GitPlace } from "../../process/git.ts";

/**
 * Checks out the submodules of a worktree that the user has checked out, each at the commit that its branch names: from their own
 * clones, without network. One of which they have no such commit stays empty.
 */
export async function bringSubmodules(top: string, folder: string): Promise<void> {
  const { text } = await askUsers(folder, "ls-files", "-z", "--stage");
  for (const row of nulRows(text).filter((each) => each.startsWith("16"))) {
    const path = row.slice(row.indexOf("\t") + 1);
    const [from, to] = [join(top, path), join(folder, path)];
    if (!existsSync(join(from, ".git"))) continue;
    const isKnown = await askUsers(from, "cat-file", "-e", `${row.split(" ")[1]}^{commit}`);
    if (!existsSync(join(to, ".git")) && isKnown.code === 0) await bringOne(folder, path, from);
    if (existsSync(join(to, ".git"))) await bringSubmodules(from, to);
  }
}

async function bringOne(folder: string, path: string, from: string): Promise<void> {
  const name = await nameOf(folder, path);
  const { code, text: repository } = await askUsers(from, "rev-parse", "--absolute-git-dir");
  if (name === null || code !== 0) return;
  const local = ["protocol.file.allow=always", `submodule.${name}.url=${repository}`].flatMap((one) => [
    "-c",
    one,
  ]);
  const at = (place: string): GitPlace => ({
    folder: place,
    settings: "user",
    env: { GIT_ALLOW_PROTOCOL: "file" },
  });
  // What a setting says to run in place of the checkout is not run.
  await askLaneGit(at(folder), [...local, "submodule", "--quiet", "update", "--checkout", "--", path]);
  const to = join(folder, path);
  if (!existsSync(join(to, ".git"))) return;
  // As in theirs: where it comes from, and what is known of that. What was given is nobody's work.
  const known = ["+refs/remotes/*:refs/remotes/*", "+refs/heads/*:refs/remotes/user/*"];
  const fetch = ["fetch", "--quiet", "--no-tags", "--no-recurse-submodules"];
  await askLaneGit(at(to), [...local, ...fetch, repository, ...known]);
  await askUsers(to, "update-ref", "refs/remotes/user/HEAD", "HEAD");
  const { text: origin } = await askUsers(from, "remote", "get-url", "origin");
  await askUsers(to, "remote", ...(origin === "" ? ["remove", "origin"] : ["set-url", "origin", origin]));
}

/** What a submodule is called, which may be other than its path; null for none. */
async function nameOf(folder: string, path: string): Promise<string | null> {
  const { text } = await askUsers(
    folder,
    "config",
    "-z",
    "--file",
    ".gitmodules",
    "--get-regexp",
    "^submodule\\..*\\.path$",
  );
  const row = nulRows(text).find((each) => each.slice(each.indexOf("\n") + 1) === path);
  return row === undefined ? null : row.slice("submodule.".length, row.indexOf("\n") - ".path".length);
}
