import { relative } from "node:path";
import type { Lanes } from "../lanes.ts";
import type { Run } from "../run.ts";

/** The project's folder, from the top of the repository; empty where it is that. */
export function projectBelow({ runtime }: Run, { store }: Lanes): string {
  return relative(store.from, runtime.host.project).replaceAll("\\", "/");
}
