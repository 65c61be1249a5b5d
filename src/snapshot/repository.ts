import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { repositoryRoot, userFolder } from "../lib/folders.ts";
import { readText } from "../lib/read-source.ts";
import { statAll } from "../lib/stat-all.ts";
import { askGit } from "../process/git.ts";

/** Stores bytes as they are on disk, whatever the project's attributes say, and compares text as text. */
const ATTRIBUTES = "* -text !eol !crlf !filter !ident !working-tree-encoding !diff !merge\n";
/** Caches of programs, for a project without ignore rules. */
const LEFT_BEHIND = [
  "node_modules/",
  "__pycache__/",
  ".venv/",
  ".cache/",
  ".mypy_cache/",
  ".pytest_cache/",
  ".ruff_cache/",
];

/** The user's repository; a path is "" where there is no such file. */
export type UsersRepository = Awaited<ReturnType<typeof lookForRepository>>;

/** Asks the user's git, or Jujutsu, about a project; without an answer it is a plain folder. @param project by its real path */
export async function lookForRepository(project: string) {
  const paths = ["objects", "info/exclude", "index", "shallow"].flatMap((path) => ["--git-path", path]);
  const asked = ["rev-parse", "--path-format=absolute", "--show-toplevel", ...paths, "--show-object-format"];
  const [told, named] = await Promise.all([
    askGit({ folder: project }, asked),
    askGit({ folder: project }, ["config", "--path", "--get", "core.excludesFile"]),
  ]);
  const usual = join(userFolder("config", process.env), "git", "ignore");
  /** The user's ignore rules for all repositories. */
  const excludes = named.ok ? named.text.replace(/\n$/u, "") : usual;
  const [top = "", objects = "", exclude = "", index = "", shallow = "", format] = told.text.split("\n");
  const hash = format === "sha256" ? ("sha256" as const) : ("sha1" as const);
  if (told.ok && top !== "")
    return { hasGit: true, top, objects, exclude, index, shallow, excludes, hash, refusal: "" };
  const rest = { exclude: "", index: "", shallow: "", excludes, hash: "sha1" as const, refusal: told.words };
  return { hasGit: false, ...(await lookForJujutsu(project)), ...rest };
}

/** The git store of Jujutsu, for a project in one of its working copies; else a plain folder. */
async function lookForJujutsu(project: string) {
  const top = repositoryRoot(project);
  const at = join(top, ".jj", "repo");
  if (!existsSync(at)) return { top: project, objects: "" };
  // In a further working copy this is a file with the path of the repository.
  const store = join(resolve(top, ".jj", (await readText(at)).trim() || "repo"), "store");
  const target = (await readText(join(store, "git_target"))).trim();
  return { top, objects: target === "" ? "" : join(resolve(store, target), "objects") };
}

/**
 * Makes a repository of the plugin's own, atomically: another process may open it, and this one may be killed.
 * @param project the folder for git; none of its programs is started
 */
export async function makeBare(
  repository: string,
  hash: UsersRepository["hash"],
  project: string,
): Promise<void> {
  if (existsSync(join(repository, "HEAD"))) return;
  const fresh = `${repository}.${process.pid}-${randomUUID()}`;
  const init = ["init", "-q", "--bare", "--template=", `--object-format=${hash}`, fresh];
  if (!(await askGit({ folder: project, settings: "own" }, init)).ok)
    return rm(fresh, { recursive: true, force: true });
  await mkdir(join(fresh, "info"), { recursive: true });
  await writeFile(join(fresh, "info", "attributes"), ATTRIBUTES);
  await rename(fresh, repository).catch(async () => rm(fresh, { recursive: true, force: true }));
}

/** Copies the user's ignore rules. @param own further rules @returns all of them */
export async function keepRules(
  repository: string,
  { exclude, hasGit }: UsersRepository,
  own: readonly string[],
): Promise<string> {
  const theirs = exclude === "" ? "" : await readText(exclude);
  const rules = `${[theirs, ...own, ...(hasGit ? [] : LEFT_BEHIND)].join("\n")}\n`;
  await keepAs(join(repository, "info", "exclude"), rules);
  return rules;
}

/** Replaces a file atomically: git may read it meanwhile. @param text "" removes it */
export async function keepAs(path: string, text: string): Promise<void> {
  if ((await readText(path)) === text) return;
  if (text === "") return rm(path, { force: true });
  const fresh = `${path}.${randomUUID()}`;
  await writeFile(fresh, text);
  await rename(fresh, path);
}

/** Stats of files, to notice a change without reading them. */
export async function stampsOf(paths: readonly string[]): Promise<string> {
  const stats = await statAll(paths);
  return [...stats.values()].map(({ size, mtimeNs, ino }) => `${size} ${mtimeNs} ${ino}`).join("\n");
}
