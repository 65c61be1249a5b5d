import { awk } from "./awk.ts";
import { builtins } from "./builtins.ts";
import { orElse } from "./effects.ts";
import { files } from "./files.ts";
import { find, withExec } from "./find.ts";
import { git } from "./git/git.ts";
import type { Program } from "./program.ts";
import { runners, withTools } from "./runners.ts";
import { sed } from "./sed.ts";
import { shells } from "./shells.ts";
import { orVersion, withDryRun, withFields } from "./subcommands.ts";
import { jjWith, nixWith, surroundings } from "./surroundings.ts";
import { TABLE } from "./table.ts";
import { file } from "./text-tools.ts";
import { programsFrom } from "./usage.ts";
import { wrappers } from "./wrappers.ts";
import { replacing } from "./written-files.ts";

/** One program under its names, those of other systems included. */
function named(names: string, program: Program): [string, Program][] {
  return names.split(" ").map((name) => [name, program]);
}

const LISTED = programsFrom(TABLE);

/** What usage lines say of a program; anyone may ask it for its version besides. */
function listed(name: string): Program {
  return orVersion(LISTED.get(name) ?? (() => `${name} is not known to be read-only`));
}

const isProgram = (name: string): boolean => PROGRAMS.has(name);

/** Every program that can be read-only; a later entry wins. A program that is not here is mutating. */
const PROGRAMS: ReadonlyMap<string, Program> = new Map<string, Program>([
  ...[...LISTED.keys()].map((name): [string, Program] => [name, listed(name)]),
  ...builtins,
  ...wrappers,
  ...surroundings,
  ...shells,
  ["nix", nixWith(listed("nix"))],
  ["jj", jjWith(listed("jj"))],
  ["kubectl", withDryRun(listed("kubectl"))],
  ["gh", withFields(listed("gh"))],
  ["file", file],
  ["rsync", replacing(listed("rsync"))],
  ...[...files].map(([name, changes]): [string, Program] => [name, orElse(listed(name), changes)]),
  ...[...runners].map((name): [string, Program] => [name, withTools(listed(name), isProgram)]),
  ["git", git],
  ...named("awk gawk mawk nawk", awk),
  ...named("sed gsed", sed),
  ...named("find gfind", find),
  ...named("fd fdfind", withExec(listed("fd"))),
]);

/** Folders of the system whose programs are what their names say. */
const SYSTEM_FOLDER = /^(?:\/usr(?:\/local)?|\/opt\/homebrew)?\/s?bin\/([^/]+)$/u;

/** The name under which a program is classified: a path counts only when it lies in a system folder. */
export function programName(text: string): string | undefined {
  return text.includes("/") ? SYSTEM_FOLDER.exec(text)?.[1] : text;
}

export function findProgram(name: string): Program | undefined {
  return PROGRAMS.get(name);
}
