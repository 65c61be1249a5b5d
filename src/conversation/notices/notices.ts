import { describeError } from "../../lib/error.ts";
import { personName } from "../../lib/person.ts";
import { decideNotices, noticeName, readSeen, type KnownRecord } from "../../record/notices.ts";
import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import type { ConversationServices } from "../services.ts";
import { lookAtCommit } from "../../snapshot/refs.ts";
import type { WorkStore } from "../own-work/store.ts";

/** The last look of any conversation of a project: one after the other, so that each sees what the others have told. */
const inTurn = new WeakMap<WorkStore, Promise<void>>();
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

/** Tells the user, once per project, what waits for their yes, verdicts on knowledge that came by other hands, and what is not read. */
export interface Notices extends Part {
  /** Accepts the proposals that the user has been shown, by their own key. */
  keep(): Promise<void>;
  /** How much of it waits for the user's yes, and how it is given; empty for nothing. */
  waiting(): Promise<string>;
}

export function createNotices(
  conversation: Pick<ConversationCore, "state" | "learn" | "outbox">,
  services: Pick<
    ConversationServices,
    "workspace" | "knowledge" | "workStore" | "host" | "clock" | "redact" | "tellsVerdicts"
  >,
): Notices {
  const { workspace, knowledge, workStore, host, clock, redact, tellsVerdicts } = services;
  let seen: KnownRecord | null = null;
  let shown: readonly string[] = [];
  let waits: string | null = null;
  let news: readonly string[] = [];
  let cancel = (): void => undefined;
  let looking: Promise<void> = Promise.resolve();
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
  const schedule = (how = look): void => {
    const before = inTurn.get(workStore) ?? Promise.resolve();
    looking = before.then(how).catch((error: unknown) => {
      host.logger.log("debug", "notices", describeError(error));
    });
    inTurn.set(workStore, looking);
  };
  const watch = (wait = LOOK_MS): void => {
    if (!tellsVerdicts || rested >= REST_MS) return;
    rested += wait;
    cancel = clock.after(wait, () => {
      schedule(lookIfOther);
      watch(Math.min(wait * SLOWER, MAX_LOOK_MS));
    });
  };

  return {
    async waiting() {
      await looking;
      return waits ?? "";
    },
    async keep() {
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
    heard({ type }) {
      if (type !== "user-message" && type !== "turn-ended") return;
      cancel();
      if (type === "user-message") {
        news = [];
        schedule();
        return;
      }
      rested = 0;
      cancel = clock.after(AFTER_TURN_MS, () => {
        schedule();
        watch();
      });
    },
    dispose: () => cancel(),
    flush: async () => looking,
  };
}
