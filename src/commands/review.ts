import { defineKnobCommand } from "./define-knob-command.ts";

/** `/review`: how far reviews look. OpenCode has a command of this name, which stays in all other sessions. */
export const review = defineKnobCommand("review", {
  description: "GAIA: review depth inline | diff | risk | deep_repo",
  native: true,
});
