import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { indexOf } from "./repository-places.ts";

/** The repositories that a project's index names, and its own where it has none yet: git looks into each with the one who looks at the project. */
export interface EmbeddedRepositories {
  /** Takes down what their settings are before a call. */
  before(): ReadonlyMap<string, string>;
  /** Settings and hooks that name programs, and were made or changed since. */
  planted(before: ReadonlyMap<string, string>): string[];
}

const LIST_MS = 5_000;
const MAX_LISTED = 256 * 1024 * 1024;
/** Repositories that are looked at. */
const MAX_LINKS = 500;
const SETTINGS = ["config", "config.worktree", "hooks"];
/** Lines of settings that name no program and no further file. */
const PLAIN_LINE =
  /^\s*(?:[#;].*|\[(?:core|extensions|remote|branch|user|init|submodule|pull|push|fetch)(?:\s+"[^"]*")?\]|(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|objectformat|refstorage|partialclone|promisor|partialclonefilter|url|fetch|tagopt|remote|merge|rebase|name|email|active|defaultbranch|autosetupremote)\s*=.*)?$/iu;

/** Watches those of a project; git is asked for them when the index has changed. */
export function watchEmbedded(project: string): EmbeddedRepositories {
  let links: { readonly of: string; readonly paths: readonly string[] } | null = null;

  const entry = join(project, ".git");

  const settings = (isNew: boolean): string[] => {
    const index = indexOf(project);
    const of = index === null ? "" : stampOf(index);
    if (of !== links?.of) links = { of, paths: of === "" ? [] : listLinks(project) };
    return [...(isNew ? [""] : []), ...links.paths].flatMap((path) =>
      directoriesOf(join(project, path)).flatMap((folder) => SETTINGS.map((name) => join(folder, name))),
    );
  };

  return {
    before() {
      // One that is there is read-only: who changes it is the user.
      const isNew = stampOf(entry) === "";
      return new Map([...(isNew ? [entry] : []), ...settings(isNew)].map((path) => [path, stampOf(path)]));
    },
    planted: (before) =>
      settings(before.has(entry)).filter(
        (path) => stampOf(path) !== (before.get(path) ?? "") && isArmed(path),
      ),
  };
}

/** Entries of the mode of a repository. */
function listLinks(project: string): string[] {
  try {
    const listed = execFileSync("git", ["-c", "core.fsmonitor=false", "ls-files", "--stage", "-z"], {
      cwd: project,
      encoding: "utf8",
      timeout: LIST_MS,
      maxBuffer: MAX_LISTED,
      stdio: ["ignore", "pipe", "ignore"],
    });
    const found = listed.split("\0").filter((entry) => entry.startsWith("160000 "));
    return found.slice(0, MAX_LINKS).map((entry) => entry.slice(entry.indexOf("\t") + 1));
  } catch {
    return []; // There is no git, or nothing that it reads.
  }
}

/** Where the repository of a folder is kept: in it, or where its `.git` leads, and what that shares. */
function directoriesOf(folder: string): string[] {
  const entry = join(folder, ".git");
  const leads = /^gitdir: (.*)/u.exec(textOf(entry))?.[1];
  const directory = leads === undefined ? entry : resolve(folder, leads.trim());
  const common = textOf(join(directory, "commondir")).trim();
  return common === "" ? [directory] : [directory, resolve(directory, common)];
}

/** Whether settings name more than git's own words, or a folder of hooks holds one that would run. */
function isArmed(path: string): boolean {
  if (path.endsWith("/hooks")) return namesIn(path).some((name) => !name.endsWith(".sample"));
  return !textOf(path)
    .split("\n")
    .every((line) => PLAIN_LINE.test(line));
}

/** What tells one state of a file or folder from another; "" for none. */
function stampOf(path: string): string {
  try {
    const { ino, size, mtimeMs, ctimeMs } = statSync(path);
    return `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
  } catch {
    return "";
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
