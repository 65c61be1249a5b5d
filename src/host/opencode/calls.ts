import { recordOf, textOf } from "../../lib/json.ts";
import { callKey, type DialogAnswer, type DialogRequest, type ToolCall } from "../port.ts";
import type { PreparedCall } from "../tool.ts";
import type { FileLines, ToolEffect } from "../tool-call.ts";

/** What the hooks around a call name: not its message, and a provider may use an id again in each. */
interface HookCall {
  readonly sessionID: string;
  readonly callID: string;
}

interface NamedCall extends HookCall {
  readonly messageID: string;
}

/** One call, from the hook before it to the next message of its session. */
export type OpenCall = ReturnType<typeof newCall>;

/**
 * `isNamed`: whether OpenCode itself has named the message. `isOver`: it has ended, or no hook was shown it. `denial`: why a gate
 * refused it, for its tool to say in place of doing anything. Of one of the plugin's tools for files, `effect` is what it does, `run`
 * does it until that begins, and `written` is what that wrote. `ask`: while one of the plugin's tools carries it out; only then can a
 * dialog be raised in it.
 */
function newCall({ sessionID, messageID, callID }: NamedCall, isOver: boolean) {
  return {
    key: callKey(sessionID, messageID, callID),
    messageID,
    isNamed: false,
    isOver,
    denial: null as string | null,
    effect: null as ToolEffect | null,
    run: null as PreparedCall["run"] | null,
    written: [] as readonly FileLines[],
    ask: null as ToolCall["ask"] | null,
  };
}

/** What is said where OpenCode takes our hooks and does not call them: each call of a tool of ours tells that, no start does. */
export const UNSEEN =
  "GAIA does nothing here: OpenCode ran this call without showing it to the plugin first (tool.execute.before), so no rule would hold.";

export type Calls = ReturnType<typeof createCalls>;

/** The one record of each call that runs; names of calls become keys here. `own` tools ask `denialOf` before they do anything. */
export function createCalls() {
  let own: readonly string[] = [];
  const sessions = new Map<string, { newest: string; readonly open: Map<string, OpenCall> }>();
  const sessionOf = (id: string) => {
    const known = sessions.get(id) ?? { newest: "", open: new Map<string, OpenCall>() };
    sessions.set(id, known);
    return known;
  };
  const of = (named: NamedCall): OpenCall => {
    const { sessionID, messageID, callID } = named;
    const call = sessions.get(sessionID)?.open.get(callID);
    // A call may begin before its message was heard of; an older one is another call's.
    if (call !== undefined && !call.isNamed && messageID >= call.messageID)
      Object.assign(call, { messageID, isNamed: true });
    return call?.messageID === messageID ? call : newCall(named, true);
  };
  return {
    /** An assistant's message has begun: calls that begin from now on stand in it. */
    messageBegan(sessionID: string, messageID: string): void {
      const session = sessionOf(sessionID);
      // OpenCode's ids ascend.
      if (messageID <= session.newest) return;
      session.newest = messageID;
      for (const [id, { isOver }] of session.open) if (isOver) session.open.delete(id);
    },
    /** The hook before a call. */
    begin({ sessionID, callID }: HookCall): OpenCall {
      const { newest, open } = sessionOf(sessionID);
      // The same id twice in one message: nothing was heard yet of the second one's.
      const messageID = open.get(callID)?.messageID === newest ? `${newest}~` : newest;
      const call = newCall({ sessionID, messageID, callID }, false);
      open.set(callID, call);
      return call;
    },
    /** Of the hooks that follow it. */
    current({ sessionID, callID }: HookCall): OpenCall {
      const session = sessions.get(sessionID);
      const messageID = session?.newest ?? "";
      return session?.open.get(callID) ?? newCall({ sessionID, messageID, callID }, true);
    },
    /** Of what names the message as well. */
    of,
    /** Of the call that a tool is asked to carry out: its context names it, whatever OpenCode's types say. */
    ofContext: (context: Omit<NamedCall, "callID">): OpenCall =>
      of({ ...context, callID: textOf(recordOf(context)["callID"]) ?? "" }),
    /** As {@link Host.askInSession}. */
    ask(sessionId: string, request: DialogRequest): Promise<DialogAnswer> | null {
      const open = [...(sessions.get(sessionId)?.open.values() ?? [])];
      return open.findLast(({ ask }) => ask !== null)?.ask?.(request) ?? null;
    },
    forget: (sessionID: string): void => void sessions.delete(sessionID),
    /**
     * Whether a refusal of this tool may wait for the tool: only where nothing else carries its calls out. OpenCode prints all
     * arguments of a call that fails, plans and prompts of pages included, and one line for a call that ends: so these calls go
     * on, and their tool says the refusal in place of doing anything.
     */
    holds: (tool: string): boolean => own.includes(tool),
    own: (tools: readonly string[]): void => void (own = tools),
  };
}

/** Why the tool must not do anything; null for a call that the hook before it was shown, and no gate refused. */
export function denialOf({ isOver, denial }: OpenCall): string | null {
  return isOver ? UNSEEN : denial;
}
