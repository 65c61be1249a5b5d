import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { FileToolCall } from "../../src/host/port.ts";
import type { FilePlace } from "../../src/host/tool.ts";
import { git } from "../support/directory.ts";
import { keyed } from "../support/fake-host.ts";

/** A git repository in a folder of its own. */
export interface Repository {
  readonly directory: string;
  readonly place: FilePlace;
  write(path: string, content: string | Buffer): Promise<void>;
  read(path: string): Promise<string>;
  bytes(path: string): Promise<Buffer>;
  /** Puts the tests' own ast-grep into it, as an installation would. */
  install(): Promise<void>;
  end(): Promise<void>;
}

export async function createRepository(files: Record<string, string | Buffer> = {}): Promise<Repository> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "gaia-editing-")));
  const write = async (path: string, content: string | Buffer): Promise<void> => {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), content);
  };
  for (const [path, content] of Object.entries(files)) await write(path, content);
  await git(directory, "init", "-q", "-b", "main");
  await git(directory, "add", "-A");
  await git(directory, "commit", "-q", "--allow-empty", "-m", "Start");
  return {
    directory,
    place: placeIn(directory),
    write,
    read: async (path) => readFile(join(directory, path), "utf8"),
    bytes: async (path) => readFile(join(directory, path)),
    async install() {
      const [own, name] = [
        "node_modules/@ast-grep",
        process.platform === "win32" ? "ast-grep.exe" : "ast-grep",
      ];
      for (const folder of await readdir(own)) {
        await mkdir(join(directory, own, folder), { recursive: true });
        await symlink(resolve(own, folder, name), join(directory, own, folder, name));
      }
      await writeFile(join(directory, ".git/info/exclude"), "node_modules\n");
    },
    end: async () => rm(directory, { recursive: true, force: true, maxRetries: 3 }),
  };
}

export const placeIn = (directory: string): FilePlace => ({
  directory,
  project: directory,
  below: "",
  standsFor: null,
  sessionId: "s",
  agent: "a",
});

/** A call whose permission is given. */
export function fileCall(given: Partial<FileToolCall> = {}): FileToolCall {
  return {
    sessionId: "s",
    messageId: "m",
    callId: keyed("c"),
    agent: "a",
    abort: new AbortController().signal,
    ask: async () => ({ approved: true }),
    askToEdit: async () => undefined,
    ...given,
  };
}
