import { PACKAGE_NAME } from "../../own-package.ts";
import type { Facts } from "../facts.ts";
import { error, ok, warn, type Diagnosis } from "../finding.ts";
import type { PanelEntry } from "../panel-files.ts";

/** Whether tui.json brings the panel. It is optional, so only what someone wrote down and does not get is an error. */
export function checkPanel({ panel, entries }: Facts): Diagnosis | Diagnosis[] {
  const broken = panel.broken.map(({ what, fix }) =>
    error(`${what}. OpenCode passes over the whole file, without a word.`, fix),
  );
  const good = panel.entries.filter(({ leadsTo }) => leadsTo === "panel");
  // Where the panel is there, a path to nowhere is another's.
  const own = panel.entries.filter(({ leadsTo }) => leadsTo !== "lost" || good.length === 0);
  const troubles = [...broken, ...own.flatMap(describeTrouble)];
  const [first] = good;
  if (first !== undefined) return [...troubles, describeListed(first, withoutRepeated(good))];
  // Without the plugin there is nothing to show; that is another check's finding.
  if (troubles.length > 0 || entries.length === 0) return troubles;
  return ok(
    "No tui.json that applies here lists the panel, which is optional.",
    "To have it: npx opencode-gaia init",
  );
}

function describeListed(first: PanelEntry, all: readonly PanelEntry[]): Diagnosis {
  if (all.length < 2) return ok(`The panel is listed as ${describe(first)}.`);
  const [, ...more] = all;
  return warn(
    `The panel is listed ${all.length} times, and OpenCode takes one of them: ${all.map(describe).join("; ")}.`,
    `Keep one. Take it out of ${more.map(({ file }) => file).join(" and ")}.`,
  );
}

/** The same entry in two files is one to OpenCode, and how it is meant: for all projects, and for this one. */
function withoutRepeated(entries: readonly PanelEntry[]): PanelEntry[] {
  return entries.filter(
    ({ file, path }, index) =>
      !entries.slice(0, index).some((other) => other.file !== file && other.path === path),
  );
}

function describeTrouble(entry: PanelEntry): Diagnosis | [] {
  const what = describe(entry);
  switch (entry.leadsTo) {
    case "panel":
      return [];
    case "nowhere":
      return error(
        `The panel cannot be loaded as ${what}: ${entry.path} does not exist.`,
        "Correct the entry, or build the package there (npm run build).",
      );
    case "lost":
      return error(
        `${what} is a path that does not exist (${entry.path}).`,
        "If GAIA's panel is meant, correct it; npx opencode-gaia init writes a right one.",
      );
    case "plugin":
      return error(
        `${what} is the plugin itself, which belongs into opencode.json; OpenCode shows no panel.`,
        `List the package there instead: its folder, or "${PACKAGE_NAME}".`,
      );
    case "no package":
      return error(
        `${what} is not the name of a package.`,
        `Write "${PACKAGE_NAME}": it is the same in both files.`,
      );
  }
}

function describe({ spec, file }: PanelEntry): string {
  return `"${spec}" in ${file}`;
}
