import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { promisify } from "node:util";
import { writeIn, openFolder } from "../support/directory.ts";

export { git } from "../support/directory.ts";

const run = promisify(execFile);

/** A real project folder with these files; gone when the test is over. */
export async function createProject(files: Record<string, string> = {}): Promise<string> {
  const directory = await openFolder();
  await writeFiles(directory, files);
  return directory;
}

export async function writeFiles(directory: string, files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) await writeIn(directory, path, text);
}

/** A command line that nothing else on this machine has, so that a survivor can be recognised. */
export function marked(): { sleep: string; mark: string } {
  const mark = `3${String(Number.parseInt(randomUUID().slice(0, 8), 16))}`;
  return { sleep: `sleep ${mark}`, mark };
}

/** Command lines of living processes that contain the text. */
export async function processesWith(text: string): Promise<string[]> {
  const { stdout } = await run("ps", ["-A", "-ww", "-o", "stat=,args="], { maxBuffer: 10_000_000 });
  return stdout.split("\n").filter((line) => line.includes(text) && !line.startsWith("Z"));
}
