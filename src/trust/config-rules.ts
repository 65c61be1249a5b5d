import { visible } from "../lib/text.ts";
import { posix, win32 } from "node:path";
import { isJsonObject, ownValue, type JsonObject, type JsonValue } from "../config/json-value.ts";
import { DEFAULT_KNOBS, valuesOf } from "../config/knobs.ts";
import { isSensitivePath } from "../policy/sensitive-path.ts";
import { inOrder, isSamePower, shown } from "./power.ts";
import {
  always,
  greater,
  greaterByName,
  harmless,
  itemsOf,
  listRule,
  looser,
  type PowerRule,
  wholly,
  without,
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

const STRAY = "GAIA's context is given the file %, which is outside of the project or private";

const contextFile: PowerRule = (value, base, scene) =>
  typeof value === "string" && !isStrayPath(value) ? [] : always(STRAY)(value, base, scene);

const SWITCH = ["off", "on"];
const SANDBOX_RANKS: readonly JsonValue[] = ["on", "auto", "off", "machine"];

function sandboxValue(value: JsonValue | undefined) {
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
    without(asked.writable, below.writable).length === 0;
  return isTight ? [] : wholly(value, `commands of agents are contained as ${shown(value)} says`);
};

const defaultProfile: PowerRule = (value, base, scene) => {
  const isApplied = ownValue(scene.base["startup"], "askAtTaskStart") === false;
  const isAutopilot = AUTOPILOT_PROFILES.some((profile) => profile === value);
  return isApplied || isAutopilot ? always("the profile % is your default")(value, base, scene) : [];
};

/** A check as a person reads it: everything that decides what runs. */
export function describeCheck(check: JsonValue): string {
  const { command = "", cwd, id, ...rest } = isJsonObject(check) ? check : { command: check };
  const where = cwd === undefined ? "" : ` in ${shown(cwd)}`;
  const name = id === undefined ? "a check" : `the check ${shown(id)}`;
  const more = Object.entries(rest).map(([key, value]) => `${visible(key)}: ${shown(value ?? null)}`);
  return `runs the command ${shown(command)}${where} as ${name}${more.length === 0 ? "" : ` (${more.join(", ")})`}`;
}

/** Each check that is not below is a power, as in any other file; leaving some out is one more. */
const checks: PowerRule = (value, base, scene) => [
  ...without(itemsOf(value), itemsOf(base)).map((check) => ({ what: describeCheck(check), value: check })),
  ...listRule({ left: "leaves out your check %" })(value, base, scene),
];

/**
 * An agent's permissions: denials of whole tools are harmless. All else is one power, `ask` too, for a specialist is denied what it
 * is not given; and what is denied for some patterns may take the place of a rule that is tighter.
 */
const permission: PowerRule = (value, _base, { agent }) => {
  const rules = isJsonObject(value) ? value : {};
  const denials = Object.entries(rules).filter(([, rule]) => rule === "deny");
  if (denials.length === Object.keys(rules).length) return [];
  const tighter = denials.length === 0 ? {} : { tighter: Object.fromEntries(denials) };
  return [{ what: `${agent} may use ${shown(value)}`, value: inOrder(rules), ...tighter }];
};

const DEFINITION_RULES: Readonly<Record<string, PowerRule>> = {
  artifacts: listRule({ left: "no longer wants your artifact %" }),
  checks,
  gate: looser(["all", "any", "none"], "of the checks, % have to pass", { unset: "all" }),
};

const AGENT_RULES: Readonly<Record<string, PowerRule>> = {
  ...allHarmless(`model fallback temperature reasoningEffort thinking.type thinking.budgetTokens maxTokens editing
    toolbox.skills prompt prompt_append`),
  steps: greater("an agent may take % steps", ({ agent, defaultSteps }) => defaultSteps(agent)),
  "toolbox.tools": listRule({ added: "a specialist may ask for the tools %" }),
  disabled: looser([true, false], "an agent that you disabled is enabled", { unset: false }),
  permission,
};

/**
 * Every key of the configuration, and whether a project may set it by itself. A key that is missing here is a power.
 * `*` stands for the name of an agent.
 */
export const CONFIG_RULES: Readonly<Record<string, PowerRule>> = {
  ...allHarmless(`$schema preset visibility editing skills startup.rampWarmupBatches
    gaiaContext.useLearnings gaiaContext.accountFor gaiaContext.avoid
    knowledge.enabled knowledge.inject knowledge.maxItems knowledge.maxTokens
    knowledge.threshold knowledge.timeoutMs findings.enabled findings.ask
    capture.enabled capture.proposals capture.sessions notify.desktop`),
  mode: looser(["locked", "supervised", "autopilot"], "GAIA works in mode %", { isKnob: true }),
  interaction: looser(["pair", "standard"], "GAIA works in interaction %", { isKnob: true }),
  checkinCadence: looser(valuesOf("checkinCadence"), "GAIA stops for you once per %", {
    isKnob: true,
    unset: DEFAULT_KNOBS.checkinCadence,
  }),
  reviewDepth: looser(valuesOf("reviewDepth").toReversed(), "reviews look no further than %", {
    isKnob: true,
  }),
  sandbox,
  lanes: (value, base) =>
    value === "off" || isSamePower(value, base)
      ? []
      : wholly(value, `specialists work in worktrees, and their setup is run: ${shown(value)}`),
  hands: looser(SWITCH, "language servers and ast-grep are started, and specialists work in worktrees"),
  ast: looser(SWITCH, "specialists search and rewrite code with ast-grep, which is run"),
  code: looser(SWITCH, "language servers are started, which may run what the project holds"),
  specialistTools: listRule({ added: "specialists may ask for the tools %" }),
  skillServers: looser(SWITCH, "specialists may ask to start the MCP servers that skills bring"),
  "startup.askAtTaskStart": always("GAIA asks how to work together when work begins: %"),
  "startup.defaultProfile": defaultProfile,
  "gaiaContext.initFile": contextFile,
  "gaiaContext.gaiaInstructionFile": contextFile,
  "gaiaContext.extraContextFiles": listRule(
    { added: STRAY },
    (path) => typeof path === "string" && !isStrayPath(path),
  ),
  "findings.autostart": listRule({ added: "autopilot begins work on findings by itself: %" }),
  "wavePolicy.enforceWaveId": looser([true, false], "an approved wave covers work that names no wave"),
  "wavePolicy.boundaryRule": looser(
    ["implementation+basic_checks", "manual"],
    "a wave ends without passing checks",
  ),
  ...under("autopilotSafeguards", {
    maxToolCallsPerWave: greater("a wave may take % tool calls"),
    maxWaveMinutes: greater("a wave may take % minutes"),
    maxBackgroundTasks: greater("% specialists may work in the background"),
    consecutiveFailureLimit: greater("autopilot goes on until % failures in a row"),
    maxTurnsInARow: greater("GAIA may begin % turns without your word"),
    onFailureLimit: looser(["supervised_pause", "checkpoint"], "autopilot stays on when a budget is used up"),
  }),
  ...under("delegation", {
    stallSeconds: greater("a silent specialist is left alone for % seconds"),
    maxTaskMinutes: greater("a specialist may work for % minutes"),
    maxRequests: greater("a specialist may send % requests for a task"),
    maxTokens: greater("a specialist may use % tokens for a task"),
    maxCost: greater("a specialist may spend % dollars on a task"),
    messages: looser(SWITCH, "specialists of one wave tell each other things"),
    "maxConcurrent.perProvider": greaterByName,
    "maxConcurrent.perModel": greaterByName,
  }),
  ...Object.fromEntries(
    ["perTask", "perUnit", "perDay"].flatMap((key) => [
      [`budget.${key}.cost`, greater(`budget.${key} is % dollars`)],
      [`budget.${key}.tokens`, greater(`budget.${key} is % tokens`)],
    ]),
  ),
  "policy.dangerous": listRule({ left: "no longer refuses your dangerous commands %" }),
  "policy.allow": listRule({ added: "autopilot and waves run without asking: %" }),
  "policy.allowSensitive": listRule({ added: "agents may read files with secrets: %" }),
  learn: looser(["ask", "own-words"], "your own words where you refuse a change count as accepted at once"),
  "notify.webhook": always("what GAIA waits for is sent to %"),
  "guards.continuation": looser([false, true], "GAIA is sent on by itself when work is open"),
  ...under("definitionOfDone", DEFINITION_RULES),
  ...under("agents.*", AGENT_RULES),
};

function allHarmless(keys: string): Record<string, PowerRule> {
  return Object.fromEntries(keys.split(/\s+/u).map((key) => [key, harmless]));
}

function under(parent: string, rules: Readonly<Record<string, PowerRule>>): Record<string, PowerRule> {
  return Object.fromEntries(Object.entries(rules).map(([key, rule]) => [`${parent}.${key}`, rule]));
}
