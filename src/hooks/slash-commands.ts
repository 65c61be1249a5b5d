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
  /** The command that the message of this session comes from; each once. */
  take(sessionId: string): TypedCommand | undefined;
  /** The command that a text is, for one that OpenCode takes for a message. */
  read(text: string): TypedCommand | undefined;
  observe(event: HostEvent): void;
}

/**
 * Only with the message that follows it is known whom a command is addressed to, for the first message of a session may
 * be one; so it is carried out there. Until then the message says that nothing has happened.
 */
export function createSlashCommands({ sessions, registered }: Runtime): SlashCommands {
  const typed = new Map<string, TypedCommand>();
  const isRegistered = ({ name }: CommandDefinition): boolean => registered().commands.includes(name);
  /** Names that the configuration has entries of its own for are left alone, unless the user relies on ours. */
  const isTheirs = (command: CommandDefinition): boolean => isRegistered(command) && command.guards !== true;
  return {
    hook: defineHook({
      id: "slash-commands",
      event: "command-typed",
      why: "the only hook at this event",
      onFailure: "open",
      async run({ name, sessionId, argumentText, send }) {
        typed.delete(sessionId);
        const command = COMMANDS.find((each) => each.name === name);
        if (command === undefined || isTheirs(command)) return;
        const isShared = isRegistered(command);
        if (command.native === true && (await sessions.find(sessionId)) === null) return;
        typed.set(sessionId, { command, argumentText: unquoted(argumentText), isShared });
        if (!isShared) send(`/${name} ${argumentText}`.trim());
      },
    }),
    take(sessionId) {
      const found = typed.get(sessionId);
      typed.delete(sessionId);
      return found;
    },
    read(text) {
      const [, name, rest = ""] = /^\/([\w-]+)(?:\s+([^]*))?$/.exec(text.trim()) ?? [];
      const command = COMMANDS.find((each) => each.name === name);
      if (command === undefined || isTheirs(command)) return undefined;
      return { command, argumentText: unquoted(rest), isShared: false };
    },
    observe(event) {
      if (event.type === "session.deleted") typed.delete(event.sessionId);
    },
  };
}

/** Arguments without quotes that hold all of them: `opencode run --command` puts them around what has a space. */
function unquoted(text: string): string {
  const inner = /^\s*"((?:[^"\\]|\\[^])*)"\s*$/.exec(text)?.[1];
  return inner === undefined ? text : inner.replaceAll('\\"', '"');
}
