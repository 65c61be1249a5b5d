import { access } from "node:fs/promises";
import { resolve } from "node:path";
import { isPattern } from "../../plan/files.ts";
import type { PlanTask } from "../../plan/task.ts";

/** More files than this are not looked for. */
const MAX_FILES = 500;

/**
 * Files of open tasks that are not there yet, as the tasks name them.
 * @param roots the folders that their paths may start from
 */
export async function findNewFiles(
  tasks: readonly Pick<PlanTask, "done" | "files">[],
  roots: readonly string[],
): Promise<ReadonlySet<string>> {
  const named = new Set(tasks.flatMap(({ done, files = [] }) => (done ? [] : files)));
  const files = [...named].filter((file) => !isPattern(file)).slice(0, MAX_FILES);
  const isMissing = await Promise.all(
    files.map(async (file) => {
      const found = await Promise.all(roots.map(async (root) => isThere(resolve(root, file))));
      return !found.some(Boolean);
    }),
  );
  return new Set(files.filter((_file, at) => isMissing[at]));
}

/** What cannot be looked at is taken to be there. */
async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    (error: unknown) => (error as { code?: unknown }).code !== "ENOENT",
  );
}
