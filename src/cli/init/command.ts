import { diffLines } from "diff";
import { mkdir, realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, relative } from "node:path";
import { createError, describeError, isGaiaError } from "../../lib/error.ts";
import { isWritable } from "../../lib/find-below.ts";
import { openCodeConfigFolder } from "../../lib/user-folders.ts";
import { writeFileAtomic, signatureOf } from "../../record/store.ts";
import { defineCommand } from "../main.ts";
import { howToRun, readOwnPackage } from "../own-package.ts";
import { type SetupChange, type InitPlan, planInit } from "./plan.ts";

/**
 * Writes all changes, each file whole or not at all; nothing is begun while one of them cannot be written.
 * A link is followed, so that a file kept elsewhere is changed there and the link stays.
 * @throws GaiaError naming the file
 */
export async function applyChanges(changes: readonly SetupChange[]): Promise<void> {
  for (const { path, before } of changes) if (before !== null) await refuseReadOnly(path);
  for (const change of changes) await write(change);
}

async function refuseReadOnly(path: string): Promise<void> {
  if (await isWritable(path)) return;
  throw createError("init", `${path} is read-only, so nothing was changed.`, {
    hint: "Make it writable, or add the plugin where this file is made. --dry-run shows what would be added.",
  });
}

async function write({ path, before, after, signature }: SetupChange): Promise<void> {
  try {
    if (before === null) await mkdir(dirname(path), { recursive: true });
    const target = before === null ? path : await realpath(path);
    const written = await writeFileAtomic(
      target,
      after,
      async () => (await signatureOf(target)) === signature,
    );
    if (written) return;
  } catch (error) {
    if (isGaiaError(error)) throw error;
    throw createError("init", `${path} could not be written: ${describeError(error)}.`, {
      cause: error,
      hint: "Its old content is untouched.",
    });
  }
  throw createError("init", `${path} was changed by somebody else at this moment and was left alone.`, {
    hint: "Run init again.",
  });
}

/** The lines in which two texts differ: those that go with `-` in front, those that come with `+`. */
function changedLines(before: string, after: string): string[] {
  return diffLines(before, after).flatMap(({ added, removed, value }) => {
    const lines = value.replace(/\r?\n$/, "").split(/\r?\n/);
    return added || removed ? lines.map((line) => `${added ? "+" : "-"} ${line}`) : [];
  });
}

const HELP = `opencode-gaia init [--global] [--dry-run]

Sets GAIA up for this project: lists the plugin in opencode.json and its panel in tui.json (or
.jsonc, whichever you have) and writes .gaia/config.jsonc with examples to uncomment: here, or
where a folder above in the same repository has a .gaia, which counts here as well. Your comments,
order and formatting stay as they are. What is there already is left alone, so it is safe to run
twice.

  --global   For all your projects instead: OpenCode's configuration folder (opencode.json,
             tui.json and gaia.jsonc in ~/.config/opencode).
  --dry-run  Show what would be written, and write nothing.

Exit code 0: GAIA is set up. 1: a file is broken or cannot be written; nothing is lost.`;

const NEXT = `
Next: start opencode, press Tab until the agent reads "Gaia", and ask for something.
Specialists are child sessions: ctrl+x then ↓ enters the first, → and ← go on to the others, ↑ goes back.
If anything looks wrong: `;

export const init = defineCommand({
  name: "init",
  summary: "set GAIA up in this project, or with --global for all of them",
  help: HELP,
  options: { global: { type: "boolean", short: "g" }, "dry-run": { type: "boolean" } },
  async run(
    { global: isGlobal = false, "dry-run": dryRun = false },
    { print, from: directory, environment },
  ) {
    const userFolder = openCodeConfigFolder(environment);
    const own = await readOwnPackage();
    const plan = await planInit({ scope: isGlobal ? "global" : "project", directory, userFolder, own });
    if (!dryRun) await applyChanges(plan.changes);
    print(renderPlan(plan, dryRun, directory, howToRun(own.folder)));
    return 0;
  },
});

function renderPlan({ changes, kept }: InitPlan, dryRun: boolean, directory: string, run: string): string {
  const verb = (isNew: boolean): string => {
    if (dryRun) return isNew ? "would create" : "would change";
    return isNew ? "created" : "changed";
  };
  const done = changes.flatMap(({ path, before, after, what }) => [
    `${verb(before === null)} ${shown(path, directory)}: ${what}`,
    ...(dryRun ? changedLines(before ?? "", after).map((line) => `    ${line}`) : []),
  ]);
  const same = kept.map(({ path, what }) => `unchanged ${shown(path, directory)}: ${what}`);
  return [...done, ...same, dryRun ? "\nNothing was written." : `${NEXT}${run} doctor`].join("\n");
}

/** Paths below the current folder relative to it, others from the home. */
function shown(path: string, directory: string): string {
  const below = relative(directory, path);
  if (!below.startsWith("..")) return below;
  return path.startsWith(homedir()) ? `~${path.slice(homedir().length)}` : path;
}
