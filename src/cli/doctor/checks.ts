import { GAIA } from "../../agents/gaia.ts";
import { type ConfigProblem, renderProblem } from "../../config/problem.ts";
import { sandboxOf } from "../../config/sandbox.ts";
import { describeUnsupported, SUPPORTED_OPENCODE } from "../../host/supported-versions.ts";
import { isInRange } from "../../lib/version-range.ts";
import { type Check, type Diagnosis, error, type Facts, type DoctorFinding, ok, warn } from "./facts.ts";
import { checkBudget, checkModels } from "./models.ts";
import { checkListed, checkLoaded, checkPanel } from "./plugin-checks.ts";

function checkDisabled({ config, agentNames }: Facts): Diagnosis[] {
  const disabled = agentNames.filter((name) => config.config.agents[name]?.disabled === true);
  return disabled.map((name) => {
    const key = `agents.${name}.disabled`;
    const source = config.provenance.get(key) ?? "default";
    if (name === GAIA)
      return warn(
        `GAIA is switched off by the ${source}: nobody can select her.`,
        `Remove "${key}" to have her back.`,
      );
    return ok(`${name} is disabled by the ${source}.`, `To have it back: remove "${key}".`);
  });
}

/** What the user's own files change about our agents: they win, often unnoticed. */
function checkOverridden({ overrides }: Facts): Diagnosis[] {
  return overrides.map(({ agent, file, entry }) => {
    if (entry["disable"] === true) return describeSwitchedOff(agent, file);
    const keys = Object.keys(entry).join(", ");
    return warn(
      `${agent} is overridden in ${file}: ${keys}.`,
      'If that is not meant, remove it there. Settings under "agents" in .gaia/config.jsonc are known to GAIA as well.',
    );
  });
}

function describeSwitchedOff(agent: string, file: string): Diagnosis {
  if (agent === GAIA)
    return warn(`GAIA is switched off in ${file}.`, 'Remove "disable" there to select her.');
  return warn(
    `${agent} is disabled in ${file}, which GAIA does not see: she goes on delegating to it.`,
    `Write "agents": {"${agent}": {"disabled": true}} into .gaia/config.jsonc instead.`,
  );
}

/** These lose nothing that someone asked for. */
const HARMLESS: ReadonlySet<ConfigProblem["kind"]> = new Set(["duplicate-key", "more-problems"]);

function checkConfiguration({ config }: Facts): Diagnosis | Diagnosis[] {
  if (config.problems.length === 0) return ok(describeSources(config.provenance));
  return config.problems.map(describeProblem);
}

function checkSpecialists({ customProblems }: Facts): Diagnosis | Diagnosis[] {
  return customProblems.map(describeProblem);
}

/** What of the project's rules reaches nobody; the others do. */
function checkRules({ rules }: Facts): Diagnosis[] {
  if (rules === null) return [];
  if (rules.problems.length === 0) return [ok(`Rules of the project: ${rules.rules.length}.`)];
  return rules.problems.map((problem) => ({ ...describeProblem(problem), level: "warn" }));
}

/** A problem's own words, split into what is wrong and what would be right. */
function describeProblem(problem: ConfigProblem): Diagnosis {
  const { allowed: _allowed, suggestion: _suggestion, ...bare } = problem;
  const what = renderProblem(bare);
  const fix = renderProblem(problem).slice(what.length).trim() || "Correct it there.";
  return HARMLESS.has(problem.kind) ? warn(what, fix) : error(what, fix);
}

function describeSources(provenance: Facts["config"]["provenance"]): string {
  const own = [...new Set(provenance.values())].filter(
    (source) => source !== "default" && source !== "preset",
  );
  const from = own.length === 0 ? "only defaults" : `values from ${own.join(", ")}`;
  return `Configuration without problems: ${from}. --verbose shows it.`;
}

/** What the project's files ask for and do not get, because the user has not said yes to it. */
function checkTrust({ trust: { asked, ungranted, notices, problem } }: Facts): Diagnosis[] {
  const fix = "To say yes: opencode-gaia trust";
  const verdicts = [
    ...(problem === null ? [] : [error(`Nothing is trusted. ${problem}`, "Repair or delete that file.")]),
    ...ungranted.map(({ file, key, what }) => warn(`Not in force: ${file}, ${key}: ${what}.`, fix)),
    ...notices.map((notice) => ok(notice)),
  ];
  if (verdicts.length > 0) return verdicts;
  if (asked.length === 0) return [ok("The project's files ask for nothing that needs trust.")];
  const back = "To take it back: opencode-gaia trust revoke --all";
  return [ok(`You trust all ${asked.length} things that the project's files ask for.`, back)];
}

const INSTALL = "npm install -g opencode-ai";

/** Node runs only this CLI; the plugin runs in OpenCode's own runtime. */
function checkNode({ node, own }: Facts): Diagnosis | Diagnosis[] {
  if (isInRange(node, own.engines.node) === true) return ok(`Node ${node}.`);
  return error(`Node ${node} is not supported: the CLI needs ${own.engines.node}.`, "Install a newer Node.");
}

function checkOpenCode({ openCode }: Facts): Diagnosis | Diagnosis[] {
  switch (openCode.state) {
    case "missing":
      return error("OpenCode was not found on the PATH.", `Install it: ${INSTALL}`);
    case "failed":
      return error(`OpenCode does not run. ${openCode.message}`, `Install it again: ${INSTALL}`);
    case "skipped":
      return [];
    case "read":
      return checkVersion(openCode.value);
  }
}

function checkVersion(version: string): Diagnosis {
  if (isInRange(version, SUPPORTED_OPENCODE) === null)
    return error(`OpenCode gives no version that can be read: "${version}".`, `Install it again: ${INSTALL}`);
  const unsupported = describeUnsupported(version);
  if (unsupported === null) return ok(`OpenCode ${version}; supported is ${SUPPORTED_OPENCODE}.`);
  return error(`${unsupported.what} It was not examined further.`, unsupported.fix);
}

function checkRipgrep({ hasRipgrep }: Facts): Diagnosis {
  if (hasRipgrep) return ok("ripgrep is there.");
  return warn(
    "ripgrep (rg) was not found. OpenCode downloads it when it first needs it; offline its grep, glob and skill tools fail.",
    "Install it, for example: npm install -g @vscode/ripgrep, or with your system's package manager.",
  );
}

/** Whose change a file is, what a command did, commits and worktrees: all of that git tells. */
function checkGit({ gitTrouble, hasHistory }: Facts): Diagnosis[] {
  if (!hasHistory)
    return [
      warn(
        "This folder is not under version control: GAIA cannot commit, use lanes or review a branch.",
        "Run: git init",
      ),
    ];
  if (gitTrouble === null) return [];
  const { what, fix } = gitTrouble;
  return [error(`${what}. Until then nobody can tell what was changed, and nothing is committed.`, fix)];
}

function checkRecord({ recordTrouble }: Facts): Diagnosis {
  if (recordTrouble === null) return ok("The record in .gaia/ can be written.");
  return error(
    `${recordTrouble}.`,
    "GAIA keeps plans, decisions and learnings there: make it a writable folder.",
  );
}

/** Checks of the Definition of Done that could never pass. */
function checkDeadChecks({ deadChecks }: Facts): Diagnosis[] {
  return deadChecks.map((what) => warn(`${what}.`, "Install it, or correct definitionOfDone."));
}

function checkCommitHook({ lostHook }: Facts): Diagnosis[] {
  return lostHook === null ? [] : [warn(lostHook.what, lostHook.fix)];
}

/** Which record counts, where that is not the only one or not the one of this folder. */
function checkProject({ directory, projects: [project, above], config }: Facts): Diagnosis[] {
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

function checkKeepOut({ keepOut }: Facts): Diagnosis[] {
  return keepOut.map(({ what, fix }) => warn(`${what}.`, fix));
}

/** Language servers, where specialists may ask them. */
function checkLanguageServers({ languageServers }: Facts): Diagnosis[] {
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
function checkOffers({ offers }: Facts): Diagnosis[] {
  return offers.map(({ what, fix }) => ok(what, fix));
}

function checkAnswers({ answers }: Facts): Diagnosis[] {
  const fix = "Where a model often needs repairs, give its agents another one: agents.<name>.model.";
  return answers.map((line) => ok(`Answers of ${line}.`, fix));
}

/** Worktrees of specialists whose work is not in the user's tree. */
function checkLanes({ lanes }: Facts): Diagnosis[] {
  const names = lanes.join(", ");
  return lanes.length === 0
    ? []
    : [warn(`Work in worktrees has not landed: ${names}.`, "opencode-gaia lanes")];
}

const GET_SANDBOX =
  'On Linux install bubblewrap (apt install bubblewrap, dnf, pacman, apk), allow user namespaces (sysctl -w kernel.unprivileged_userns_clone=1; on Ubuntu kernel.apparmor_restrict_unprivileged_userns=0), and use bash or zsh; macOS brings what it needs. In a container that is thrown away, set "sandbox": "machine" in your own gaia.jsonc.';

/** What holds a command: a sandbox, the machine, or questions. */
function checkContainment({ uncontained, isHostContained, unfiltered, config }: Facts): Diagnosis {
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

/** All checks by their stable names, in the order in which they are reported. */
const CHECKS: Readonly<Record<string, Check<Facts>>> = {
  "opencode-version": checkOpenCode, // First: with another OpenCode nothing else counts.
  "node-version": checkNode,
  "plugin-listed": checkListed,
  "plugin-loaded": checkLoaded,
  panel: checkPanel,
  project: checkProject,
  configuration: checkConfiguration,
  checks: checkDeadChecks,
  "commit-hook": checkCommitHook,
  specialists: checkSpecialists,
  rules: checkRules,
  trust: checkTrust,
  models: checkModels,
  budget: checkBudget,
  answers: checkAnswers,
  "disabled-agents": checkDisabled,
  "overridden-agents": checkOverridden,
  ripgrep: checkRipgrep,
  containment: checkContainment,
  git: checkGit,
  record: checkRecord,
  "kept-out": checkKeepOut,
  lanes: checkLanes,
  "language-servers": checkLanguageServers,
  offers: checkOffers,
};

/** Checks everything. Pure but for looking whether a listed path exists. */
export function examine(facts: Facts): DoctorFinding[] {
  return Object.entries(CHECKS).flatMap(([check, diagnose]) =>
    [diagnose(facts)].flat().map(({ level, what, fix }) => ({ check, level, what, fix })),
  );
}
