import { visible } from "../lib/visible.ts";
import { posix, win32 } from "node:path";
import { isJsonObject, ownValue, type JsonObject, type JsonValue } from "../config/json-value.ts";
import { isSensitivePath } from "../policy/sensitive-path.ts";
import { permissionRule } from "./permission-rule.ts";
import { isSamePower, shown } from "./power.ts";
import {
  always,
  eachEntry,
  eachMissing,
  greater,
  greaterByName,
  harmless,
  itemsOf,
  looser,
  newAndMissing,
  type PowerRule,
  wholly,
} from "./rule.ts";

/** Profiles that let GAIA work without asking. */
const AUTOPILOT_PROFILES = ["agentic_checkpoint", "agentic_full"];

/**
 * Whether a file of GAIA's context lies outside of the project as it is written, or may hold secrets, as git's own settings
 * may. Where a link leads is seen when it is read.
 */
export function isStrayPath(path: string): boolean {
  const plain = posix.normalize(path.replaceAll("\\", "/"));
  const leavesProject = win32.isAbsolute(plain) || /^(?:\.\.(?:\/|$)|~|[a-z]:)/iu.test(plain);
  return leavesProject || /(?:^|\/)\.git(?:\/|$)/iu.test(plain) || isSensitivePath(plain);
}

const contextFile: PowerRule = (value, base, scene) =>
  typeof value === "string" && !isStrayPath(value)
    ? harmless(value)
    : always(
        (path) => `GAIA's context is given the file ${path}, which is outside of the project or private`,
      )(value, base, scene);

const SANDBOX_RANKS: readonly JsonValue[] = ["on", "auto", "off", "machine"];

interface SandboxValue {
  readonly rank: number;
  readonly network: boolean;
  readonly writable: readonly JsonValue[];
  readonly freesHooks: boolean;
}

function sandboxValue(value: JsonValue | undefined): SandboxValue {
  const long: JsonObject = isJsonObject(value) ? value : { mode: value ?? "auto" };
  return {
    rank: SANDBOX_RANKS.indexOf(long["mode"] ?? "auto"),
    network: long["network"] === true,
    writable: itemsOf(long["writable"]),
    freesHooks: long["hooks"] === "uncontained",
  };
}

/** Tighter is harmless: more commands contained, no network, nothing more to write. */
const sandbox: PowerRule = (value, base) => {
  const [asked, below] = [sandboxValue(value), sandboxValue(base)];
  const isTight =
    asked.rank !== -1 &&
    asked.rank <= below.rank &&
    (!asked.network || below.network) &&
    (!asked.freesHooks || below.freesHooks) &&
    asked.writable.every((path) => below.writable.some((each) => isSamePower(each, path)));
  return isTight
    ? harmless(value)
    : wholly(value, `commands of agents are contained as ${shown(value)} says`);
};

const defaultProfile: PowerRule = (value, base, scene) => {
  const isApplied = ownValue(scene.base["startup"], "askAtTaskStart") === false;
  const isAutopilot = AUTOPILOT_PROFILES.some((profile) => profile === value);
  const rule = isApplied || isAutopilot ? always((name) => `the profile ${name} is your default`) : harmless;
  return rule(value, base, scene);
};

/** A check as a person reads it: everything that decides what runs. */
export function describeCheck(check: JsonValue): string {
  const { command = "", cwd, id, ...rest } = isJsonObject(check) ? check : { command: check };
  const where = cwd === undefined ? "" : ` in ${shown(cwd)}`;
  const name = id === undefined ? "a check" : `the check ${shown(id)}`;
  const more = Object.entries(rest).map(([key, value]) => `${visible(key)}: ${shown(value ?? null)}`);
  return `runs the command ${shown(command)}${where} as ${name}${more.length === 0 ? "" : ` (${more.join(", ")})`}`;
}

/** Rules for `definitionOfDone`, which other files hold as well. */
const DEFINITION_RULES: Readonly<Record<string, PowerRule>> = {
  artifacts: eachMissing((artifact) => `no longer wants your artifact ${shown(artifact)}`),
  checks: newAndMissing(describeCheck, (check) => `leaves out your check ${shown(check)}`),
  gate: looser([["all"], ["any"], ["none"]], (gate) => `of the checks, ${gate} have to pass`, {
    unset: "all",
  }),
};

const AGENT_RULES: Readonly<Record<string, PowerRule>> = {
  model: harmless,
  fallback: harmless,
  temperature: harmless,
  reasoningEffort: harmless,
  "thinking.type": harmless,
  "thinking.budgetTokens": harmless,
  maxTokens: harmless,
  steps: greater(
    (steps) => `an agent may take ${steps} steps`,
    ({ agent, defaultSteps }) => defaultSteps(agent),
  ),
  editing: harmless,
  "toolbox.tools": eachEntry((tools) => `a specialist may ask for the tools ${shown(tools)}`),
  "toolbox.skills": harmless,
  disabled: looser([[true], [false]], () => "an agent that you disabled is enabled", { unset: false }),
  prompt: harmless,
  prompt_append: harmless,
  permission: permissionRule,
};

/**
 * Every key of the configuration, and whether a project may set it by itself. A key that is missing here is a power.
 * `*` stands for the name of an agent.
 */
export const CONFIG_RULES: Readonly<Record<string, PowerRule>> = {
  $schema: harmless,
  root: harmless,
  preset: harmless,
  mode: looser([["locked"], ["supervised"], ["autopilot"]], (mode) => `GAIA works in mode ${mode}`, {
    isKnob: true,
  }),
  visibility: harmless,
  interaction: looser([["pair"], ["standard"]], (value) => `GAIA works in interaction ${value}`, {
    isKnob: true,
  }),
  checkinCadence: looser(
    [["step"], ["batch"], ["wave"], ["milestone"]],
    (value) => `GAIA stops for you once per ${value}`,
    { isKnob: true },
  ),
  reviewDepth: looser(
    [["deep_repo"], ["risk"], ["diff"], ["inline"]],
    (value) => `reviews look no further than ${value}`,
    { isKnob: true },
  ),
  sandbox,
  lanes: (value, base) =>
    value === "off" || isSamePower(value, base)
      ? harmless(value)
      : wholly(value, `specialists work in worktrees, and their setup is run: ${shown(value)}`),
  ast: looser([["off"], ["on"]], () => "specialists search and rewrite code with ast-grep, which is run"),
  editing: harmless,
  code: looser([["off"], ["on"]], () => "language servers are started, which may run what the project holds"),
  specialistTools: eachEntry((tools) => `specialists may ask for the tools ${shown(tools)}`),
  skills: harmless,
  skillServers: looser(
    [["off"], ["on"]],
    () => "specialists may ask to start the MCP servers that skills bring",
  ),
  "startup.askAtTaskStart": always((value) => `GAIA asks how to work together when work begins: ${value}`),
  "startup.defaultProfile": defaultProfile,
  "startup.rampWarmupBatches": harmless,
  "gaiaContext.initFile": contextFile,
  "gaiaContext.gaiaInstructionFile": contextFile,
  "gaiaContext.useLearnings": harmless,
  ...under("knowledge", {
    enabled: harmless,
    inject: harmless,
    notifications: harmless,
    maxItems: harmless,
    maxTokens: harmless,
    threshold: harmless,
    cacheSeconds: harmless,
    timeoutMs: harmless,
  }),
  "findings.enabled": harmless,
  "findings.ask": harmless,
  "findings.autostart": eachEntry((types) => `autopilot begins work on findings by itself: ${shown(types)}`),
  "gaiaContext.accountFor": harmless,
  "gaiaContext.avoid": harmless,
  "gaiaContext.extraContextFiles": eachEntry(
    (path) => `GAIA's context is given the file ${shown(path)}, which is outside of the project or private`,
    (path) => typeof path === "string" && !isStrayPath(path),
  ),
  "wavePolicy.enforceWaveId": looser(
    [[true], [false]],
    () => "an approved wave covers work that names no wave",
  ),
  "wavePolicy.boundaryRule": looser(
    [["implementation+basic_checks"], ["manual"]],
    () => "a wave ends without passing checks",
  ),
  "autopilotSafeguards.maxToolCallsPerWave": greater((calls) => `a wave may take ${calls} tool calls`),
  "autopilotSafeguards.maxWaveMinutes": greater((minutes) => `a wave may take ${minutes} minutes`),
  "autopilotSafeguards.maxBackgroundTasks": greater(
    (tasks) => `${tasks} specialists may work in the background`,
  ),
  "autopilotSafeguards.consecutiveFailureLimit": greater(
    (failures) => `autopilot goes on until ${failures} failures in a row`,
  ),
  "autopilotSafeguards.maxTurnsInARow": greater((turns) => `GAIA may begin ${turns} turns without your word`),
  "autopilotSafeguards.onFailureLimit": looser(
    [["supervised_pause"], ["checkpoint"]],
    () => "autopilot stays on when a budget is used up",
  ),
  "delegation.stallSeconds": greater((seconds) => `a silent specialist is left alone for ${seconds} seconds`),
  "delegation.maxTaskMinutes": greater((minutes) => `a specialist may work for ${minutes} minutes`),
  "delegation.maxRequests": greater((requests) => `a specialist may send ${requests} requests for a task`),
  "delegation.maxTokens": greater((tokens) => `a specialist may use ${tokens} tokens for a task`),
  "delegation.maxCost": greater((dollars) => `a specialist may spend ${dollars} dollars on a task`),
  "delegation.messages": looser([["off"], ["on"]], () => "specialists of one wave tell each other things"),
  "delegation.maxConcurrent.perProvider": greaterByName(
    (name, limit) => `${limit} specialists may run at once on ${name}`,
  ),
  "delegation.maxConcurrent.perModel": greaterByName(
    (name, limit) => `${limit} specialists may run at once on ${name}`,
  ),
  ...Object.fromEntries(
    ["perTask", "perUnit", "perDay"].flatMap((key) => [
      [`budget.${key}.cost`, greater((dollars) => `budget.${key} is ${dollars} dollars`)],
      [`budget.${key}.tokens`, greater((tokens) => `budget.${key} is ${tokens} tokens`)],
    ]),
  ),
  "policy.dangerous": eachMissing((pattern) => `no longer refuses your dangerous commands ${shown(pattern)}`),
  "policy.allow": eachEntry((pattern) => `autopilot and waves run without asking: ${shown(pattern)}`),
  "policy.allowSensitive": eachEntry((glob) => `agents may read files with secrets: ${shown(glob)}`),
  learn: looser(
    [["ask"], ["own-words"]],
    () => "your own words where you refuse a change count as accepted at once",
  ),
  ...under("capture", { enabled: harmless, proposals: harmless, sessions: harmless }),
  "notify.desktop": harmless,
  "notify.webhook": always((url) => `what GAIA waits for is sent to ${url}`),
  "guards.scope": harmless,
  "guards.todoReminder": harmless,
  "guards.harvestReminder": harmless,
  "guards.continuation": looser([[false], [true]], () => "GAIA is sent on by herself when work is open"),
  ...under("experimental", { systemContext: harmless, compaction: harmless, compactionSummary: harmless }),
  ...under("definitionOfDone", DEFINITION_RULES),
  ...under("agents.*", AGENT_RULES),
};

function under(parent: string, rules: Readonly<Record<string, PowerRule>>): Record<string, PowerRule> {
  return Object.fromEntries(Object.entries(rules).map(([key, rule]) => [`${parent}.${key}`, rule]));
}
