import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { shellWord } from "../lib/quoting.ts";
import { isInProject } from "../process/outside-path.ts";
import type { HookSandbox } from "./hooks.ts";
import { commonFolder } from "./refs.ts";
import { type CommitRepository, refused, usersGit } from "./users-git.ts";

/** What git runs as it takes a file up. What it would run for a checkout has no part in a commit. */
const TAKING = /^filter\.(.+)\.(clean|process)$/su;
const FILTERED = "GAIA_FILTERED";
/** Where git-lfs keeps the content that a commit holds a pointer to. */
const LFS = "lfs";

/**
 * Options by which git runs every filter that settings name in the sandbox of hooks: attributes, which agents write, say which
 * files go through one, and what it starts may be theirs as well. One that fails there fails the commit.
 * @param folder in which no command of a session writes
 */
export async function containFilters(
  { place, top, gitFolder }: CommitRepository,
  sandbox: HookSandbox,
  folder: string,
): Promise<readonly string[]> {
  const options: string[] = [];
  if (process.platform === "win32") return options; // Nothing contains anything there.
  for (const [setting, command] of await settings(place)) {
    const [, name = "", kind = ""] = TAKING.exec(setting) ?? [];
    if (name === "" || command === "") continue;
    const mounts = name === LFS ? [await lfsFolder(gitFolder)] : [];
    const inner =
      kind === "clean"
        ? command.replaceAll(/%(?:%|f)/gu, (sign) => (sign === "%f" ? `"$${FILTERED}"` : "%"))
        : command;
    const contained = await sandbox.program(inner, top, { mounts, env: {}, withoutMounts: {} });
    const program = contained ?? ["/bin/sh", "-c", inner];
    const file = join(folder, `filter-${options.length}.sh`);
    // Git itself runs without the project's part of PATH.
    const lines = [
      `export PATH=${shellWord(process.env["PATH"] ?? "")} ${FILTERED}="$1"`,
      `exec ${program.map(shellWord).join(" ")}`,
    ];
    await writeFile(file, `${lines.join("\n")}\n`);
    const start = `/bin/sh ${shellWord(file)}`;
    const line = kind === "clean" ? `${start.replaceAll("%", "%%")} %f` : start;
    options.push(`filter.${name}.${kind}=${line}`);
    // What a wall keeps from its work must not leave a file in the commit as it is.
    if (contained !== null) options.push(`filter.${name}.required=true`);
  }
  return options;
}

async function lfsFolder(gitFolder: string) {
  const path = join(commonFolder(gitFolder), LFS);
  await mkdir(path, { recursive: true });
  return { from: path, to: path, isWritable: true };
}

/**
 * Whether a commit is signed, as the user's settings say. Keys are hidden in every sandbox, so what signs runs outside of it, and
 * must not lie where agents write. @throws GaiaError
 */
export async function findSigning({ place, top }: CommitRepository): Promise<boolean> {
  const wanted = await usersGit(place, ["config", "--type=bool", "--get", "commit.gpgSign"]);
  if (wanted.text.trim() !== "true") return false;
  const named = [...(await settings(place))].filter(([name]) => name.startsWith("gpg."));
  const inProject = named.find(([, value]) =>
    value.split(/[\s'"]+/u).some((word) => word !== "" && liesIn(word, top)),
  );
  if (inProject === undefined) return true;
  throw refused(
    `${inProject[0]} names ${inProject[1]}, which lies in the project, where agents write: it does not sign. Name a program outside of the project, or set commit.gpgSign to false.`,
  );
}

function liesIn(word: string, top: string): boolean {
  if (word.includes("/") || existsSync(join(top, word))) return isInProject(resolve(top, word), top);
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter(isAbsolute);
  const found = folders.map((folder) => join(folder, word)).find((path) => existsSync(path));
  return found !== undefined && isInProject(found, top);
}

/** What git's settings say, of all of their files together: of several values the last counts. */
async function settings(place: CommitRepository["place"]): Promise<ReadonlyMap<string, string>> {
  const listed = await usersGit(place, ["config", "--list", "-z"]);
  const entries = listed.text.split("\0").map((entry): [string, string] => {
    const end = entry.indexOf("\n");
    return end === -1 ? [entry, ""] : [entry.slice(0, end), entry.slice(end + 1)];
  });
  return new Map(entries);
}
