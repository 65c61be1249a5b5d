import { GAIA } from "../agents/gaia.ts";
import { type CommandDefinition, wordsForModel } from "../commands/define.ts";
import { COMMANDS } from "../commands/registry.ts";
import { readFeedback } from "../conversation/collaboration/checkin-packet.ts";
import { readRejected } from "../conversation/collaboration/dialogs.ts";
import type { Found } from "../conversation/conversations.ts";
import { STATUS_COMMAND } from "../conversation/display/metadata-keys.ts";
import { renderUndoForModel, renderUndoForUser } from "../conversation/own-work/own-work.ts";
import { followRequests, type PanelRequest } from "../conversation/display/panel-requests.ts";
import { type UserMessage, defineHook } from "../host/hook-events.ts";
import type { HostEvent } from "../host/port.ts";
import { systemClock } from "../lib/async.ts";
import { isRefusal } from "../lib/error.ts";
import { plainText } from "../lib/markdown.ts";
import type { Runtime } from "../runtime.ts";

interface TypedCommand {
  readonly command: CommandDefinition;
  readonly argumentText: string;
  /** An entry of the configuration has the same name: its text is sent as it is, and ours is done beside it. */
  readonly isShared: boolean;
  /** The text of its message, by which that is known among others that come meanwhile; null where the host writes it. */
  readonly sent: string | null;
}

/** Arguments without quotes that hold all of them: `opencode run --command` puts them around what has a space. */
function unquoted(text: string): string {
  const inner = /^\s*"((?:[^"\\]|\\[^])*)"\s*$/.exec(text)?.[1];
  return inner === undefined ? text : inner.replaceAll('\\"', '"');
}

const NOT_HERE =
  "This is a command of GAIA's, and this conversation is with another agent: nothing was changed. Tell the user so in one line: select GAIA first.";

/** Carries out slash commands, and tells the state what the user wrote (SPEC 8). */
export function createCollaboration(runtime: Runtime) {
  const { conversations, sessions, registered, agents, host } = runtime;
  const isOurs = (agent: string): boolean => agent === GAIA || agents.specialists.has(agent);
  /** Only with the message that follows it is known whom a command is addressed to, so it is carried out there. */
  const typedIn = new Map<string, TypedCommand>();
  const isRegistered = ({ name }: CommandDefinition): boolean => registered().commands.includes(name);
  /** Names that the configuration has entries of its own for are left alone, unless the user relies on ours. */
  const isTheirs = (command: CommandDefinition): boolean => isRegistered(command) && command.guards !== true;
  const slashCommands = defineHook({
    id: "slash-commands",
    event: "command-typed",
    async run({ name, sessionId, argumentText, send }) {
      typedIn.delete(sessionId);
      const command = COMMANDS.find((each) => each.name === name);
      if (command === undefined || isTheirs(command)) return;
      const isShared = isRegistered(command);
      if (command.native === true && (await sessions.find(sessionId)) === null) return;
      // Only its message tells whether the host's own is meant.
      const sent = isShared || command.native === true ? null : `/${name} ${argumentText}`.trim();
      typedIn.set(sessionId, { command, argumentText: unquoted(argumentText), isShared, sent });
      if (sent !== null) send(sent);
    },
  });
  /** The command that a text is, for one that OpenCode takes for a message. */
  const read = (text: string): TypedCommand | undefined => {
    const [, name, rest = ""] = /^\/([\w-]+)(?:\s+([^]*))?$/.exec(text.trim()) ?? [];
    const command = COMMANDS.find((each) => each.name === name);
    if (command === undefined || isTheirs(command)) return undefined;
    return { command, argumentText: unquoted(rest), isShared: false, sent: null };
  };

  const carryOut = async ({ command, argumentText }: TypedCommand, found: Found, message: UserMessage) => {
    const { sessionId } = message;
    const isAtWork = found.conversation.busy && sessionId === found.conversation.rootId;
    const reply = await command.run(argumentText, { runtime, sessionId, hasTurn: true, ...found });
    if (isRefusal(reply)) {
      const { reason } = reply;
      await host.toast("warning", reason);
      host.oneShot?.print(`✗ ${reason}`);
      return [`Nothing was done. Call no tool and tell the user in one line: ${reason}`];
    }
    if (reply.forUser !== undefined) {
      const shown = plainText(reply.forUser);
      message.showInstead(`/${command.name}\n\n${shown}`);
      // `opencode run` prints nothing of what its user has written.
      host.oneShot?.print(shown);
    }
    return [wordsForModel(reply, isAtWork)];
  };

  /** What the panel asks for: the same, in no message that a model would have to answer. */
  const carryOutAlone = async ({ id, command: line, from }: PanelRequest, found: Found): Promise<void> => {
    const { conversation, session } = found;
    const { parts, outbox, rootId } = conversation;
    const { command, argumentText = "" } = read(`/${line}`) ?? {};
    if (command === undefined) return host.toast("warning", `/${line} is no command of GAIA's here.`);
    await conversation.heedOthers();
    const reply = await command.run(argumentText, { runtime, sessionId: from, hasTurn: false, ...found });
    if (isRefusal(reply)) {
      await host.toast("warning", reply.reason);
      // A mistake is left to be fixed.
      return argumentText === "" ? undefined : host.prefill(`/${line}`);
    }
    const text = reply.forUser;
    const shown = `/${line}\n\n${text}`;
    if (command.name === STATUS_COMMAND) conversation.answerStatus({ request: id, text: text ?? "" });
    else if (text !== undefined) {
      const speaker = { agent: session.specialist ?? GAIA, model: null };
      if (from !== rootId && !parts.talks.isBusy(from))
        await host.sessions.note(from, speaker, plainText(runtime.redact(shown)), runtime.clock.now());
      else {
        outbox.note(shown);
        if (conversation.busy) await host.toast("info", `/${line} is shown at the end of this turn.`);
        await outbox.flush();
      }
    }
    if ("did" in reply) return;
    conversation.userSpoke("command");
    if (parts.turns.goOn(reply.forModel)) return;
    conversation.tell(reply.forModel);
    await host.toast("info", `GAIA goes on with /${line} at your next message.`);
  };

  const find = async (sessionId: string, typed: TypedCommand | undefined, message: UserMessage) => {
    try {
      return await conversations.of(sessionId);
    } catch (error) {
      if (typed !== undefined) {
        // The user must not believe that a lock holds.
        const words = `/${typed.command.name} was not carried out: OpenCode did not answer. Type it again.`;
        message.appendForModel(`${words} Tell the user so in one line, and call no tool.`);
        await host.toast("error", words);
      }
      throw error;
    }
  };

  /** A command that comes as text: it is not in OpenCode's menu here, or stands behind the words that a rejection put into the prompt. */
  const asText = (text: string, { conversation, session }: Found, message: UserMessage) => {
    const words = conversation.state.rejection === null ? text : (readRejected(text)?.words ?? text);
    const typed = session.specialist === null ? read(words) : undefined;
    if (typed !== undefined && words !== text) message.reword(words);
    return typed;
  };

  /** It ends the message with the collaboration line: one part at its end, so that earlier ones are never rewritten. */
  const collaborate = defineHook({
    id: "collaborate",
    event: "user-message",
    why: "last at this event: its line ends the message",
    async run(message) {
      const { sessionId, said } = message;
      if (said === null) return;
      const waiting = typedIn.get(sessionId);
      const given = (waiting?.sent ?? said.text.trim()) === said.text.trim() ? waiting : undefined;
      if (given !== undefined) typedIn.delete(sessionId);
      const isOfUs = isOurs(message.agent);
      const isHosts = given?.command.native === true;
      const command = isOfUs || given?.isShared === true ? given : undefined;
      const found = await find(sessionId, command, message);
      if (given !== undefined && !isHosts && command === undefined) message.appendForModel(NOT_HERE);
      if (found === null) return;
      const { conversation, session } = found;
      const { isTalk, specialist } = session;
      if (isHosts && command) message.reword(`/${command.command.name} ${command.argumentText}`);
      const typed = command ?? (isOfUs ? asText(said.text, found, message) : undefined);
      const isRoot = specialist === null;
      if (isRoot) await conversation.heedOthers();
      if (isRoot) conversation.userSpoke(typed === undefined ? "message" : "command");
      const isGaia = isRoot && message.agent === GAIA;
      // What the user tells another agent answers nothing of GAIA's.
      const isForGaia = typed === undefined && (isGaia || !isRoot);
      if (isForGaia) conversation.dispatch({ type: "user-message", text: said.text });
      // Of the batch that they saw; by now it is over.
      const isUndo = isForGaia && readFeedback(said.text) === "undo";
      const undoing = isUndo ? conversation.parts.ownWork.undoLast() : null;
      const words = typed === undefined ? said.text : null;
      const spoken = isTalk ? await conversation.parts.talks.spoken(sessionId, specialist ?? "", words) : [];
      const orders = typed === undefined ? spoken : await carryOut(typed, found, message);
      const undone = await undoing;
      if (undone !== null) {
        const forUser = renderUndoForUser(undone);
        conversation.outbox.note(forUser);
        conversation.tell(renderUndoForModel(undone));
        if (isTalk)
          orders.push(`The plugin has carried out "undo last". Tell the user in one line: ${forUser}`);
      }
      // What the user has just set holds after a crash as well.
      if (isRoot) await conversation.mirrored();
      if (!isGaia) {
        if (orders.length > 0) message.appendForModel(orders.join("\n"));
        return;
      }
      const handshake = typed === undefined ? await conversation.parts.questions.handshakeHint() : [];
      const open = typed === undefined ? await conversation.parts.restart.forMessage() : "";
      const told = conversation.takeLines();
      const tag = conversation.tag();
      const lines = [open, ...told.filter((line) => line !== tag), ...orders, ...handshake, tag];
      message.appendForModel(lines.filter(Boolean).join("\n"));
    },
  });

  const services = { ...runtime, timeOfDay: systemClock, began: runtime.began.at };
  const follow = followRequests(services, carryOutAlone);

  return {
    hooks: [collaborate, slashCommands],
    observe(event: HostEvent): void {
      follow(event);
      if (event.type === "session.deleted") typedIn.delete(event.sessionId);
    },
  };
}
