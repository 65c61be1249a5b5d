import { buildAgents } from "../../src/agents/build.ts";
import { SPECIALISTS } from "../../src/agents/registry.ts";
import { sandboxOf } from "../../src/config/sandbox.ts";
import type { ResolvedConfig } from "../../src/config/schema.ts";
import { initialKnobs, paceOf } from "../../src/conversation/collaboration/knobs.ts";
import { recordOf } from "../../src/lib/json.ts";
import { isStrayPath } from "../../src/trust/config-rules.ts";
import { PERMISSION_NAMES } from "../../src/host/opencode/tool-call.ts";

const AGENTS = new Set(["gaia", "minerva", "hephaestus", "demeter"]);
const TOOLS = ["bash", "edit", "webfetch", "mcp_x"];
const TARGETS = ["git push origin", "rm x", "src/a.ts"];
const expressions = new Map<string, RegExp>();

/** How loose a configuration is, by what is measured: a number, or what it lets through. */
type Measures = Record<string, number | ReadonlySet<string>>;

/** The ways in which `after` is looser than `before`; none for one that is as tight or tighter. */
export function loosened(before: ResolvedConfig, after: ResolvedConfig): string[] {
  const [old, fresh] = [measure(before), measure(after)];
  return Object.keys(fresh).filter((name) => !isTighter(old[name] ?? 0, fresh[name] ?? 0));
}

function isTighter(old: Measures[string], fresh: Measures[string]): boolean {
  if (typeof fresh === "number") return fresh <= Number(old);
  return typeof old !== "number" && [...fresh].every((each) => old.has(each));
}

function measure(config: ResolvedConfig): Measures {
  const { autopilotSafeguards, delegation, policy, wavePolicy, definitionOfDone, gaiaContext } = config;
  const knobs = initialKnobs(config);
  const done = definitionOfDone ?? { checks: [], artifacts: [], gate: "all" };
  const json = (values: readonly unknown[]) => new Set(values.map((each) => JSON.stringify(each)));
  return {
    mode: ["locked", "supervised", "autopilot"].indexOf(knobs.mode),
    pace: ["step", "batch", "wave", null].indexOf(paceOf(knobs)),
    interaction: ["pair", "standard"].indexOf(knobs.interaction),
    reviewDepth: ["deep_repo", "risk", "diff", "inline"].indexOf(knobs.reviewDepth),
    handshake: config.startup.askAtTaskStart ? 0 : 1,
    sandbox: ["on", "auto", "off", "machine"].indexOf(sandboxOf(config).mode),
    network: sandboxOf(config).network ? 1 : 0,
    hooks: sandboxOf(config).hooks === "uncontained" ? 1 : 0,
    writable: new Set(sandboxOf(config).writable),
    ast: config.ast === "on" ? 1 : 0,
    enforceWaveId: wavePolicy.enforceWaveId ? 0 : 1,
    boundary: wavePolicy.boundaryRule === "manual" ? 1 : 0,
    toolCalls: autopilotSafeguards.maxToolCallsPerWave,
    minutes: autopilotSafeguards.maxWaveMinutes,
    background: autopilotSafeguards.maxBackgroundTasks,
    failures: autopilotSafeguards.consecutiveFailureLimit,
    onFailure: autopilotSafeguards.onFailureLimit === "checkpoint" ? 1 : 0,
    stall: delegation.stallSeconds,
    taskMinutes: delegation.maxTaskMinutes,
    taskRequests: delegation.maxRequests,
    taskTokens: delegation.maxTokens,
    taskCost: delegation.maxCost,
    ...Object.fromEntries(
      Object.entries(config.budget).flatMap(([key, { cost = Infinity, tokens = Infinity }]) => [
        [`${key} cost`, cost],
        [`${key} tokens`, tokens],
      ]),
    ),
    turns: autopilotSafeguards.maxTurnsInARow,
    ...limits("provider", delegation.maxConcurrent.perProvider),
    ...limits("model", delegation.maxConcurrent.perModel),
    continuation: config.guards.continuation ? 1 : 0,
    unasked: new Set(policy.allow),
    sensitive: new Set(policy.allowSensitive),
    notDangerous: new Set(
      ["a", "rm *", "git *", "npm test"].filter((each) => !policy.dangerous.includes(each)),
    ),
    specialistTools: new Set(config.specialistTools),
    autostart: new Set(config.findings.autostart),
    strayFiles: new Set(
      [...gaiaContext.extraContextFiles, gaiaContext.initFile, gaiaContext.gaiaInstructionFile].filter(
        isStrayPath,
      ),
    ),
    checks: json(done.checks),
    gate: done.checks.length === 0 ? 0 : ["all", "any", "none"].indexOf(done.gate),
    ...permissions(config),
  };
}

/** What has no limit is unlimited. */
function limits(kind: string, given: Readonly<Record<string, number>>): Measures {
  const names = ["*", "bash", "npm test", "provider/model"];
  return Object.fromEntries(names.map((name) => [`${kind} ${name}`, given[name] ?? Infinity]));
}

/** What OpenCode would answer to a few calls of each agent, and how many steps it has. */
function permissions(config: ResolvedConfig): Measures {
  const { entries } = buildAgents({
    definitions: SPECIALISTS.filter(({ name }) => AGENTS.has(name)),
    overrides: config.agents,
    specialistTools: [],
    ownTools: [],
    approvals: [],
    names: PERMISSION_NAMES,
  });
  return Object.fromEntries(
    Object.entries(entries).flatMap(([agent, { permission, steps }]) => [
      [`${agent} steps`, steps ?? Infinity],
      ...TOOLS.flatMap((tool) =>
        TARGETS.map((target) => [`${agent} ${tool} ${target}`, evaluate(permission, tool, target)]),
      ),
    ]),
  ) as Measures;
}

/** OpenCode's evaluation: of all rules that match, the last one counts. */
function evaluate(permission: object, tool: string, target: string): number {
  const rules = Object.entries(permission).flatMap(([name, rule]) =>
    typeof rule === "string"
      ? [{ name, pattern: "*", action: rule }]
      : Object.entries(recordOf(rule)).map(([pattern, action]) => ({
          name,
          pattern,
          action: String(action),
        })),
  );
  const found = rules.findLast(({ name, pattern }) => matches(name, tool) && matches(pattern, target));
  return ["deny", "ask", "allow"].indexOf(found?.action ?? "allow");
}

function matches(pattern: string, text: string): boolean {
  const source = pattern.split("*").map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`));
  const known = expressions.get(pattern) ?? new RegExp(`^${source.join(".*")}$`);
  expressions.set(pattern, known);
  return known.test(text);
}
