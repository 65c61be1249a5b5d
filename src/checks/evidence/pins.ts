import { excerpt } from "../../lib/excerpt.ts";
import type { JudgeCommand } from "../../policy/load-exit-code.ts";
import { digestOf, keyOf, type Pin } from "./evidence.ts";
import type { Ledger } from "./ledger.ts";

/** A command as a check or a plan names it. */
export interface NamedCommand {
  readonly command: string;
  readonly cwd?: string | undefined;
}

/** A check that comes down to something else than it did when the work began. */
export interface ChangedCheck extends NamedCommand {
  readonly from: string;
  readonly to: string;
}

/**
 * What checks come down to: the package script, target or shell script that a command runs, as it was when the work began.
 * Who may change the files may make `true` of a check, so that one which changed proves nothing until the user agrees.
 */
export interface Pins {
  /** Notes what is not noted yet. */
  pin(unit: string | null, commands: readonly NamedCommand[]): Promise<void>;
  /** Why a command proves nothing any more, in words for a person; null where it is what it was. */
  changed(unit: string | null, command: string, cwd?: string): Promise<string | null>;
  listChanged(unit: string | null, commands: readonly NamedCommand[]): Promise<ChangedCheck[]>;
  /** Whether there is anything on which a command would pass. */
  canPass(named: NamedCommand): Promise<boolean>;
  /** The user agreed to what they come down to now. */
  accept(unit: string | null, commands: readonly NamedCommand[]): Promise<void>;
}

const MAX_SHOWN = 200;

export function createPins(ledger: Ledger, judge: JudgeCommand): Pins {
  const pinOf = async ({ command, cwd }: NamedCommand): Promise<Pin | null> => {
    const { recipe } = await judge(command, cwd);
    // What is not there yet may still come.
    if (recipe.length === 0) return null;
    const shown = excerpt(recipe.join("; "), MAX_SHOWN);
    return {
      key: keyOf(command, cwd),
      command: excerpt(command, MAX_SHOWN),
      digest: digestOf(recipe),
      shown,
    };
  };
  const note = async (
    unit: string | null,
    commands: readonly NamedCommand[],
    again: boolean,
  ): Promise<void> => {
    const made = await Promise.all(commands.map(pinOf));
    await ledger.pin(
      unit,
      made.filter((pin) => pin !== null),
      again,
    );
  };
  const compare = async (unit: string | null, named: NamedCommand): Promise<ChangedCheck | null> => {
    const { pins } = await ledger.of(unit);
    const before = pins.find(({ key }) => key === keyOf(named.command, named.cwd));
    if (before === undefined) return null;
    const now = await pinOf(named);
    if (now?.digest === before.digest) return null;
    return { ...named, from: before.shown, to: now?.shown ?? "nothing" };
  };

  return {
    pin: async (unit, commands) => note(unit, commands, false),
    async changed(unit, command, cwd) {
      const found = await compare(unit, { command, cwd });
      return found === null ? null : describeChange(found);
    },
    async listChanged(unit, commands) {
      const found = await Promise.all(commands.map(async (each) => compare(unit, each)));
      return found.filter((each) => each !== null);
    },
    canPass: async ({ command, cwd }) => (await judge(command, cwd)).canPass,
    accept: async (unit, commands) => note(unit, commands, true),
  };
}

/** Says what became of a check. */
export function describeChange({ from, to }: ChangedCheck): string {
  return `what it runs was changed since the work began, from \`${excerpt(from, 80)}\` to \`${excerpt(to, 80)}\``;
}
