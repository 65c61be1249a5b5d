import { git, writeIn } from "./directory.ts";
import { openFolder } from "./folder.ts";

/** A real repository whose only commit holds these files, gone after the test. */
export async function openRepository(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const directory = await openFolder();
  for (const [path, text] of Object.entries(files)) await writeIn(directory, path, text);
  await git(directory, "init", "-q", "-b", "main");
  await commitAll(directory);
  return directory;
}

export async function commitAll(directory: string, subject = "x"): Promise<void> {
  await git(directory, "add", "-A");
  await git(directory, "commit", "-q", "--allow-empty", "-m", subject);
}

/** Runs lines of git one after the other, each a command without quotes: `switch -q main`. */
export async function gitLines(directory: string, ...lines: readonly string[]): Promise<void> {
  for (const line of lines) await git(directory, ...line.split(" "));
}
