import * as z from "zod/mini";
import { describe } from "../lib/schema.ts";
import { choice, count, flag, list, number, text, texts, whole, words } from "./values.ts";
import { defaultConfig } from "./defaults.ts";
import { definitionOfDone } from "./definition-of-done.ts";
import { STARTABLE_TYPES } from "./findings.ts";
import { KNOBS, valuesOf, type KnobName } from "./knobs.ts";

/** The longest time that may be configured: timers wrap around soon after 24 days, and a day is enough. */
const DAY_SECONDS = 86_400;
const DAY_MINUTES = 1_440;
/** The shortest time that is worth a wave: three seconds. */
const LEAST_MINUTES = 0.05;

export const DEFAULTS = defaultConfig();

type Shape = Record<string, z.ZodMiniType>;

/** Keys that may be left out, with what holds then. */
export function withDefaults<S extends Shape>(
  defaults: { readonly [K in keyof S]: z.output<S[K]> },
  shape: S,
): { [K in keyof S]: z.ZodMiniDefault<S[K]> } {
  const entries = Object.entries(shape).map(([key, type]) => [key, z._default(type, defaults[key])]);
  return Object.fromEntries(entries) as { [K in keyof S]: z.ZodMiniDefault<S[K]> };
}

/** Keys of one matter. */
function keys<S extends Shape>(about: string, shape: S) {
  return describe(z.prefault(z.strictObject(shape), {} as never), about);
}

/** Keys of one matter that may all be left out. */
function section<S extends Shape>(
  about: string,
  defaults: { readonly [K in keyof S]: z.output<S[K]> },
  shape: S,
) {
  return keys(about, withDefaults(defaults, shape));
}

export const knob = <N extends KnobName>(name: N) => choice(valuesOf(name), KNOBS[name].about);
const limits = (about: string) => describe(z.record(text(), z.int().check(z.gte(1), z.lte(1_000))), about);
const amount = (whose: string) =>
  describe(
    z.partial(
      z.strictObject({
        cost: number(0.01, 100_000, `US dollars for ${whose}.`),
        tokens: count(10_000_000_000, `Tokens for ${whose}, without cached ones.`),
      }),
    ),
    `For ${whose}.`,
  );

/** The keys that hold others, in the order of the reference. */
export const SECTIONS = {
  startup: section("What happens when new work begins.", DEFAULTS.startup, {
    askAtTaskStart: flag("GAIA asks how to work together when new work begins."),
    defaultProfile: knob("profile"),
    rampWarmupBatches: count(1_000, "Batches to pair on before pair_ramp proposes an agentic profile."),
  }),
  gaiaContext: section("What GAIA knows about the project from the start.", DEFAULTS.gaiaContext, {
    initFile: words("Curated project context for GAIA."),
    gaiaInstructionFile: words("Instructions for GAIA, read if present."),
    useLearnings: flag("Puts matching learnings into GAIA's context."),
    accountFor: list("What GAIA must always take into account."),
    avoid: list("Directions that GAIA must not take in this project."),
    extraContextFiles: list("Further files for GAIA's context, read if present."),
  }),
  capture: section("What is noted without anybody asking for it.", DEFAULTS.capture, {
    enabled: flag("false: nothing of the following is written, nor what is spent where no budget needs it."),
    proposals: flag(
      "Proposes learnings: what you say of a change that you refuse or take back, and an error and its fix.",
    ),
    sessions: flag("Writes what a session was asked, did, decided and left into its unit."),
  }),
  notify: keys(
    "Tells you away from the terminal what GAIA waits for: an approval, an answer, a check-in, a stop, or that it has finished.",
    {
      ...withDefaults(DEFAULTS.notify, {
        desktop: flag("By the desktop: notify-send on Linux, osascript on macOS."),
      }),
      webhook: describe(
        z.optional(z.url({ protocol: /^https?$/ })),
        "By a POST of JSON to this address: event, project, unit, session, text, at.",
      ),
    },
  ),
  wavePolicy: section("Rules of execution waves.", DEFAULTS.wavePolicy, {
    enforceWaveId: flag("Every delegation that changes files must name its wave."),
    boundaryRule: choice(
      ["implementation+basic_checks", "manual"],
      "When a wave may end: after passing checks, or when you say so.",
    ),
  }),
  autopilotSafeguards: section("Budgets that stop autopilot.", DEFAULTS.autopilotSafeguards, {
    maxToolCallsPerWave: count(100_000, "Tool calls after which a wave is closed."),
    maxWaveMinutes: number(
      LEAST_MINUTES,
      DAY_MINUTES,
      "Minutes of work after which a wave is closed; fractions are fine.",
    ),
    maxBackgroundTasks: count(100, "Specialists that may run in the background at once."),
    consecutiveFailureLimit: count(1_000, "Failures in a row after which autopilot stops."),
    maxTurnsInARow: count(
      1_000,
      "Turns in a row that GAIA begins by itself, for results or open work, before it waits for your word.",
    ),
    onFailureLimit: choice(["checkpoint", "supervised_pause"], "What happens when autopilot stops."),
  }),
  definitionOfDone: describe(z.optional(definitionOfDone()), "What has to hold before work counts as done."),
  delegation: keys("Time-outs and limits of specialists.", {
    ...withDefaults(DEFAULTS.delegation, {
      stallSeconds: count(
        DAY_SECONDS,
        "Seconds without a sign of life before a task is restarted; a turn of GAIA's own ends after five times as many.",
      ),
      maxTaskMinutes: count(DAY_MINUTES, "Minutes after which a task is stopped in any case."),
      maxRequests: count(100_000, "Requests to models after which a task is stopped, repeats included."),
      maxTokens: count(1_000_000_000, "Tokens, without cached ones, after which a task is stopped."),
      maxCost: number(0.01, 100_000, "US dollars after which a task is stopped."),
      messages: choice(["off", "on"], "Specialists of one wave may tell each other things (`tell_gaia`)."),
    }),
    maxConcurrent: section("Limits on specialists that run at once.", DEFAULTS.delegation.maxConcurrent, {
      perProvider: limits("Most specialists at once by provider id."),
      perModel: limits("Most specialists at once by provider/model."),
    }),
  }),
  budget: section("What may be spent; used up, nothing more is sent until you say so.", DEFAULTS.budget, {
    perTask: amount("a specialist's session, its fix rounds included"),
    perUnit: amount("a work unit, GAIA's own requests included"),
    perDay: amount("one day in this project"),
  }),
  knowledge: section("What the team knows and people decide on.", DEFAULTS.knowledge, {
    enabled: flag("What people accepted in .gaia/knowledge is found and brought up."),
    inject: flag("It ends your messages where it fits; off, it is found by those who ask."),
    maxItems: count(50, "Learnings, decisions and knowledge that end one message, at most."),
    maxTokens: whole(50, 4_000, "Tokens of them, at four characters each."),
    threshold: number(0, 1, "The part of the best match's score below which nothing is brought up."),
    timeoutMs: whole(10, 5_000, "Milliseconds that anyone waits for knowledge."),
  }),
  findings: section("What reviewers and CI found, to be worked on later.", DEFAULTS.findings, {
    enabled: flag("Reports of specialists and CI are taken into .gaia/findings.md."),
    ask: flag("Reviewers are asked to report what they find outside of the work."),
    autostart: describe(
      z.array(z.enum(STARTABLE_TYPES)),
      "Types of findings on which autopilot begins work by itself, once nothing else is open.",
    ),
  }),
  policy: section("Additions to the built-in safety rules.", DEFAULTS.policy, {
    dangerous: list("Further command patterns that are always refused."),
    allow: list(
      "Command patterns that autopilot and approved waves run without asking, although they are lossy, outside or unknown.",
    ),
    allowSensitive: list("Globs of sensitive files that GAIA's sessions may read."),
  }),
  guards: section("Advisory checks, each can be switched off.", DEFAULTS.guards, {
    continuation: flag("Sends GAIA on, at most twice, when it stops with todos or plan tasks open."),
  }),
};

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

export const LanesSchema = z.union([
  LaneModeSchema,
  z.strictObject({
    mode: z._default(LaneModeSchema, "off"),
    copy: z._default(texts(), []),
    land: z._default(z.enum(["worktree", "branch"]), "worktree"),
    setup: z.optional(text()),
    network: z._default(z.boolean(), false),
  }),
]);

export const SkillsSchema = z.array(
  z.strictObject({
    files: describe(z.union([text(), texts()]), "Globs of files; one without a folder means any."),
    skill: words("Name of the skill for them."),
  }),
);
