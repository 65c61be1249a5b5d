import { join } from "node:path";
import { ownDataFolder } from "../../lib/user-folders.ts";
import type { PutBackPlace } from "./put-back-checks.ts";
import { createWorkStore, type WorkStore } from "./store.ts";
import { createWorkWatch, type WorkWatch, type WorkWatchInput } from "./work-watch.ts";

/** What watches whose the changes of a project are, with what is kept of it among the user's own data. */
export function openOwnWork(input: Omit<WorkWatchInput, "store">): {
  readonly workStore: WorkStore;
  readonly workWatch: WorkWatch;
  /** Puts back what checks change. */
  readonly checkPlace: PutBackPlace;
} {
  const data = ownDataFolder(process.env);
  const workStore = createWorkStore(join(data, "own-work"), input.directory, input.logger);
  const workWatch = createWorkWatch({ ...input, store: workStore });
  const { directory: project, isSensitive } = input;
  const aside = join(data, "put-back");
  return { workStore, workWatch, checkPlace: { watch: workWatch, project, aside, isSensitive } };
}
