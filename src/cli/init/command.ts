import { openCodeConfigFolder, pathBelow } from "../../lib/folders.ts";
import { defineCommand } from "../main.ts";
import { howToRun, readOwnPackage } from "../own-package.ts";
import { applyChanges, planInit, renderChange } from "./plan.ts";

const NEXT = `
Next: start opencode, press Tab until the agent reads "Gaia", and ask for something.
Specialists are child sessions: ctrl+x then ↓ enters the first, → and ← go on to the others, ↑ goes back.
If anything looks wrong: `;

export const init = defineCommand({
  name: "init",
  summary: "set GAIA up in this project, or with --global for all of them",
  options: { global: { type: "boolean", short: "g" } },
  async run({ global: isGlobal = false }, { print, from: directory, environment }) {
    const userFolder = openCodeConfigFolder(environment);
    const own = await readOwnPackage();
    const scope = isGlobal ? "global" : "project";
    const { changes, kept } = await planInit({ scope, directory, userFolder, own });
    await applyChanges(changes);
    /** Paths below the current folder are shown relative to it. */
    const shown = (path: string): string => pathBelow(directory, path) ?? path;
    for (const change of changes) print(renderChange(change, shown(change.path)));
    for (const { path, what } of kept) print(`unchanged ${shown(path)}: ${what}`);
    print(`${NEXT}${await howToRun(own, directory)} doctor`);
    return 0;
  },
});
