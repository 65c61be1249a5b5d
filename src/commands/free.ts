import { KNOB_NAMES, knobEntry } from "../config/knobs.ts";
import type { MENU } from "./menu.ts";

/** Where a command is typed, as far as the panel knows it. */
export interface TypedWhere {
  /** Specialists are at work: what could loosen their limits has to be a command of the host's. */
  readonly isAtWork: boolean;
  readonly hasUnit: boolean;
  readonly isTalk: boolean;
}

type IsFree = (words: string, where: TypedWhere) => boolean;

const always: IsFree = () => true;
const atRest: IsFree = (_words, { isAtWork }) => !isAtWork;
/** Whether the host's own command of a name is meant only the message's agent tells. */
const KNOBS = KNOB_NAMES.map(knobEntry).flatMap(({ command, values }) =>
  command === undefined ? Object.keys(values) : command.native === true ? [] : [command.name],
);
const OTHERS: Partial<Record<(typeof MENU)[number]["name"], IsFree>> = {
  // A word behind it asks for nothing else; a sentence is for GAIA.
  "gaia-status": (words) => !/\s/.test(words),
  "gaia-trust": always,
  handoff: always,
  talk: always,
  back: (_words, { isTalk }) => isTalk,
  "gaia-check": always,
  "gaia-findings": (words) => words === "",
  // Where no unit is open, there is only that to say.
  "gaia-unify": (words, { hasUnit }) => words === "" && !hasUnit,
  "gaia-pr": always,
  "gaia-why": always,
};

/** The commands that need no model, with these words behind them: the panel has them carried out, and nothing is sent. */
export const FREE = new Map<string, IsFree>([
  ...KNOBS.map((name) => [name, atRest] as const),
  ...Object.entries(OTHERS),
]);

/** A command's text in OpenCode's configuration, where it is ours. */
export const templateOf = (name: string): string => `/${name} $ARGUMENTS`;
