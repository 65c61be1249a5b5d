import { defineKnobCommand } from "./define-knob-command.ts";

/** `/pair`: pair programming. */
export const pair = defineKnobCommand("pair", {
  description: "GAIA: pair with me: ask first, show all, stop after every change",
});
