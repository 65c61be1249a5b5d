import type { AgentOverride } from "../config/agent-override.ts";
import { INHERIT_MODEL } from "../config/inherit-model.ts";
import type { Role } from "../config/roles.ts";
import type { ModelPreference } from "../delegation/models.ts";
import type { Specialist } from "../delegation/specialist.ts";
import type { AgentEntry, PermissionNames, PermissionRules } from "../host/hook-events.ts";
import type { ModelId } from "../host/port.ts";
import { isEditor, type AgentDefaults, type SpecialistDefinition } from "./define.ts";
import { GAIA, GAIA_DEFAULTS, GAIA_DESCRIPTION, renderGaiaPrompt } from "./gaia.ts";
import { allowAll, gaiaPermission, specialistPermission } from "./permission.ts";

/** The bound on a reader's steps (SPEC 3), which the plugin keeps: OpenCode's own ends no loop. */
export const READER_STEPS = 40;
const EDITOR_STEPS = 80;
/** The bound on GAIA's own turns for one message of the user's: a long plan takes dozens. */
export const GAIA_STEPS = 120;

export function defaultSteps({ steps, access }: SpecialistDefinition): number {
  return steps ?? (isEditor(access) ? EDITOR_STEPS : READER_STEPS);
}

const NO_PREFERENCE: ModelPreference = { models: [] };

const ORCHESTRATOR = { name: GAIA, defaults: GAIA_DEFAULTS };

export type Agents = ReturnType<typeof buildAgents>;

export interface AgentsInput {
  readonly definitions: readonly SpecialistDefinition[];
  readonly overrides: Readonly<Record<string, AgentOverride>>;
  readonly specialistTools: readonly string[];
  /** GAIA's own tools, and the permissions that they raise a dialog for. */
  readonly ownTools: readonly string[];
  readonly approvals: readonly string[];
  readonly names: PermissionNames;
  /** See {@link gaiaPermission}. */
  readonly opens?: string | undefined;
  /** What a specialist may do with the tools for files; nothing by default. */
  readonly fileTools?: (definition: SpecialistDefinition) => PermissionRules;
}

/** Turns definitions and configuration into what OpenCode and the delegation engine need. Pure. */
export function buildAgents(input: AgentsInput) {
  const overrideOf = (name: string): AgentOverride => input.overrides[name] ?? {};
  const isEnabled = ({ name }: { name: string }): boolean => overrideOf(name).disabled !== true;
  const enabled = input.definitions.filter(isEnabled);
  const everybody = [ORCHESTRATOR, ...input.definitions].filter(isEnabled);
  const settled = new Map(
    everybody.map((agent) => {
      const override = overrideOf(agent.name);
      const bound = "access" in agent ? defaultSteps(agent) : GAIA_STEPS;
      const preference = preferenceOf(agent.defaults, override);
      return [agent.name, { preference, steps: override.steps ?? bound }];
    }),
  );
  const entryOf = (
    { name, defaults }: Pick<SpecialistDefinition, "name" | "defaults">,
    own: Omit<AgentEntry, "temperature">,
  ): [string, AgentEntry] => {
    const override = overrideOf(name);
    const preference = settled.get(name)?.preference;
    // A default is no choice of the user's: OpenCode would call it invalid where its provider is not connected.
    const model =
      override.model ?? (preference?.capability === undefined ? preference?.models[0] : undefined);
    const { temperature = defaults.temperature, steps = own.steps } = override;
    return [
      name,
      {
        ...own,
        prompt: promptOf(own.prompt, override),
        ...(model === undefined || model === INHERIT_MODEL ? {} : { model }),
        temperature,
        ...(steps === undefined ? {} : { steps }),
        permission: refine(own.permission, override.permission),
      },
    ];
  };
  const entries = enabled.map((definition) => {
    const { access, description, prompt } = definition;
    const { toolbox: { tools = [], skills } = {} } = overrideOf(definition.name);
    const granted = specialistPermission(access, [...input.specialistTools, ...tools], input.names);
    const steps = defaultSteps(definition);
    const permission = {
      ...granted,
      ...(skills === undefined ? {} : { skill: { "*": "deny" as const, ...allowAll(skills) } }),
      ...input.fileTools?.(definition),
    };
    const own = refine(permission, definition.permission);
    return entryOf(definition, { mode: "subagent", description, prompt, steps, permission: own });
  });
  if (isEnabled(ORCHESTRATOR)) {
    const permission = gaiaPermission(input.ownTools, input.approvals, input.names, input.opens);
    const prompt = renderGaiaPrompt(enabled);
    entries.unshift(
      entryOf(ORCHESTRATOR, { mode: "primary", description: GAIA_DESCRIPTION, prompt, permission }),
    );
  }
  const roles = new Map(input.definitions.map(({ name, role }) => [name, role]));
  return {
    entries: Object.fromEntries(entries),
    specialists: new Map<string, Specialist>(
      enabled.map(({ name, role, contract, access }) => [
        name,
        {
          name,
          role,
          contract,
          mutates: isEditor(access),
          get models() {
            return settled.get(name)?.preference.models ?? [];
          },
          get capability() {
            return settled.get(name)?.preference.capability;
          },
        },
      ]),
    ),
    tuning: Object.fromEntries(
      everybody.map(({ name, defaults }) => [name, tuningOf(defaults, overrideOf(name))]),
    ),
    /** Agents that may only read, GAIA included. */
    readers: new Set([GAIA, ...enabled.flatMap(({ name, access }) => (isEditor(access) ? [] : [name]))]),
    ruledByPath: new Set<string>(),
    /** The role of a specialist, of a disabled one too; null for everyone else. */
    roleOf: (name: string | null): Role | null => roles.get(name ?? "") ?? null,
    /** Names of the enabled specialists with one of these roles, in the order of the roster. */
    named: (...wanted: readonly Role[]): string[] =>
      enabled.flatMap(({ name, role }) => (role !== null && wanted.includes(role) ? [name] : [])),
    /** The bound on an agent's turns; undefined for one that is not ours. */
    stepsOf: (name: string): number | undefined => settled.get(name)?.steps,
    /** An entry in opencode.json tightens a bound; it may be the project's, so that more steps take our own configuration. */
    limitSteps(name: string, bound: number): void {
      const own = settled.get(name);
      if (own !== undefined) own.steps = Math.min(own.steps, bound);
    },
    /** Which models an agent prefers, GAIA included; undefined for others and for one that is disabled. */
    preferenceOf: (name: string): ModelPreference | undefined => settled.get(name)?.preference,
    /** Puts the model of the user's own entry in opencode.json first, which wins over the plugin's (SPEC 3). */
    preferModel(name: string, model: ModelId): void {
      const own = settled.get(name);
      if (own === undefined) return;
      own.preference = { ...own.preference, models: [...new Set([model, ...own.preference.models])] };
    },
  };
}

/** The user's model, the default, the fallbacks (SPEC 6). A configured fallback list replaces the rest, the choice by capability included. */
function preferenceOf(defaults: AgentDefaults, override: AgentOverride): ModelPreference {
  if (override.model === INHERIT_MODEL) return NO_PREFERENCE;
  const chosen = override.model === undefined ? [] : [override.model];
  const rest = override.fallback === undefined ? defaults.models : override.fallback;
  const first =
    override.fallback === undefined ? chosen : [override.model ?? defaults.models[0] ?? []].flat();
  const capability = override.fallback === undefined ? defaults.capability : undefined;
  return { models: [...new Set([...first, ...rest])], capability };
}

/** The user's rules stand behind the agent's own, for the last match counts; rules for patterns leave the rest of their tool as it was. */
function refine(own: PermissionRules, ruled: PermissionRules = {}): PermissionRules {
  const rules = new Map(Object.entries(own));
  for (const [name, rule] of Object.entries(ruled)) {
    const base = rules.get(name) ?? {};
    const patterns = new Map(Object.entries(typeof base === "string" ? { "*": base } : base));
    for (const [pattern, action] of typeof rule === "string" ? [] : Object.entries(rule)) {
      patterns.delete(pattern);
      patterns.set(pattern, action);
    }
    // What holds for every tool stays in front of what is said of one.
    if (name !== "*") rules.delete(name);
    rules.set(name, typeof rule === "string" ? rule : Object.fromEntries(patterns));
  }
  return Object.fromEntries(rules);
}

function promptOf(own: string, override: AgentOverride): string {
  const prompt = override.prompt ?? own;
  return override.prompt_append === undefined ? prompt : `${prompt}\n\n${override.prompt_append}`;
}

/** Parameters that depend on the model which finally runs, and so are set per request. */
function tuningOf(defaults: AgentDefaults, override: AgentOverride) {
  const reasoningEffort = override.reasoningEffort ?? defaults.reasoningEffort;
  return {
    ...(reasoningEffort === undefined ? {} : { reasoningEffort }),
    ...(override.thinking === undefined ? {} : { thinkingBudget: override.thinking.budgetTokens }),
    ...(override.maxTokens === undefined ? {} : { maxTokens: override.maxTokens }),
  };
}
