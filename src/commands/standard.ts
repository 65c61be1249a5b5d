import { defineKnobCommand } from "./define-knob-command.ts";

/** `/standard`: back to the usual pace. */
export const standard = defineKnobCommand("standard", {
  description: "GAIA: leave pair programming, check in per wave",
});
