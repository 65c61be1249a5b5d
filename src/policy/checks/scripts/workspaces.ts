import { globTest } from "../../glob.ts";
import { type Fields, isFields, type ScriptReader, stringsIn } from "./reader.ts";
import { below } from "./script.ts";

/** A package with what its package.json says. */
export interface Package {
  readonly folder: string;
  readonly fields: Fields;
}

/** Folders above the one a command runs in, in which a package may begin. */
const MAX_LEVELS = 8;
/** Packages of one repository that are looked at. */
const MAX_PACKAGES = 48;

/** The package that a folder lies in; undefined where there is none. */
export function packageAt(folder: string, reader: ScriptReader): Package | undefined {
  let at = folder;
  for (let level = 0; level < MAX_LEVELS; level++) {
    const fields = reader.fields(at, "package.json");
    if (fields !== undefined) return { folder: at, fields };
    if (!at.includes("/") || at === "/") return undefined;
    at = at.slice(0, at.lastIndexOf("/")) || "/";
  }
  return undefined;
}

/** All packages of the repository that a folder lies in, but for the one at its root. */
export function workspacePackages(folder: string, reader: ScriptReader): readonly Package[] {
  const root = rootOf(folder, reader);
  if (root === undefined) return [];
  const found = new Map<string, Package>();
  for (const pattern of patternsOf(root, reader)) {
    for (const path of foldersOf(pattern, root.folder, reader)) {
      const fields = found.size < MAX_PACKAGES ? reader.fields(path, "package.json") : undefined;
      if (fields !== undefined) found.set(path, { folder: path, fields });
    }
  }
  return [...found.values()];
}

/** The root of a repository of several packages: the first one upwards that lists them. */
export function rootOf(folder: string, reader: ScriptReader): Package | undefined {
  let inner = packageAt(folder, reader);
  const first = inner;
  for (let level = 0; inner !== undefined && level < MAX_LEVELS; level++) {
    if (patternsOf(inner, reader).length > 0) return inner;
    if (!inner.folder.includes("/")) break;
    inner = packageAt(inner.folder.slice(0, inner.folder.lastIndexOf("/")), reader);
  }
  return first;
}

/** Packages that selectors such as `@acme/core`, `./packages/core` or `*` name; of other selectors, all. */
export function selected(
  packages: readonly Package[],
  root: string,
  selectors: readonly string[],
): readonly Package[] {
  return packages.filter(({ folder, fields }) =>
    selectors.some((selector) => {
      if (/[!{}[\]]|\.\.\.|\^/u.test(selector)) return true;
      const plain = selector.replace(/^\.\//u, "").replace(/\/$/u, "");
      const fits = globTest(plain.replaceAll("**", "*"));
      const name = typeof fields["name"] === "string" ? fields["name"] : "";
      return [
        name,
        name.replace(/^@[^/]*\//u, ""),
        folder,
        folder.slice(root.length).replace(/^\//u, ""),
      ].some((text) => fits(text));
    }),
  );
}

function patternsOf({ folder, fields }: Package, reader: ScriptReader): readonly string[] {
  const listed = fields["workspaces"];
  const own = stringsIn(isFields(listed) ? listed["packages"] : listed);
  const pnpm = stringsIn(reader.fields(folder, "pnpm-workspace.yaml")?.["packages"]);
  const lerna = stringsIn(reader.fields(folder, "lerna.json")?.["packages"]);
  return [...own, ...pnpm, ...lerna].filter((pattern) => !pattern.startsWith("!"));
}

/** Folders that a pattern may stand for: a star is one step down, two stars are up to two. */
function foldersOf(pattern: string, root: string, reader: ScriptReader): readonly string[] {
  let reached: readonly string[] = [root];
  for (const step of pattern.replace(/^\.\//u, "").split("/")) {
    if (step === "" || step === ".") continue;
    const inner = (folder: string): string[] =>
      reader
        .folders(folder)
        .filter((name) => globTest(step)(name))
        .map((name) => below(folder, name));
    if (!step.includes("*")) reached = reached.map((folder) => below(folder, step));
    else if (step !== "**") reached = reached.flatMap(inner);
    else {
      const once = reached.flatMap(inner);
      reached = [...once, ...once.flatMap(inner)];
    }
  }
  return reached;
}
