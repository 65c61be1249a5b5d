import { parseKnobCommand, type KnobCommandName } from "../collaboration/knob-command.ts";
import { KNOB_MEANING, type Knobs } from "../collaboration/knobs.ts";
import { defineCommand, type CommandDefinition, type CommandReply } from "./define.ts";

/** A command that turns knobs: done at once, and acknowledged in one line. */
export function defineKnobCommand(
  name: Exclude<KnobCommandName, "next">,
  about: Pick<CommandDefinition, "description" | "native">,
): CommandDefinition {
  return defineCommand({
    name,
    ...about,
    run(argumentText, { room, runtime }) {
      const parsed = parseKnobCommand(name, argumentText);
      if ("error" in parsed) {
        void runtime.host.toast("warning", parsed.error);
        return refuse(parsed.error);
      }
      room.dispatch(parsed.event);
      return acknowledge(name, room.state.knobs, room.busy);
    },
  });
}

function refuse(error: string): CommandReply {
  return {
    forModel: `Nothing was changed. Tell the user in one line, without calling a tool: ${error}`,
  };
}

function acknowledge(name: string, knobs: Knobs, busy: boolean): CommandReply {
  const now = `/${name} is done: ${knobs.mode} (${KNOB_MEANING.mode[knobs.mode]}).`;
  return {
    forModel: busy
      ? `${now} Go on with your work under it, without a word about it.`
      : `${now} Confirm in one short line, call no tool, start nothing.`,
  };
}
