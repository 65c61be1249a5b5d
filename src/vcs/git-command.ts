import { hostGit, LIST_FILTERS, mayFilter, withoutFilters } from "../process/git.ts";
import { type Repository, runVcs, type VcsRun } from "./command.ts";
import { WITHOUT_RECORD } from "./exclusions.ts";

const MAX_NAMES_BYTES = 100_000;

/**
 * Asks git something, see {@link hostGit}. Never throws.
 * @param maxBytes what is read of its output
 * @param take takes the output in place of `text`
 */
export async function runGit(
  repository: Repository,
  args: readonly string[],
  maxBytes: number,
  take?: (chunk: Buffer) => void,
): Promise<VcsRun> {
  const filters = mayFilter(args) ? await filtersOf(repository) : [];
  if (typeof filters === "string") return { ok: false, code: null, text: "", words: filters };
  return runVcs(repository, hostGit(args, { filters }), maxBytes, take);
}

async function filtersOf(repository: Repository): Promise<readonly string[] | string> {
  return withoutFilters(await runVcs(repository, hostGit(LIST_FILTERS), MAX_NAMES_BYTES));
}

/** New files that git does not know yet and does not ignore; `ok` is false where it did not answer. */
export async function listUntracked(
  repository: Repository,
  maxBytes: number,
): Promise<VcsRun & { readonly paths: readonly string[] }> {
  const args = ["ls-files", "--others", "--exclude-standard", "-z", ...WITHOUT_RECORD];
  const listed = await runGit(repository, args, maxBytes);
  return { ...listed, paths: listed.text.split("\0").filter(Boolean) };
}
