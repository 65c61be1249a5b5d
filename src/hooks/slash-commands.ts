import type { CommandDefinition } from "../commands/define.ts";
import { COMMANDS } from "../commands/registry.ts";
import { defineHook, type HookDefinition } from "../host/hook.ts";
import type { HostEvent } from "../host/port.ts";
import type { Runtime } from "../runtime.ts";

/** A command that was typed, and whose message is on its way. */
export interface TypedCommand {
  readonly command: CommandDefinition;
  readonly argumentText: string;
  /** An entry of the configuration has the same name: its text is sent as it is, and ours is done beside it. */
  readonly isShared: boolean;
}

/** Catches the plugin's slash commands. */
export interface SlashCommands {
  readonly hook: HookDefinition;
  /** Names that the configuration has entries of its own for, which the plugin leaves alone unless the user relies on them. */
  leaveAlone(names: readonly string[]): void;
  /** The command that the message of this session comes from; each once. */
  take(sessionId: string): TypedCommand | undefined;
  observe(event: HostEvent): void;
}

/**
 * Only with the message that follows it is known whom a command is addressed to, for the first message of a session may
 * be one; so it is carried out there. Until then the message says that nothing has happened.
 */
export function createSlashCommands({ sessions }: Runtime): SlashCommands {
  const typed = new Map<string, TypedCommand>();
  const users = new Set<string>();
  return {
    hook: defineHook({
      id: "slash-commands",
      event: "command-typed",
      why: "the only hook at this event",
      onFailure: "open",
      async run({ name, sessionId, argumentText, send }) {
        typed.delete(sessionId);
        const command = COMMANDS.find((each) => each.name === name);
        const isShared = users.has(name);
        if (command === undefined || (isShared && command.guards !== true)) return;
        if (command.native === true && (await sessions.find(sessionId)) === null) return;
        typed.set(sessionId, { command, argumentText, isShared });
        if (!isShared) send(`/${name} ${argumentText}`.trim());
      },
    }),
    leaveAlone(names) {
      for (const name of names) users.add(name);
    },
    take(sessionId) {
      const found = typed.get(sessionId);
      typed.delete(sessionId);
      return found;
    },
    observe(event) {
      if (event.type === "session.deleted") typed.delete(event.sessionId);
    },
  };
}
