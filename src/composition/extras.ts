import type { ConversationCore } from "../conversation/core.ts";
import type { CreateExtras } from "../conversation/conversation.ts";
import { createFindings } from "../extras/findings/findings.ts";
import { createMessages } from "../extras/messages/messages.ts";
import { createNotifications } from "../extras/notifications/notifications.ts";
import { createPullRequests } from "../extras/pull-requests/pull-request.ts";
import { createError } from "../lib/error.ts";
import type { Extras } from "../runtime.ts";

/** The extras that have a part in conversations: a new one is its folder and a line here. */
export function composeExtras() {
  const made = new WeakMap<ConversationCore, Extras>();
  const create = ((conversation, services, parts) => {
    const extras = {
      messages: createMessages(conversation, services),
      notifications: createNotifications(conversation, services),
      pullRequests: createPullRequests({ services, ...parts }),
      findings: createFindings(conversation, services, parts),
    };
    made.set(conversation, extras);
    return extras;
  }) satisfies CreateExtras;
  const of = (conversation: ConversationCore): Extras => {
    const extras = made.get(conversation);
    if (extras === undefined) throw createError("extras", "The conversation was made without extras.");
    return extras;
  };
  return { create, of };
}
