import { timingSafeEqual } from "node:crypto";
import * as z from "zod/mini";
import type { ConversationServices } from "../services.ts";
import type { HostEvent } from "../../host/port.ts";
import { type Clock, lazy } from "../../lib/async.ts";
import { describeError, logFailure } from "../../lib/error.ts";
import { orElse } from "../../lib/schema.ts";
import { KEEP_COMMAND, LEFT_COMMAND, REQUEST_KEY, STOP_COMMAND } from "./metadata-keys.ts";
import { markOf, type RequestWords } from "./panel-key.ts";
import type { Conversation } from "../conversation.ts";
import type { Conversations, Found } from "../conversations.ts";
import { isEnded } from "../../delegation/task.ts";

/** A request that lay longer than this, in milliseconds, is not carried out any more: nobody expects it. */
const LIFETIME_MS = 5 * 60_000;
/** Requests that are remembered, so that none is carried out twice. */
const MAX_SEEN = 100;
const MAX_ID_LENGTH = 100;

/**
 * What the terminal panel writes into the metadata of a root session to have a command carried out with no model turn. Every
 * client of OpenCode can write there, and a program that an agent runs may be one: so it carries a mark that only the panel can make.
 */
export interface PanelRequest extends RequestWords {
  /** See `markOf`. */
  readonly mark: string;
}

const requestSchema = lazy(() => {
  const text = z.string().check(z.minLength(1));
  const id = text.check(z.maxLength(MAX_ID_LENGTH));
  return z.object({
    id,
    session: text,
    from: text,
    at: z.number(),
    command: text,
    mark: orElse(z.string(), ""),
  });
});

/** Reads a request; null for none, and for one that is not meant for this session now. Pure. */
export function readPanelRequest(value: unknown, sessionId: string, now: number): PanelRequest | null {
  const request = requestSchema().safeParse(value).data;
  const isMeant = request?.session === sessionId && Math.abs(now - request.at) <= LIFETIME_MS;
  return isMeant ? request : null;
}

/** Hears the panel's requests. `clock` measures how long this runs, since `began`; `timeOfDay` is the panel's, which runs in another process. */
export function followRequests(
  services: Pick<ConversationServices, "engine" | "host" | "clock"> & {
    readonly conversations: Conversations;
    readonly timeOfDay: Clock;
    readonly began: number;
    userKey(this: void): string;
  },
  carryOut: (request: PanelRequest, found: Found) => Promise<void>,
): (event: HostEvent) => void {
  const { conversations, engine, host, clock, timeOfDay, began } = services;
  const seen = new Set<string>();

  const isFromPanel = (request: PanelRequest): boolean => {
    try {
      const expected = Buffer.from(markOf(services.userKey(), request));
      const given = Buffer.from(request.mark);
      return given.length === expected.length && timingSafeEqual(given, expected);
    } catch (error) {
      host.logger.log("warn", "requests", describeError(error));
      return false; // Without the key nothing can be told from a forgery.
    }
  };
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
  const answer = async (request: PanelRequest): Promise<void> => {
    const found = await conversations.of(request.from);
    if (found === null || found.session.rootId !== request.session) return;
    if (found.session.specialist !== null && found.session.isTalk !== true) return;
    if (isFromPanel(request)) await (own[request.command]?.(found.conversation) ?? carryOut(request, found));
    else await host.toast("warning", "A change of settings that did not come from the panel was ignored.");
    found.conversation.renew();
  };

  return (event) => {
    if (event.type !== "session.updated") return;
    const { id: sessionId, metadata } = event.session;
    if (metadata[REQUEST_KEY] === undefined) return;
    const now = timeOfDay.now();
    const request = readPanelRequest(metadata[REQUEST_KEY], sessionId, now);
    // What was seen before a restart is forgotten, so nothing older than this run is carried out again.
    if (request === null || now - request.at > clock.now() - began || seen.has(request.id)) return;
    seen.add(request.id);
    for (const id of [...seen].slice(0, -MAX_SEEN)) seen.delete(id);
    answer(request).catch(logFailure(host.logger, "warn", "requests", { sessionId }));
  };
}
