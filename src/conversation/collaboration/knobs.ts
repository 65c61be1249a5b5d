import type { CollaborationState } from "./state.ts";
import {
  DEFAULT_KNOBS,
  type Knobs,
  type KnobSetting,
  type Profile,
  KNOB_NAMES,
  isKnobValue,
  knobEntry,
  valuesOf,
  type KNOBS,
  type KnobName,
} from "../../config/knobs.ts";
import type { ResolvedConfig } from "../../config/schema.ts";

/** What each profile sets, but for `standard`, which is what is so by default. */
const PROFILES: Readonly<
  Record<
    Exclude<Profile, "standard">,
    readonly [
      Knobs["mode"],
      Knobs["visibility"],
      Knobs["interaction"],
      Knobs["checkinCadence"],
      Knobs["reviewDepth"],
    ]
  >
> = {
  pair_live: ["supervised", "live", "pair", "step", "inline"],
  pair_batched: ["supervised", "live", "standard", "batch", "diff"],
  // It starts as pair_batched; what makes it ramp is its question after the warm-up.
  pair_ramp: ["supervised", "live", "standard", "batch", "diff"],
  agentic_checkpoint: ["autopilot", "checkpoint", "standard", "wave", "risk"],
  agentic_full: ["autopilot", "quiet", "standard", "milestone", "diff"],
};

/** `/pair` and `/standard` turn more than their knob. */
const INTERACTION_KNOBS: Readonly<Record<Knobs["interaction"], Partial<Knobs>>> = {
  pair: { mode: "supervised", visibility: "live", checkinCadence: "step" },
  standard: { checkinCadence: "wave" },
};

export function applyProfile(profile: Profile): Knobs {
  if (profile === "standard") return DEFAULT_KNOBS;
  const [mode, visibility, interaction, checkinCadence, reviewDepth] = PROFILES[profile];
  return { profile, mode, visibility, interaction, checkinCadence, reviewDepth };
}

/** `profile` turns all knobs, `interaction` several, any other only itself. The profile's name says what was applied last. */
export function applyChange(knobs: Knobs, { knob, value }: KnobSetting): Knobs {
  if (knob === "profile") return applyProfile(value);
  return { ...knobs, ...(knob === "interaction" ? INTERACTION_KNOBS[value] : {}), [knob]: value };
}

export function setsMode({ knob, value }: KnobSetting): boolean {
  return knob === "profile" || knob === "mode" || value === "pair";
}

/** After which changes the work stops until the user answers. */
export type Pace = "step" | "batch";

/** The other cadences stop by the dialogs that are asked anyway: of the next wave, of the plan. */
export function paceOf({ checkinCadence }: Knobs): Pace | null {
  return checkinCadence === "step" || checkinCadence === "batch" ? checkinCadence : null;
}

/** What the user has said of how work goes on, and what holds it up. */
export type WorkRules = Pick<CollaborationState, "knobs" | "isCadenceChosen" | "pause">;

/** Whether autopilot asks there: at a cadence that the user chose, as such or by the profile that is made for it. */
export function isStop({ knobs, isCadenceChosen }: WorkRules, at: "wave" | "milestone"): boolean {
  return knobs.checkinCadence === at && (isCadenceChosen || knobs.profile === "agentic_checkpoint");
}

/** Whether a plan is begun without the user's yes: in autopilot, but for a user who chose to be asked about plans. */
export function beginsUnasked(state: WorkRules): boolean {
  return state.knobs.mode === "autopilot" && !isStop(state, "milestone");
}

/** By how much runs unasked. */
export const MODES: readonly Knobs["mode"][] = ["locked", "supervised", "autopilot"];

export function loosens(before: Knobs, after: Knobs): boolean {
  const cadences = valuesOf("checkinCadence");
  return (
    MODES.indexOf(after.mode) > MODES.indexOf(before.mode) ||
    cadences.indexOf(after.checkinCadence) > cadences.indexOf(before.checkinCadence) ||
    (before.interaction === "pair" && after.interaction !== "pair")
  );
}

/** The line that ends the newest user message (SPEC 8): always all knobs, in this order. */
export function renderCollaborationTag({ knobs, wave }: CollaborationState): string {
  const { profile, mode, visibility, interaction, checkinCadence, reviewDepth } = knobs;
  return (
    `<gaia-collaboration profile="${profile}" mode="${mode}" visibility="${visibility}" ` +
    `interaction="${interaction}" cadence="${checkinCadence}" review="${reviewDepth}" wave="${attribute(wave?.id ?? "")}" />`
  );
}

/** A wave's id comes from a model: nothing in it may end the attribute or the tag. */
function attribute(text: string): string {
  return text.replace(/[^\w.:-]/g, "_").slice(0, 64);
}

/** The part of the configuration that collaboration reads (SPEC 7), with every default filled in. */
export type CollaborationDefaults = Pick<
  ResolvedConfig,
  Exclude<keyof Knobs, "profile"> | "startup" | "autopilotSafeguards" | "wavePolicy"
>;

/** A configured profile counts only where the handshake is off; a knob that was set on purpose wins over it. */
export function initialKnobs(defaults: CollaborationDefaults): Knobs {
  const { askAtTaskStart, defaultProfile } = defaults.startup;
  const base = askAtTaskStart ? DEFAULT_KNOBS : applyProfile(defaultProfile);
  const pairs = defaults.interaction === "pair" && base.checkinCadence === DEFAULT_KNOBS.checkinCadence;
  const configured = KNOB_NAMES.filter(
    (knob) => knob !== "profile" && (defaults[knob] ?? DEFAULT_KNOBS[knob]) !== DEFAULT_KNOBS[knob],
  ).map((knob) => [knob, defaults[knob as keyof typeof defaults]]);
  return { ...base, ...(pairs ? { checkinCadence: "batch" } : {}), ...Object.fromEntries(configured) };
}

type Table = typeof KNOBS;
type NameIn<N extends KnobName> = Table[N] extends { command: { name: infer Name extends string } }
  ? Name
  : keyof Table[N]["values"] & string;

/** The slash commands that turn a knob: `mode`'s values are commands themselves, `/cadence` takes its knob's value. */
export type KnobCommandName = { [N in KnobName]: NameIn<N> }[KnobName];

interface KnobCommand {
  readonly knob: KnobName;
  readonly value: string | null;
  readonly description: string;
  readonly native?: true;
}

export const KNOB_COMMANDS = Object.fromEntries(KNOB_NAMES.flatMap(commandsOf)) as Readonly<
  Record<KnobCommandName, KnobCommand>
>;

type ParsedCommand = { readonly change: KnobSetting } | { readonly error: string };

/** A value may be typed as a person would. Words after a command that takes none are refused: they are likely a request. */
export function parseKnobCommand(name: KnobCommandName, argumentText: string): ParsedCommand {
  const { knob, value } = KNOB_COMMANDS[name];
  const text = argumentText.trim();
  if (value !== null) {
    if (text === "") return turn(knob, value);
    return { error: `/${name} takes no argument; send "${text.slice(0, 60)}" as a message of its own.` };
  }
  const chosen = text.toLowerCase().replace(/[\s-]+/g, "_");
  if (isKnobValue(knob, chosen)) return turn(knob, chosen);
  const given = text === "" ? "A value is missing" : `"${text.slice(0, 40)}" is not one of them`;
  return { error: `/${name}: ${given}; possible: ${valuesOf(knob).join(", ")}.` };
}

function commandsOf(knob: KnobName): [string, KnobCommand][] {
  const { command, values } = knobEntry(knob);
  if (command === undefined) {
    return Object.entries(values).map(([value, { command: about }]) => [
      value,
      { knob, value, description: `GAIA: ${about ?? ""}` },
    ]);
  }
  const { name, lead, ...native } = command;
  const list = valuesOf(knob).join(" | ");
  return [
    [name, { knob, value: null, description: ["GAIA:", lead, list].filter(Boolean).join(" "), ...native }],
  ];
}

function turn(knob: KnobName, value: string): ParsedCommand {
  return { change: { knob, value } as KnobSetting };
}
