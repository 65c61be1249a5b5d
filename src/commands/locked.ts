import { defineKnobCommand } from "./define-knob-command.ts";

/** `/locked`: nothing is changed. */
export const locked = defineKnobCommand("locked", {
  description: "GAIA: change nothing, only read and analyse",
});
