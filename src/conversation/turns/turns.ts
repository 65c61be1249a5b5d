import { describeError } from "../../lib/error.ts";
import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import type { ConversationServices } from "../services.ts";
import { tellIdle } from "./tell-idle.ts";

/** The end of a turn follows its last word within this, in milliseconds; then OpenCode is asked for it. */
const END_MS = 15_000;

/** Who stops a turn may take it back in the same breath (/undo), which a note behind that would make final, in milliseconds. */
const BREATH_MS = 1_000;

/** Tells the state where a turn of GAIA's ends, and writes what waited for its end. */
export function createTurns(
  conversation: Pick<ConversationCore, "rootId" | "busy" | "dispatch" | "outbox" | "each">,
  { bounds, clock, host }: Pick<ConversationServices, "bounds" | "clock" | "host">,
): Part {
  const { rootId } = conversation;
  let isRunning = false;
  let cancel: (() => void) | null = null;
  const stopWaiting = (): void => {
    cancel?.();
    cancel = null;
  };
  let isStopped = false;
  let cancelFlush: () => void = () => undefined;
  const rest = (): void => {
    conversation.busy = false;
    conversation.dispatch({ type: "turn-ended" });
    // A note that cannot be written is logged there.
    const flush = (): void => void conversation.outbox.flush();
    if (isStopped) cancelFlush = clock.after(BREATH_MS, flush);
    else flush();
    isStopped = false;
  };
  const look = async (): Promise<void> => {
    const mine = cancel;
    try {
      const { busy } = await host.sessions.look(rootId);
      if (!busy && isRunning && cancel === mine) tellIdle(conversation);
    } catch (error) {
      host.logger.log("debug", "turns", describeError(error), { rootId });
    }
  };
  return {
    observe(event, isRoot) {
      if (!isRoot) return;
      if (event.type === "session.error") {
        // What the plugin itself has stopped was no word of the user's.
        const isUsers = bounds.heldBy(rootId) === null;
        if (event.failure.name === "MessageAbortedError" && isUsers) {
          isStopped = true;
          conversation.dispatch({ type: "aborted" });
        }
        // A turn that was about to begin did not, and no end of it will be told.
        if (!isRunning && conversation.busy) rest();
      }
      if (event.type === "message.started") stopWaiting();
      if (event.type === "message.finished" && event.isAnswer && isRunning) {
        stopWaiting();
        cancel = clock.after(END_MS, () => void look());
      }
      if (event.type !== "session.status") return;
      stopWaiting();
      isRunning = event.status === "busy";
      if (isRunning) conversation.busy = true;
      else rest();
    },
    dispose() {
      stopWaiting();
      cancelFlush();
    },
  };
}
