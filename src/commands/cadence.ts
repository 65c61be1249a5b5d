import { defineKnobCommand } from "./define-knob-command.ts";

/** `/cadence`: how often work stops for the user. */
export const cadence = defineKnobCommand("cadence", {
  description: "GAIA: stop for me every step | batch | wave | milestone",
});
