import * as z from "zod";
import { AgentOverrideSchema, type AgentOverride } from "./agent-override.ts";
import { DefinitionOfDoneSchema } from "./definition-of-done.ts";

/** The longest time that may be configured: timers wrap around soon after 24 days, and a day is enough. */
const DAY_SECONDS = 86_400;
const DAY_MINUTES = 1_440;
/** The shortest time that is worth a wave: three seconds. */
const LEAST_MINUTES = 0.05;

const texts = () => z.array(z.string().min(1)).default([]);
const flag = (initial: boolean) => z.boolean().default(initial);
const count = (initial: number, most: number) => z.int().min(1).max(most).default(initial);
const limits = () => z.record(z.string().min(1), z.int().min(1).max(1_000)).default({});

const StartupSchema = z.strictObject({
  askAtTaskStart: flag(true).describe("GAIA asks how to work together when new work begins."),
  defaultProfile: z
    .enum(["pair_live", "pair_batched", "pair_ramp", "agentic_checkpoint", "agentic_full", "standard"])
    .default("standard")
    .describe("Collaboration profile that is proposed first."),
  rampWarmupBatches: count(2, 1_000).describe(
    "Batches to pair on before pair_ramp proposes an agentic profile.",
  ),
});

const GaiaContextSchema = z.strictObject({
  initFile: z.string().min(1).default(".gaia/gaia-init.md").describe("Curated project context for GAIA."),
  gaiaInstructionFile: z
    .string()
    .min(1)
    .default("GAIA.md")
    .describe("Instructions for GAIA, read if present."),
  useLearnings: flag(true).describe("Puts matching learnings into GAIA's context."),
  accountFor: texts().describe("What GAIA must always take into account."),
  avoid: texts().describe("Directions that GAIA must not take in this project."),
  extraContextFiles: texts().describe("Further files for GAIA's context, read if present."),
});

const WavePolicySchema = z.strictObject({
  enforceWaveId: flag(true).describe("Every delegation that changes files must name its wave."),
  boundaryRule: z
    .enum(["implementation+basic_checks", "manual"])
    .default("implementation+basic_checks")
    .describe("When a wave may end: after passing checks, or when you say so."),
});

const AutopilotSafeguardsSchema = z.strictObject({
  maxToolCallsPerWave: count(40, 100_000).describe("Tool calls after which a wave is closed."),
  maxWaveMinutes: z
    .number()
    .min(LEAST_MINUTES)
    .max(DAY_MINUTES)
    .default(20)
    .describe("Minutes of work after which a wave is closed; fractions are fine."),
  maxBackgroundTasks: count(3, 100).describe("Specialists that may run in the background at once."),
  consecutiveFailureLimit: count(3, 1_000).describe("Failures in a row after which autopilot stops."),
  onFailureLimit: z
    .enum(["checkpoint", "supervised_pause"])
    .default("checkpoint")
    .describe("What happens when autopilot stops."),
});

const MaxConcurrentSchema = z.strictObject({
  perProvider: limits().describe("Most specialists at once by provider id."),
  perModel: limits().describe("Most specialists at once by provider/model."),
});

const DelegationSchema = z.strictObject({
  stallSeconds: count(180, DAY_SECONDS).describe(
    "Seconds without a sign of life before a task is restarted.",
  ),
  maxTaskMinutes: count(30, DAY_MINUTES).describe("Minutes after which a task is stopped in any case."),
  maxConcurrent: MaxConcurrentSchema.prefault({}).describe("Limits on specialists that run at once."),
});

const PolicySchema = z.strictObject({
  dangerous: texts().describe("Further command patterns that are always refused."),
  allowSensitive: texts().describe("Globs of sensitive files that GAIA's sessions may read."),
});

const GuardsSchema = z.strictObject({
  scope: flag(true).describe("Notes an edit of a file that the plan does not name."),
  comments: flag(true).describe("Notes comments that only restate the code."),
  todoReminder: flag(true).describe("Reminds of a todo list when three delegations are open."),
  harvestReminder: flag(true).describe("Reminds to write the record once work is done and verified."),
  continuation: flag(true).describe(
    "Sends GAIA on, at most twice, when she stops with todos or plan tasks open.",
  ),
});

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
    preset: z
      .enum(["budget", "balanced", "premium", "local"])
      .default("balanced")
      .describe("Sets the models of all agents at once; keys under agents win."),
    mode: z
      .enum(["supervised", "autopilot", "locked"])
      .default("supervised")
      .describe("supervised asks, autopilot approves all but dangerous operations, locked changes nothing."),
    visibility: z
      .enum(["live", "checkpoint", "quiet"])
      .default("checkpoint")
      .describe("How much you see while specialists work."),
    interaction: z
      .enum(["standard", "pair"])
      .default("standard")
      .describe("pair stops for you after each batch of changes."),
    checkinCadence: z
      .enum(["step", "batch", "wave", "milestone"])
      .default("wave")
      .describe("How often GAIA stops for your feedback."),
    reviewDepth: z
      .enum(["inline", "diff", "risk", "deep_repo"])
      .default("diff")
      .describe("How far each review looks beyond the changed lines."),
    structuredOutput: z
      .enum(["auto", "native", "text"])
      .default("auto")
      .describe(
        "How specialists hand over results. native (OpenCode's structured output) makes their sessions unreadable in OpenCode 1.18; auto is text there.",
      ),
    specialistTools: texts().describe(
      "Tools of MCP servers and other plugins for all specialists, as globs.",
    ),
    startup: StartupSchema.prefault({}).describe("What happens when new work begins."),
    gaiaContext: GaiaContextSchema.prefault({}).describe("What GAIA knows about the project from the start."),
    wavePolicy: WavePolicySchema.prefault({}).describe("Rules of execution waves."),
    autopilotSafeguards: AutopilotSafeguardsSchema.prefault({}).describe("Budgets that stop autopilot."),
    definitionOfDone: DefinitionOfDoneSchema.optional().describe(
      "What has to hold before work counts as done.",
    ),
    delegation: DelegationSchema.prefault({}).describe("Time-outs and limits of specialists."),
    policy: PolicySchema.prefault({}).describe("Additions to the built-in safety rules."),
    guards: GuardsSchema.prefault({}).describe("Advisory checks, each can be switched off."),
    experimental: z.strictObject({}).prefault({}).describe("Reserved; holds no keys yet."),
    agents: z.strictObject(agents).prefault({}).describe("Overrides per agent, by its name."),
  });
}

/** The schema that {@link createConfigSchema} makes. */
export type ConfigSchema = ReturnType<typeof createConfigSchema>;

/** A merged configuration with every default filled in; `agents` holds overrides and the preset's models only. */
export type ResolvedConfig = z.output<ConfigSchema>;
