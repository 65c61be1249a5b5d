import type { HostEvent, SpokenMessage } from "../../host/port.ts";
import { isEnded } from "../../delegation/task.ts";
import { createLines } from "../../lib/async.ts";
import { logFailure } from "../../lib/error.ts";
import type { ConversationCore } from "../core.ts";
import type { ConversationServices } from "../services.ts";

/**
 * OpenCode's /undo removes messages and, where it keeps snapshots, restores the files, the record's too. What was approved in these
 * messages holds no longer, and their running work ends. Nothing is written before the user's next message: until then /redo brings
 * all of it back, except the running work.
 */
export function createTakenBack(
  conversation: ConversationCore,
  { host, workspace }: Pick<ConversationServices, "host" | "workspace">,
) {
  const { rootId } = conversation;
  let from: string | null = null;
  /** GAIA has not heard yet that something was taken back. */
  let isNews = false;
  const inLine = createLines();

  const takeBack = (): void => {
    const { wave, workUnit } = conversation.state;
    const atWork = conversation.tasks().filter((task) => !isEnded(task));
    // This ends the running work.
    conversation.dispatch({ type: "taken-back" });
    const ended = [
      ...(wave === null ? [] : [`wave ${wave.id} is closed`]),
      ...(atWork.length === 0 ? [] : [`${atWork.length} at work stopped`]),
    ].join(", ");
    if (ended !== "") void host.toast("info", `Taken back: ${ended}. Approvals are asked for again.`);
    if (workUnit === null && ended === "") return;
    if (!isNews)
      conversation.tell(
        `The user took back (/undo) messages; files, the record's too, are as before them as far as OpenCode keeps snapshots. ${wave === null ? "" : `Wave ${wave.id} is closed. `}Look at plan and files before you go on.`,
      );
    isNews = true;
    if (workUnit !== null) follow(async () => leaveIfGone(workUnit));
  };
  const follow = (work: () => Promise<void>): void => {
    inLine("", work).catch(logFailure(host.logger, "debug", "taken-back", { rootId }));
  };
  /** Of a unit that was made in these messages only its folder may be left. */
  const leaveIfGone = async (slug: string): Promise<void> => {
    const unit = await workspace.readWorkUnit({ slug });
    const isGone = !unit.ok || unit.content.plan_md === "";
    if (isGone && conversation.state.workUnit === slug)
      conversation.dispatch({ type: "work-unit-changed", workUnit: null });
  };
  /** Goes on to a message of the user's own, and puts their words back where the terminal has put a note's. */
  const goOn = async (before: string | null, to: string): Promise<void> => {
    const end = stepTo(await host.sessions.spoken(rootId), before, to);
    if (end === "here" || from !== to) return;
    await host.sessions.takeBack(rootId, end === "all" ? null : end.id);
    if (end !== "all" && end.words !== null) await host.prefill(end.words, true);
  };

  return {
    observe(event: HostEvent, isRoot: boolean): void {
      if (!isRoot || event.type !== "session.updated" || event.session.takenBackTo === from) return;
      const before = from;
      from = event.session.takenBackTo;
      conversation.isTakenBack = from !== null;
      if (from === null) {
        // What waited for the user's decision.
        void conversation.outbox.flush();
        return;
      }
      takeBack();
      const to = from;
      follow(async () => goOn(before, to));
    },
    linesTaken(): void {
      isNews = false;
    },
    flush: async (): Promise<void> => inLine("", async () => undefined),
  };
}

/**
 * Where a step ends: `here`, where OpenCode ended it; `all`: there is nothing taken back any more; else at this message, whose
 * words the user has before them again where it was a step back.
 */
type StepEnd = "here" | "all" | { readonly id: string; readonly words: string | null };

/**
 * Where a step back or forth ends. OpenCode counts the plugin's notes as messages of the user, and /undo would stop at the newest
 * note.
 * @param spoken see `HostSessions.spoken`
 * @param before where they had been; null for at the end
 * @param to where OpenCode has gone
 */
export function stepTo(spoken: readonly SpokenMessage[], before: string | null, to: string): StepEnd {
  const placeOf = (id: string | null): number => spoken.findIndex((message) => message.id === id);
  const at = placeOf(to);
  if (at === -1 || isOwn(spoken[at])) return "here";
  const isForth = before !== null && placeOf(before) < at;
  if (!isForth) return spoken.slice(0, at).findLast(isOwn) ?? "here";
  const next = spoken.slice(at).find(isOwn);
  return next === undefined ? "all" : { id: next.id, words: null };
}

function isOwn(message: SpokenMessage | undefined): boolean {
  return message !== undefined && message.words !== null;
}
