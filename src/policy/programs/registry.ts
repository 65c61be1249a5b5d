import { textOf } from "../shell/arg.ts";
import { awk } from "./awk.ts";
import { builtins } from "./builtins.ts";
import { clouds } from "./clouds.ts";
import { fd, find } from "./find.ts";
import { git } from "./git/git.ts";
import { inspectors } from "./inspectors.ts";
import { machineTools } from "./machine.ts";
import type { Program } from "./program.ts";
import { readers } from "./readers.ts";
import { runtimes } from "./runtimes.ts";
import { sed } from "./sed.ts";
import { shells } from "./shells.ts";
import { systemTools } from "./system.ts";
import { tar } from "./tar.ts";
import { textTools } from "./text-tools.ts";
import { wrappers } from "./wrappers.ts";

const printenv: Program = ({ args }) =>
  args.every((arg) => /^(?:-0|\w+)$/u.test(textOf(arg) ?? "")) ? undefined : "printenv is given an option";

/** One program under its names, those of other systems included. */
function named(names: string, program: Program): [string, Program][] {
  return names.split(" ").map((name) => [name, program]);
}

/** Every program that can be read-only; a later entry wins. A program that is not here is mutating. */
const PROGRAMS: ReadonlyMap<string, Program> = new Map<string, Program>([
  ...readers,
  ...textTools,
  ...systemTools,
  ...machineTools,
  ...builtins,
  ...wrappers,
  ...shells,
  ...runtimes,
  ...inspectors,
  ...clouds,
  ...named("printenv", printenv),
  ...named("awk gawk mawk nawk", awk),
  ...named("sed gsed", sed),
  ...named("find gfind", find),
  ...named("fd fdfind", fd),
  ...named("tar gtar bsdtar", tar),
  ...named("git", git),
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
