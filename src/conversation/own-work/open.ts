import { join } from "node:path";
import { ownDataFolder } from "../../lib/user-folders.ts";
import { createWorkStore, type WorkStore } from "./store.ts";
import { createWorkWatch, type WorkWatch, type WorkWatchInput } from "./work-watch.ts";

/** What watches whose the changes of a project are, with what is kept of it among the user's own data. */
export function openOwnWork(input: Omit<WorkWatchInput, "store">): {
  readonly workStore: WorkStore;
  readonly workWatch: WorkWatch;
} {
  const dataFolder = ownDataFolder(process.env);
  const workStore = createWorkStore(join(dataFolder, "own-work"), input.directory, input.logger);
  const workWatch = createWorkWatch({ ...input, dataFolder, store: workStore });
  return { workStore, workWatch };
}
