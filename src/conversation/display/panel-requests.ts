import { parseKnobLine } from "../collaboration/knob-command.ts";
import type { Host, HostEvent } from "../../host/port.ts";
import type { Clock } from "../../lib/clock.ts";
import { describeError } from "../../lib/error.ts";
import { numberOf, recordOf, textOf } from "../../lib/json.ts";
import { REQUEST_KEY, STATUS_COMMAND } from "./metadata-keys.ts";
import type { Conversation } from "../conversation.ts";
import type { Conversations } from "../conversations.ts";

/** A request that lay longer than this, in milliseconds, is not carried out any more: nobody expects it. */
const LIFETIME_MS = 5 * 60_000;
/** Requests that are remembered, so that none is carried out twice. */
const MAX_SEEN = 100;

/**
 * What the terminal panel writes into the metadata of a root session to turn a knob with no model turn. Only a client of
 * OpenCode can write there, and such a client could as well send the command itself.
 */
export interface KnobRequest {
  readonly id: string;
  /** The session it is meant for: metadata goes along with a fork. */
  readonly session: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** As it would be typed, without the slash: `cadence batch`; or `gaia-status`, to be told it in the snapshot. */
  readonly command: string;
}

/** Reads a request; null for none, and for one that is not meant for this session now. Pure. */
export function readKnobRequest(value: unknown, sessionId: string, now: number): KnobRequest | null {
  const { id, session, at, command } = recordOf(value);
  const request = { id: textOf(id), session: textOf(session), at: numberOf(at), command: textOf(command) };
  if (request.id === undefined || request.at === undefined || request.command === undefined) return null;
  if (request.session !== sessionId || Math.abs(now - request.at) > LIFETIME_MS) return null;
  return { id: request.id.slice(0, 100), session: sessionId, at: request.at, command: request.command };
}

/** Carries out the panel's requests through the same reducer as the slash commands. */
export function followRequests(
  conversations: Conversations,
  host: Host,
  clock: Clock,
  statusOf: (conversation: Conversation) => Promise<string>,
): (event: HostEvent) => void {
  const seen = new Set<string>();

  const answer = async (conversation: Conversation, { id, command }: KnobRequest): Promise<void> => {
    if (command === STATUS_COMMAND) {
      conversation.learn({ status: { request: id, text: await statusOf(conversation) } });
      return;
    }
    const parsed = parseKnobLine(command);
    if ("error" in parsed) await host.toast("warning", parsed.error);
    else conversation.dispatch(parsed.event);
  };
  const carryOut = async (request: KnobRequest): Promise<void> => {
    const found = await conversations.of(request.session);
    if (found === null || found.session.specialist !== null) return;
    await answer(found.conversation, request);
    found.conversation.renew();
  };

  return (event) => {
    if (event.type !== "session.updated") return;
    const { id: sessionId, metadata } = event.session;
    if (metadata[REQUEST_KEY] === undefined) return;
    const request = readKnobRequest(metadata[REQUEST_KEY], sessionId, clock.now());
    if (request === null || seen.has(request.id)) return;
    seen.add(request.id);
    for (const id of [...seen].slice(0, -MAX_SEEN)) seen.delete(id);
    carryOut(request).catch((error: unknown) => {
      host.logger.log("warn", "requests", describeError(error), { sessionId });
    });
  };
}
