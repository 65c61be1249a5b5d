import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createError, describeError, silentLogger } from "../lib/error.ts";
import { findProject, repositoryRoot } from "../lib/folders.ts";
import { alone } from "../project/lanes.ts";
import * as engine from "../snapshot/lanes/engine.ts";
import { keptFolder, storeFolder } from "../snapshot/lanes/unit-place.ts";
import { defineCommand, misuse, type Print } from "./main.ts";

const NOTHING = "All work has landed: there are no worktrees.";

export const lanes = defineCommand({
  name: "lanes",
  summary: "list, remove and restore worktrees whose work has not landed",
  options: {},
  words: 2,
  async run(_given, { print, from, environment }, [verb, name = ""]) {
    if (verb !== undefined && verb !== "remove" && verb !== "restore")
      throw misuse("lanes", `There is no "${verb}".`);
    if (verb !== undefined && name === "") throw misuse("lanes", "Say which one.");
    const top = repositoryRoot(from);
    const project = findProject(from, top);
    // To open the store makes its folders.
    if (verb === undefined && ![keptFolder(project), storeFolder(top, environment)].some(existsSync)) {
      print(NOTHING);
      return 0;
    }
    const store = await engine.openStore(project, environment);
    if (typeof store === "string") throw createError("lanes", `There are no worktrees: ${store}.`);
    await alone(store, silentLogger, async () => {
      const settled = await engine.settleLanding(store);
      if (settled !== null) print(`A landing that was cut off was ${settled}.`);
      if (verb === "restore") await restore(store, name);
      else if (verb === "remove") await remove(store, name, print);
      await list(store, print);
    });
    return 0;
  },
});

async function restore(store: engine.LaneStore, name: string): Promise<void> {
  const bundle = resolve(store.kept, name);
  if (!existsSync(bundle)) {
    throw createError("lanes", `There is no bundle ${bundle}.`, { hint: "See: opencode-gaia lanes" });
  }
  await engine.restoreLane(store, bundle);
}

async function remove(store: engine.LaneStore, name: string, print: Print): Promise<void> {
  if ((await engine.listUnitTrees(store)).includes(name)) {
    await engine.removeUnitTree(store, name);
    print(`gaia/${name} is as it was.`);
    return;
  }
  const lane = (await engine.listLanes(store)).find((each) => each.name === name);
  if (lane === undefined) throw createError("lanes", `There is no worktree ${name}.`);
  await engine.removeLane(store, lane, "left");
}

async function list(store: engine.LaneStore, print: Print): Promise<void> {
  const units = await engine.listUnitTrees(store);
  for (const unit of units) {
    const { commits, uncommitted, isThere } = await engine.lookAtUnitTree(store, unit);
    const { top } = engine.atUnitTree(store, unit);
    const rest = isThere ? `not committed: ${uncommitted}` : "its folder is gone";
    print(`gaia/${unit} in ${top}, commits: ${commits}, ${rest}`);
  }
  const open = await engine.listLanes(store);
  for (const lane of open) {
    const count = async (): Promise<string> =>
      `files changed: ${(await engine.changesOf(store, lane.base, await engine.recordLane(store, lane))).length}`;
    print(`${lane.name} in ${lane.folder}, ${await count().catch(describeError)}`);
  }
  const bundles = (await readdir(store.kept)).filter((name) => name.endsWith("bundle"));
  for (const name of bundles) print(join(store.kept, name));
  if (units.length + open.length + bundles.length === 0) print(NOTHING);
}
