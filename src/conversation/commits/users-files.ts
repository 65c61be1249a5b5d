import { createHash } from "node:crypto";
import type { Clock } from "../../lib/clock.ts";
import { readSource } from "../../lib/read-source.ts";
import type { Vcs } from "../../vcs/port.ts";

/** Files that are remembered; those beyond count as the conversation's. */
const MAX_FILES = 500;

/** What was not committed when the conversation began to change something: the user's own, as long as it is as it was. */
export interface UsersFiles {
  /** Before the first change; told again, it does nothing. */
  remember(): Promise<void>;
  /** Which of these files, by their absolute paths, are the user's own. */
  among(paths: readonly string[]): Promise<ReadonlySet<string>>;
}

export function createUsersFiles({ vcs, clock }: { readonly vcs: Vcs; readonly clock: Clock }): UsersFiles {
  let found: Promise<ReadonlyMap<string, string>> | null = null;

  const contentOf = async (path: string): Promise<string> => {
    const file = await readSource(path, clock);
    return file.state === "read" ? createHash("sha1").update(file.bytes).digest("hex") : file.state;
  };
  const look = async (): Promise<ReadonlyMap<string, string>> => {
    const files = ((await vcs.uncommitted()) ?? []).slice(0, MAX_FILES);
    return new Map(await Promise.all(files.map(async ({ path }) => [path, await contentOf(path)] as const)));
  };

  return {
    async remember() {
      await (found ??= look());
    },
    async among(paths) {
      const users = (await found) ?? new Map<string, string>();
      const theirs = new Set<string>();
      for (const path of paths)
        if (users.has(path) && users.get(path) === (await contentOf(path))) theirs.add(path);
      return theirs;
    },
  };
}
