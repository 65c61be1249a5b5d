import { sandboxOf } from "../../../config/sandbox.ts";
import type { Facts } from "../facts.ts";
import { error, ok, warn, type Diagnosis } from "../finding.ts";

export function checkRipgrep({ hasRipgrep }: Facts): Diagnosis {
  if (hasRipgrep) return ok("ripgrep is there.");
  return warn(
    "ripgrep (rg) was not found. OpenCode downloads it when it first needs it; offline its grep, glob and skill tools fail.",
    "Install it, for example: npm install -g @vscode/ripgrep, or with your system's package manager.",
  );
}

/** Whose change a file is, what a command did, commits and worktrees: all of that git tells. */
export function checkGit({ gitTrouble }: Facts): Diagnosis[] {
  if (gitTrouble === null) return [];
  const { what, fix } = gitTrouble;
  return [error(`${what}. Until then nobody can tell what was changed, and nothing is committed.`, fix)];
}

export function checkRecord({ recordTrouble }: Facts): Diagnosis {
  if (recordTrouble === null) return ok("The record in .gaia/ can be written.");
  return error(
    `${recordTrouble}.`,
    "GAIA keeps plans, decisions and learnings there: make it a writable folder.",
  );
}

/** Checks of the Definition of Done that could never pass. */
export function checkDeadChecks({ deadChecks }: Facts): Diagnosis[] {
  return deadChecks.map((what) => warn(`${what}.`, "Install it, or correct definitionOfDone."));
}

/** The same gate for people's commits, where they wanted it. */
export function checkCommitHook({ lostHook }: Facts): Diagnosis[] {
  return lostHook === null ? [] : [warn(lostHook.what, lostHook.fix)];
}

/** Which record counts, where that is not the only one or not the one of this folder. */
export function checkProject({ directory, projects: [project, above], config }: Facts): Diagnosis[] {
  if (project === undefined) return [];
  if (above !== undefined && config.config.root !== true) {
    return [
      warn(
        `The .gaia of ${project} counts here, and not the one of ${above} above it.`,
        `If that is meant, write "root": true into its .gaia/config.jsonc; if not, move it away.`,
      ),
    ];
  }
  return project === directory
    ? []
    : [ok(`The project is ${project}: its .gaia counts here, and its checks run there.`)];
}

/** Formatters, linters and packages that take the record for the project's own. */
export function checkKeepOut({ keepOut }: Facts): Diagnosis[] {
  return keepOut.map(({ what, fix }) => warn(`${what}.`, fix));
}

/** Language servers, where specialists may ask them. */
export function checkLanguageServers({ languageServers }: Facts): Diagnosis[] {
  const found = (languageServers ?? []).flatMap(({ language, program }) =>
    program === null ? [] : [`${language} (${program})`],
  );
  return [
    ...(found.length === 0 ? [] : [ok(`Language servers: ${found.join(", ")}.`)]),
    ...(languageServers ?? [])
      .filter(({ program }) => program === null)
      .map(({ language, install }) =>
        warn(`No language server for ${language} was found.`, `Install it: ${install}`),
      ),
  ];
}

/** What would fit the project: each is the user's to add, or to leave. */
export function checkOffers({ offers }: Facts): Diagnosis[] {
  return offers.map(({ what, fix }) => ok(what, fix));
}

/** Worktrees of specialists whose work is not in the user's tree. */
export function checkLanes({ lanes }: Facts): Diagnosis[] {
  const names = lanes.join(", ");
  return lanes.length === 0
    ? []
    : [warn(`Work in worktrees has not landed: ${names}.`, "opencode-gaia lanes")];
}

/** How to get a sandbox on this machine. */
const GET_SANDBOX =
  'On Linux install bubblewrap (apt install bubblewrap, dnf, pacman, apk), allow user namespaces (sysctl -w kernel.unprivileged_userns_clone=1; on Ubuntu kernel.apparmor_restrict_unprivileged_userns=0), and use bash or zsh; macOS brings what it needs. In a container that is thrown away, set "sandbox": "machine" in your own gaia.jsonc.';

/** What holds a command: a sandbox, the machine, or questions. */
export function checkContainment({ uncontained, isHostContained, unfiltered, config }: Facts): Diagnosis {
  const { mode } = sandboxOf(config.config);
  if (mode === "machine")
    return ok(
      "This machine is a throwaway (sandbox: machine): commands of agents run on it without a sandbox of their own, and are not asked for because of that.",
    );
  if (mode === "off")
    return ok(
      "Commands of agents run without a sandbox (sandbox: off): what is not known to only read is asked for.",
    );
  if (uncontained === null) {
    const name = process.platform === "darwin" ? "Seatbelt" : "bubblewrap";
    return unfiltered === null
      ? ok(`Commands of agents can be contained (${name}).`)
      : warn(
          `Commands of agents can be contained (${name}), but not their system calls filtered: ${unfiltered}. Keyrings and AF_VSOCK stay open to them.`,
          "Such filters need x86-64 or 64-bit ARM, bubblewrap, and a kernel with CONFIG_SECCOMP_FILTER.",
        );
  }
  const diagnose = mode === "on" ? error : warn;
  const then =
    mode === "on" ? "no command runs" : "what is not known to only read is asked for, and locked refuses it";
  const checks = isHostContained ? " Checks and what else the host runs are contained all the same." : "";
  return diagnose(
    `Commands of agents cannot be contained: ${uncontained}. Until then ${then}.${checks}`,
    GET_SANDBOX,
  );
}
