import * as z from "zod";
import { AgentOverrideSchema, type AgentOverride } from "./agent-override.ts";
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
function withDefaults<S extends Record<string, z.ZodType>>(
  defaults: { readonly [K in keyof S]: z.output<S[K]> },
  shape: S,
): { [K in keyof S]: z.ZodDefault<S[K]> } {
  const entries = Object.entries(shape).map(([key, type]) => [key, type.default(defaults[key])]);
  return Object.fromEntries(entries) as { [K in keyof S]: z.ZodDefault<S[K]> };
}

const texts = () => z.array(z.string().min(1));
const count = (most: number) => z.int().min(1).max(most);
const limits = () => z.record(z.string().min(1), z.int().min(1).max(1_000));
const knob = <N extends KnobName>(name: N) => z.enum(valuesOf(name)).describe(KNOBS[name].about);

const StartupSchema = z.strictObject(
  withDefaults(DEFAULTS.startup, {
    askAtTaskStart: z.boolean().describe("GAIA asks how to work together when new work begins."),
    defaultProfile: knob("profile"),
    rampWarmupBatches: count(1_000).describe(
      "Batches to pair on before pair_ramp proposes an agentic profile.",
    ),
  }),
);

const GaiaContextSchema = z.strictObject(
  withDefaults(DEFAULTS.gaiaContext, {
    initFile: z.string().min(1).describe("Curated project context for GAIA."),
    gaiaInstructionFile: z.string().min(1).describe("Instructions for GAIA, read if present."),
    useLearnings: z.boolean().describe("Puts matching learnings into GAIA's context."),
    accountFor: texts().describe("What GAIA must always take into account."),
    avoid: texts().describe("Directions that GAIA must not take in this project."),
    extraContextFiles: texts().describe("Further files for GAIA's context, read if present."),
  }),
);

const WavePolicySchema = z.strictObject(
  withDefaults(DEFAULTS.wavePolicy, {
    enforceWaveId: z.boolean().describe("Every delegation that changes files must name its wave."),
    boundaryRule: z
      .enum(["implementation+basic_checks", "manual"])
      .describe("When a wave may end: after passing checks, or when you say so."),
  }),
);

const AutopilotSafeguardsSchema = z.strictObject(
  withDefaults(DEFAULTS.autopilotSafeguards, {
    maxToolCallsPerWave: count(100_000).describe("Tool calls after which a wave is closed."),
    maxWaveMinutes: z
      .number()
      .min(LEAST_MINUTES)
      .max(DAY_MINUTES)
      .describe("Minutes of work after which a wave is closed; fractions are fine."),
    maxBackgroundTasks: count(100).describe("Specialists that may run in the background at once."),
    consecutiveFailureLimit: count(1_000).describe("Failures in a row after which autopilot stops."),
    maxTurnsInARow: count(1_000).describe(
      "Turns in a row that GAIA begins by herself, for results or open work, before she waits for your word.",
    ),
    onFailureLimit: z.enum(["checkpoint", "supervised_pause"]).describe("What happens when autopilot stops."),
  }),
);

const MaxConcurrentSchema = z.strictObject(
  withDefaults(DEFAULTS.delegation.maxConcurrent, {
    perProvider: limits().describe("Most specialists at once by provider id."),
    perModel: limits().describe("Most specialists at once by provider/model."),
  }),
);

const DelegationSchema = z.strictObject({
  ...withDefaults(DEFAULTS.delegation, {
    stallSeconds: count(DAY_SECONDS).describe("Seconds without a sign of life before a task is restarted."),
    maxTaskMinutes: count(DAY_MINUTES).describe("Minutes after which a task is stopped in any case."),
    maxRequests: count(100_000).describe(
      "Requests to models after which a task is stopped, repeats included.",
    ),
    maxTokens: count(1_000_000_000).describe("Tokens, without cached ones, after which a task is stopped."),
    maxCost: z.number().min(0.01).max(100_000).describe("US dollars after which a task is stopped."),
  }),
  maxConcurrent: MaxConcurrentSchema.prefault({}).describe("Limits on specialists that run at once."),
});

const amount = (whose: string) =>
  z
    .strictObject({
      cost: z.number().min(0.01).max(100_000).optional().describe(`US dollars for ${whose}.`),
      tokens: count(10_000_000_000).optional().describe(`Tokens for ${whose}, without cached ones.`),
    })
    .describe(`For ${whose}.`);

const BudgetSchema = z.strictObject(
  withDefaults(DEFAULTS.budget, {
    perTask: amount("a specialist's session, its fix rounds included"),
    perUnit: amount("a work unit, GAIA's own requests included"),
    perDay: amount("one day in this project"),
  }),
);

const PolicySchema = z.strictObject(
  withDefaults(DEFAULTS.policy, {
    dangerous: texts().describe("Further command patterns that are always refused."),
    allow: texts().describe(
      "Command patterns that autopilot and approved waves run without asking, although they are lossy, outside or unknown.",
    ),
    allowSensitive: texts().describe("Globs of sensitive files that GAIA's sessions may read."),
  }),
);

const SandboxModeSchema = z.enum(["auto", "on", "off"]);

const SandboxSchema = z.union([
  SandboxModeSchema,
  z.strictObject({
    mode: SandboxModeSchema.default("auto"),
    network: z.boolean().default(false),
    writable: texts().default([]),
  }),
]);

const GuardsSchema = z.strictObject(
  withDefaults(DEFAULTS.guards, {
    scope: z.boolean().describe("Notes an edit of a file that the plan does not name."),
    comments: z.boolean().describe("Notes comments that only restate the code."),
    todoReminder: z.boolean().describe("Reminds of a todo list when three delegations are open."),
    harvestReminder: z.boolean().describe("Reminds to write the record once work is done and verified."),
    continuation: z
      .boolean()
      .describe("Sends GAIA on, at most twice, when she stops with todos or plan tasks open."),
  }),
);

const ExperimentalSchema = z.strictObject(
  withDefaults(DEFAULTS.experimental, {
    systemContext: z
      .boolean()
      .describe("The project's context goes into GAIA's system prompt; off, it ends the first message."),
    compaction: z.boolean().describe("OpenCode's summary of a long conversation is told of the open tasks."),
    compactionSummary: z
      .boolean()
      .describe("The open tasks stand under that summary; off, they end your next message."),
  }),
);

/**
 * The whole configuration (SPEC 7), strict at every level. Its defaults are filled in by parsing, so parse only what
 * has been merged; the agents' own defaults are not here but with each agent.
 * @param knownAgents names that `agents` may hold, custom specialists included
 */
export function createConfigSchema(knownAgents: readonly string[]) {
  const entries = knownAgents.map((name) => [name, AgentOverrideSchema.optional()] as const);
  // Typed as present: that a name may be missing is already what a lookup in a record says.
  const agents = Object.fromEntries(entries) as Record<string, z.ZodType<AgentOverride, AgentOverride>>;
  return z.strictObject({
    $schema: z.string().optional().describe("Address of this schema, for completion in editors."),
    root: z
      .boolean()
      .optional()
      .describe("true: this folder is meant to be a project of its own, below another one with a .gaia."),
    ...withDefaults(DEFAULTS, {
      preset: z
        .enum(["budget", "balanced", "premium", "local"])
        .describe("Sets the models of all agents at once; keys under agents win."),
      mode: knob("mode"),
      visibility: knob("visibility"),
      interaction: knob("interaction"),
      checkinCadence: knob("checkinCadence"),
      reviewDepth: knob("reviewDepth"),
      sandbox: SandboxSchema.describe(
        "Which commands run contained: auto is those that nobody looks at before, on is all. As an object: mode, network (true leaves it on), writable (absolute paths beside the project).",
      ),
      structuredOutput: z
        .enum(["auto", "native", "text"])
        .describe(
          "How specialists hand over results. native (OpenCode's structured output) makes their sessions unreadable in OpenCode 1.18; auto is text there.",
        ),
      specialistTools: texts().describe(
        "Tools of MCP servers and other plugins for all specialists, as globs.",
      ),
    }),
    startup: StartupSchema.prefault({}).describe("What happens when new work begins."),
    gaiaContext: GaiaContextSchema.prefault({}).describe("What GAIA knows about the project from the start."),
    wavePolicy: WavePolicySchema.prefault({}).describe("Rules of execution waves."),
    autopilotSafeguards: AutopilotSafeguardsSchema.prefault({}).describe("Budgets that stop autopilot."),
    definitionOfDone: definitionOfDone().optional().describe("What has to hold before work counts as done."),
    delegation: DelegationSchema.prefault({}).describe("Time-outs and limits of specialists."),
    budget: BudgetSchema.prefault({}).describe(
      "What may be spent; used up, nothing more is sent until you say so.",
    ),
    policy: PolicySchema.prefault({}).describe("Additions to the built-in safety rules."),
    guards: GuardsSchema.prefault({}).describe("Advisory checks, each can be switched off."),
    experimental: ExperimentalSchema.prefault({}).describe(
      "Hooks that OpenCode calls experimental; without one, the user's messages carry what it would.",
    ),
    agents: z.strictObject(agents).prefault({}).describe("Overrides per agent, by its name."),
  });
}

/** The schema that {@link createConfigSchema} makes. */
export type ConfigSchema = ReturnType<typeof createConfigSchema>;

/** A merged configuration with every default filled in; `agents` holds overrides and the preset's models only. */
export type ResolvedConfig = z.output<ConfigSchema>;
