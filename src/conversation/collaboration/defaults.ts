import type { Knobs, Profile } from "./knobs.ts";
import { applyProfile } from "./profiles.ts";

/** The part of the configuration that collaboration reads (SPEC 7), with every default filled in. */
export interface CollaborationDefaults extends Omit<Knobs, "profile"> {
  readonly startup: {
    readonly askAtTaskStart: boolean;
    /** Proposed first at the handshake; applied at once where the handshake is switched off. */
    readonly defaultProfile: Profile;
    /** Batches to pair on before pair_ramp proposes to let go. */
    readonly rampWarmupBatches: number;
  };
  readonly autopilotSafeguards: {
    readonly maxToolCallsPerWave: number;
    readonly maxWaveMinutes: number;
    readonly consecutiveFailureLimit: number;
    readonly onFailureLimit: BudgetFallback;
  };
  readonly wavePolicy: {
    /** Whether a request without a wave id stays outside an approved wave. */
    readonly enforceWaveId: boolean;
  };
}

/** `checkpoint` keeps the mode and waits for the user; `supervised_pause` goes back to supervised as well. */
export type BudgetFallback = "checkpoint" | "supervised_pause";

/**
 * The knobs that a session starts with. A configured profile counts only where the handshake is off, because otherwise
 * the user confirms it first. A knob whose configured value is not the built-in one was set on purpose and wins over
 * the profile. `interaction: "pair"` alone pauses per batch, since a pair that meets once per wave is none.
 */
export function initialKnobs(defaults: CollaborationDefaults): Knobs {
  const builtIn = applyProfile("standard");
  const { askAtTaskStart, defaultProfile } = defaults.startup;
  const base = askAtTaskStart ? builtIn : applyProfile(defaultProfile);
  const pairs = defaults.interaction === "pair" && base.checkinCadence === builtIn.checkinCadence;
  const own = <T>(value: T, usual: T, preset: T): T => (value === usual ? preset : value);
  return {
    profile: base.profile,
    mode: own(defaults.mode, builtIn.mode, base.mode),
    visibility: own(defaults.visibility, builtIn.visibility, base.visibility),
    interaction: own(defaults.interaction, builtIn.interaction, base.interaction),
    checkinCadence: own(
      defaults.checkinCadence,
      builtIn.checkinCadence,
      pairs ? "batch" : base.checkinCadence,
    ),
    reviewDepth: own(defaults.reviewDepth, builtIn.reviewDepth, base.reviewDepth),
  };
}
