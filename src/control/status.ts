import { budgetUse } from "../collaboration/budgets.ts";
import type { CollaborationDefaults } from "../collaboration/defaults.ts";
import { KNOB_MEANING } from "../collaboration/knobs.ts";
import type { CollaborationState } from "../collaboration/state.ts";

/** The state of a conversation for a person, a few plain lines (`/gaia-status`). */
export function renderStatus(state: CollaborationState, defaults: CollaborationDefaults): string {
  const { knobs, workUnit, wave, pause, delegations } = state;
  const used = budgetUse(state, defaults).map(
    ({ which, value, limit }) => `${Math.floor(value)}/${limit} ${which}`,
  );
  const isAsked = knobs.mode === "supervised" && wave?.approved === false;
  const open =
    wave === null ? "none" : `${wave.id}${wave.approved ? " (approved)" : isAsked ? " (not approved)" : ""}`;
  const lines = [
    `mode ${knobs.mode}: ${KNOB_MEANING.mode[knobs.mode]}`,
    `profile ${knobs.profile} · visibility ${knobs.visibility} · interaction ${knobs.interaction} · cadence ${knobs.checkinCadence} · review ${knobs.reviewDepth}`,
    `work unit ${workUnit ?? "none"} · wave ${open}`,
    pause === null
      ? "nothing waits for you"
      : `waits for you: ${pause.reason}${pause.detail === "" ? "" : ` (${pause.detail})`} · /next goes on`,
    `running: ${delegations.map(({ agent }) => agent).join(", ") || "nobody"}`,
    `budgets: ${used.join(", ")}`,
  ];
  return ["GAIA", ...lines.map((line) => `- ${line}`)].join("\n");
}
