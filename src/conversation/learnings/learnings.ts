import type { ToolEffect, ToolOutcome } from "../../host/tool-call.ts";
import { describeError } from "../../lib/error.ts";
import { createLines } from "../../lib/in-line.ts";
import { personName } from "../../lib/person.ts";
import { lookAtCommit, lookAtHead } from "../../snapshot/refs.ts";
import { decideNotices, noticeName, readSeen, type KnownRecord } from "./notices.ts";
import type { WatchOthers } from "./unwanted.ts";
import { keepSeen, createLearningWatch, type LearningWatch } from "./watch.ts";
import { readFeedback } from "../collaboration/checkin-packet.ts";
import type { ConversationCore } from "../core.ts";
import type { OwnWork } from "../own-work/own-work.ts";
import type { Part } from "../part.ts";
import type { ConversationServices } from "../services.ts";
import { shownPath } from "../tool-calls/tool-fact.ts";
import type { Worktrees } from "../worktrees/worktrees.ts";

/** The conversations of a project look one after the other, so that each sees what the others have told. */
const lookInLine = createLines();
/** Where it is remembered what was told, in the user's own data for this project. */
const KEPT = "notices";
/** What a turn has proposed is written a moment after its end, in milliseconds. */
const AFTER_TURN_MS = 1_000;
/** How soon it is looked at rest, in milliseconds, less and less often, and for how long. */
const LOOK_MS = 5_000;
const SLOWER = 1.5;
const MAX_LOOK_MS = 600_000;
const REST_MS = 3_600_000;
/** Of the newest, the panel shows so many until the user writes again. */
const MAX_NEWS = 2;

export type Learnings = ReturnType<typeof createLearnings>;

/**
 * Shows the watch what happens in this conversation: what it finds is proposed to the user (SPEC 10). Nobody waits for any of
 * it. Tells the user, once per project, what waits for their yes, verdicts on knowledge that came by other hands, and what is
 * not read.
 */
export function createLearnings(
  conversation: Pick<ConversationCore, "state" | "learn" | "outbox">,
  services: ConversationServices,
  ownWork: Pick<OwnWork, "lastChanges">,
  worktrees: Pick<Worktrees, "of">,
) {
  const { host, workWatch, redact, workspace, knowledge, workStore, clock, tellsVerdicts } = services;
  const isOn = services.capture.enabled && services.capture.proposals;
  let watch: LearningWatch | null = null;
  const inLine = createLines();

  const keep = keepSeen(services, () => conversation.state.workUnit);
  const watchOthers: WatchOthers = () => {
    const branch = (): string | null => lookAtHead(services.place.worktree);
    const [before, count] = [branch(), workWatch.count()];
    return (path, now) => branch() !== before || workWatch.hasLeft(path, now, count);
  };
  /** In the order in which things happened. */
  const show = (use: (watch: LearningWatch) => void | Promise<void>): void => {
    if (!isOn) return;
    watch ??= createLearningWatch({ trees: workWatch.trees, watchOthers, ...keep });
    const open = watch;
    inLine("", async () => use(open)).catch((error: unknown) => {
      host.logger.log("warn", "learnings", describeError(error));
    });
  };

  let seen: KnownRecord | null = null;
  let shown: readonly string[] = [];
  let waits: string | null = null;
  let news: readonly string[] = [];
  let cancel = (): void => undefined;
  let rested = 0;
  let last: { readonly entries: readonly unknown[]; readonly commit: string | null } | null = null;

  const look = async (): Promise<void> => {
    // Other conversations, and other processes, tell as well.
    await workStore.settled();
    const saved = await workStore.load(KEPT);
    if (seen === null || Object.keys(saved).length > 0) seen = readSeen(saved);
    const [entries, unread, misread] = await Promise.all([
      knowledge.all(),
      tellsVerdicts ? knowledge.unread() : [],
      workspace.unread(conversation.state.workUnit),
    ]);
    last = { entries, commit: lookAtCommit(host.worktree) };
    const found = decideNotices(seen, {
      entries,
      unread,
      misread: misread.ok ? misread.unread : [],
      me: personName(),
    });
    // Not looked at, nothing of it is known: once they are told again, old verdicts are no news.
    const next = tellsVerdicts ? found.seen : { ...found.seen, known: null };
    const isNew = JSON.stringify(next) !== JSON.stringify(seen);
    seen = next;
    ({ shown } = found);
    const lines = found.lines.map(redact);
    if (isNew || lines.length > 0) workStore.save(KEPT, () => ({ ...next }));
    news = [...lines, ...news].slice(0, MAX_NEWS);
    // A toast passes: a session begins with what waits, in its transcript.
    if (waits === null && found.waits !== "") conversation.outbox.note(found.waits);
    ({ waits } = found);
    conversation.learn({ waits, news });
    if (lines.length > 0) void host.toast("info", lines.join("\n"));
  };
  const lookIfOther = async (): Promise<void> => {
    const entries = await knowledge.all();
    if (last?.entries !== entries || last.commit !== lookAtCommit(host.worktree)) await look();
  };
  let looking: Promise<void> = Promise.resolve();
  const schedule = (how = look): void => {
    looking = lookInLine(host.project, how).catch((error: unknown) => {
      host.logger.log("debug", "learnings", describeError(error));
    });
  };
  const lookLater = (wait: number, how = look): void => {
    if (rested >= REST_MS) return;
    rested += wait;
    cancel = clock.after(wait, () => {
      schedule(how);
      if (tellsVerdicts) lookLater(Math.min(Math.max(wait * SLOWER, LOOK_MS), MAX_LOOK_MS), lookIfOther);
    });
  };

  return {
    /** How much waits for the user's yes, and how it is given; empty for nothing. */
    async waiting(): Promise<string> {
      await looking;
      return waits ?? "";
    },
    /** Accepts the proposals that the user has been shown, by their own key. */
    async keep(): Promise<void> {
      const now = (await knowledge.all()).filter(({ standing }) => standing === "proposed");
      const chosen = now.filter((entry) => shown.includes(noticeName(entry)));
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
            show(({ unwanted }) => unwanted.rejected(event.requestId, ""));
          return;
        case "rejection-explained":
          return show(({ unwanted }) => unwanted.explained(redact(event.reason)));
        case "tool-finished":
        case "files-changed": {
          const files = event.type === "files-changed" ? event.files : (event.fact.files ?? []);
          const paths = files.map(({ path }) => path);
          if (paths.length > 0) show(({ unwanted }) => unwanted.changed(paths));
          return;
        }
        case "question-asked":
          if (event.purpose === "other") show((each) => each.asked(event.requestId, event.questions));
          return;
        case "question-answered":
          return show(async (each) => each.answered(event.requestId, event.answers));
        case "user-message": {
          // The plugin's own word for it says nothing of why.
          const words = readFeedback(event.text) === "undo" ? "" : redact(event.text);
          if (watch !== null) show(async ({ unwanted }) => unwanted.look(words));
          cancel();
          news = [];
          return schedule();
        }
        case "turn-ended":
          if (watch !== null)
            show(async ({ unwanted }) => {
              await unwanted.look("");
              unwanted.remember(await ownWork.lastChanges());
            });
          cancel();
          rested = 0;
          return lookLater(AFTER_TURN_MS);
        default:
      }
    },
    dispose: () => cancel(),
    async flush() {
      await inLine("", async () => undefined);
      await keep.settled();
      await looking;
    },
  } satisfies Part & Record<string, unknown>;
}
