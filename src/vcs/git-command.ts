import { type Repository, runVcs, type VcsRun } from "./command.ts";
import { WITHOUT_RECORD } from "./exclusions.ts";

/**
 * Runs git so that looking takes no locks and pays no attention to the user's settings for people.
 * @param maxBytes what is read of its output
 * @param take takes the output in place of `text`
 */
export async function runGit(
  repository: Repository,
  args: readonly string[],
  maxBytes: number,
  take?: (chunk: Buffer) => void,
): Promise<VcsRun> {
  const options = ["-c", "core.fsmonitor=false", "-c", "core.quotePath=false"];
  return runVcs(repository, ["git", ...options, ...args], maxBytes, take);
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
