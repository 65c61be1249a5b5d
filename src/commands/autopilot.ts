import { defineKnobCommand } from "./define-knob-command.ts";

/** `/autopilot`: GAIA goes on without asking. */
export const autopilot = defineKnobCommand("autopilot", {
  description: "GAIA: go on without asking; dangerous operations stay refused",
});
