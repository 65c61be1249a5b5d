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
 * Reads a slash command (SPEC 13). A value may be typed as a person would ("Pair Live", "deep-repo"). Words after a
 * command that takes none are refused rather than dropped, because they are likely to be a request.
 */
export function parseKnobCommand(name: KnobCommandName, argumentText: string): ParsedCommand {
  const { knob, value } = KNOB_COMMANDS[name];
  const text = argumentText.trim();
  if (value !== null) {
    if (text === "") return turn(knob, value);
    return { error: `/${name} takes no argument; send "${text.slice(0, 60)}" as a message of its own.` };
  }
  const chosen = text.toLowerCase().replace(/[\s-]+/g, "_");
  if (isKnobValue(knob, chosen)) return turn(knob, chosen);
  const given = text === "" ? "A value is missing" : `"${text.slice(0, 40)}" is not one of them`;
  return { error: `/${name}: ${given}; possible: ${valuesOf(knob).join(", ")}.` };
}

/** Reads a command as it would be typed, with its argument. */
export function parseKnobLine(line: string): ParsedCommand {
  const [name = "", ...rest] = line.trim().replace(/^\//, "").split(/\s+/);
  if (Object.hasOwn(KNOB_COMMANDS, name)) return parseKnobCommand(name as KnobCommandName, rest.join(" "));
  return { error: `"${name.slice(0, 40)}" turns no knob.` };
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
