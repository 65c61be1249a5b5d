import { mkdir, readdir, readFile, symlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { FileToolCall } from "../../src/host/port.ts";
import type { FilePlace } from "../../src/host/tool.ts";
import { openRepository, writeIn } from "../support/directory.ts";
import { keyed } from "../support/fake-host.ts";

/** A git repository in a folder of its own. */
export type Repository = Awaited<ReturnType<typeof createRepository>>;

export async function createRepository(files: Record<string, string | Buffer> = {}) {
  const directory = await openRepository(files);
  return {
    directory,
    place: placeIn(directory),
    write: async (path: string, content: string | Buffer) => writeIn(directory, path, content),
    read: async (path: string) => readFile(join(directory, path), "utf8"),
    bytes: async (path: string) => readFile(join(directory, path)),
    /** Puts the tests' own ast-grep into it, as an installation would. */
    async install() {
      const [own, name] = [
        "node_modules/@ast-grep",
        process.platform === "win32" ? "ast-grep.exe" : "ast-grep",
      ];
      for (const folder of await readdir(own)) {
        await mkdir(join(directory, own, folder), { recursive: true });
        await symlink(resolve(own, folder, name), join(directory, own, folder, name));
      }
      await writeIn(directory, ".git/info/exclude", "node_modules\n");
    },
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
