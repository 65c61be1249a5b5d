import { KNOB_MEANING, KNOB_VALUES, type KnobName, type Knobs } from "../conversation/collaboration/knobs.ts";

/** A value of a knob as the user can choose it. */
export interface Setting {
  readonly knob: KnobName;
  readonly value: string;
  readonly meaning: string;
  /** As it would be typed, without the slash. */
  readonly command: string;
  /** Heading in the list of all settings. */
  readonly group: string;
}

/** The knobs in the order of the list, and the command that turns each. */
const GROUPS: readonly { knob: KnobName; group: string; command: (value: string) => string }[] = [
  { knob: "mode", group: "Mode", command: (value) => value },
  { knob: "profile", group: "Profile", command: (value) => `profile ${value}` },
  { knob: "visibility", group: "What I see", command: (value) => value },
  { knob: "interaction", group: "Pairing", command: (value) => value },
  { knob: "checkinCadence", group: "Stop for me every", command: (value) => `cadence ${value}` },
  { knob: "reviewDepth", group: "Review", command: (value) => `review ${value}` },
];

/** Every setting, in the order of the list. */
export const SETTINGS: readonly Setting[] = GROUPS.flatMap(({ knob, group, command }) =>
  KNOB_VALUES[knob].map((value) => ({
    knob,
    value,
    meaning: (KNOB_MEANING[knob] as Readonly<Record<string, string>>)[value] ?? "",
    command: command(value),
    group,
  })),
);

/** Whether this is how the knob stands. */
export function isCurrent({ knob, value }: Setting, knobs: Readonly<Record<keyof Knobs, string>>): boolean {
  return knobs[knob] === value;
}
