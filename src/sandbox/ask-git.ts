import { dirname, join, resolve } from "node:path";
import { isSensitivePath } from "../policy/sensitive-path.ts";
import { askGit as ask } from "../process/git.ts";
import { isWithin } from "./profile.ts";

const MAX_INDEX_BYTES = 256 * 1024 * 1024;
const MAX_SUBMODULES = 500;

/** Asks git for what it follows in a project's tree, by absolute path; nothing where there is no repository. */
export async function askGitFacts(project: string) {
  const submodules: string[] = [];
  const tracked = new Set<string>();
  // The index of a big project is read piece by piece.
  const decoder = new TextDecoder();
  let rest = "";
  const take = (chunk: Buffer): void => {
    const entries = (rest + decoder.decode(chunk, { stream: true })).split("\0");
    rest = entries.pop() ?? "";
    for (const entry of entries) {
      const path = join(project, entry.slice(entry.indexOf("\t") + 1));
      if (entry.startsWith("160000 ")) submodules.push(path);
      else if (isSensitivePath(path)) tracked.add(path);
    }
  };
  const [, settings] = await Promise.all([
    ask({ folder: project }, ["ls-files", "--stage", "-z"], { maxBytes: MAX_INDEX_BYTES, take }),
    ask({ folder: project, namesHooks: true }, ["config", "--list", "--show-origin", "-z"]),
  ]);
  return {
    /** Folders that the index holds as repositories: git looks into each, also one that is made there later. */
    submodules: submodules.slice(0, MAX_SUBMODULES),
    /** Files with secrets that the index holds. */
    tracked: tracked as ReadonlySet<string>,
    /** Files in the tree that its configuration consists of, and its folder of hooks there. */
    settings: settingsIn(project, settings.text),
  };
}

/** @param listed for each setting its file, a NUL, its name, a line break, its value and a NUL */
function settingsIn(project: string, listed: string): string[] {
  const fields = listed.split("\0");
  const paths = fields.flatMap((field, at) => {
    const origin = fields[at - 1] ?? "";
    if (at % 2 === 0 || !origin.startsWith("file:")) return [];
    const file = resolve(project, origin.slice("file:".length));
    const end = field.indexOf("\n");
    const [name, value] = [field.slice(0, end), field.slice(end + 1)];
    if (name === "core.hookspath") return [file, resolve(project, value)];
    // A file without settings is the origin of none.
    const isInclude = name.startsWith("include") && name.endsWith(".path");
    return isInclude ? [file, resolve(dirname(file), value)] : [file];
  });
  return [...new Set(paths)].filter((path) => path !== project && isWithin(path, project));
}
