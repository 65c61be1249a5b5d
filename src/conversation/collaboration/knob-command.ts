import {
  isKnobValue,
  knobEntry,
  KNOB_NAMES,
  valuesOf,
  type KNOBS,
  type KnobName,
} from "../../config/knobs.ts";
import type { UserEvent } from "./events.ts";
import type { KnobChange } from "./profiles.ts";

type Table = typeof KNOBS;
type NameIn<N extends KnobName> = Table[N] extends { command: { name: infer Name extends string } }
  ? Name
  : keyof Table[N]["values"] & string;

/** The slash commands that turn a knob: `mode`'s values are commands themselves, `/cadence` takes its knob's value. */
export type KnobCommandName = { [N in KnobName]: NameIn<N> }[KnobName];

/** A slash command that turns a knob. */
export interface KnobCommand {
  readonly knob: KnobName;
  /** null where the command takes it as its argument. */
  readonly value: string | null;
  /** For the slash menu: what it does, with the values that it takes. */
  readonly description: string;
  readonly native?: true;
}

/** All of them by name, from the table of knobs. */
export const KNOB_COMMANDS = Object.fromEntries(KNOB_NAMES.flatMap(commandsOf)) as Readonly<
  Record<KnobCommandName, KnobCommand>
>;

/** What a typed command does: an event that lacks only its time, or a sentence that says what is possible. */
export type ParsedCommand = { readonly event: UserEvent } | { readonly error: string };

/**
 * Reads a slash command (SPEC 13). Words after a command that takes none are refused rather than dropped, because they
 * are likely to be a request.
 */
export function parseKnobCommand(name: KnobCommandName, argumentText: string): ParsedCommand {
  const { knob, value } = KNOB_COMMANDS[name];
  const text = argumentText.trim();
  if (value === null) {
    const parsed = parseKnobValue(knob, text);
    return parsed.ok ? turn(knob, parsed.value) : { error: `/${name}: ${parsed.message}` };
  }
  if (text === "") return turn(knob, value);
  return { error: `/${name} takes no argument; send "${text.slice(0, 60)}" as a message of its own.` };
}

/** Reads a command as it would be typed, with its argument. */
export function parseKnobLine(line: string): ParsedCommand {
  const [name = "", ...rest] = line.trim().replace(/^\//, "").split(/\s+/);
  if (Object.hasOwn(KNOB_COMMANDS, name)) return parseKnobCommand(name as KnobCommandName, rest.join(" "));
  return { error: `"${name.slice(0, 40)}" turns no knob.` };
}

/**
 * A knob's value from what a person typed: case, spaces and hyphens do not matter ("Pair Live", "deep-repo").
 * @returns the value, or a sentence that lists what is possible
 */
export function parseKnobValue(
  knob: KnobName,
  text: string,
): { ok: true; value: string } | { ok: false; message: string } {
  const value = text
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
  if (isKnobValue(knob, value)) return { ok: true, value };
  const given = value === "" ? "A value is missing" : `"${text.trim().slice(0, 40)}" is not one of them`;
  return { ok: false, message: `${given}; possible: ${valuesOf(knob).join(", ")}.` };
}

function commandsOf(knob: KnobName): [string, KnobCommand][] {
  const { command, values } = knobEntry(knob);
  if (command === undefined) {
    return Object.entries(values).map(([value, { command: about }]) => [
      value,
      { knob, value, description: `GAIA: ${about ?? ""}` },
    ]);
  }
  const { name, lead, ...native } = command;
  const list = valuesOf(knob).join(" | ");
  return [
    [name, { knob, value: null, description: ["GAIA:", lead, list].filter(Boolean).join(" "), ...native }],
  ];
}

/** `/pair` and `/standard` turn more than their own knob. */
function turn(knob: KnobName, value: string): ParsedCommand {
  const change = knob === "interaction" ? { preset: value } : { knob, value };
  return { event: { type: "command", change: change as KnobChange } };
}
