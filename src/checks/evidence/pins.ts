import { join } from "node:path";
import type { CheckDefinition } from "../../config/definition-of-done.ts";
import { excerpt } from "../../lib/excerpt.ts";
import { commandKey, type OwnFile } from "./evidence.ts";
import type { EvidenceLedger } from "./ledger.ts";
import { ownFilesOf } from "./own-files.ts";

type NamedCommand = Pick<CheckDefinition, "command" | "cwd">;

/** A check whose own files are not what they were when the work began. */
export interface ChangedCheck extends NamedCommand {
  readonly names: readonly string[];
  readonly how: string;
}

const MAX_COMMAND = 200;

/**
 * The own files of checks, by their content when the work began. Who may change the files may make `true` of a check, so that
 * one which changed proves nothing until the user agrees.
 */
export function createPins(ledger: EvidenceLedger, project: string) {
  const filesOf = async ({ command, cwd = "." }: NamedCommand): Promise<OwnFile[]> =>
    ownFilesOf(command, join(project, cwd), project);
  const note = async (unit: string | null, commands: readonly NamedCommand[], again: boolean) => {
    const pins = commands.map(async (named) => {
      const key = commandKey(named.command, named.cwd);
      return { key, command: excerpt(named.command, MAX_COMMAND), files: await filesOf(named) };
    });
    await ledger.pin(unit, await Promise.all(pins), again);
  };
  const compare = async (unit: string | null, named: NamedCommand): Promise<ChangedCheck[]> => {
    const { pins } = await ledger.of(unit);
    const before = pins.find(({ key }) => key === commandKey(named.command, named.cwd))?.files ?? [];
    if (before.length === 0) return [];
    const now = new Map((await filesOf(named)).map((file) => [file.name, file]));
    const changed = before.filter(({ name, digest }) => now.get(name)?.digest !== digest);
    if (changed.length === 0) return [];
    const how = changed.map((file) => describe(file, now.get(file.name))).join(", ");
    return [{ ...named, names: changed.map(({ name }) => name), how }];
  };

  return {
    pin: async (unit: string | null, commands: readonly NamedCommand[]): Promise<void> =>
      note(unit, commands, false),
    async listChanged(unit: string | null, commands: readonly NamedCommand[]): Promise<ChangedCheck[]> {
      return (await Promise.all(commands.map(async (each) => compare(unit, each)))).flat();
    },
    /** The user agreed to them as they are now. */
    accept: async (unit: string | null, commands: readonly NamedCommand[]): Promise<void> =>
      note(unit, commands, true),
  };
}

function describe({ name, shown }: OwnFile, now: OwnFile | undefined): string {
  if (now === undefined) return `${name} is gone`;
  return shown === now.shown
    ? `${name} was changed`
    : `${name} was changed from \`${excerpt(shown, 80)}\` to \`${excerpt(now.shown, 80)}\``;
}
