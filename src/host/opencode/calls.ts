import { recordOf, textOf } from "../../lib/json.ts";
import { type CallKey, callKey } from "../port.ts";

/** What the hooks around a call name: not its message, and a provider may use an id again in each. */
interface HookCall {
  readonly sessionID: string;
  readonly callID: string;
}

interface NamedCall extends HookCall {
  readonly messageID: string;
}

interface OpenCall {
  readonly key: CallKey;
  messageID: string;
  /** Whether OpenCode itself has named the message. */
  isNamed: boolean;
  isOver: boolean;
}

/**
 * What is said where OpenCode takes our hooks and does not call them. Nothing at a start tells that, but each call of a tool of ours
 * does, and no specialist begins without one.
 */
export const UNSEEN =
  "GAIA does nothing here: OpenCode ran this call without showing it to the plugin first (tool.execute.before), so no rule would hold.";

export type Calls = ReturnType<typeof createCalls>;

/**
 * The door at which OpenCode's names of calls become keys, and at which refused calls of the plugin's own tools wait for their tool.
 * @param own the tools that ask `reasonFor` before they do anything
 */
export function createCalls(own: readonly string[] = []) {
  const sessions = new Map<string, { newest: string; readonly open: Map<string, OpenCall> }>();
  const reasons = new Map<CallKey, string>();
  const sessionOf = (id: string) => {
    const known = sessions.get(id) ?? { newest: "", open: new Map<string, OpenCall>() };
    sessions.set(id, known);
    return known;
  };
  const messageBegan = (sessionID: string, messageID: string): void => {
    const session = sessionOf(sessionID);
    // OpenCode's ids ascend.
    if (messageID <= session.newest) return;
    session.newest = messageID;
    for (const [id, { isOver }] of session.open) if (isOver) session.open.delete(id);
  };
  const current = ({ sessionID, callID }: HookCall): CallKey => {
    const session = sessions.get(sessionID);
    return session?.open.get(callID)?.key ?? callKey(sessionID, session?.newest ?? "", callID);
  };
  const of = ({ sessionID, messageID, callID }: NamedCall): CallKey => {
    const call = sessions.get(sessionID)?.open.get(callID);
    // A call may begin before its message was heard of; an older one is another call's.
    if (call !== undefined && !call.isNamed && messageID >= call.messageID)
      Object.assign(call, { messageID, isNamed: true });
    return call?.messageID === messageID ? call.key : callKey(sessionID, messageID, callID);
  };
  return {
    /** An assistant's message has begun: calls that begin from now on stand in it. */
    messageBegan,
    /** The hook before a call. */
    begin({ sessionID, callID }: HookCall): CallKey {
      const { newest, open } = sessionOf(sessionID);
      // The same id twice in one message: nothing was heard yet of the second one's.
      const messageID = open.get(callID)?.messageID === newest ? `${newest}~` : newest;
      const key = callKey(sessionID, messageID, callID);
      open.set(callID, { key, messageID, isNamed: false, isOver: false });
      return key;
    },
    /** Of the hooks that follow it. */
    current,
    /** Of what names the message as well. */
    of,
    /** Of the call that a tool is asked to carry out: its context names it, whatever OpenCode's types say. */
    ofContext: (context: Omit<NamedCall, "callID">): CallKey =>
      of({ ...context, callID: textOf(recordOf(context)["callID"]) ?? "" }),
    /** The call has ended: nothing needs its name but what OpenCode still tells of it. */
    end({ sessionID, callID }: HookCall): void {
      const call = sessions.get(sessionID)?.open.get(callID);
      if (call !== undefined) call.isOver = true;
    },
    forget: (sessionID: string): void => void sessions.delete(sessionID),
    /**
     * Whether a refusal of this tool may wait for the tool: only where nothing else carries its calls out. OpenCode prints all
     * arguments of a call that fails, plans and prompts of pages included, and one line for a call that ends: so these calls go
     * on, and their tool says the refusal in place of doing anything.
     */
    holds: (tool: string): boolean => own.includes(tool),
    deny: (call: CallKey, reason: string): void => void reasons.set(call, reason),
    /** Why the tool must not do anything; null for a call that the hook before it was shown, and no gate refused. */
    reasonFor(call: CallKey, sessionID: string): string | null {
      const open = [...(sessions.get(sessionID)?.open.values() ?? [])];
      return open.some(({ key, isOver }) => key === call && !isOver) ? (reasons.get(call) ?? null) : UNSEEN;
    },
    /** The refused call has ended. @returns false for one that was not refused */
    endDenied: (call: CallKey): boolean => reasons.delete(call),
  };
}
