import type { ToolEffect, ToolOutcome } from "../../host/tool-call.ts";
import { systemClock } from "../../lib/clock.ts";
import { describeError } from "../../lib/error.ts";
import { personName } from "../../lib/person.ts";
import type { RecallKind } from "../../record/recall/entry.ts";
import { createLearningWatch, type LearningWatch, type Seen } from "../../record/watch/watch.ts";
import type { Whose } from "../../record/watch/unwanted.ts";
import { lookAtHead } from "../../vcs/refs/look.ts";
import { readFeedback } from "../collaboration/feedback.ts";
import type { OwnWork } from "../own-work/own-work.ts";
import type { Part } from "../part.ts";
import type { ConversationServices } from "../services.ts";
import { shownPath } from "../tool-calls/tool-fact.ts";
import type { Worktrees } from "../worktrees/worktrees.ts";

const DECISIONS = new Set<RecallKind>(["decision"]);

/**
 * Shows the watch what happens in this conversation: what it finds is proposed to the user (SPEC 10). Nobody waits for
 * any of it.
 */
export interface Learnings extends Part {
  /** A call is over, in the project or in a worktree. @param inProject makes a path relative to the project */
  called(
    effect: ToolEffect,
    outcome: ToolOutcome,
    inProject: (path: string) => string,
    worktree?: string,
  ): void;
}

export function createLearnings(
  conversation: { readonly state: { readonly workUnit: string | null } },
  services: Pick<
    ConversationServices,
    "memory" | "knowledge" | "learn" | "capture" | "host" | "workWatch" | "redact" | "place"
  >,
  ownWork: Pick<OwnWork, "batchChanges" | "usersOwnAmong">,
  worktrees: Pick<Worktrees, "of">,
): Learnings {
  const { memory, knowledge, host, workWatch, redact } = services;
  const isOn = services.capture.enabled && services.capture.proposals;
  let watch: LearningWatch | null = null;
  let working: Promise<void> = Promise.resolve();
  /** Questions that are open, by their request. */
  const questions = new Map<string, readonly string[]>();
  let writing: Promise<void> = Promise.resolve();

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
  /** What is known, waits or was declined is refused, and that is all right. */
  const write = async ({ isOwnWords, ...draft }: Seen): Promise<void> => {
    try {
      const source = conversation.state.workUnit;
      const entry = await knowledge.propose({ ...draft, by: isOwnWords ? personName() : "GAIA", source });
      if (isOwnWords && services.learn === "own-words")
        await knowledge.settle({ entry, status: "accepted", reason: "", by: personName() });
    } catch (error) {
      host.logger.log("debug", "learnings", describeError(error));
    }
  };
  /** One after the other: each sees what was proposed before it. */
  const propose = (seen: Seen): void => {
    writing = writing.then(async () => write(seen));
  };
  const open = (): LearningWatch => {
    watch ??= createLearningWatch({
      trees: workWatch.trees,
      whose,
      clock: systemClock,
      propose,
      async decidedBefore(question) {
        const hits = await memory.recall.search(question, { kinds: DECISIONS, prefix: false });
        // In the same unit it is the same question.
        const others = hits.filter(({ entry }) => entry.unit !== conversation.state.workUnit);
        return others.map(({ entry }) => entry.text);
      },
    });
    return watch;
  };
  /** In the order in which things happened. */
  const show = (use: (watch: LearningWatch) => void | Promise<void>): void => {
    if (!isOn) return;
    working = working
      .then(async () => use(open()))
      .catch((error: unknown) => {
        host.logger.log("warn", "learnings", describeError(error));
      });
  };
  return {
    called(effect, outcome, inProject, worktree) {
      show((each) => each.called(effect, outcome, inProject, worktree));
    },
    async flush() {
      await working;
      await writing;
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
          if (event.purpose === "other") questions.set(event.requestId, event.questions);
          return;
        case "question-answered": {
          const asked = questions.get(event.requestId) ?? [];
          questions.delete(event.requestId);
          for (const [at, question] of asked.entries()) {
            const answer = (event.answers[at] ?? []).join(", ");
            show(async (each) => each.answered({ question: redact(question), answer: redact(answer) }));
          }
          return;
        }
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
                await each.unwanted.remember(await ownWork.batchChanges("last"));
              });
        default:
      }
    },
  };
}
