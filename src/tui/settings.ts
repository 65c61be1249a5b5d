import { knobEntry } from "../config/knobs.ts";

/** What is turned most often comes first. */
const ORDER = ["mode", "profile", "visibility", "interaction", "checkinCadence", "reviewDepth"] as const;

/** Every setting, in the order of the list. */
export const SETTINGS = ORDER.flatMap((knob) => {
  const { group, command, values } = knobEntry(knob);
  return Object.entries(values).map(([value, { meaning }]) => ({
    knob,
    value,
    meaning,
    /** As it is typed, without the slash. */
    command: command === undefined ? value : `${command.name} ${value}`,
    /** Whether the value is a command of its own, so that it stands in the palette. */
    inPalette: command === undefined,
    group,
  }));
});
