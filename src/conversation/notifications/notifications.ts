import { basename } from "node:path";
import { isEnded } from "../../delegation/task.ts";
import { describeError } from "../../lib/error.ts";
import { excerpt } from "../../lib/excerpt.ts";
import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import type { ConversationServices } from "../services.ts";
import { type Waiting, waitingFor } from "./waiting.ts";

/** What is over sooner nobody has to come back for, in milliseconds. */
const LASTS_MS = 500;
const MAX_TEXT = 200;

/**
 * Tells the user away from the terminal, once, what the conversation waits for: by the desktop or a webhook, as configured. A
 * conversation of GAIA's speaks for its specialists, which never do by themselves. Without configuration nothing is loaded.
 */
export function createNotifications(
  conversation: Pick<ConversationCore, "rootId" | "state" | "tasks" | "keep">,
  { host, clock, notify, redact }: Pick<ConversationServices, "host" | "clock" | "notify" | "redact">,
): Part {
  if (!notify.desktop && notify.webhook === undefined) return {};
  let worked = 0;
  let failure = "";
  let noticed = "";
  /** What was told last, over a restart as well: it waits on there. */
  let told = "";
  let cancel: (() => void) | null = null;
  let due: Waiting | null = null;
  let sending: Promise<void> = Promise.resolve();

  const send = async ({ occasion, text }: Waiting): Promise<void> => {
    try {
      const { deliver } = await import("./deliver.ts");
      const problems = await deliver(notify, {
        event: occasion,
        project: basename(host.project),
        unit: conversation.state.workUnit,
        session: conversation.rootId,
        // Half a secret is not known as one, and no sign moves the cursor of who shows it.
        text: excerpt(redact(text).replaceAll(/\p{Cc}+/gu, " "), MAX_TEXT),
        at: new Date().toISOString(),
      });
      for (const problem of problems) host.logger.log("warn", "notifications", problem);
      if (problems.length > 0)
        void host.toast("warning", `A notification could not be sent: ${problems.join(" ")}`);
    } catch (error) {
      host.logger.log("warn", "notifications", describeError(error));
    }
  };
  const tell = (waiting: Waiting): void => {
    due = null;
    told = waiting.key;
    conversation.keep();
    sending = Promise.all([sending, send(waiting)]).then(() => undefined);
  };
  const look = (): void => {
    const isBusy = conversation.tasks().some((task) => !isEnded(task));
    const waiting = waitingFor(conversation.state, worked, isBusy, failure);
    const key = waiting?.key ?? "";
    if (key === noticed) return;
    noticed = key;
    cancel?.();
    due = key === told ? null : waiting;
    const fresh = due;
    cancel = fresh === null ? null : clock.after(LASTS_MS, () => tell(fresh));
  };

  return {
    observe(event, isRoot) {
      if (!isRoot) return;
      if (event.type === "session.error") failure = event.failure.message || event.failure.name;
      if (event.type === "message.finished" && event.isFailed !== true) failure = "";
    },
    heard(event) {
      if (event.type === "user-message") [worked, told] = [0, ""];
      look();
    },
    delegationFinished() {
      worked += 1;
      look();
    },
    dispose() {
      cancel?.();
      // `opencode run` ends with the turn: nobody can have come back meanwhile.
      if (due !== null && host.oneShot !== null) tell(due);
    },
    flush: async () => sending,
    snapshot: () => told || undefined,
    restore(saved) {
      told = typeof saved === "string" ? saved : "";
    },
  };
}
