import type { Host, HostEvent } from "../../host/port.ts";
import type { Clock } from "../../lib/clock.ts";
import { describeError } from "../../lib/error.ts";
import { excerpt } from "../../lib/excerpt.ts";
import type { Conversation } from "../conversation.ts";
import { PERMISSION } from "./permission.ts";

type Asked = Extract<HostEvent, { type: "permission.asked" }>;
type Replied = Extract<HostEvent, { type: "permission.replied" }>;

/** How long a specialist's request waits before it is raised where every client shows it, in milliseconds. */
const UNSEEN_MS = 20_000;
const MAX_TITLE = 200;
const NOT_SHOWN = "Refused: no client shows this request. It is left for the user; go on without it.";

/** An open request of a specialist, and the one that stands for it in the root session. */
interface Raised {
  readonly rootId: string;
  /** Its name there. */
  readonly permission: string;
  /** Empty until OpenCode tells of it. */
  rootRequest: string;
}

/**
 * Brings what specialists ask for to the root session, for clients that show nothing of child sessions: there the work would
 * wait for a dialog that nobody sees. Where one answer comes, both requests have it.
 * @param refuse answers in the plugin's own name
 */
export function createRaiseInRoot(
  host: Pick<Host, "client" | "askInSession" | "answerPermission" | "logger" | "sessions">,
  clock: Clock,
  refuse: (requestId: string, refusal: string) => Promise<unknown>,
) {
  const open = new Map<string, Raised>();
  /** Those that stand for another and are not answered. */
  const inRoot = new Set<string>();

  const ask = async (event: Asked, request: Raised, title: string, to: Conversation): Promise<void> => {
    const { requestId, patterns, metadata } = event;
    const look = await host.sessions.look(event.sessionId).catch(() => null);
    // The events of Esc and of a call that ended can be missed.
    if (look?.requests?.includes(requestId) === false) open.delete(requestId);
    if (!open.has(requestId)) return;
    const { permission } = request;
    const asking = host.askInSession(to.rootId, { permission, pattern: patterns.join(", "), metadata });
    // Nobody waits for background work; a client of a server may yet show it.
    if (asking === null && host.client === "any") return;
    const given = await asking;
    if (!open.delete(requestId)) return;
    // A rule can answer as well as a person, and then OpenCode tells of no request.
    if (given === null || request.rootRequest === "") {
      to.parts.leftForUser.add(title);
      await refuse(requestId, NOT_SHOWN);
    } else
      await host.answerPermission(
        requestId,
        given.approved ? { once: true } : { refusal: given.feedback ?? "" },
      );
  };
  const attempt = (work: Promise<unknown>): void => {
    work.catch((error: unknown) => host.logger.log("warn", "dialogs", describeError(error)));
  };

  return {
    raise(event: Asked, title: string, conversation: Conversation): void {
      if (host.client === "terminal") return;
      const permission = excerpt(`${PERMISSION}: ${title}`, MAX_TITLE);
      const request = { rootId: conversation.rootId, permission, rootRequest: "" };
      open.set(event.requestId, request);
      const begin = (): void => attempt(ask(event, request, title, conversation));
      if (host.client === "editor") begin();
      else clock.after(UNSEEN_MS, begin);
    },
    /** Whether an event is of a request that stands for another: it means nothing of its own. */
    takes(event: Asked | Replied): boolean {
      if (event.type === "permission.replied") return inRoot.delete(event.requestId);
      const request = [...open.values()].find(
        ({ rootId, permission, rootRequest }) =>
          rootId === event.sessionId && permission === event.permission && rootRequest === "",
      );
      if (request === undefined) return false;
      request.rootRequest = event.requestId;
      inRoot.add(event.requestId);
      return true;
    },
    /** The specialist's own request was answered. */
    replied(requestId: string, isYes: boolean): void {
      const { rootRequest = "" } = open.get(requestId) ?? {};
      if (!open.delete(requestId) || rootRequest === "") return;
      attempt(
        isYes ? host.answerPermission(rootRequest, { once: true }) : refuse(rootRequest, "Answered already."),
      );
    },
  };
}
