import { globTest } from "../../glob.ts";
import { isFields, type ScriptReader, stringsIn } from "./reader.ts";
import { below, type Run, type Script, withArguments } from "./script.ts";
import { type Package, packageAt, rootOf, selected, workspacePackages } from "./workspaces.ts";

/** Which packages a script is run in: the one of a folder, all, or those that are named. */
export interface Target {
  readonly folder: string;
  readonly selectors: readonly string[];
  /** Names of several scripts, or patterns such as `lint:*`. */
  readonly names: readonly string[];
  readonly args: readonly string[];
  /** What runs where there is no such script. */
  readonly tool?: readonly string[];
}

/** The scripts that a package manager or a task runner for packages runs. */
export function packageRun(target: Target, reader: ScriptReader): Run {
  const { names, args, tool } = target;
  const packages = packagesOf(target, reader);
  const known = packages.flatMap((each) => names.flatMap((name) => scriptsOf(each, name, args, reader)));
  // Where no package can be read, or none has it, names have to tell; `pnpm jest` runs the tool then.
  const unknown = names.filter((name) => !known.some((script) => script.name === name || isPattern(name)));
  const scripts = [
    ...known,
    ...unknown.map((name): Script => ({ name, lines: undefined, folder: target.folder })),
  ];
  return known.length === 0 && tool !== undefined ? { scripts, args, tool } : { scripts, args };
}

function packagesOf({ folder, selectors }: Target, reader: ScriptReader): readonly Package[] {
  const own = packageAt(folder, reader);
  if (selectors.length === 0) return own === undefined ? [] : [own];
  const root = rootOf(folder, reader);
  const packages = workspacePackages(folder, reader);
  const fitting = selected(packages, root?.folder ?? folder, selectors);
  return fitting.length > 0 ? fitting : packages;
}

/** A script with those that run before and after it. */
function scriptsOf(
  { folder, fields }: Package,
  name: string,
  args: readonly string[],
  reader: ScriptReader,
): Script[] {
  const scripts = isFields(fields["scripts"]) ? fields["scripts"] : {};
  const fits = isPattern(name) ? patternTest(name) : (text: string) => text === name;
  return Object.entries(scripts)
    .flatMap(([key, text]): Script[] => {
      if (!fits(key) || typeof text !== "string") return [];
      const aside = [`pre${key}`, `post${key}`].flatMap((around) => stringsIn(scripts[around]));
      return [
        ...aside.map((line): Script => ({ name: key, lines: [line], folder, isAside: true })),
        { name: key, lines: [withArguments(text, args)], folder },
      ];
    })
    .concat(Object.hasOwn(scripts, name) ? [] : projectTarget(folder, name, args, reader));
}

/** `lint:*`, or an expression as pnpm takes it. */
function isPattern(name: string): boolean {
  return name.includes("*") || EXPRESSION.test(name);
}

/** An expression that is quick to try, for it comes from a command. */
const EXPRESSION = /^\/(?!.*\)[*+?])(?!(?:.*[*+]){3})[\w:.^$|()*+-]{1,60}\/$/u;

function patternTest(name: string): (text: string) => boolean {
  if (!name.startsWith("/")) return globTest(name);
  try {
    const expression = EXPRESSION.test(name) ? new RegExp(name.slice(1, -1), "u") : null;
    return (text) => text.length <= 100 && expression?.test(text) === true;
  } catch {
    return () => false;
  }
}

/** A target of nx that runs shell commands. */
function projectTarget(
  folder: string,
  name: string,
  args: readonly string[],
  reader: ScriptReader,
): Script[] {
  const targets = reader.fields(folder, "project.json")?.["targets"];
  const target = isFields(targets) ? targets[name] : undefined;
  const options = isFields(target) ? target["options"] : undefined;
  if (!isFields(target)) return [];
  const listed = isFields(options)
    ? [...stringsIn(options["command"]), ...stringsIn(options["commands"])]
    : [];
  const lines = [...stringsIn(target["command"]), ...listed].map((line) => withArguments(line, args));
  const cwd = isFields(options) ? stringsIn(options["cwd"])[0] : undefined;
  return [
    {
      name,
      lines: lines.length === 0 ? undefined : lines,
      folder: cwd === undefined ? folder : below(folder, cwd),
    },
  ];
}
