import type { ConversationServices } from "../services.ts";
import type { HostEvent } from "../../host/port.ts";
import type { Clock } from "../../lib/async.ts";
import { logFailure } from "../../lib/error.ts";
import { recordOf } from "../../lib/json.ts";
import type { Seal } from "../../lib/seal.ts";
import { readSealed } from "../part.ts";
import { KEEP_COMMAND, LEFT_COMMAND, REQUEST_KEY, STOP_COMMAND } from "./metadata-keys.ts";
import type { Conversation } from "../conversation.ts";
import type { Conversations, Found } from "../conversations.ts";
import { isEnded } from "../../delegation/task.ts";

/** A request that lay longer than this, in milliseconds, is not carried out any more: nobody expects it. */
const LIFETIME_MS = 5 * 60_000;
/** Requests that are remembered, so that none is carried out twice. */
const MAX_SEEN = 100;

/**
 * What the terminal panel writes, sealed, into the metadata of a root session to have a command carried out with no model turn:
 * every client of OpenCode can write there, and a program that an agent runs may be one.
 */
export interface PanelRequest {
  readonly id: string;
  /** The session it is meant for: metadata goes along with a fork. */
  readonly session: string;
  /** Where it was asked: that session, or one in which the user speaks with a specialist of it. */
  readonly from: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** As it would be typed, without the slash: `cadence batch`, `gaia-status`, `gaia-keep`. */
  readonly command: string;
}

/** Hears the panel's requests. `clock` measures how long this runs, since `began`; `timeOfDay` is the panel's, which runs in another process. */
export function followRequests(
  services: Pick<ConversationServices, "engine" | "host" | "clock"> & {
    readonly conversations: Conversations;
    readonly timeOfDay: Clock;
    readonly began: number;
    readonly seal: Seal;
  },
  carryOut: (request: PanelRequest, found: Found) => Promise<void>,
): (event: HostEvent) => void {
  const { conversations, engine, host, clock, timeOfDay, began } = services;
  const seen = new Set<string>();

  const stop = async ({ parts, tasks, dispatch, busy, rootId }: Conversation): Promise<void> => {
    const run = parts.runs.underWay();
    const open = tasks().filter((task) => !isEnded(task));
    // As after Esc, nothing goes on by itself.
    if (run !== null || open.length > 0) dispatch({ type: "aborted" });
    if (busy) await host.sessions.abort(rootId);
    run?.control.abort();
    for (const { id } of open) engine.cancel(id, "The user stopped it.");
    const what = [...(run === null ? [] : [`the plan of ${run.unit}`]), ...open.map(({ agent }) => agent)];
    await host.toast("info", what.length === 0 ? "Nothing is at work." : `Stopped: ${what.join(", ")}.`);
  };
  /** Commands of the panel alone. */
  const own: Readonly<Record<string, (conversation: Conversation) => Promise<void>>> = {
    [KEEP_COMMAND]: async ({ parts }) => parts.learnings.keep(),
    [LEFT_COMMAND]: async ({ parts, outbox }) => parts.restart.tellUser().then(outbox.flush),
    [STOP_COMMAND]: stop,
  };
  const answer = async (request: PanelRequest, isOurs: boolean): Promise<void> => {
    const found = await conversations.of(isOurs ? request.from : request.session);
    if (found === null || found.session.rootId !== request.session) return;
    if (found.session.specialist !== null && found.session.isTalk !== true) return;
    if (isOurs) await (own[request.command]?.(found.conversation) ?? carryOut(request, found));
    else await host.toast("warning", "A change of settings that did not come from the panel was ignored.");
    found.conversation.renew();
  };

  return (event) => {
    if (event.type !== "session.updated") return;
    const { id: sessionId, metadata } = event.session;
    if (metadata[REQUEST_KEY] === undefined) return;
    const { value, isOurs } = readSealed(metadata[REQUEST_KEY], services.seal);
    const request = recordOf(value) as unknown as PanelRequest;
    const age = timeOfDay.now() - request.at;
    // What was seen before a restart is forgotten, so nothing older than this run is carried out again.
    const isNow = Math.abs(age) <= LIFETIME_MS && age <= clock.now() - began;
    if (request.session !== sessionId || !isNow || seen.has(request.id)) return;
    seen.add(request.id);
    for (const id of [...seen].slice(0, -MAX_SEEN)) seen.delete(id);
    answer(request, isOurs).catch(logFailure(host.logger, "warn", "requests", { sessionId }));
  };
}
