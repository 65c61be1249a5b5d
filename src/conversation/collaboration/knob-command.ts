import type { UserEvent } from "./events.ts";
import type { KnobName } from "./knobs.ts";
import { parseKnobValue } from "./knobs.ts";
import type { KnobChange } from "./profiles.ts";

const FIXED = {
  autopilot: { knob: "mode", value: "autopilot" },
  supervised: { knob: "mode", value: "supervised" },
  locked: { knob: "mode", value: "locked" },
  live: { knob: "visibility", value: "live" },
  checkpoint: { knob: "visibility", value: "checkpoint" },
  quiet: { knob: "visibility", value: "quiet" },
  pair: { preset: "pair" },
  standard: { preset: "standard" },
} as const satisfies Record<string, KnobChange>;

const VALUED = {
  profile: "profile",
  cadence: "checkinCadence",
  review: "reviewDepth",
} as const satisfies Record<string, KnobName>;

/** The slash commands that act on the collaboration state. */
export type KnobCommandName = keyof typeof FIXED | keyof typeof VALUED | "next";

/** What a command does: an event that lacks only its time, or a sentence that says what is possible. */
export type KnobCommand = { readonly event: UserEvent } | { readonly error: string };

/**
 * Reads a slash command (SPEC 13). Words after `/next` are feedback; words after a command that takes none are refused
 * rather than dropped, because they are likely to be a request.
 */
export function parseKnobCommand(name: KnobCommandName, argumentText: string): KnobCommand {
  const text = argumentText.trim();
  if (name === "next") {
    return { event: text === "" ? { type: "next" } : { type: "user-message", text } };
  }
  if (name in VALUED) return parseValued(name as keyof typeof VALUED, text);
  if (text !== "") {
    return { error: `/${name} takes no argument; send "${text.slice(0, 60)}" as a message of its own.` };
  }
  return { event: { type: "command", change: FIXED[name as keyof typeof FIXED] } };
}

/** Reads a command as it would be typed, with its argument; `next` is none, because a model has to go on after it. */
export function parseKnobLine(line: string): KnobCommand {
  const [name = "", ...rest] = line.trim().replace(/^\//, "").split(/\s+/);
  if (Object.hasOwn(FIXED, name) || Object.hasOwn(VALUED, name)) {
    return parseKnobCommand(name as KnobCommandName, rest.join(" "));
  }
  return { error: `"${name.slice(0, 40)}" turns no knob.` };
}

function parseValued(name: keyof typeof VALUED, text: string): KnobCommand {
  const knob = VALUED[name];
  const parsed = parseKnobValue(knob, text);
  if (!parsed.ok) return { error: `/${name}: ${parsed.message}` };
  return { event: { type: "command", change: { knob, value: parsed.value } as KnobChange } };
}
