import { defineKnobCommand } from "./define-knob-command.ts";

/** `/supervised`: GAIA asks before changes. */
export const supervised = defineKnobCommand("supervised", {
  description: "GAIA: ask me before changes (default)",
});
