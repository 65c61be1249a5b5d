import { defineKnobCommand } from "./define-knob-command.ts";

/** `/quiet`: the user sees milestones. */
export const quiet = defineKnobCommand("quiet", {
  description: "GAIA: show milestones only",
});
