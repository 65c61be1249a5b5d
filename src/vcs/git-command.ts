import { devNull } from "node:os";
import { lazy } from "../lib/lazy.ts";
import { type Repository, runVcs, type VcsRun } from "./command.ts";
import { WITHOUT_RECORD } from "./exclusions.ts";

/** Programs that a repository's own configuration names are not run for a look at it (SPEC 2.10). */
const OPTIONS = [
  "core.fsmonitor=false",
  `core.hooksPath=${devNull}`,
  "core.quotePath=false",
  // What is printed is read as UTF-8, and the first commit counts as well.
  "i18n.logOutputEncoding=UTF-8",
  "log.showRoot=true",
];
/** What compares files as they lie in the folder, or gives them as they would, for which git would run filters. */
const COMPARING: ReadonlySet<string | undefined> = new Set(["diff", "status", "cat-file", "hash-object"]);
/** Git's words for configuration that lies in a repository. */
const REPOSITORYS: ReadonlySet<string> = new Set(["local", "worktree"]);
const MAX_NAMES_BYTES = 100_000;

/** A repository that is asked several things in one look. */
interface Look extends Repository {
  readonly filters?: () => Promise<string[] | null>;
}

/** The repository for the questions of one look, in which its filters are asked for once. */
export function atOneLook({ directory, clock, signal }: Repository): Look {
  return { directory, clock, signal, filters: lazy(() => withoutFilters({ directory, clock, signal })) };
}

/**
 * Runs git so that looking takes no locks, runs nothing that the repository brings along, and pays no attention to the user's
 * settings for people.
 * @param maxBytes what is read of its output
 * @param take takes the output in place of `text`
 */
export async function runGit(
  repository: Look,
  args: readonly string[],
  maxBytes: number,
  take?: (chunk: Buffer) => void,
): Promise<VcsRun> {
  const ask = repository.filters ?? (() => withoutFilters(repository));
  const filters = COMPARING.has(args[0]) ? await ask() : [];
  if (filters === null) return { ok: false, text: "" };
  return runVcs(repository, ["git", ...asOptions([...OPTIONS, ...filters]), ...args], maxBytes, take);
}

/**
 * Settings by which the filters of the repository's own configuration do nothing; those of the user's work. null for one with
 * a name that no option can hold.
 */
async function withoutFilters(repository: Repository): Promise<string[] | null> {
  const list = ["config", "--show-scope", "--name-only", "-z", "--get-regexp", String.raw`^filter\.`];
  const { text } = await runVcs(repository, ["git", ...list], MAX_NAMES_BYTES);
  const fields = text.split("\0");
  const names = fields.filter((_, at) => at % 2 === 1 && REPOSITORYS.has(fields[at - 1] ?? ""));
  const filters = [...new Set(names.map((name) => name.slice(0, name.lastIndexOf("."))))];
  if (filters.some((name) => name.includes("="))) return null;
  return filters.flatMap((name) =>
    [`clean=`, `smudge=`, `process=`, `required=false`].map((setting) => `${name}.${setting}`),
  );
}

function asOptions(settings: readonly string[]): string[] {
  return settings.flatMap((setting) => ["-c", setting]);
}

/** New files that git does not know yet and does not ignore; `ok` is false where it did not answer. */
export async function listUntracked(
  repository: Repository,
  maxBytes: number,
): Promise<{ ok: boolean; paths: string[] }> {
  const args = ["ls-files", "--others", "--exclude-standard", "-z", ...WITHOUT_RECORD];
  const { ok, text } = await runGit(repository, args, maxBytes);
  return { ok, paths: text.split("\0").filter(Boolean) };
}
