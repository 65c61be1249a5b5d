import { knobEntry, type KnobName } from "../config/knobs.ts";

export interface Setting {
  readonly knob: KnobName;
  readonly value: string;
  readonly meaning: string;
  readonly command: string;
  /** OpenCode has a command of this name, which takes what is no value of ours. */
  readonly isNative: boolean;
  /** Whether the value is a command of its own, so that it stands in the palette. */
  readonly inPalette: boolean;
  readonly group: string;
}

/** What is turned most often comes first. */
const ORDER = ["mode", "profile", "visibility", "interaction", "checkinCadence", "reviewDepth"] as const;

/** Every setting, in the order of the list. */
export const SETTINGS: readonly Setting[] = ORDER.flatMap((knob) => {
  const { group, command, values } = knobEntry(knob);
  return Object.entries(values).map(([value, { meaning }]) => ({
    knob,
    value,
    meaning,
    command: command === undefined ? value : `${command.name} ${value}`,
    isNative: command?.native ?? false,
    inPalette: command === undefined,
    group,
  }));
});
