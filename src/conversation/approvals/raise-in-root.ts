import type { Host, HostEvent } from "../../host/port.ts";
import type { Clock } from "../../lib/clock.ts";
import { describeError } from "../../lib/error.ts";
import { excerpt } from "../../lib/excerpt.ts";
import type { Conversation } from "../conversation.ts";
import { PERMISSION } from "./permission.ts";

type Asked = Extract<HostEvent, { type: "permission.asked" }>;

/** How long a specialist's request waits before it is raised where every client shows it, in milliseconds. */
const UNSEEN_MS = 20_000;
const MAX_TITLE = 200;
const NOT_SHOWN = "Refused: no client shows this request. It is left for the user; go on without it.";

/**
 * Brings what specialists ask for to the root session, for clients that show nothing of child sessions: there the work would
 * wait for a dialog that nobody sees. Where one answer comes, both requests have it.
 */
export function createRaiseInRoot(
  host: Pick<Host, "client" | "askInSession" | "answerPermission" | "logger">,
  clock: Clock,
) {
  /** Open requests of specialists; of those that are raised, the name and id that they have in the root session. */
  const open = new Map<string, { permission: string; rootRequest: string }>();

  const ask = async ({ requestId, patterns, metadata }: Asked, permission: string, to: Conversation) => {
    const request = open.get(requestId);
    if (request === undefined) return;
    request.permission = permission;
    const asking = host.askInSession(to.rootId, { permission, pattern: patterns.join(", "), metadata });
    // Nobody waits for background work; a client of a server may yet show it.
    if (asking === null && host.client === "any") return;
    const given = await asking;
    if (!open.delete(requestId)) return;
    if (given === null) to.parts.leftForUser.add(permission.slice(PERMISSION.length + 2));
    const no = given === null ? NOT_SHOWN : given.approved ? null : (given.feedback ?? "The user said no.");
    await host.answerPermission(requestId, no === null ? { once: true } : { refusal: no });
  };
  const attempt = (work: Promise<unknown>): void => {
    work.catch((error: unknown) => host.logger.log("warn", "dialogs", describeError(error)));
  };

  return {
    raise(event: Asked, title: string, conversation: Conversation): void {
      if (host.client === "terminal") return;
      open.set(event.requestId, { permission: "", rootRequest: "" });
      const begin = (): void =>
        attempt(ask(event, excerpt(`${PERMISSION}: ${title}`, MAX_TITLE), conversation));
      if (host.client === "editor") begin();
      else clock.after(UNSEEN_MS, begin);
    },
    /** Whether a request is one of these, which is the user's to answer. */
    isRaised({ requestId, permission }: Asked): boolean {
      const request = [...open.values()].find((each) => each.permission === permission);
      if (request !== undefined) request.rootRequest = requestId;
      return request !== undefined;
    },
    /** The specialist's own request was answered. */
    replied(requestId: string, isYes: boolean): void {
      const { rootRequest = "" } = open.get(requestId) ?? {};
      if (open.delete(requestId) && rootRequest !== "")
        attempt(
          host.answerPermission(rootRequest, isYes ? { once: true } : { refusal: "Answered already." }),
        );
    },
  };
}
