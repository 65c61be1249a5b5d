import { refuseCommand, type CommandContext, type CommandReply } from "../define.ts";

/** Has GAIA told what came of the talk that this was typed in; anywhere else in the conversation, of all talks. */
export async function goBack({
  runtime: { host },
  conversation,
  session,
  sessionId,
}: CommandContext): Promise<CommandReply> {
  const { rootId, parts, outbox } = conversation;
  const isThere = session.isTalk === true;
  if (isThere && (await host.sessions.get(rootId)) === null)
    return refuseCommand(host, "handed back", "The conversation with GAIA was deleted; begin a new one.");
  const told = await parts.talks.handBack(isThere ? sessionId : null);
  if (isThere) await host.show(rootId);
  const isRoot = sessionId === rootId;
  if (told.length === 0) {
    const why = isThere
      ? "Nothing is new here since GAIA was told; she has the conversation again."
      : "No talk with a specialist is open; /talk <specialist> begins one.";
    return refuseCommand(host, "handed back", why);
  }
  const text = told.join("\n\n");
  if (isRoot)
    return {
      forUser: text,
      forModel:
        "The user is back from a talk with a specialist; what came of it stands above. Hold yourself to what they agreed on. Go on where work is open; otherwise say in one line what follows.",
    };
  outbox.note(text);
  await outbox.flush();
  return {
    forModel:
      "The user goes back to GAIA, who is told what came of this. Call no tool and say only: Handed back.",
  };
}
