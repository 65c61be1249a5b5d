import * as z from "zod/mini";
import { describe } from "../lib/schema.ts";
import { AgentOverrideSchema, type AgentOverride, EDITING } from "./agent-override.ts";
import { defaultConfig } from "./defaults.ts";
import { definitionOfDone } from "./definition-of-done.ts";
import { KNOBS, valuesOf, type KnobName } from "./knobs.ts";

/** The longest time that may be configured: timers wrap around soon after 24 days, and a day is enough. */
const DAY_SECONDS = 86_400;
const DAY_MINUTES = 1_440;
/** The shortest time that is worth a wave: three seconds. */
const LEAST_MINUTES = 0.05;

const DEFAULTS = defaultConfig();

/** Keys that may be left out, with what holds then. */
function withDefaults<S extends Record<string, z.ZodMiniType>>(
  defaults: { readonly [K in keyof S]: z.output<S[K]> },
  shape: S,
): { [K in keyof S]: z.ZodMiniDefault<S[K]> } {
  const entries = Object.entries(shape).map(([key, type]) => [key, z._default(type, defaults[key])]);
  return Object.fromEntries(entries) as { [K in keyof S]: z.ZodMiniDefault<S[K]> };
}

const texts = () => z.array(z.string().check(z.minLength(1)));
const count = (most: number) => z.int().check(z.gte(1), z.lte(most));
const limits = () => z.record(z.string().check(z.minLength(1)), z.int().check(z.gte(1), z.lte(1_000)));
const knob = <N extends KnobName>(name: N) => describe(z.enum(valuesOf(name)), KNOBS[name].about);

const StartupSchema = z.strictObject(
  withDefaults(DEFAULTS.startup, {
    askAtTaskStart: describe(z.boolean(), "GAIA asks how to work together when new work begins."),
    defaultProfile: knob("profile"),
    rampWarmupBatches: describe(
      count(1_000),
      "Batches to pair on before pair_ramp proposes an agentic profile.",
    ),
  }),
);

const GaiaContextSchema = z.strictObject(
  withDefaults(DEFAULTS.gaiaContext, {
    initFile: describe(z.string().check(z.minLength(1)), "Curated project context for GAIA."),
    gaiaInstructionFile: describe(
      z.string().check(z.minLength(1)),
      "Instructions for GAIA, read if present.",
    ),
    useLearnings: describe(z.boolean(), "Puts matching learnings into GAIA's context."),
    accountFor: describe(texts(), "What GAIA must always take into account."),
    avoid: describe(texts(), "Directions that GAIA must not take in this project."),
    extraContextFiles: describe(texts(), "Further files for GAIA's context, read if present."),
  }),
);

const WavePolicySchema = z.strictObject(
  withDefaults(DEFAULTS.wavePolicy, {
    enforceWaveId: describe(z.boolean(), "Every delegation that changes files must name its wave."),
    boundaryRule: describe(
      z.enum(["implementation+basic_checks", "manual"]),
      "When a wave may end: after passing checks, or when you say so.",
    ),
  }),
);

const AutopilotSafeguardsSchema = z.strictObject(
  withDefaults(DEFAULTS.autopilotSafeguards, {
    maxToolCallsPerWave: describe(count(100_000), "Tool calls after which a wave is closed."),
    maxWaveMinutes: describe(
      z.number().check(z.gte(LEAST_MINUTES), z.lte(DAY_MINUTES)),
      "Minutes of work after which a wave is closed; fractions are fine.",
    ),
    maxBackgroundTasks: describe(count(100), "Specialists that may run in the background at once."),
    consecutiveFailureLimit: describe(count(1_000), "Failures in a row after which autopilot stops."),
    maxTurnsInARow: describe(
      count(1_000),
      "Turns in a row that GAIA begins by herself, for results or open work, before she waits for your word.",
    ),
    onFailureLimit: describe(
      z.enum(["checkpoint", "supervised_pause"]),
      "What happens when autopilot stops.",
    ),
  }),
);

const MaxConcurrentSchema = z.strictObject(
  withDefaults(DEFAULTS.delegation.maxConcurrent, {
    perProvider: describe(limits(), "Most specialists at once by provider id."),
    perModel: describe(limits(), "Most specialists at once by provider/model."),
  }),
);

const DelegationSchema = z.strictObject({
  ...withDefaults(DEFAULTS.delegation, {
    stallSeconds: describe(count(DAY_SECONDS), "Seconds without a sign of life before a task is restarted."),
    maxTaskMinutes: describe(count(DAY_MINUTES), "Minutes after which a task is stopped in any case."),
    maxRequests: describe(
      count(100_000),
      "Requests to models after which a task is stopped, repeats included.",
    ),
    maxTokens: describe(count(1_000_000_000), "Tokens, without cached ones, after which a task is stopped."),
    maxCost: describe(
      z.number().check(z.gte(0.01), z.lte(100_000)),
      "US dollars after which a task is stopped.",
    ),
  }),
  maxConcurrent: describe(z.prefault(MaxConcurrentSchema, {}), "Limits on specialists that run at once."),
});

const amount = (whose: string) =>
  describe(
    z.strictObject({
      cost: describe(z.optional(z.number().check(z.gte(0.01), z.lte(100_000))), `US dollars for ${whose}.`),
      tokens: describe(z.optional(count(10_000_000_000)), `Tokens for ${whose}, without cached ones.`),
    }),
    `For ${whose}.`,
  );

const BudgetSchema = z.strictObject(
  withDefaults(DEFAULTS.budget, {
    perTask: amount("a specialist's session, its fix rounds included"),
    perUnit: amount("a work unit, GAIA's own requests included"),
    perDay: amount("one day in this project"),
  }),
);

const KnowledgeSchema = z.strictObject(
  withDefaults(DEFAULTS.knowledge, {
    enabled: describe(z.boolean(), "What people accepted in .gaia/knowledge is found and brought up."),
  }),
);

const PolicySchema = z.strictObject(
  withDefaults(DEFAULTS.policy, {
    dangerous: describe(texts(), "Further command patterns that are always refused."),
    allow: describe(
      texts(),
      "Command patterns that autopilot and approved waves run without asking, although they are lossy, outside or unknown.",
    ),
    allowSensitive: describe(texts(), "Globs of sensitive files that GAIA's sessions may read."),
  }),
);

const SandboxModeSchema = z.enum(["auto", "on", "off"]);

const SandboxSchema = z.union([
  SandboxModeSchema,
  z.strictObject({
    mode: z._default(SandboxModeSchema, "auto"),
    network: z._default(z.boolean(), false),
    writable: z._default(texts(), []),
  }),
]);

const LaneModeSchema = z.enum(["off", "auto", "always"]);

const LanesSchema = z.union([
  LaneModeSchema,
  z.strictObject({
    mode: z._default(LaneModeSchema, "off"),
    copy: z._default(texts(), []),
    setup: z.optional(z.string().check(z.minLength(1))),
  }),
]);

const CaptureSchema = z.strictObject(
  withDefaults(DEFAULTS.capture, {
    enabled: describe(z.boolean(), "false: nothing of the following is written."),
    proposals: describe(
      z.boolean(),
      "Proposes learnings: a correction of yours, an error and its fix, a question that comes again.",
    ),
    sessions: describe(z.boolean(), "Writes what a session was asked, did, decided and left into its unit."),
  }),
);

const NotifySchema = z.strictObject({
  ...withDefaults(DEFAULTS.notify, {
    desktop: describe(z.boolean(), "By the desktop: notify-send on Linux, osascript on macOS."),
  }),
  webhook: describe(
    z.optional(z.url({ protocol: /^https?$/ })),
    "By a POST of JSON to this address: event, project, unit, session, text, at.",
  ),
});

const GuardsSchema = z.strictObject(
  withDefaults(DEFAULTS.guards, {
    scope: describe(z.boolean(), "Notes an edit of a file that the plan does not name."),
    comments: describe(z.boolean(), "Notes comments that only restate the code."),
    todoReminder: describe(z.boolean(), "Reminds of a todo list when three delegations are open."),
    harvestReminder: describe(z.boolean(), "Reminds to write the record once work is done and verified."),
    continuation: describe(
      z.boolean(),
      "Sends GAIA on, at most twice, when she stops with todos or plan tasks open.",
    ),
  }),
);

const ExperimentalSchema = z.strictObject(
  withDefaults(DEFAULTS.experimental, {
    systemContext: describe(
      z.boolean(),
      "The project's context goes into GAIA's system prompt; off, it ends the first message.",
    ),
    compaction: describe(z.boolean(), "OpenCode's summary of a long conversation is told of the open tasks."),
    compactionSummary: describe(
      z.boolean(),
      "The open tasks stand under that summary; off, they end your next message.",
    ),
  }),
);

/**
 * The whole configuration (SPEC 7), strict at every level. Its defaults are filled in by parsing, so parse only what
 * has been merged; the agents' own defaults are not here but with each agent.
 * @param knownAgents names that `agents` may hold, custom specialists included
 */
export function createConfigSchema(knownAgents: readonly string[]) {
  const entries = knownAgents.map((name) => [name, z.optional(AgentOverrideSchema)] as const);
  // Typed as present: that a name may be missing is already what a lookup in a record says.
  const agents = Object.fromEntries(entries) as Record<string, z.ZodMiniType<AgentOverride, AgentOverride>>;
  return z.strictObject({
    $schema: describe(z.optional(z.string()), "Address of this schema, for completion in editors."),
    root: describe(
      z.optional(z.boolean()),
      "true: this folder is meant to be a project of its own, below another one with a .gaia.",
    ),
    ...withDefaults(DEFAULTS, {
      preset: describe(
        z.enum(["budget", "balanced", "premium", "local"]),
        "Sets the models of all agents at once; keys under agents win.",
      ),
      mode: knob("mode"),
      visibility: knob("visibility"),
      interaction: knob("interaction"),
      checkinCadence: knob("checkinCadence"),
      reviewDepth: knob("reviewDepth"),
      sandbox: describe(
        SandboxSchema,
        "Which commands run contained: auto is those that nobody looks at before, on is all. As an object: mode, network (true leaves it on), writable (absolute paths beside the project).",
      ),
      lanes: describe(
        LanesSchema,
        "Which editing tasks of a plan get a worktree: auto is several of one wave. As an object: mode, copy (globs of ignored files that it needs), setup (a command that makes it ready, such as npm ci).",
      ),
      ast: describe(
        z.enum(["off", "on"]),
        "on: specialists search and rewrite code by its structure with ast_gaia, which runs your ast-grep.",
      ),
      editing: describe(
        z.enum(EDITING),
        "anchored: editing specialists change files with edit_gaia, by hashes of the lines that they read, and not with OpenCode's edit.",
      ),
      code: describe(z.enum(["off", "on"]), "on: specialists ask language servers (docs/code.md)."),
      structuredOutput: describe(
        z.enum(["auto", "native", "text"]),
        "How specialists hand over results. native (OpenCode's structured output) makes their sessions unreadable in OpenCode 1.18; auto is text there.",
      ),
      specialistTools: describe(
        texts(),
        "Tools of MCP servers and other plugins for all specialists, as globs.",
      ),
    }),
    startup: describe(z.prefault(StartupSchema, {}), "What happens when new work begins."),
    gaiaContext: describe(
      z.prefault(GaiaContextSchema, {}),
      "What GAIA knows about the project from the start.",
    ),
    capture: describe(z.prefault(CaptureSchema, {}), "What is noted without anybody asking for it."),
    notify: describe(
      z.prefault(NotifySchema, {}),
      "Tells you away from the terminal what GAIA waits for: an approval, an answer, a check-in, a stop, or that she has finished.",
    ),
    wavePolicy: describe(z.prefault(WavePolicySchema, {}), "Rules of execution waves."),
    autopilotSafeguards: describe(z.prefault(AutopilotSafeguardsSchema, {}), "Budgets that stop autopilot."),
    definitionOfDone: describe(
      z.optional(definitionOfDone()),
      "What has to hold before work counts as done.",
    ),
    delegation: describe(z.prefault(DelegationSchema, {}), "Time-outs and limits of specialists."),
    budget: describe(
      z.prefault(BudgetSchema, {}),
      "What may be spent; used up, nothing more is sent until you say so.",
    ),
    knowledge: describe(z.prefault(KnowledgeSchema, {}), "What the team knows and people decide on."),
    policy: describe(z.prefault(PolicySchema, {}), "Additions to the built-in safety rules."),
    guards: describe(z.prefault(GuardsSchema, {}), "Advisory checks, each can be switched off."),
    experimental: describe(
      z.prefault(ExperimentalSchema, {}),
      "Hooks that OpenCode calls experimental; without one, the user's messages carry what it would.",
    ),
    agents: describe(z.prefault(z.strictObject(agents), {}), "Overrides per agent, by its name."),
  });
}

/** The schema that {@link createConfigSchema} makes. */
export type ConfigSchema = ReturnType<typeof createConfigSchema>;

/** A merged configuration with every default filled in; `agents` holds overrides and the preset's models only. */
export type ResolvedConfig = z.output<ConfigSchema>;
