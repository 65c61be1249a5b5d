interface ValueEntry {
  /** What it means for the user, in a few words: for decision records, the status and the panel. */
  readonly meaning: string;
  /** What its slash command does, for the slash menu; only where the value is a command of its own. */
  readonly command?: string;
}

interface KnobEntry {
  readonly about: string;
  /** Heading in the panel's list of settings. */
  readonly group: string;
  /** The slash command that takes a value; absent where each value is a command of its own. */
  readonly command?: {
    readonly name: string;
    /** What stands before the values in the slash menu. */
    readonly lead: string;
    /** Set where OpenCode itself has a command of this name. */
    readonly native?: true;
  };
  readonly default: string;
  readonly values: Readonly<Record<string, ValueEntry>>;
}

/**
 * The six collaboration knobs (SPEC 8): the only place that knows their values, defaults, meanings and commands. Schema,
 * commands, panel and documentation derive from it. Nothing else steers how GAIA works with the user.
 */
export const KNOBS = {
  profile: {
    about: "Collaboration profile that is proposed first.",
    group: "Profile",
    command: { name: "profile", lead: "" },
    default: "standard",
    values: {
      pair_live: { meaning: "you see and steer every single change" },
      pair_batched: { meaning: "you look at each specialist's batch before the next one" },
      pair_ramp: { meaning: "you pair on the first batches, then decide whether to let go" },
      agentic_checkpoint: { meaning: "specialists work on their own and report after each wave" },
      agentic_full: { meaning: "specialists work through to the end and report at milestones" },
      standard: { meaning: "you approve plans, waves and single actions" },
    },
  },
  mode: {
    about:
      "supervised asks, autopilot approves what stays inside the project and can be had back, locked changes nothing.",
    group: "Mode",
    default: "supervised",
    values: {
      supervised: {
        meaning: "actions outside an approved wave are asked for",
        command: "ask me before changes (default)",
      },
      autopilot: {
        meaning: "what stays in the project proceeds without asking, dangerous actions stay refused",
        command: "go on without asking; dangerous operations stay refused",
      },
      locked: { meaning: "nothing is changed, only read", command: "change nothing, only read and analyse" },
    },
  },
  visibility: {
    about: "How much you see while specialists work.",
    group: "What I see",
    default: "checkpoint",
    values: {
      live: { meaning: "a line for every tool call", command: "show every tool call as it happens" },
      checkpoint: { meaning: "a summary per wave", command: "show a summary per wave (default)" },
      quiet: { meaning: "milestones only", command: "show milestones only" },
    },
  },
  interaction: {
    about: "pair stops for you after each batch of changes.",
    group: "Pairing",
    default: "standard",
    values: {
      standard: {
        meaning: "checkpoints at plan, wave, verification and revision",
        command: "leave pair programming, check in per wave",
      },
      pair: {
        meaning: "a pause after each batch of changes",
        command: "pair with me: ask first, show all, stop after every change",
      },
    },
  },
  checkinCadence: {
    about: "How often GAIA stops for your feedback.",
    group: "Stop for me every",
    command: { name: "cadence", lead: "stop for me every" },
    default: "wave",
    values: {
      step: { meaning: "a check-in after every change" },
      batch: { meaning: "a check-in after every delegation that changed something" },
      wave: { meaning: "a check-in after every wave" },
      milestone: { meaning: "a check-in at plan, verification and revision" },
    },
  },
  reviewDepth: {
    about: "How far each review looks beyond the changed lines.",
    group: "Review",
    command: { name: "review", lead: "review depth", native: true },
    default: "diff",
    values: {
      inline: { meaning: "reviews look at changed lines" },
      diff: { meaning: "reviews look at the whole diff of touched files" },
      risk: { meaning: "reviews look at the diff and at risk hotspots" },
      deep_repo: { meaning: "reviews look at the effects on the whole repository" },
    },
  },
} as const satisfies Record<string, KnobEntry>;

type Table = typeof KNOBS;

/** `profile`, `mode` and so on, as the configuration names them. */
export type KnobName = keyof Table;

export type KnobValue<N extends KnobName> = keyof Table[N]["values"] & string;

export type Profile = KnobValue<"profile">;

export type Visibility = KnobValue<"visibility">;

export type ReviewDepth = KnobValue<"reviewDepth">;

/** One value per knob. `profile` is the preset that was applied last; a knob turned by hand afterwards leaves it. */
export type Knobs = { readonly [N in KnobName]: KnobValue<N> };

export type KnobSetting = { [N in KnobName]: { readonly knob: N; readonly value: KnobValue<N> } }[KnobName];

/** In the order in which decision records list them. */
export const KNOB_NAMES = Object.keys(KNOBS) as readonly KnobName[];

/** The knobs of those who have configured nothing, which are those of the profile `standard`. */
export const DEFAULT_KNOBS = Object.fromEntries(
  KNOB_NAMES.map((knob) => [knob, KNOBS[knob].default]),
) as unknown as Knobs;

/** A knob's entry in the table, where it does not matter which knob it is. */
export function knobEntry(knob: KnobName): KnobEntry {
  return KNOBS[knob];
}

/** The values of a knob in their order; for reviewDepth and checkinCadence that is a scale. */
export function valuesOf<N extends KnobName>(knob: N): readonly KnobValue<N>[] {
  return Object.keys(KNOBS[knob].values) as KnobValue<N>[];
}

/** Whether `value` is one of the knob's values, spelled exactly. */
export function isKnobValue<N extends KnobName>(knob: N, value: unknown): value is KnobValue<N> {
  return (valuesOf(knob) as readonly unknown[]).includes(value);
}
