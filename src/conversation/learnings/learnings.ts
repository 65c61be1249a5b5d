import type { ToolEffect, ToolOutcome } from "../../host/tool-call.ts";
import { systemClock } from "../../lib/clock.ts";
import { describeError } from "../../lib/error.ts";
import { createLines } from "../../lib/in-line.ts";
import { keepSeen, createLearningWatch, type LearningWatch } from "../../record/watch/watch.ts";
import type { Whose } from "../../record/watch/unwanted.ts";
import { lookAtHead } from "../../snapshot/refs.ts";
import { readFeedback } from "../collaboration/checkin-packet.ts";
import type { OwnWork } from "../own-work/own-work.ts";
import type { Part } from "../part.ts";
import type { ConversationServices } from "../services.ts";
import { shownPath } from "../tool-calls/tool-fact.ts";
import type { Worktrees } from "../worktrees/worktrees.ts";

/**
 * Shows the watch what happens in this conversation: what it finds is proposed to the user (SPEC 10). Nobody waits for
 * any of it.
 */
export function createLearnings(
  conversation: { readonly state: { readonly workUnit: string | null } },
  services: Pick<
    ConversationServices,
    "memory" | "knowledge" | "learn" | "capture" | "host" | "workWatch" | "redact" | "place"
  >,
  ownWork: Pick<OwnWork, "lastChanges" | "usersOwnAmong">,
  worktrees: Pick<Worktrees, "of">,
) {
  const { host, workWatch, redact } = services;
  const isOn = services.capture.enabled && services.capture.proposals;
  let watch: LearningWatch | null = null;
  const inLine = createLines();

  const keep = keepSeen(services, () => conversation.state.workUnit);
  const whose: Whose = {
    // Also what they have committed by now; a call's own commit holds what a call left.
    isUsers: async (path, now, since) =>
      ((await ownWork.usersOwnAmong([path])) ?? []).length > 0 ||
      (!workWatch.hasLeft(path, now) && (await workWatch.trees.isCommittedHere(path, since))),
    watch() {
      const branch = (): string | null => lookAtHead(services.place.worktree);
      const [before, count] = [branch(), workWatch.count()];
      return (path, now) => branch() !== before || workWatch.hasLeft(path, now, count);
    },
  };
  const open = (): LearningWatch => {
    watch ??= createLearningWatch({
      trees: workWatch.trees,
      whose,
      clock: systemClock,
      ...keep,
    });
    return watch;
  };
  /** In the order in which things happened. */
  const show = (use: (watch: LearningWatch) => void | Promise<void>): void => {
    if (!isOn) return;
    inLine("", async () => use(open())).catch((error: unknown) => {
      host.logger.log("warn", "learnings", describeError(error));
    });
  };
  return {
    /** A call is over, in the project or in a worktree. @param inProject makes a path relative to the project */
    called(
      effect: ToolEffect,
      outcome: ToolOutcome,
      inProject: (path: string) => string,
      worktree?: string,
    ): void {
      show((each) => each.called(effect, outcome, inProject, worktree));
    },
    async flush() {
      await inLine("", async () => undefined);
      await keep.settled();
    },
    callBegins({ callId, effect, sessionId }) {
      if (effect.kind !== "edit") return;
      const place = worktrees.of(sessionId)?.place ?? host;
      const planned = effect.edits.map(({ path, after }) => ({ path: shownPath(path, place), text: after }));
      show(({ unwanted }) => unwanted.begins(callId, planned));
    },
    observe(event) {
      if (event.type !== "permission.asked" || event.callId === null) return;
      const { requestId, callId } = event;
      show(({ unwanted }) => unwanted.asked(requestId, callId));
    },
    heard(event) {
      switch (event.type) {
        case "permission-replied":
          if (event.reply === "reject" && event.by === "human")
            show(({ unwanted }) => unwanted.rejected(event.requestId, redact(event.reason ?? "")));
          return;
        case "rejection-explained":
          return show(({ unwanted }) => unwanted.explained(redact(event.reason)));
        case "tool-finished":
        case "files-changed": {
          const files = event.type === "files-changed" ? event.files : (event.fact.files ?? []);
          const paths = files.map(({ path }) => path);
          return paths.length === 0
            ? undefined
            : show((each) => {
                each.unwanted.changed(paths);
              });
        }
        case "question-asked":
          if (event.purpose !== "other") return;
          return show((each) => each.asked(event.requestId, event.questions));
        case "question-answered":
          return show(async (each) => each.answered(event.requestId, event.answers));
        case "user-message":
          // The plugin's own word for it says nothing of why.
          return watch === null
            ? undefined
            : show(async ({ unwanted }) =>
                unwanted.look(readFeedback(event.text).kind === "undo" ? "" : redact(event.text)),
              );
        case "turn-ended":
          return watch === null
            ? undefined
            : show(async (each) => {
                await each.unwanted.look("");
                await each.unwanted.remember(await ownWork.lastChanges());
              });
        default:
      }
    },
  } satisfies Part & Record<string, unknown>;
}
