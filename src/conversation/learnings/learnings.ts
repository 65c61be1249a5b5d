import type { ToolEffect, ToolOutcome } from "../../host/tool-call.ts";
import { describeError, logFailure } from "../../lib/error.ts";
import { createLines } from "../../lib/async.ts";
import { personName } from "../../lib/person.ts";
import type { JudgedEntry } from "../../record/knowledge.ts";
import type { FileVersion } from "../../snapshot/version.ts";
import type { RecallKind } from "../../record/recall/entry.ts";
import { lookAtHead } from "../../commit/refs.ts";
import { createLearningWatch, type LearningWatch, type Observation } from "./watch.ts";
import { NO_ANSWER } from "../collaboration/dialogs.ts";
import { readFeedback } from "../collaboration/checkin-packet.ts";
import type { ConversationCore } from "../core.ts";
import type { OwnWork } from "../own-work/own-work.ts";
import type { Part } from "../part.ts";
import type { ConversationServices } from "../services.ts";
import { shownPath } from "../tool-calls/tool-fact.ts";
import type { Worktrees } from "../worktrees/worktrees.ts";

/** What a turn has proposed is written a moment after its end, in milliseconds. */
const AFTER_TURN_MS = 1_000;
/** Proposals that are told at once; of the newest, the panel shows some until the user writes again. */
const MAX_TOLD = 3;
const MAX_NEWS = 2;
/** Of a proposal that one key accepts: all of it stands in one line. */
const MAX_SHOWN = 300;
const DECISIONS = new Set<RecallKind>(["decision"]);

export type Learnings = ReturnType<typeof createLearnings>;

/**
 * Shows the watch what happens in this conversation: what it finds is proposed to the user (SPEC 10). Nobody waits for any of
 * it. Tells the user what waits for their yes.
 */
export function createLearnings(
  conversation: Pick<ConversationCore, "state" | "touch" | "outbox">,
  services: ConversationServices,
  ownWork: Pick<OwnWork, "lastChanges">,
  worktrees: Pick<Worktrees, "of">,
) {
  const { host, workWatch, redact, memory, knowledge, clock } = services;
  const isOn = services.capture.enabled && services.capture.proposals;
  let watch: LearningWatch | null = null;
  const inLine = createLines();

  const attempt = (line: string, job: () => Promise<void>): void => {
    inLine(line, job).catch(logFailure(host.logger, "debug", "learnings"));
  };
  /** As a proposal; what is known, waits or was declined is refused by the store. */
  const propose = ({ isOwnWords, ...draft }: Observation): void => {
    const [source, by] = [conversation.state.workUnit, isOwnWords ? personName() : "GAIA"];
    attempt("write", async () => {
      const entry = await knowledge.propose({ ...draft, by, source });
      if (isOwnWords && services.learn === "own-words")
        await knowledge.settle({ entry, status: "accepted", reason: "", by });
    });
  };
  const decidedBefore = async (question: string): Promise<string[]> => {
    const hits = await memory.recall.search(question, DECISIONS);
    return hits
      .filter(({ entry }) => entry.unit !== conversation.state.workUnit)
      .map(({ entry }) => entry.text);
  };
  const watchOthers = () => {
    const branch = (): string | null => lookAtHead(services.place.worktree);
    const before = branch();
    return (path: string, now: FileVersion) => branch() !== before || workWatch.hasLeft(path, now);
  };
  /** In the order in which things happened. */
  const show = (use: (watch: LearningWatch) => void | Promise<void>): void => {
    if (!isOn) return;
    watch ??= createLearningWatch({ trees: workWatch.trees, watchOthers, decidedBefore, propose });
    const open = watch;
    attempt("watch", async () => use(open));
  };

  const told: ToldProposals = new Map();
  let waits: string | null = null;
  let news: readonly string[] = [];
  let cancel = (): void => undefined;

  const look = async (): Promise<void> => {
    const found = noticeProposals(told, await knowledge.all());
    const lines = found.lines.map(redact);
    news = [...lines, ...news].slice(0, MAX_NEWS);
    // A toast passes: a session begins with what waits, in its transcript.
    if (waits === null && found.waits !== "") conversation.outbox.note(found.waits);
    ({ waits } = found);
    conversation.touch();
    if (lines.length > 0) void host.toast("info", lines.join("\n"));
  };
  const schedule = (): void => attempt("look", look);
  const settled = async (line: string): Promise<void> => inLine(line, async () => undefined);

  return {
    /** How much waits for the user's yes, and how it is given; empty for nothing. */
    async waiting(): Promise<string> {
      await settled("look");
      return waits ?? "";
    },
    /** Accepts the proposals that the user has been shown, by their own key. */
    async keep(): Promise<void> {
      const chosen = (await knowledge.all()).filter(
        (entry) => isShort(entry) && told.get(keyOf(entry)) === true,
      );
      if (chosen.length === 0) return host.toast("info", "No learning waits that you were shown.");
      try {
        for (const entry of chosen)
          await knowledge.settle({ entry, status: "accepted", reason: "", by: personName() });
        await host.toast("success", `Kept in .gaia/knowledge: ${chosen.length}.`);
      } catch (error) {
        await host.toast("error", describeError(error));
      }
      schedule();
    },
    /** A call is over, in the project or in a worktree. @param inProject makes a path relative to the project */
    called(
      effect: ToolEffect,
      outcome: ToolOutcome,
      inProject: (path: string) => string,
      worktree?: string,
    ): void {
      show((each) => each.called(effect, outcome, inProject, worktree));
    },
    callBegins({ callId, effect, sessionId }) {
      if (effect.kind !== "edit") return;
      const place = worktrees.of(sessionId)?.place ?? host;
      const paths = effect.edits.map(({ path }) => shownPath(path, place));
      show((each) => each.begins(callId, paths));
    },
    observe(event) {
      if (event.type !== "permission.asked" || event.callId === null) return;
      const { requestId, callId } = event;
      show((each) => each.asked(requestId, callId));
    },
    decided({ type, question, answer, impact }) {
      // One that turned a knob, which its impact tells, is no preference in the work.
      if (type === "question" && impact === "" && answer !== NO_ANSWER)
        show(async (each) => each.decided(question, answer));
    },
    heard(event) {
      switch (event.type) {
        case "permission-replied":
          if (event.reply === "reject" && event.by === "human")
            show((each) => each.rejected(event.requestId));
          return;
        case "rejection-explained":
          return show((each) => each.explained(redact(event.reason)));
        case "tool-finished":
        case "files-changed": {
          const files = event.type === "files-changed" ? event.files : (event.fact.files ?? []);
          const paths = files.map(({ path }) => path);
          if (paths.length > 0) show((each) => each.changed(paths));
          return;
        }
        case "user-message": {
          // The plugin's own word for it says nothing of why.
          const words = readFeedback(event.text) === "undo" ? "" : redact(event.text);
          if (watch !== null) show(async (each) => each.look(words));
          cancel();
          news = [];
          return schedule();
        }
        case "turn-ended":
          if (watch !== null)
            show(async (each) => {
              await each.look("");
              each.remember(await ownWork.lastChanges());
            });
          cancel();
          cancel = clock.after(AFTER_TURN_MS, schedule);
          return;
        default:
      }
    },
    shown: () => ({ waits: waits ?? "", news }),
    dispose: () => cancel(),
    async flush() {
      for (const line of ["watch", "write", "look"]) await settled(line);
    },
  } satisfies Part & Record<string, unknown>;
}

type Entry = Pick<JudgedEntry, "slug" | "kind" | "body" | "standing">;

/** By proposal, whether the user was shown all of it; another text of the same entry is another thing to say yes to. */
export type ToldProposals = Map<string, boolean>;

/** What is new among the proposals, noted as told, and one line on all that waits; empty for nothing. */
export function noticeProposals(told: ToldProposals, entries: readonly Entry[]) {
  const open = entries.filter(({ standing }) => standing === "proposed" || standing === "unconfirmed");
  const fresh = open.filter((entry) => !told.has(keyOf(entry)));
  const shown = fresh.filter(isShort).slice(0, MAX_TOLD);
  for (const entry of fresh) told.set(keyOf(entry), shown.includes(entry));
  const way = open.every((entry) => told.get(keyOf(entry)) === true) ? "ctrl+x k" : "/gaia-init";
  const count = open.length === 1 ? "1 proposal waits" : `${open.length} proposals wait`;
  return {
    lines: shown.map(({ kind, body }) => `Noticed: ${kind}: ${body} · ctrl+x k keeps it`),
    waits: open.length === 0 ? "" : `${count}: ${way}`,
  };
}

/** A yes by a key is to what one line has shown: proposals of the project's, in one short line. */
function isShort({ standing, body }: Entry): boolean {
  return standing === "proposed" && body.length <= MAX_SHOWN && !body.includes("\n");
}

function keyOf({ slug, body }: Entry): string {
  return `${slug}\n${body}`;
}
