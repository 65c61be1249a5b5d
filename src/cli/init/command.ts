import { homedir } from "node:os";
import { relative } from "node:path";
import type { Command } from "../command.ts";
import { systemClock } from "../../lib/clock.ts";
import { findProject, repositoryRoot } from "../../lib/find-project.ts";
import { openCodeConfigFolder } from "../../lib/user-folders.ts";
import { howToRun, readOwnPackage } from "../own-package.ts";
import { openWithTrust } from "../../project/trust.ts";
import { findOffers } from "../offers.ts";
import { parseFlags } from "../parse-flags.ts";
import { applyChanges } from "./apply.ts";
import { changedLines } from "./changed-lines.ts";
import { planInit, type Plan } from "./plan.ts";

const HELP = `opencode-gaia init [--global] [--dry-run]

Sets GAIA up for this project: lists the plugin in opencode.json and its panel in tui.json (or
.jsonc, whichever you have) and writes .gaia/config.jsonc with examples to uncomment: here, or
where a folder above in the same repository has a .gaia, which counts here as well. Your comments,
order and formatting stay as they are. What is there already is left alone, so it is safe to run
twice.

  --global   For all your projects instead: OpenCode's configuration folder (opencode.json,
             tui.json and gaia.jsonc in ~/.config/opencode).
  --dry-run  Show what would be written, and write nothing.
  --help     This text.

Exit code 0: GAIA is set up. 1: a file is broken or cannot be written; nothing is lost.`;

const NEXT = `
Next: start opencode, press Tab until the agent reads "Gaia", and ask for something.
Specialists are child sessions: ctrl+x then ↓ enters the first, → and ← go on to the others, ↑ goes back.
If anything looks wrong: `;

/** `opencode-gaia init` (SPEC 13). */
export const init: Command = {
  name: "init",
  summary: "set GAIA up in this project, or with --global for all of them",
  async run(args, print) {
    const {
      help,
      global,
      "dry-run": dryRun = false,
    } = parseFlags("init", args, {
      help: { type: "boolean", short: "h" },
      global: { type: "boolean", short: "g" },
      "dry-run": { type: "boolean" },
    });
    if (help === true) {
      print(HELP);
      return 0;
    }
    const directory = process.cwd();
    const userFolder = openCodeConfigFolder(process.env);
    const own = await readOwnPackage();
    const plan = await planInit({
      scope: global === true ? "global" : "project",
      directory,
      userFolder,
      own,
    });
    if (!dryRun) await applyChanges(plan.changes);
    const offers = global === true ? [] : await offersFor(findProject(directory, repositoryRoot(directory)));
    print(
      renderPlan({ ...plan, advice: [...plan.advice, ...offers] }, dryRun, directory, howToRun(own.folder)),
    );
    return 0;
  },
};

/** What would fit the project and is not there. */
async function offersFor(directory: string): Promise<string[]> {
  const place = { directory, options: undefined, environment: process.env, clock: systemClock };
  const { opened } = await openWithTrust(place);
  const offers = await findOffers(directory, process.env, opened.loaded.config);
  return offers.map(({ what, fix }) => `${what} ${fix}`);
}

function renderPlan(
  { changes, kept, advice }: Plan,
  dryRun: boolean,
  directory: string,
  run: string,
): string {
  const verb = (isNew: boolean): string => {
    if (dryRun) return isNew ? "would create" : "would change";
    return isNew ? "created" : "changed";
  };
  const done = changes.flatMap(({ path, before, after, what }) => [
    `${verb(before === null)} ${shown(path, directory)}: ${what}`,
    ...(dryRun ? changedLines(before ?? "", after).map((line) => `    ${line}`) : []),
  ]);
  const same = kept.map(({ path, what }) => `unchanged ${shown(path, directory)}: ${what}`);
  const yours = advice.map((text) => `yours to decide: ${text}`);
  return [...done, ...same, ...yours, dryRun ? "\nNothing was written." : `${NEXT}${run} doctor`].join("\n");
}

/** Paths below the current folder relative to it, others from the home. */
function shown(path: string, directory: string): string {
  const below = relative(directory, path);
  if (!below.startsWith("..")) return below;
  return path.startsWith(homedir()) ? `~${path.slice(homedir().length)}` : path;
}
