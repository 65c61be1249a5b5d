import { copyFile, lstat, mkdir, readdir, rm } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import type { Workplace } from "../../../conversation/worktrees/worktrees.ts";
import type { Engine } from "../../../snapshot/lanes/engine.ts";
import type { Run } from "../run.ts";

/**
 * Puts the files in place that candidates do not see: what lies in the unit's folder `hidden`, as seen from the project. Where a
 * candidate's link would lead them elsewhere they are left out, so that the check misses them.
 */
export async function layHidden(
  { runtime, unit }: Run,
  { to, place }: Workplace,
  isOpen: Engine["isOpen"],
): Promise<void> {
  const from = join(runtime.host.project, ".gaia", unit, "hidden");
  for (const name of await readdir(from, { recursive: true }).catch(() => [])) {
    const [source, target] = [join(from, name), join(place.project, name)];
    if (!(await lstat(source)).isFile() || !(await isOpen(to, relative(to, target)))) continue;
    await rm(target, { recursive: true, force: true });
    await mkdir(dirname(target), { recursive: true });
    await copyFile(source, target);
  }
}
