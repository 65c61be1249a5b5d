import { existsSync } from "node:fs";
import { rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { clearFolder } from "./clear-folder.ts";
import { isLanding, settleLanding } from "./landing.ts";
import { askLaneGit, askUsers, failed, git, nulRows } from "./run-git.ts";
import type { GitPlace } from "../../process/git.ts";
import type { LaneStore } from "./store.ts";
import { checkoutFolder, repairFolder } from "./unit-checkout.ts";

/**
 * Removes the tree of a unit. Its branch stays; what no branch holds is kept on another one.
 * @returns that other branch; null for none @throws GaiaError where something could not be kept
 */
export async function removeUnitTree(store: LaneStore, unit: string): Promise<string | null> {
  const { branch, folder, note, landing } = checkoutFolder(store, unit);
  const there = { ...store, top: folder, landing };
  // What it has moved aside is someone's.
  await settleLanding(there);
  if (isLanding(there)) throw failed(`Something is landing in ${folder}.`);
  await repairFolder(store.top, folder);
  const kept = existsSync(join(folder, ".git")) ? await keepRest(folder, branch) : null;
  await clearFolder(store, folder);
  await askUsers(store.top, "worktree", "remove", "-f", "-f", folder);
  await rm(note, { force: true });
  // What was moved aside by a landing that nobody knows any more stays.
  await rmdir(dirname(note)).catch(() => undefined);
  return kept;
}

async function keepRest(folder: string, branch: string): Promise<string | null> {
  const { text } = await askUsers(folder, "rev-parse", "--show-toplevel", "HEAD");
  const [top, head = ""] = text.split("\n");
  if (top !== folder) throw failed(`${folder} is no worktree any more: look what is in it.`);
  const index = join(dirname(folder), `.index-${process.pid}`);
  const place: GitPlace = { folder, settings: "user", env: { GIT_INDEX_FILE: index } };
  try {
    await git(place, ["read-tree", "HEAD"]);
    // What they do not check out is not deleted.
    const known = nulRows((await askUsers(folder, "ls-files", "-z", "-t")).text);
    const absent = known.flatMap((row) =>
      row.startsWith("S ") && !existsSync(join(folder, row.slice(2))) ? row.slice(2) : [],
    );
    if (absent.length > 0)
      await git(place, ["update-index", "-z", "--skip-worktree", "--stdin"], absent.join("\0"));
    const added = await askLaneGit(place, ["-c", "core.sparseCheckout=false", "add", "-A", "--", "."]);
    const [, fresh] = /'([^]+)\/' does not have a commit checked out/u.exec(added.words) ?? [];
    if (fresh !== undefined)
      throw failed(`${join(folder, fresh)} is a repository without a commit: take it out.`);
    if (added.code !== 0) throw failed(`git does not take what is in ${folder}: ${added.words}`);
    const rows = nulRows(await git(place, ["ls-files", "-z", "--stage"]));
    for (const inner of innerOf(folder, rows))
      if (await holdsItsOwn(inner))
        throw failed(`${inner} is a repository with work of its own: take it out.`);
    const tree = await git(place, ["write-tree"]);
    const isWhole = tree === (await git(place, ["rev-parse", "HEAD^{tree}"]));
    const isNamed = (await askUsers(folder, "symbolic-ref", "-q", "HEAD")).code === 0;
    if (isWhole && isNamed) return null;
    const commit = isWhole
      ? head
      : await git(place, ["commit-tree", tree, "-p", "HEAD", "-m", `What ${branch} left uncommitted`]);
    for (let name = `${branch}-left`; ; name += "+") {
      const made = await askUsers(folder, "update-ref", `refs/heads/${name}`, commit, "");
      if (made.code === 0) return name;
      if (name.length > branch.length + 20) throw failed(`git keeps nothing of ${folder}: ${made.words}`);
    }
  } finally {
    await rm(index, { force: true });
  }
}

function innerOf(folder: string, rows: readonly string[]): string[] {
  return rows
    .filter((row) => row.startsWith("16"))
    .map((row) => join(folder, row.slice(row.indexOf("\t") + 1)))
    .filter((path) => existsSync(join(path, ".git")));
}

/** Whether a repository holds files or commits that are nowhere else, as far as git knows: it goes away with its folder. */
async function holdsItsOwn(folder: string): Promise<boolean> {
  const status = await askUsers(folder, "status", "--porcelain");
  const ahead = await askUsers(folder, "rev-list", "-1", "HEAD", "--all", "--not", "--remotes");
  const { text } = await askUsers(folder, "ls-files", "-z", "--stage");
  if (status.code !== 0 || ahead.code !== 0 || status.text + ahead.text !== "") return true;
  for (const inner of innerOf(folder, nulRows(text))) if (await holdsItsOwn(inner)) return true;
  return false;
}
