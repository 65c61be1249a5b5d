import { defineKnobCommand } from "./define-knob-command.ts";

/** `/live`: the user sees every tool call. */
export const live = defineKnobCommand("live", {
  description: "GAIA: show every tool call as it happens",
});
