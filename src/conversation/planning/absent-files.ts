import { access } from "node:fs/promises";
import { isAbsolute, join, relative } from "node:path";
import { expectedFiles } from "../../workspace/documents/plan-files.ts";
import type { PlanTask } from "../../workspace/documents/plan-tasks.ts";

/** More files than this are not looked for. */
const MAX_FILES = 500;

/**
 * Files that a plan changes although they are not there, one sentence each; empty for none.
 * @param roots the folders that its paths may start from
 */
export async function findAbsentFiles(
  tasks: readonly PlanTask[],
  roots: readonly string[],
): Promise<string[]> {
  const done = new Set(tasks.filter((task) => task.done).map(({ number }) => number));
  // What a task that is done has deleted or moved is not there any more.
  const expected = expectedFiles(tasks)
    .filter(({ task }) => !done.has(task))
    .slice(0, MAX_FILES);
  const looks = expected.map(async ({ path, task }) => {
    const found = await Promise.all(roots.map(async (root) => isThere(root, path)));
    return found.some(Boolean) ? [] : [`${path} is to be changed by task ${task} and is not there`];
  });
  return (await Promise.all(looks)).flat();
}

/** What cannot be looked at, or lies elsewhere, is taken to be there. */
async function isThere(root: string, path: string): Promise<boolean> {
  const whole = isAbsolute(path) ? path : join(root, path);
  if (relative(root, whole).startsWith("..")) return true;
  return access(whole).then(
    () => true,
    (error: unknown) => (error as { code?: unknown }).code !== "ENOENT",
  );
}
