import { rowNow, type DecisionRow } from "./effects.ts";
import { knobEntry, KNOB_NAMES, type KnobName, type Knobs } from "../../config/knobs.ts";
import { type Outcome, inOrder, outcome } from "./outcome.ts";
import { reopen } from "./pause.ts";
import { type KnobChange, applyChange, paceOf, setsMode } from "./profiles.ts";
import { type CollaborationState, NOTHING_SPENT, RAMP_START } from "./state.ts";
import { endApproval, outdateWaves } from "./waves.ts";

/** A change that the user made by a command: turned, shown, recorded. One that sets the mode answers the handshake. */
export function commandTyped(state: CollaborationState, change: KnobChange): Outcome {
  const handshake = setsMode(change) ? "settled" : state.handshake;
  return turnKnobs({ ...state, handshake }, change, "changed by command");
}

/**
 * Turns knobs and records it as a mode switch when anything changed.
 * @param cause goes into the record
 */
export function turnKnobs(state: CollaborationState, change: KnobChange, cause: string): Outcome {
  const before = state.knobs;
  return inOrder(
    state,
    (now) => applyKnobs(now, change),
    (now) => {
      const turned = differences(before, now.knobs);
      const toast = toastOf(change, before, now.knobs);
      if (turned.length === 0) return outcome(now, toast);
      return outcome(now, toast, { type: "decision", row: rowOf(now, change, turned, cause) });
    },
  );
}

/**
 * Turns knobs with everything that hangs on them but without a word about it. Whatever says something about the mode
 * ends the wave's approval and starts the budgets again, even when it names the mode that is on: the user who types
 * `/supervised` in an approved wave wants to be asked.
 */
export function applyKnobs(state: CollaborationState, change: KnobChange): Outcome {
  const knobs = applyChange(state.knobs, change);
  const ramp = "knob" in change && change.knob === "profile" ? RAMP_START : state.ramp;
  const turned = liftPause({ ...state, knobs, ramp });
  if (!setsMode(change)) return outcome(turned);
  const fresh = { ...turned, spent: NOTHING_SPENT };
  return endApproval(
    outdateWaves(fresh, () => true),
    "the mode was set",
  );
}

/** A pace that the user has just taken away no longer holds the work up; a budget or an abort still does. */
function liftPause(state: CollaborationState): CollaborationState {
  const reason = state.pause?.reason;
  const isPace = reason === "step" || reason === "batch" || reason === "wave";
  return isPace && paceOf(state.knobs) === null ? reopen(state) : state;
}

function differences(before: Knobs, after: Knobs): KnobName[] {
  return KNOB_NAMES.filter((knob) => before[knob] !== after[knob]);
}

function nameOf(change: KnobChange): string {
  return "preset" in change ? change.preset : `${change.knob} ${change.value}`;
}

/** The same by the command that turns it, where that has another name than the key of the configuration. */
function shownName(change: KnobChange): string {
  if ("preset" in change) return nameOf(change);
  return `${knobEntry(change.knob).command?.name ?? change.knob} ${change.value}`;
}

/** What a change means for the user, in words. */
export function meaningOf(change: KnobChange): string {
  const [knob, value] =
    "preset" in change ? (["interaction", change.preset] as const) : [change.knob, change.value];
  return knobEntry(knob).values[value]?.meaning ?? "";
}

function toastOf(change: KnobChange, before: Knobs, after: Knobs) {
  const isMode = "knob" in change && change.knob === "mode";
  const letsGo = after.mode === "autopilot" && before.mode !== "autopilot";
  return {
    type: "toast" as const,
    variant: letsGo ? ("warning" as const) : ("info" as const),
    message: `GAIA ${shownName(change)}: ${meaningOf(change)}.${isMode ? "" : ` Mode: ${after.mode}.`}`,
  };
}

function rowOf(
  state: CollaborationState,
  change: KnobChange,
  turned: readonly KnobName[],
  cause: string,
): DecisionRow {
  return rowNow(state, {
    key: `mode_switch:${state.rootSession}:${state.at}:${nameOf(change)}`,
    type: "mode_switch",
    question: `Collaboration settings (${cause})`,
    answer: turned.map((knob) => `${knob}: ${state.knobs[knob]}`).join(", "),
    impact: meaningOf(change),
  });
}
