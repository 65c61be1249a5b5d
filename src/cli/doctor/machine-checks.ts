import { existsSync } from "node:fs";
import { access, constants, stat } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { sandboxOf } from "../../config/sandbox.ts";
import { describeUnsupported, SUPPORTED_OPENCODE } from "../../host/supported-versions.ts";
import { describeError } from "../../lib/error.ts";
import { excerpt } from "../../lib/excerpt.ts";
import { shellWord } from "../../lib/quoting.ts";
import { userFolder } from "../../lib/user-folders.ts";
import { isInRange } from "../../lib/version-range.ts";
import { GAIA_FOLDER } from "../../record/store.ts";
import { askUsers } from "../../snapshot/lanes/run-git.ts";
import { type Diagnosis, error, ok, warn } from "./finding.ts";
import type { Setup } from "./setup.ts";

const INSTALL = "npm install -g opencode-ai";

/** Node runs only this CLI; the plugin runs in OpenCode's own runtime. */
export function checkNode({ node, own }: Setup): Diagnosis {
  if (isInRange(node, own.engines.node) === true) return ok(`Node ${node}.`);
  return error(`Node ${node} is not supported: the CLI needs ${own.engines.node}.`, "Install a newer Node.");
}

export function checkOpenCode({ openCode }: Setup): Diagnosis {
  return "value" in openCode
    ? checkVersion(openCode.value)
    : error(openCode.problem, `Install it: ${INSTALL}`);
}

function checkVersion(version: string): Diagnosis {
  if (isInRange(version, SUPPORTED_OPENCODE) === null)
    return error(`OpenCode gives no version that can be read: "${version}".`, `Install it again: ${INSTALL}`);
  const unsupported = describeUnsupported(version);
  if (unsupported === null) return ok(`OpenCode ${version}; supported is ${SUPPORTED_OPENCODE}.`);
  return error(`${unsupported.what} It was not examined further.`, unsupported.fix);
}

export function checkRipgrep({ environment }: Setup): Diagnosis {
  const folders = [
    ...(environment["PATH"] ?? "").split(delimiter),
    join(userFolder("cache", environment), "opencode", "bin"),
  ];
  const name = process.platform === "win32" ? "rg.exe" : "rg";
  if (folders.filter(Boolean).some((folder) => existsSync(join(folder, name))))
    return ok("ripgrep is there.");
  return warn(
    "ripgrep (rg) was not found. OpenCode downloads it when it first needs it; offline its grep, glob and skill tools fail.",
    "Install it, for example: npm install -g @vscode/ripgrep, or with your system's package manager.",
  );
}

const GET_SANDBOX =
  'On Linux install bubblewrap (apt install bubblewrap, dnf, pacman, apk), allow user namespaces (sysctl -w kernel.unprivileged_userns_clone=1; on Ubuntu kernel.apparmor_restrict_unprivileged_userns=0), and use bash or zsh; macOS brings what it needs. In a container that is thrown away, set "sandbox": "machine" in your own gaia.jsonc.';

/** What holds a command: a sandbox, the machine, or questions. */
export function checkContainment({ containment: { commands, host }, config }: Setup): Diagnosis {
  const { mode } = sandboxOf(config.config);
  if (mode === "machine")
    return ok(
      "This machine is a throwaway (sandbox: machine): commands of agents run on it without a sandbox of their own, and are not asked for because of that.",
    );
  if (mode === "off")
    return ok(
      "Commands of agents run without a sandbox (sandbox: off): what is not known to only read is asked for.",
    );
  if (commands.kind !== "unavailable") {
    const name = process.platform === "darwin" ? "Seatbelt" : "bubblewrap";
    const unfiltered = host.kind === "ready" ? host.unfiltered : undefined;
    if (unfiltered === undefined) return ok(`Commands of agents can be contained (${name}).`);
    return warn(
      `Commands of agents can be contained (${name}), but not their system calls filtered: ${unfiltered}. Keyrings and AF_VSOCK stay open to them.`,
      "Such filters need x86-64 or 64-bit ARM, bubblewrap, and a kernel with CONFIG_SECCOMP_FILTER.",
    );
  }
  const isOn = mode === "on";
  const then = isOn
    ? "no command runs"
    : "what is not known to only read is asked for, and locked refuses it";
  const checks =
    host.kind === "ready" ? " Checks and what else the host runs are contained all the same." : "";
  return (isOn ? error : warn)(
    `Commands of agents cannot be contained: ${commands.why}. Until then ${then}.${checks}`,
    GET_SANDBOX,
  );
}

/** Whose change a file is, what a command did, commits and worktrees: all of that git tells. */
export async function checkGit({ top }: Pick<Setup, "top">): Promise<Diagnosis[]> {
  const isGit = existsSync(join(top, ".git"));
  if (!isGit && !existsSync(join(top, ".jj")))
    return [
      warn(
        "This folder is not under version control: GAIA cannot commit, use lanes or review a branch.",
        "Run: git init",
      ),
    ];
  const trouble = isGit ? await findGitTrouble(top) : null;
  if (trouble === null) return [];
  const what = `${trouble.what}. Until then nobody can tell what was changed, and nothing is committed.`;
  return [error(what, trouble.fix)];
}

const MAX_WORDS = 200;

/** Asks git for the repository in a folder, as in a container where it belongs to somebody else, and for its files. */
async function findGitTrouble(top: string): Promise<{ what: string; fix: string } | null> {
  const place = await askUsers(top, "rev-parse", "--show-toplevel");
  if (place.code === -1) return { what: "There is a repository, and git cannot be run", fix: "Install git." };
  if (place.words.includes("dubious ownership"))
    return {
      what: `git does not trust ${top}, which belongs to another user`,
      fix: `If it is yours: git config --global --add safe.directory ${shellWord(top)}`,
    };
  // Only a look at the files shows an index that cannot be read.
  const { code, words } =
    place.code === 0 ? await askUsers(top, "status", "--porcelain", "--untracked-files=no") : place;
  if (code === 0) return null;
  return {
    what: `git does not read the repository of ${top}: ${excerpt(words, MAX_WORDS)}`,
    fix: "See what git status says; where the folder was moved, git worktree repair may help.",
  };
}

export async function checkRecord({ project }: Setup): Promise<Diagnosis> {
  const trouble = await recordTrouble(project);
  if (trouble === null) return ok("The record in .gaia/ can be written.");
  return error(`${trouble}.`, "GAIA keeps plans, decisions and learnings there: make it a writable folder.");
}

async function recordTrouble(project: string): Promise<string | null> {
  const folder = join(project, GAIA_FOLDER);
  try {
    const found = await stat(folder).catch(() => null);
    if (found !== null && !found.isDirectory()) return ".gaia is not a folder";
    await access(found === null ? project : folder, constants.W_OK);
    return null;
  } catch (problem) {
    return `.gaia cannot be written: ${describeError(problem)}`;
  }
}
