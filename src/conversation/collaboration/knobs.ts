/** The six collaboration knobs with every value they take (SPEC 8). Nothing else steers how GAIA works with the user. */
export const KNOB_VALUES = {
  profile: ["pair_live", "pair_batched", "pair_ramp", "agentic_checkpoint", "agentic_full", "standard"],
  mode: ["supervised", "autopilot", "locked"],
  visibility: ["live", "checkpoint", "quiet"],
  interaction: ["standard", "pair"],
  checkinCadence: ["step", "batch", "wave", "milestone"],
  reviewDepth: ["inline", "diff", "risk", "deep_repo"],
} as const;

/** `profile`, `mode` and so on, as the configuration names them. */
export type KnobName = keyof typeof KNOB_VALUES;

/** The values of one knob. */
export type KnobValue<N extends KnobName> = (typeof KNOB_VALUES)[N][number];

/** A preset of all knobs. */
export type Profile = KnobValue<"profile">;

/** How much the user sees. */
export type Visibility = KnobValue<"visibility">;

/** How broadly a review looks. */
export type ReviewDepth = KnobValue<"reviewDepth">;

/** One value per knob. `profile` is the preset that was applied last; a knob turned by hand afterwards leaves it. */
export type Knobs = { readonly [N in KnobName]: KnobValue<N> };

/** A knob together with a value that fits it. */
export type KnobSetting = { [N in KnobName]: { readonly knob: N; readonly value: KnobValue<N> } }[KnobName];

/** What a value means for the user, in a few words: for decision records, command completion and documentation. */
export const KNOB_MEANING: { readonly [N in KnobName]: Readonly<Record<KnobValue<N>, string>> } = {
  profile: {
    pair_live: "you see and steer every single change",
    pair_batched: "you look at each specialist's batch before the next one",
    pair_ramp: "you pair on the first batches, then decide whether to let go",
    agentic_checkpoint: "specialists work on their own and report after each wave",
    agentic_full: "specialists work through to the end and report at milestones",
    standard: "you approve plans, waves and single actions",
  },
  mode: {
    supervised: "actions outside an approved wave are asked for",
    autopilot: "actions proceed without asking, dangerous ones stay refused",
    locked: "nothing is changed, only read",
  },
  visibility: {
    live: "a line for every tool call",
    checkpoint: "a summary per wave",
    quiet: "milestones only",
  },
  interaction: {
    standard: "checkpoints at plan, wave, verification and revision",
    pair: "a pause after each batch of changes",
  },
  checkinCadence: {
    step: "a check-in after every change",
    batch: "a check-in after every delegation that changed something",
    wave: "a check-in after every wave",
    milestone: "a check-in at plan, verification and revision",
  },
  reviewDepth: {
    inline: "reviews look at changed lines",
    diff: "reviews look at the whole diff of touched files",
    risk: "reviews look at the diff and at risk hotspots",
    deep_repo: "reviews look at the effects on the whole repository",
  },
};

/** Whether `value` is one of the knob's values, spelled exactly. */
export function isKnobValue<N extends KnobName>(knob: N, value: unknown): value is KnobValue<N> {
  return (KNOB_VALUES[knob] as readonly unknown[]).includes(value);
}

/**
 * A knob's value from what a person typed: case, spaces and hyphens do not matter ("Pair Live", "deep-repo").
 * @returns the value, or a sentence that lists what is possible
 */
export function parseKnobValue<N extends KnobName>(
  knob: N,
  text: string,
): { ok: true; value: KnobValue<N> } | { ok: false; message: string } {
  const value = text
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
  if (isKnobValue(knob, value)) return { ok: true, value };
  const given = value === "" ? "A value is missing" : `"${text.trim().slice(0, 40)}" is not one of them`;
  return { ok: false, message: `${given}; possible: ${KNOB_VALUES[knob].join(", ")}.` };
}
