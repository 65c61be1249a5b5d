import { relative } from "node:path";
import { openCodeConfigFolder } from "../../lib/folders.ts";
import { defineCommand } from "../main.ts";
import { howToRun, readOwnPackage } from "../own-package.ts";
import { applyChanges, planInit, renderChange } from "./plan.ts";

const HELP = `opencode-gaia init [--global]

Sets GAIA up for this project: lists the plugin in opencode.json and its panel in tui.json (or
.jsonc, whichever you have) and writes .gaia/config.jsonc with examples to uncomment: here, or
where a folder above in the same repository has a .gaia, which counts here as well. Your comments,
order and formatting stay as they are. What is there already is left alone, so it is safe to run
twice, and uninstall takes all of it out again.

  --global   For all your projects instead: OpenCode's configuration folder (opencode.json,
             tui.json and gaia.jsonc in ~/.config/opencode).

Exit code 0: GAIA is set up. 1: a file is broken or cannot be written; nothing is lost.`;

const NEXT = `
Next: start opencode, press Tab until the agent reads "Gaia", and ask for something.
Specialists are child sessions: ctrl+x then ↓ enters the first, → and ← go on to the others, ↑ goes back.
If anything looks wrong: `;

export const init = defineCommand({
  name: "init",
  summary: "set GAIA up in this project, or with --global for all of them",
  help: HELP,
  options: { global: { type: "boolean", short: "g" } },
  async run({ global: isGlobal = false }, { print, from: directory, environment }) {
    const userFolder = openCodeConfigFolder(environment);
    const own = await readOwnPackage();
    const scope = isGlobal ? "global" : "project";
    const { changes, kept } = await planInit({ scope, directory, userFolder, own });
    await applyChanges(changes);
    /** Paths below the current folder are shown relative to it. */
    const shown = (path: string): string => {
      const below = relative(directory, path);
      return below.startsWith("..") ? path : below;
    };
    for (const change of changes) print(renderChange(change, shown(change.path)));
    for (const { path, what } of kept) print(`unchanged ${shown(path)}: ${what}`);
    print(`${NEXT}${howToRun(own.folder)} doctor`);
    return 0;
  },
});
