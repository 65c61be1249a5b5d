import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";

const run = promisify(execFile);

/** A real project folder with these files; gone when the test is over. */
export async function createProject(files: Record<string, string> = {}): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "gaia-gates-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  await writeFiles(directory, files);
  return directory;
}

export async function writeFiles(directory: string, files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  }
}

export async function git(directory: string, ...args: string[]): Promise<string> {
  const identity = [
    "-c",
    "user.name=Test",
    "-c",
    "user.email=test@example.org",
    "-c",
    "commit.gpgsign=false",
  ];
  const { stdout } = await run("git", [...identity, ...args], { cwd: directory });
  return stdout;
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
