import { existsSync } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { GAIA } from "../../agents/gaia.ts";
import { type ConfigProblem, renderProblem } from "../../config/problem.ts";
import { openRules } from "../../context/open.ts";
import { systemClock } from "../../lib/clock.ts";
import { describeError } from "../../lib/error.ts";
import { silentLogger } from "../../lib/logger.ts";
import { visible } from "../../lib/visible.ts";
import { GAIA_FOLDER, createJournal } from "../../record/store.ts";
import { ownKeepOutFiles } from "../../record/keep-out.ts";
import { createWorkspace } from "../../record/workspace.ts";
import * as engine from "../../snapshot/lanes/engine.ts";
import { keptFolder, storeFolder } from "../../snapshot/lanes/unit-place.ts";
import { describeAnswers } from "../../spending/answers.ts";
import { parseEntry } from "../../spending/entry.ts";
import { findOffers } from "../offers.ts";
import { type Diagnosis, type DoctorFinding, error, ok, warn } from "./finding.ts";
import {
  checkContainment,
  checkGit,
  checkNode,
  checkOpenCode,
  checkRecord,
  checkRipgrep,
} from "./machine-checks.ts";
import { checkModels } from "./models.ts";
import { checkListed, checkLoaded, checkPanel } from "./plugin-checks.ts";
import type { Setup } from "./setup.ts";

function checkDisabled({ config, agentNames }: Setup): Diagnosis[] {
  const disabled = agentNames.filter((name) => config.config.agents[name]?.disabled === true);
  return disabled.map((name) => {
    const key = `agents.${name}.disabled`;
    const source = config.provenance.get(key) ?? "default";
    if (name === GAIA)
      return warn(
        `GAIA is switched off by the ${source}: nobody can select it.`,
        `Remove "${key}" to have it back.`,
      );
    return ok(`${name} is disabled by the ${source}.`, `To have it back: remove "${key}".`);
  });
}

/** What the user's own files change about our agents: they win, often unnoticed. */
function checkOverridden({ overrides }: Setup): Diagnosis[] {
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
  if (agent === GAIA) return warn(`GAIA is switched off in ${file}.`, 'Remove "disable" there to select it.');
  return warn(
    `${agent} is disabled in ${file}, which GAIA does not see: it goes on delegating there.`,
    `Write "agents": {"${agent}": {"disabled": true}} into .gaia/config.jsonc instead.`,
  );
}

function checkConfiguration({ config }: Setup): Diagnosis | Diagnosis[] {
  if (config.problems.length === 0) return ok(describeSources(config.provenance));
  return config.problems.map(describeProblem);
}

/** What of the project's rules reaches nobody; the others do. */
async function checkRules({ project, top }: Setup): Promise<Diagnosis[]> {
  const place = { directory: project, top, clock: systemClock, redact: (text: string) => text };
  const rules = await openRules(place, { logger: silentLogger, toast: async () => undefined }).now();
  if (rules === null) return [];
  if (rules.problems.length === 0) return [ok(`Rules of the project: ${rules.rules.length}.`)];
  return rules.problems.map((problem) => ({ ...describeProblem(problem), level: "warn" }));
}

function describeProblem({ suggestion, ...problem }: ConfigProblem): Diagnosis {
  const what = renderProblem(problem);
  const fix = suggestion === undefined ? "Correct it there." : visible(suggestion);
  return problem.kind === "more-problems" ? warn(what, fix) : error(what, fix);
}

function describeSources(provenance: Setup["config"]["provenance"]): string {
  const own = [...new Set(provenance.values())].filter(
    (source) => source !== "default" && source !== "preset",
  );
  const from = own.length === 0 ? "only defaults" : `values from ${own.join(", ")}`;
  return `Configuration without problems: ${from}. --verbose shows it.`;
}

/** What the project's files ask for and do not get, because the user has not said yes to it. */
function checkTrust({ trust: { asked, ungranted, notices, problem } }: Setup): Diagnosis[] {
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

/** Which record counts, where that is not the only one or not the one of this folder. */
function checkProject({ directory, projects: [project, above], config }: Setup): Diagnosis[] {
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

/** Lines of the record that are not read as they were meant. */
async function checkUnread({ project }: Setup): Promise<Diagnosis[]> {
  const redact = (text: string): string => text;
  const workspace = createWorkspace({ directory: project, clock: systemClock, logger: silentLogger, redact });
  const found = await workspace.unread();
  if (!found.ok) return [warn(found.error, found.hint)];
  return found.unread.map(({ where, error: why, hint, count }) =>
    warn(`${where} is not read: ${why}${count === 1 ? "" : ` (${count} such lines)`}`, hint),
  );
}

/** Files that keep the record out of the project's formatters, linters and packages. */
async function checkKeepOut({ project }: Setup): Promise<Diagnosis[]> {
  const folder = join(project, GAIA_FOLDER);
  if (!existsSync(folder)) return [];
  const missing = (await ownKeepOutFiles(project)).filter(({ name }) => !existsSync(join(folder, name)));
  return missing.map(({ name }) =>
    warn(
      `${GAIA_FOLDER}/${name} is missing, which keeps the record out of the project's own tools.`,
      "Run: npx opencode-gaia init",
    ),
  );
}

/** Language servers, where specialists may ask them. */
function checkLanguageServers({ languages, config }: Setup): Diagnosis[] {
  if (config.config.code === "off") return [];
  const found = languages.filter(({ program }) => program !== null);
  const names = found.map(({ language, program }) => `${language} (${program})`).join(", ");
  return [
    ...(found.length === 0 ? [] : [ok(`Language servers: ${names}.`)]),
    ...languages
      .filter(({ program }) => program === null)
      .map(({ language, install }) =>
        warn(`No language server for ${language} was found.`, `Install it: ${install}`),
      ),
  ];
}

/** What would fit the project: each is the user's to add, or to leave. */
async function checkOffers({ project, environment, config, languages }: Setup): Promise<Diagnosis[]> {
  const offers = await findOffers(project, environment, config.config, languages);
  return offers.map(({ what, fix }) => ok(what, fix));
}

/** What the models made of their contracts here, as far as it was written down. */
async function checkAnswers({ project }: Setup): Promise<Diagnosis[]> {
  const lines = await createJournal(project, "spending", () => "").read();
  const tasks = lines.flatMap((line) => parseEntry(line) ?? []).filter((entry) => entry.kind === "task");
  const fix = "Where a model often needs repairs, give its agents another one: agents.<name>.model.";
  return describeAnswers(tasks).map((line) => ok(`Answers of ${line}.`, fix));
}

/** Worktrees whose work is not in the user's tree: of specialists, of a landing that was cut off, of archived units. */
async function checkLanes({ project, top, environment }: Setup): Promise<Diagnosis[]> {
  const kept = await readdir(keptFolder(project)).catch(() => []);
  const folder = storeFolder(await realpath(top).catch(() => project), environment);
  const units = await engine.listUnitTrees({ folder });
  const names = [
    ...kept.filter((name) => /owner$|^landing/.test(name)),
    ...units
      .filter((unit) => !existsSync(join(project, GAIA_FOLDER, unit)))
      .map((unit) => `gaia/${unit} (archived)`),
  ];
  if (names.length === 0) return [];
  return [warn(`Work in worktrees has not landed: ${names.join(", ")}.`, "opencode-gaia lanes")];
}

type Check = (setup: Setup) => Diagnosis | readonly Diagnosis[] | Promise<Diagnosis | readonly Diagnosis[]>;

/** All checks by their stable names, in the order in which they are reported. */
const CHECKS: Readonly<Record<string, Check>> = {
  "opencode-version": checkOpenCode, // First: with another OpenCode nothing else counts.
  "node-version": checkNode,
  "plugin-listed": checkListed,
  "plugin-loaded": checkLoaded,
  panel: checkPanel,
  project: checkProject,
  configuration: checkConfiguration,
  specialists: ({ customProblems }) => customProblems.map(describeProblem),
  rules: checkRules,
  trust: checkTrust,
  models: checkModels,
  answers: checkAnswers,
  "disabled-agents": checkDisabled,
  "overridden-agents": checkOverridden,
  ripgrep: checkRipgrep,
  containment: checkContainment,
  git: checkGit,
  record: checkRecord,
  "unread-record": checkUnread,
  "kept-out": checkKeepOut,
  lanes: checkLanes,
  "language-servers": checkLanguageServers,
  offers: checkOffers,
};

/** A check that breaks is a finding of its own, and takes no other down. */
export async function examine(setup: Setup): Promise<DoctorFinding[]> {
  const found = Object.entries(CHECKS).map(async ([check, look]) => {
    const broken = (cause: unknown): Diagnosis =>
      warn(`This could not be looked at: ${describeError(cause)}`, "Correct that, then run doctor again.");
    const diagnoses = await Promise.resolve(setup).then(look).catch(broken);
    return [diagnoses].flat().map((diagnosis) => ({ check, ...diagnosis }));
  });
  return (await Promise.all(found)).flat();
}
