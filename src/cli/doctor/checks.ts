import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { type ConfigProblem, renderProblem } from "../../config/problem.ts";
import { OPTIONS } from "../../config/resolve.ts";
import { sandboxOf } from "../../config/sandbox.ts";
import { openRules } from "../../context/open.ts";
import { describeUnsupported, placeIn, SUPPORTED_OPENCODE } from "../../host/supported-versions.ts";
import { systemClock } from "../../lib/async.ts";
import { describeError, isGaiaError, silentLogger } from "../../lib/error.ts";
import { openCodeConfigFolder } from "../../lib/folders.ts";
import { excerpt, visible } from "../../lib/text.ts";
import { createJournal } from "../../record/store.ts";
import { createWorkspace } from "../../record/workspace.ts";
import { askUsers } from "../../snapshot/lanes/run-git.ts";
import { describeAnswers } from "../../spending/answers.ts";
import { parseEntry } from "../../spending/entry.ts";
import { TOOL_NAMES } from "../../tools/announced.ts";
import {
  foldersForAll,
  isDeadEntry,
  isOwnEntry,
  type PluginEntry,
  readPluginFiles,
} from "../opencode-files.ts";
import { PACKAGE_NAME } from "../own-package.ts";
import { type Diagnosis, error, type Level, ok, warn } from "./finding.ts";
import { checkModels } from "./models.ts";
import type { Setup } from "./setup.ts";

export interface DoctorFinding extends Diagnosis {
  /** The check that says it; stable, for scripts. */
  readonly check: string;
}

const INSTALL = "npm install -g opencode-ai";

function checkOpenCode({ openCode }: Setup): Diagnosis {
  if ("problem" in openCode) return error(openCode.problem, `Install it: ${INSTALL}`);
  const { value } = openCode;
  const unsupported = describeUnsupported(value);
  if (unsupported !== null) return error(`${unsupported.what} It was not examined further.`, unsupported.fix);
  return placeIn(value, SUPPORTED_OPENCODE) === null
    ? error(`OpenCode gives no version that can be read: "${value}".`, `Install it again: ${INSTALL}`)
    : ok(`OpenCode ${value}; supported is ${SUPPORTED_OPENCODE}.`);
}

/** Entries of this package that bring what their file asks for, and a finding for each that does not. */
function sortEntries(listed: readonly PluginEntry[]) {
  const isThere = (entry: PluginEntry): boolean =>
    isOwnEntry(entry) && (entry.path === null || existsSync(entry.path));
  const troubles = listed.flatMap((entry): Diagnosis[] => {
    const { name, path, means } = entry;
    if (means === "astray")
      return [
        error(
          `${name} is not the plugin, so OpenCode loads nothing from there.`,
          `Write "${PACKAGE_NAME}" or the package's folder in its place: it is the same in opencode.json and, for the panel, in tui.json.`,
        ),
      ];
    if (isThere(entry) || !(means === "ours" || isDeadEntry(entry))) return [];
    return [
      error(
        `It cannot be loaded as ${name}: ${path} does not exist.`,
        "Correct the entry, or build the package there (npm run build).",
      ),
    ];
  });
  return { good: listed.filter(isThere), troubles };
}

/** Which entry brings it, and that it is the only one. @param what the plugin or the panel */
function describeListed(what: string, [first, ...more]: readonly PluginEntry[]): Diagnosis[] {
  if (first === undefined) return [];
  if (more.length === 0) return [ok(`${what} is listed as ${first.name}.`)];
  return [
    error(
      `${what} is listed ${more.length + 1} times: ${[first, ...more].map(({ name }) => name).join("; ")}.`,
      `Keep one. Take it out of ${more.map(({ file }) => file).join(" and ")}.`,
    ),
  ];
}

/** Without what is meant so: the same entry for all projects and for this one, where no options of one are lost. */
function withoutRepeats(entries: readonly PluginEntry[]): PluginEntry[] {
  const isRepeat = ({ file, path, options }: PluginEntry, other: PluginEntry): boolean =>
    other.file !== file && other.path === path && options === undefined && other.options === undefined;
  return entries.filter((entry, at) => !entries.slice(0, at).some((other) => isRepeat(entry, other)));
}

/** Of different entries OpenCode loads each, and its hooks run; of equal ones the last, and the options of the others are lost. */
async function checkListed({ merged, listed, folders, program }: Setup): Promise<Diagnosis[]> {
  if (merged === null || "problem" in merged) return [];
  const { good, troubles } = sortEntries(listed);
  const files = await readPluginFiles(folders, "opencode");
  const written = withoutRepeats(sortEntries(files.flatMap(({ entries }) => entries)).good);
  const all = written.length > good.length ? written : good;
  if (good.length + troubles.length > 0) return [...troubles, ...describeListed("The plugin", all)];
  const none = `No opencode.json that applies here lists ${PACKAGE_NAME}.`;
  return [error(none, `Run: ${program} init`)];
}

function checkLoaded({ merged, listed, environment, program }: Setup): Diagnosis[] {
  if (merged === null) return [];
  if ("problem" in merged)
    return [
      error(
        `OpenCode could not be started here. ${merged.problem}`,
        "Correct the file that it names, or run it by hand to see more: opencode debug config --print-logs.",
      ),
    ];
  if (TOOL_NAMES.every((name) => merged.value.permission[name] !== undefined))
    return [ok("OpenCode was started and loads it.")];
  const [entry] = sortEntries(listed).good;
  if (entry === undefined) return [];
  const { spec, path, file } = entry;
  const forAll = foldersForAll(openCodeConfigFolder(environment)).includes(dirname(file));
  return [
    error(
      "OpenCode was started and did not load it.",
      path === null
        ? `OpenCode installs "${spec}" from the npm registry at its start, and ${PACKAGE_NAME} is not on npm. To list your copy in its place, run in ${dirname(file)}: ${program} init${forAll ? " --global" : ""}`
        : `Look into ${path}: is it built (npm run build)? OpenCode's log says why it failed.`,
    ),
  ];
}

/** The panel is optional, so only what someone wrote down and does not get is an error. */
async function checkPanel({ folders, listed, program }: Setup): Promise<Diagnosis[]> {
  const files = await readPluginFiles(folders, "tui");
  const { good, troubles } = sortEntries(files.flatMap(({ entries }) => entries));
  const once = withoutRepeats(good);
  if (once.length + troubles.length > 0) return [...troubles, ...describeListed("The panel", once)];
  if (!listed.some(isOwnEntry)) return []; // Without the plugin there is nothing to show.
  const none = "No tui.json that applies here lists the panel, which is optional.";
  return [ok(none, `To have it: ${program} init`)];
}

/** What of the configuration, of custom specialists and of the project's rules is not in force as written. */
async function checkConfiguration({ config, customProblems, project, listed }: Setup): Promise<Diagnosis[]> {
  const place = { directory: project, clock: systemClock, redact: (text: string) => text };
  const nobody = { logger: silentLogger, toast: async () => undefined, oneShot: null };
  const rules = await openRules(place, nobody).now();
  const found = [
    ...[...config.problems, ...customProblems].map((problem) => {
      const file =
        problem.file === OPTIONS ? `${listed.find(isOwnEntry)?.file} (plugin options)` : problem.file;
      return describeProblem({ ...problem, file }, "error");
    }),
    ...(rules?.problems ?? []).map((problem) => describeProblem(problem, "warn")),
  ];
  if (found.length > 0) return found;
  const sources = new Set(config.provenance.values());
  const own = [...sources].filter((source) => source !== "default" && source !== "preset");
  const from = own.length === 0 ? "only defaults" : `values from ${own.join(", ")}`;
  return [ok(`Configuration without problems: ${from}. --verbose shows it.`)];
}

function describeProblem({ suggestion, ...problem }: ConfigProblem, level: Level): Diagnosis {
  const fix = suggestion === undefined ? "Correct it there." : visible(suggestion);
  return { level, what: renderProblem(problem), fix };
}

/** What the project's files ask for and do not get, because the user has not said yes to it. */
function checkTrust({ trust: { ungranted, problem } }: Setup): Diagnosis[] {
  if (problem !== null) return [error(`Nothing is trusted. ${problem}`, "Repair or delete that file.")];
  return ungranted.map(({ file, key, what }) =>
    warn(`Not in force: ${file}, ${key}: ${what}.`, "To say yes: opencode-gaia trust"),
  );
}

/** What the models made of their contracts here, as far as it was written down (SPEC 6). */
async function checkAnswers({ project, environment }: Setup): Promise<Diagnosis[]> {
  const lines = await createJournal(project, () => "", environment).read();
  const tasks = lines.flatMap((line) => parseEntry(line) ?? []).filter((entry) => entry.kind === "task");
  const fix = "Where a model often needs repairs, give its agents another one: agents.<name>.model.";
  return describeAnswers(tasks).map((line) => ok(`Answers of ${line}.`, fix));
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

/** Names of ours that the user's own agents or another plugin's have as well: they win, often unnoticed. */
function checkOverridden({ overrides }: Setup): Diagnosis[] {
  return overrides.map(({ agent, file, keys }) =>
    warn(
      `${agent} is overridden in ${file}: ${keys}.`,
      `If that is not meant, rename it or remove it there. To change GAIA's own, use "agents": { "${agent}": … } in .gaia/config.jsonc.`,
    ),
  );
}

const GET_SANDBOX =
  'On Linux install bubblewrap (apt install bubblewrap, dnf, pacman, apk), allow user namespaces (sysctl -w kernel.unprivileged_userns_clone=1; on Ubuntu kernel.apparmor_restrict_unprivileged_userns=0), and use bash or zsh; macOS brings what it needs. In a container that is thrown away, set "sandbox": "machine" in your own gaia.jsonc.';

/** What holds a command: a sandbox, the machine, or questions (SPEC 9). */
function checkContainment({ containment: { commands, host }, config }: Setup): Diagnosis {
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
  return {
    level: isOn ? "error" : "warn",
    what: `Commands of agents cannot be contained: ${commands.why}. Until then ${then}.${checks}`,
    fix: GET_SANDBOX,
  };
}

const MAX_WORDS = 400;

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
  // Only a look at the files shows an index that cannot be read.
  const { code, words } = isGit
    ? await askUsers(top, "status", "--porcelain", "--untracked-files=no")
    : { code: 0, words: "" };
  if (code === 0) return [];
  return [
    error(
      `git does not read the repository of ${top}: ${excerpt(words, MAX_WORDS)} Until then nobody can tell what was changed, and nothing is committed.`,
      "Do what it says; where git is not there, install it, and where the folder was moved, git worktree repair may help.",
    ),
  ];
}

/** What would fit the project: each is the user's to add, or to leave, and nothing is installed by itself. */
function checkOffers({ merged, config: { config }, languages }: Setup): Diagnosis[] {
  const isOn = (key: "lsp" | "formatter"): boolean =>
    merged !== null && "value" in merged && merged.value.isOn(key);
  const missing = languages.filter(({ program }) => program === null);
  const installs = missing.map(({ install }) => `install: ${install}`);
  const named = (list: Setup["languages"]): string => list.map(({ language }) => language).join(", ");
  const offer = (fits: boolean, what: string, fix: string): Diagnosis[] => (fits ? [ok(what, fix)] : []);
  return [
    offer(
      isOn("lsp"),
      "OpenCode runs its language servers outside of the sandbox, so you are asked for each edit and command that changes something, in autopilot too.",
      'In opencode.json: "lsp": false (GAIA\'s own, "code": "on", run in the sandbox); or in your own gaia.jsonc: "policy": { "allow": ["GAIA_SANDBOX=off lsp *"] }',
    ),
    offer(
      isOn("formatter"),
      "OpenCode runs its formatters outside of the sandbox, so you are asked for each edit of such a file, in autopilot too.",
      'In opencode.json: "formatter": false; or, of one that is no program in the project, in your own gaia.jsonc: "policy": { "allow": ["GAIA_SANDBOX=off prettier *"] }',
    ),
    offer(
      config.code === "off" && languages.length > 0,
      `Specialists ask no language server for ${named(languages)}, and do not rewrite code by its structure (ast-grep).`,
      ['In .gaia/config.jsonc: "hands": "on"', ...installs, "npm install -D @ast-grep/cli"].join("; and "),
    ),
    offer(
      config.code === "on" && missing.length > 0,
      `No language server was found for ${named(missing)}.`,
      installs.join("; "),
    ),
  ].flat();
}

type Check = (setup: Setup) => Diagnosis | readonly Diagnosis[] | Promise<readonly Diagnosis[]>;

/** All checks by their stable names, in the order in which they are reported. */
const CHECKS: Readonly<Record<string, Check>> = {
  "opencode-version": checkOpenCode, // First: with another OpenCode nothing else counts.
  "plugin-listed": checkListed,
  "plugin-loaded": checkLoaded,
  panel: checkPanel,
  configuration: checkConfiguration,
  trust: checkTrust,
  models: checkModels,
  answers: checkAnswers,
  "unread-record": checkUnread,
  "overridden-agents": checkOverridden,
  containment: checkContainment,
  git: checkGit,
  offers: checkOffers,
};

/** A check that breaks is a finding of its own, and takes no other down. */
export async function examine(setup: Setup): Promise<DoctorFinding[]> {
  const found = Object.entries(CHECKS).map(async ([check, look]) => {
    const broken = (cause: unknown): Diagnosis =>
      isGaiaError(cause)
        ? error(cause.message, cause.hint)
        : error(
            `This could not be looked at: ${describeError(cause)}`,
            "Correct that, then run doctor again.",
          );
    const diagnoses = await Promise.resolve(setup).then(look).catch(broken);
    return [diagnoses].flat().map((diagnosis) => ({ check, ...diagnosis }));
  });
  return (await Promise.all(found)).flat();
}
