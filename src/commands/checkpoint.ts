import { defineKnobCommand } from "./define-knob-command.ts";

/** `/checkpoint`: the user sees a summary per wave. */
export const checkpoint = defineKnobCommand("checkpoint", {
  description: "GAIA: show a summary per wave (default)",
});
