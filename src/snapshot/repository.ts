import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { repositoryRoot, userFolder } from "../lib/folders.ts";
import { readText } from "../lib/read-source.ts";
import { statAll } from "../lib/stat-all.ts";
import { askGit } from "../process/git.ts";

/** Bytes are taken as they lie there, whatever the project's attributes say, and compared as text where they are. */
const ATTRIBUTES = "* -text !eol !crlf !filter !ident !working-tree-encoding !diff !merge\n";
/** What programs leave behind, where no rules of a repository say what is to be ignored. */
const LEFT_BEHIND = [
  "node_modules/",
  "__pycache__/",
  ".venv/",
  ".cache/",
  ".mypy_cache/",
  ".pytest_cache/",
  ".ruff_cache/",
];

/** What there is of a repository of the user's; the paths are "" where there is no such file. */
export type UsersRepository = Awaited<ReturnType<typeof lookForRepository>>;

/** What the user's git, or Jujutsu, says of a project; without an answer it is a plain folder. @param project by its real path */
export async function lookForRepository(project: string) {
  const paths = ["objects", "info/exclude", "index", "shallow"].flatMap((path) => ["--git-path", path]);
  const asked = ["rev-parse", "--path-format=absolute", "--show-toplevel", ...paths, "--show-object-format"];
  const [told, named] = await Promise.all([
    askGit({ folder: project }, asked),
    askGit({ folder: project }, ["config", "--path", "--get", "core.excludesFile"]),
  ]);
  const usual = join(userFolder("config", process.env), "git", "ignore");
  /** What the user has git ignore everywhere. */
  const excludes = named.ok ? named.text.replace(/\n$/u, "") : usual;
  const [top = "", objects = "", exclude = "", index = "", shallow = "", format] = told.text.split("\n");
  const hash = format === "sha256" ? ("sha256" as const) : ("sha1" as const);
  if (told.ok && top !== "")
    return { hasGit: true, top, objects, exclude, index, shallow, excludes, hash, refusal: "" };
  const rest = { exclude: "", index: "", shallow: "", excludes, hash: "sha1" as const, refusal: told.words };
  return { hasGit: false, ...(await lookForJujutsu(project)), ...rest };
}

/** Where Jujutsu keeps its commits for git, for a project in one of its working copies; else a plain folder. */
async function lookForJujutsu(project: string) {
  const top = repositoryRoot(project);
  const at = join(top, ".jj", "repo");
  if (!existsSync(at)) return { top: project, objects: "" };
  // Another working copy of the same repository has a file that says where that is.
  const store = join(resolve(top, ".jj", (await readText(at)).trim() || "repo"), "store");
  const target = (await readText(join(store, "git_target"))).trim();
  return { top, objects: target === "" ? "" : join(resolve(store, target), "objects") };
}

/**
 * Makes a repository of the plugin's own, whole or not at all: another process may open it, and this one may be killed.
 * @param project none of whose programs is started
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

/** Takes over the user's rules of what is ignored. @param own more of them @returns all of them */
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

/** Has a file say this, and nothing else at any moment: git may be at work here. @param text "" for no file */
export async function keepAs(path: string, text: string): Promise<void> {
  if ((await readText(path)) === text) return;
  if (text === "") return rm(path, { force: true });
  const fresh = `${path}.${randomUUID()}`;
  await writeFile(fresh, text);
  await rename(fresh, path);
}

/** How files look that are read only when they do otherwise. */
export async function stampsOf(paths: readonly string[]): Promise<string> {
  const stats = await statAll(paths);
  return [...stats.values()].map(({ size, mtimeNs, ino }) => `${size} ${mtimeNs} ${ino}`).join("\n");
}
