import * as z from "zod/mini";
import { describe } from "../lib/schema.ts";
import { defaultConfig } from "./defaults.ts";
import { STARTABLE_TYPES } from "./findings.ts";
import { KNOBS, valuesOf, type KnobName } from "./knobs.ts";

/** The longest time that may be configured: timers wrap around soon after 24 days, and a day is enough. */
const DAY_SECONDS = 86_400;
const DAY_MINUTES = 1_440;
/** The shortest time that is worth a wave: three seconds. */
const LEAST_MINUTES = 0.05;

export const DEFAULTS = defaultConfig();

/** Keys that may be left out, with what holds then. */
export function withDefaults<S extends Record<string, z.ZodMiniType>>(
  defaults: { readonly [K in keyof S]: z.output<S[K]> },
  shape: S,
): { [K in keyof S]: z.ZodMiniDefault<S[K]> } {
  const entries = Object.entries(shape).map(([key, type]) => [key, z._default(type, defaults[key])]);
  return Object.fromEntries(entries) as { [K in keyof S]: z.ZodMiniDefault<S[K]> };
}

export const texts = () => z.array(z.string().check(z.minLength(1)));
const count = (most: number) => z.int().check(z.gte(1), z.lte(most));
const limits = () => z.record(z.string().check(z.minLength(1)), z.int().check(z.gte(1), z.lte(1_000)));
export const knob = <N extends KnobName>(name: N) => describe(z.enum(valuesOf(name)), KNOBS[name].about);

export const StartupSchema = z.strictObject(
  withDefaults(DEFAULTS.startup, {
    askAtTaskStart: describe(z.boolean(), "GAIA asks how to work together when new work begins."),
    defaultProfile: knob("profile"),
    rampWarmupBatches: describe(
      count(1_000),
      "Batches to pair on before pair_ramp proposes an agentic profile.",
    ),
  }),
);

export const GaiaContextSchema = z.strictObject(
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

export const WavePolicySchema = z.strictObject(
  withDefaults(DEFAULTS.wavePolicy, {
    enforceWaveId: describe(z.boolean(), "Every delegation that changes files must name its wave."),
    boundaryRule: describe(
      z.enum(["implementation+basic_checks", "manual"]),
      "When a wave may end: after passing checks, or when you say so.",
    ),
  }),
);

export const AutopilotSafeguardsSchema = z.strictObject(
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

export const DelegationSchema = z.strictObject({
  ...withDefaults(DEFAULTS.delegation, {
    stallSeconds: describe(
      count(DAY_SECONDS),
      "Seconds without a sign of life before a task is restarted; a turn of GAIA's own ends after five times as many.",
    ),
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
    messages: describe(
      z.enum(["off", "on"]),
      "Specialists of one wave may tell each other things (`tell_gaia`).",
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

export const BudgetSchema = z.strictObject(
  withDefaults(DEFAULTS.budget, {
    perTask: amount("a specialist's session, its fix rounds included"),
    perUnit: amount("a work unit, GAIA's own requests included"),
    perDay: amount("one day in this project"),
  }),
);

export const KnowledgeSchema = z.strictObject(
  withDefaults(DEFAULTS.knowledge, {
    enabled: describe(z.boolean(), "What people accepted in .gaia/knowledge is found and brought up."),
    inject: describe(z.boolean(), "It ends your messages where it fits; off, it is found by those who ask."),
    notifications: describe(
      z.boolean(),
      "Toasts and the panel tell of verdicts on it, and of what names files that are gone.",
    ),
    maxItems: describe(count(50), "Learnings, decisions and knowledge that end one message, at most."),
    maxTokens: describe(z.int().check(z.gte(50), z.lte(4_000)), "Tokens of them, at four characters each."),
    threshold: describe(
      z.number().check(z.gte(0), z.lte(1)),
      "The part of the best match's score below which nothing is brought up.",
    ),
    cacheSeconds: describe(
      z.int().check(z.gte(0), z.lte(3_600)),
      "How long what was read stands in where reading again takes too long.",
    ),
    timeoutMs: describe(
      z.int().check(z.gte(10), z.lte(5_000)),
      "Milliseconds that anyone waits for knowledge.",
    ),
  }),
);

export const FindingsSchema = z.strictObject(
  withDefaults(DEFAULTS.findings, {
    enabled: describe(z.boolean(), "Reports of specialists and CI are taken into .gaia/findings.md."),
    ask: describe(z.boolean(), "Reviewers are asked to report what they find outside of the work."),
    autostart: describe(
      z.array(z.enum(STARTABLE_TYPES)),
      "Types of findings on which autopilot begins work by itself, once nothing else is open.",
    ),
  }),
);

export const PolicySchema = z.strictObject(
  withDefaults(DEFAULTS.policy, {
    dangerous: describe(texts(), "Further command patterns that are always refused."),
    allow: describe(
      texts(),
      "Command patterns that autopilot and approved waves run without asking, although they are lossy, outside or unknown.",
    ),
    allowSensitive: describe(texts(), "Globs of sensitive files that GAIA's sessions may read."),
  }),
);

const SandboxModeSchema = z.enum(["auto", "on", "off", "machine"]);

export const SandboxSchema = z.union([
  SandboxModeSchema,
  z.strictObject({
    mode: z._default(SandboxModeSchema, "auto"),
    network: z._default(z.boolean(), false),
    writable: z._default(texts(), []),
    hooks: z._default(z.enum(["contained", "uncontained"]), "contained"),
  }),
]);

const LaneModeSchema = z.enum(["off", "auto", "always"]);

export const SkillsSchema = z.array(
  z.strictObject({
    files: describe(
      z.union([z.string().check(z.minLength(1)), texts()]),
      "Globs of files; one without a folder means any.",
    ),
    skill: describe(z.string().check(z.minLength(1)), "Name of the skill for them."),
  }),
);

export const LanesSchema = z.union([
  LaneModeSchema,
  z.strictObject({
    mode: z._default(LaneModeSchema, "off"),
    copy: z._default(texts(), []),
    land: z._default(z.enum(["worktree", "branch"]), "worktree"),
    setup: z.optional(z.string().check(z.minLength(1))),
  }),
]);

export const CaptureSchema = z.strictObject(
  withDefaults(DEFAULTS.capture, {
    enabled: describe(
      z.boolean(),
      "false: nothing of the following is written, nor what is spent where no budget needs it.",
    ),
    proposals: describe(
      z.boolean(),
      "Proposes learnings: what you refused, took back or wrote anew, and an error and its fix.",
    ),
    sessions: describe(z.boolean(), "Writes what a session was asked, did, decided and left into its unit."),
  }),
);

export const NotifySchema = z.strictObject({
  ...withDefaults(DEFAULTS.notify, {
    desktop: describe(z.boolean(), "By the desktop: notify-send on Linux, osascript on macOS."),
  }),
  webhook: describe(
    z.optional(z.url({ protocol: /^https?$/ })),
    "By a POST of JSON to this address: event, project, unit, session, text, at.",
  ),
});

export const GuardsSchema = z.strictObject(
  withDefaults(DEFAULTS.guards, {
    scope: describe(z.boolean(), "Notes an edit of a file that the plan does not name."),
    todoReminder: describe(z.boolean(), "Reminds of a todo list when three delegations are open."),
    harvestReminder: describe(z.boolean(), "Reminds to write the record once work is done and verified."),
    continuation: describe(
      z.boolean(),
      "Sends GAIA on, at most twice, when she stops with todos or plan tasks open.",
    ),
  }),
);

export const ExperimentalSchema = z.strictObject(
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
