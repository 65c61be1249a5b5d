import { writeFile } from "node:fs/promises";
import type { LanesConfig } from "../config/lanes.ts";
import { createError } from "../lib/error.ts";
import { isProcessAlive } from "../lib/is-process-alive.ts";
import { readText } from "../lib/read-source.ts";

/** A lane belongs to its conversation while that process lives. @returns whether it was ours @throws GaiaError for another's */
export async function claim(
  rootId: string,
  path: string,
  yields: (owner: string) => boolean = () => false,
): Promise<boolean> {
  const [owner = rootId, pid] = await ownerIn(path);
  const isOurs = owner === rootId;
  const isLeft = !isProcessAlive(Number(pid)) || (Number(pid) === process.pid && yields(owner));
  if (!isOurs && !isLeft)
    throw createError("worktrees", `Another conversation of OpenCode's process ${pid} works here: ${path}`, {
      hint: "Go on there, or end it there.",
    });
  await writeFile(path, `${rootId} ${process.pid}`);
  return isOurs;
}

/** A conversation's lane by its name, from a session that worked in it before a restart. @returns it, or why it is not to be had */
export async function findLane(
  project: string,
  mode: LanesConfig["mode"],
  rootId: string,
  name: string,
): Promise<{ readonly from: string; readonly to: string } | string> {
  const isUnit = !name.includes("/");
  // Candidates have worktrees whatever it says.
  if (!isUnit && mode === "off" && !/\/\d+\.\d$/u.test(name)) return "lanes is off now";
  const engine = await import("../snapshot/lanes/engine.ts");
  const store = await engine.openStore(project, process.env);
  if (typeof store === "string") return store;
  if (isUnit) {
    const folder = await engine.findUnitTree(store, name);
    return folder === null ? "it was removed" : { from: store.from, to: folder };
  }
  const lane = (await engine.listLanes(store)).find((each) => each.name === name);
  const owner = engine.ownerOf(store, name);
  // Metadata of a session are no proof of anything.
  if (lane === undefined || (await ownerIn(owner))[0] !== rootId) return "it was removed";
  await claim(rootId, owner);
  return { from: store.from, to: lane.folder };
}

async function ownerIn(path: string): Promise<string[]> {
  return (await readText(path)).split(" ").filter(Boolean);
}
