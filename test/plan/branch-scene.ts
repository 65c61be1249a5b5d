import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { lanes as command } from "../../src/cli/lanes.ts";
import type { JsonRecord } from "../../src/lib/json.ts";
import { git } from "../support/directory.ts";
import { FILE, openLanes, text, type LanesOptions, type LanesScene, type Work } from "./lanes-scene.ts";

export const BRANCH = "gaia/unit";
const PLACES: Readonly<Record<string, string>> = { top: "line 1;", end: "line 12;" };
/** Each task changes a line of its own, once. */
export const change: Work = async ({ name, edit, folder }) => {
  const isDone = (await readFile(join(folder, FILE), "utf8")).includes(`${name};`);
  if (!isDone) await edit(FILE, PLACES[name] ?? "", `${name};`);
};
export const BOTH = text({ 1: "top;", 12: "end;" });

/** The user's tree, index, branch and stash, as git and the disk have them. */
export async function usersOf({ top }: LanesScene): Promise<string> {
  const asked = [
    ["status", "--porcelain"],
    ["symbolic-ref", "-q", "HEAD"],
    ["rev-parse", "HEAD"],
    ["ls-files", "--stage"],
    ["stash", "list"],
    ["config", "--list", "--local"],
  ];
  const said = await Promise.all(asked.map(async (args) => git(top, ...args).catch(() => "none")));
  return [...said, await readFile(join(top, ".git/index"), "hex")].join("\n");
}

/** A plan whose work stands on its unit's branch. */
export async function openBranch(
  work: Work = change,
  { config = {}, ...options }: LanesOptions = {},
): Promise<LanesScene> {
  return openLanes(work, { ...options, config: { lanes: { mode: "auto", land: "branch" }, ...config } });
}

export const run = async (scene: LanesScene): Promise<JsonRecord> => scene.gaia.plan("run");
/** The user has said that it is to go on. */
export async function runAgain(scene: LanesScene): Promise<JsonRecord> {
  (await scene.conversation()).userSpoke("go-on");
  return run(scene);
}
export const onBranch = async ({ top }: LanesScene, path = FILE): Promise<string> =>
  git(top, "show", `${BRANCH}:${path}`);
export const folderOf = async (scene: LanesScene): Promise<string> =>
  (await scene.conversation()).tree.place.worktree;

/** What `opencode-gaia lanes` prints. */
export async function lanes(scene: LanesScene, ...args: string[]): Promise<string> {
  const lines: string[] = [];
  await command.run(args, {
    print: (line) => void lines.push(line),
    confirm: async () => false,
    from: scene.top,
    environment: { XDG_DATA_HOME: scene.data },
  });
  return lines.join("\n");
}
