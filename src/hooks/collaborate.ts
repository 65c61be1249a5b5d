import { GAIA } from "../agents/gaia.ts";
import type { Conversation } from "../conversation/conversation.ts";
import { defineHook, type HookDefinition, type HookOutput } from "../host/hook.ts";
import { appendForModel, readUserMessage, showInstead } from "../host/opencode/message-parts.ts";
import type { Runtime } from "../runtime.ts";
import type { TypedCommand } from "./slash-commands.ts";

type UserMessage = HookOutput<"chat.message">;

const NOT_HERE =
  "This is a command of GAIA's, and this conversation is with another agent: nothing was changed. Tell the user so in one line: select GAIA first.";

/**
 * Carries out slash commands, tells the state what the user wrote, and ends the message with the collaboration line
 * (SPEC 8). All of it is one part at the end of the newest message, kept with it, so that earlier ones are never rewritten.
 * @param take the command that the session's message comes from
 */
export function createCollaborateHook(
  runtime: Runtime,
  take: (sessionId: string) => TypedCommand | undefined,
): HookDefinition {
  const { supervision } = runtime;

  const carryOut = async (
    { command, argumentText }: TypedCommand,
    conversation: Conversation,
    output: UserMessage,
  ) => {
    const reply = await command.run(argumentText, { runtime, conversation });
    if (reply.forUser !== undefined) showInstead(output, `/${command.name}\n\n${reply.forUser}`);
    return [reply.forModel];
  };

  return defineHook({
    id: "collaborate",
    event: "chat.message",
    why: "last at this event: its line ends the message",
    onFailure: "open",
    async run({ sessionID }, output) {
      const said = readUserMessage(output);
      if (said === null) return;
      const typed = take(sessionID);
      const found = await supervision.conversations.of(sessionID);
      if (found === null) {
        if (typed !== undefined) appendForModel(output, NOT_HERE);
        return;
      }
      const { conversation, session } = found;
      if (session.specialist === null) conversation.userSpoke(typed === undefined ? "message" : "command");
      if (typed === undefined) {
        runtime.stages.userSpoke(conversation.rootId);
        conversation.dispatch({ type: "user-message", text: said.text });
      }
      const orders = typed === undefined ? [] : await carryOut(typed, conversation, output);
      const isGaia = session.specialist === null && output.message.agent === GAIA;
      if (!isGaia) {
        if (orders.length > 0) appendForModel(output, orders.join("\n"));
        return;
      }
      const handshake = typed === undefined ? await supervision.handshake.hint(conversation) : [];
      const told = conversation.takeLines();
      const tag = conversation.tag();
      const lines = [...told.filter((line) => line !== tag), ...orders, ...handshake, tag];
      appendForModel(output, lines.join("\n"));
    },
  });
}
