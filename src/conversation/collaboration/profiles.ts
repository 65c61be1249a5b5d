import type { CollaborationState } from "./state.ts";
import { DEFAULT_KNOBS, type Knobs, type KnobSetting, type Profile } from "../../config/knobs.ts";

type ProfileKnobs = Omit<Knobs, "profile">;

const BATCHED: ProfileKnobs = {
  mode: "supervised",
  visibility: "live",
  interaction: "standard",
  checkinCadence: "batch",
  reviewDepth: "diff",
};

/** What each profile sets. pair_ramp starts as pair_batched; what makes it ramp is its question after the warm-up. */
const PROFILE_KNOBS: Readonly<Record<Profile, ProfileKnobs>> = {
  pair_live: {
    mode: "supervised",
    visibility: "live",
    interaction: "pair",
    checkinCadence: "step",
    reviewDepth: "inline",
  },
  pair_batched: BATCHED,
  pair_ramp: BATCHED,
  agentic_checkpoint: {
    mode: "autopilot",
    visibility: "checkpoint",
    interaction: "standard",
    checkinCadence: "wave",
    reviewDepth: "risk",
  },
  agentic_full: {
    mode: "autopilot",
    visibility: "quiet",
    interaction: "standard",
    checkinCadence: "milestone",
    reviewDepth: "diff",
  },
  standard: DEFAULT_KNOBS,
};

/** What the user asks for: one knob, or one of the two shortcuts that turn several without being a profile. */
export type KnobChange = KnobSetting | { readonly preset: "pair" | "standard" };

/** All six knobs as the profile has them. */
export function applyProfile(profile: Profile): Knobs {
  return { profile, ...PROFILE_KNOBS[profile] };
}

/**
 * The knobs after a change. Only `profile` turns them all and renames the profile. `/pair` keeps the review depth and
 * the profile's name, `/standard` undoes its pacing and leaves mode, visibility and review depth where they are;
 * a single knob turns nothing else. There is no "custom" profile: the name says what was applied last.
 */
export function applyChange(knobs: Knobs, change: KnobChange): Knobs {
  if ("preset" in change) {
    return change.preset === "pair"
      ? { ...knobs, mode: "supervised", visibility: "live", interaction: "pair", checkinCadence: "step" }
      : { ...knobs, interaction: "standard", checkinCadence: "wave" };
  }
  if (change.knob === "profile") return applyProfile(change.value);
  return { ...knobs, [change.knob]: change.value };
}

/** Whether a change says something about the mode, even when it names the mode that is on already. */
export function setsMode(change: KnobChange): boolean {
  if ("preset" in change) return change.preset === "pair";
  return change.knob === "profile" || change.knob === "mode";
}

/** How often work stops until the user answers; null when it never stops by itself. */
export type Pace = "step" | "batch" | "wave";

/**
 * The pace that the knobs ask for. The cadence decides; a wave's end stops the work only in pair interaction,
 * otherwise it is reported and the next wave's own approval is the stop.
 */
export function paceOf(knobs: Knobs): Pace | null {
  if (knobs.checkinCadence === "milestone") return null;
  if (knobs.checkinCadence !== "wave") return knobs.checkinCadence;
  return knobs.interaction === "pair" ? "wave" : null;
}

const MODES: readonly Knobs["mode"][] = ["locked", "supervised", "autopilot"];
const CADENCES: readonly Knobs["checkinCadence"][] = ["step", "batch", "wave", "milestone"];

/** Whether a change lets the agents do more, or for longer, before a person is asked. */
export function loosens(before: Knobs, after: Knobs): boolean {
  return (
    MODES.indexOf(after.mode) > MODES.indexOf(before.mode) ||
    CADENCES.indexOf(after.checkinCadence) > CADENCES.indexOf(before.checkinCadence) ||
    (before.interaction === "pair" && after.interaction !== "pair")
  );
}

/**
 * The line that ends the newest user message of a GAIA session (SPEC 8): the knobs and the wave, always all of them in
 * this order. The wave is empty when there is none.
 */
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
