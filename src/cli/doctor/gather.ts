import { existsSync } from "node:fs";
import { access, constants, readdir, realpath, stat } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { buildAgents } from "../../agents/build.ts";
import { findCommitHook } from "../../checks/commit-hook/commit-hook.ts";
import { nearestName } from "../../lib/nearest-name.ts";
import { sandboxOf } from "../../config/sandbox.ts";
import { openRules } from "../../context/rules/open.ts";
import { systemClock } from "../../lib/clock.ts";
import { describeError } from "../../lib/error.ts";
import { excerpt } from "../../lib/excerpt.ts";
import { projectsAbove, repositoryRoot } from "../../lib/find-project.ts";
import { isRecord } from "../../lib/json.ts";
import { silentLogger } from "../../lib/logger.ts";
import { shellWord } from "../../lib/shell-word.ts";
import { openCodeConfigFolder, userFolder } from "../../lib/user-folders.ts";
import { isInRange } from "../../lib/version-range.ts";
import { SUPPORTED_OPENCODE } from "../../host/supported-versions.ts";
import { openWithTrust } from "../../project/trust.ts";
import { describeAnswers } from "../../spending/answers.ts";
import { parseEntry } from "../../spending/entry.ts";
import { createJournal } from "../../record/store/journal.ts";
import { loadContainment } from "../../sandbox/load.ts";
import type { ContainmentState } from "../../sandbox/port.ts";
import { GAIA_FOLDER } from "../../record/gaia-path.ts";
import { adviseKeepOut, ownKeepOutFiles, readRoot } from "../../record/keep-out.ts";
import * as engine from "../../snapshot/lanes/engine.ts";
import { keptFolder, storeFolder } from "../../snapshot/lanes/unit-place.ts";
import { askUsers } from "../../snapshot/lanes/run-git.ts";
import { findOffers } from "../offers.ts";
import { type OwnPackage, PACKAGE_NAME } from "../own-package.ts";
import { isOwnEntry, pathOf, specOf } from "../opencode-files.ts";
import { findDeadChecks } from "./dead-checks.ts";
import type { Facts } from "./facts.ts";
import { faceOf, isPartOfPackage, readOverrides, readPanelFiles } from "./opencode-files.ts";
import {
  type PluginOrigin,
  readMergedConfig,
  readModels,
  readVersion,
  type RunOpenCode,
  type VersionReading,
} from "./opencode.ts";
import { PERMISSION_NAMES } from "../../host/opencode/tool-call.ts";
import { findShell } from "../../host/opencode/shell.ts";

const MAX_WORDS = 200;

/** Asks git for the repository that lies in a folder, as in a container where it belongs to somebody else. */
export async function findGitTrouble(top: string): Promise<Facts["gitTrouble"]> {
  if (!existsSync(join(top, ".git"))) return null;
  const { code, words } = await askUsers(top, "rev-parse", "--show-toplevel");
  if (code === 0) return findBroken(top);
  if (code === -1) return { what: "There is a repository, and git cannot be run", fix: "Install git." };
  if (words.includes("dubious ownership"))
    return {
      what: `git does not trust ${top}, which belongs to another user`,
      fix: `If it is yours: git config --global --add safe.directory ${shellWord(top)}`,
    };
  return unread(top, words);
}

/** What only a look at the files shows, as an index that cannot be read. */
async function findBroken(top: string): Promise<Facts["gitTrouble"]> {
  const { code, words } = await askUsers(top, "status", "--porcelain", "--untracked-files=no");
  return code === 0 ? null : unread(top, words);
}

function unread(top: string, words: string): NonNullable<Facts["gitTrouble"]> {
  return {
    what: `git does not read the repository of ${top}: ${excerpt(words, MAX_WORDS)}`,
    fix: "See what git status says; where the folder was moved, git worktree repair may help.",
  };
}

/** Of commands in the user's shell, and of what the host runs itself. */
interface TriedContainment {
  readonly commands: ContainmentState;
  readonly host: ContainmentState;
}

interface Scene {
  readonly own: OwnPackage;
  readonly directory: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly node: string;
  readonly run: RunOpenCode;
  /** Whether commands can be contained in a shell; tried out where it is left out. @param shell as configured */
  tryContainment?(shell: string | null): Promise<TriedContainment>;
}

const SKIPPED = { state: "skipped" } as const;

/** Finds out everything; what cannot be found out is a fact as well. Every call of OpenCode is bounded by `run`. */
export async function gatherFacts(scene: Scene): Promise<Facts> {
  const { own, directory, environment, node, run } = scene;
  const configFolder = openCodeConfigFolder(environment);
  const openCode = await readVersion(run);
  const asked = await askOpenCode(run, openCode);
  const { entries, misplaced, lost } = await sortEntries(
    asked.merged.state === "read" ? asked.merged.value.plugins : [],
  );
  const options = optionsOf(entries[0]?.entry);
  const top = repositoryRoot(directory);
  const projects = projectsAbove(directory, top);
  const project = projects[0] ?? directory;
  const { opened, trust } = await openWithTrust({
    directory: project,
    options,
    environment,
    clock: systemClock,
  });
  const agentNames = Object.keys(opened.known);
  const config = opened.loaded;
  const agents = buildAgents({
    definitions: opened.definitions,
    overrides: config.config.agents,
    specialistTools: [],
    ownTools: [],
    approvals: [],
    names: PERMISSION_NAMES,
  });
  const containment = await (scene.tryContainment ?? tryIn(directory, environment))(
    asked.merged.state === "read" ? asked.merged.value.shell : null,
  );
  const uncontained = containment.commands.kind === "unavailable" ? containment.commands.why : null;
  const { mode } = sandboxOf(config.config);
  const isContained = containment.host.kind === "ready" && mode !== "off" && mode !== "machine";
  const { findLanguageServers } = await import("../offers.ts");
  const languages = await findLanguageServers(top, project, isContained, environment);
  return {
    ...asked,
    own,
    directory,
    projects,
    node,
    openCode,
    entries,
    misplaced,
    lost,
    lostHook: (await findCommitHook(project)).lost,
    deadChecks: await findDeadChecks(config.wanted.definitionOfDone?.checks ?? [], project, environment),
    panel: await readPanelFiles(directory, configFolder, environment),
    config,
    customProblems: opened.customProblems,
    rules: await openRules(
      { directory: project, top, clock: systemClock, redact: (text) => text },
      { logger: silentLogger, toast: async () => undefined },
    ).now(),
    trust: await trust.survey(),
    agents,
    agentNames,
    overrides: await readOverrides(directory, configFolder, agentNames),
    answers: await readAnswers(project),
    hasRipgrep: findRipgrep(environment),
    uncontained,
    isHostContained: containment.host.kind === "ready",
    unfiltered: containment.host.kind === "ready" ? (containment.host.unfiltered ?? null) : null,
    languageServers: config.config.code === "off" ? null : languages,
    offers: await findOffers(project, environment, config.config, languages),
    gitTrouble: await findGitTrouble(top),
    hasHistory: [".git", ".jj"].some((name) => existsSync(join(top, name))),
    recordTrouble: await recordTrouble(project),
    lanes: [
      ...(await readdir(keptFolder(project)).catch(() => [])).filter((name) => /owner$|^landing/.test(name)),
      ...(await unitsLeft(project, environment)),
    ],
    keepOut: await findKeepOut(project),
  };
}

async function readAnswers(project: string): Promise<string[]> {
  const lines = await createJournal(project, "spending", () => "")
    .read()
    .catch(() => []);
  const entries = lines.flatMap((line) => parseEntry(line) ?? []);
  return describeAnswers(entries.filter((entry) => entry.kind === "task"));
}

/** Branches with a worktree whose units are not open any more. */
async function unitsLeft(project: string, environment: NodeJS.ProcessEnv): Promise<string[]> {
  const top = await realpath(repositoryRoot(project)).catch(() => project);
  const units = await engine.listUnitTrees({ folder: storeFolder(top, environment) });
  return units.flatMap((unit) =>
    existsSync(join(project, GAIA_FOLDER, unit)) ? [] : `gaia/${unit} (archived)`,
  );
}

/** Without a usable OpenCode nothing else is asked: its answers would say nothing about this plugin. */
async function askOpenCode(
  run: RunOpenCode,
  version: VersionReading,
): Promise<Pick<Facts, "merged" | "models">> {
  const usable = version.state === "read" && isInRange(version.value, SUPPORTED_OPENCODE) === true;
  if (!usable) return { merged: SKIPPED, models: SKIPPED };
  // One after the other: a fresh installation of OpenCode makes its database at the first start.
  const merged = await readMergedConfig(run);
  return { merged, models: merged.state === "read" ? await readModels(run) : SKIPPED };
}

/** What of opencode.json means this package, and what of that is not where it belongs. */
async function sortEntries(
  plugins: readonly PluginOrigin[],
): Promise<Pick<Facts, "entries" | "misplaced" | "lost">> {
  const kinds = await Promise.all(plugins.map(kindOf));
  const ofKind = (kind: string): PluginOrigin[] => plugins.filter((_plugin, index) => kinds[index] === kind);
  return { entries: ofKind("plugin"), misplaced: ofKind("panel"), lost: ofKind("lost") };
}

async function kindOf({ entry, source }: PluginOrigin): Promise<"plugin" | "panel" | "lost" | "other"> {
  const spec = specOf(entry) ?? "";
  if (isPartOfPackage(spec)) return "panel";
  const path = pathOf(spec, dirname(source));
  if (!(await isOwnEntry(entry, dirname(source)))) {
    const isLost =
      path === null ? nearestName(spec.replace(/(?<!^)@.*/, ""), [PACKAGE_NAME]) : !existsSync(path);
    return isLost ? "lost" : "other";
  }
  return path === null ? "plugin" : (await faceOf(path, "./server")).face;
}

function optionsOf(entry: unknown): object | undefined {
  const options: unknown = Array.isArray(entry) ? entry[1] : undefined;
  return isRecord(options) ? options : undefined;
}

/** Runs commands that are contained: one in the shell that OpenCode would use, and one of the host's. */
function tryIn(
  project: string,
  environment: NodeJS.ProcessEnv,
): (shell: string | null) => Promise<TriedContainment> {
  return async (shell) => {
    const containment = loadContainment({
      project,
      environment,
      clock: systemClock,
      shell: () => findShell(shell, environment),
      writable: [],
      allowSensitive: [],
    });
    const loaded = await containment();
    const tried = { commands: await loaded.ready(), host: await loaded.hostReady() };
    containment.dispose();
    return tried;
  };
}

/** On the PATH, or where OpenCode puts its own copy. */
function findRipgrep(environment: NodeJS.ProcessEnv): boolean {
  const folders = [
    ...(environment["PATH"] ?? "").split(delimiter),
    join(userFolder("cache", environment), "opencode", "bin"),
  ];
  const names = process.platform === "win32" ? ["rg.exe"] : ["rg"];
  return folders.filter(Boolean).some((folder) => names.some((name) => existsSync(join(folder, name))));
}

/** Where there is a record: what takes it for the project's own. */
async function findKeepOut(directory: string): Promise<Facts["keepOut"]> {
  const folder = join(directory, GAIA_FOLDER);
  if (!existsSync(folder)) return [];
  const { names, files } = await readRoot(directory);
  const missing = ownKeepOutFiles(names, files).filter(({ name }) => !existsSync(join(folder, name)));
  const own = missing.map(({ name }) => ({
    what: `${GAIA_FOLDER}/${name} is missing, which keeps the record out of the project's own tools`,
    fix: "Run: npx opencode-gaia init",
  }));
  return [...own, ...adviseKeepOut(files)];
}

async function recordTrouble(directory: string): Promise<string | null> {
  const folder = join(directory, ".gaia");
  try {
    const found = await stat(folder).catch(() => null);
    if (found !== null && !found.isDirectory()) return ".gaia is not a folder";
    await access(found === null ? directory : folder, constants.W_OK);
    return null;
  } catch (error) {
    return `.gaia cannot be written: ${describeError(error)}`;
  }
}
