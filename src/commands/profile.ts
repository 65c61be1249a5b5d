import { defineKnobCommand } from "./define-knob-command.ts";

/** `/profile`: a preset of all knobs. */
export const profile = defineKnobCommand("profile", {
  description: "GAIA: pair_live | pair_batched | pair_ramp | agentic_checkpoint | agentic_full | standard",
});
