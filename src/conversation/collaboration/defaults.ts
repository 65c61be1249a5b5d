import { DEFAULT_KNOBS, KNOB_NAMES, type Knobs } from "../../config/knobs.ts";
import type { ResolvedConfig } from "../../config/schema.ts";
import { applyProfile } from "./profiles.ts";

/** The part of the configuration that collaboration reads (SPEC 7), with every default filled in. */
export type CollaborationDefaults = Pick<
  ResolvedConfig,
  Exclude<keyof Knobs, "profile"> | "startup" | "autopilotSafeguards" | "wavePolicy"
>;

/** `checkpoint` keeps the mode and waits for the user; `supervised_pause` goes back to supervised as well. */
export type BudgetFallback = ResolvedConfig["autopilotSafeguards"]["onFailureLimit"];

/**
 * The knobs that a session starts with. A configured profile counts only where the handshake is off, because otherwise
 * the user confirms it first. A knob whose configured value is not the built-in one was set on purpose and wins over
 * the profile. `interaction: "pair"` alone pauses per batch, since a pair that meets once per wave is none.
 */
export function initialKnobs(defaults: CollaborationDefaults): Knobs {
  const { askAtTaskStart, defaultProfile } = defaults.startup;
  const base = askAtTaskStart ? DEFAULT_KNOBS : applyProfile(defaultProfile);
  const pairs = defaults.interaction === "pair" && base.checkinCadence === DEFAULT_KNOBS.checkinCadence;
  const configured = KNOB_NAMES.filter(
    (knob) => knob !== "profile" && defaults[knob] !== DEFAULT_KNOBS[knob],
  ).map((knob) => [knob, defaults[knob as keyof typeof defaults]]);
  return { ...base, ...(pairs ? { checkinCadence: "batch" } : {}), ...Object.fromEntries(configured) };
}
