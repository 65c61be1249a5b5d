import type { DelegationEngine } from "../../delegation/engine.ts";
import type { GaiaSessions } from "../../delegation/gaia-sessions.ts";
import type { Place } from "../../spending/entry.ts";
import type { Conversation } from "../conversation.ts";
import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import type { ConversationServices } from "../services.ts";
import { givesVerdict } from "../../config/roles.ts";
import { basename } from "node:path";
import { readFeedback } from "../collaboration/checkin-packet.ts";
import type { WorkRecord } from "../record/work-record.ts";
import type { Delegations } from "../delegations/delegations.ts";
import type { Runs } from "../runs/runs.ts";
import { logFailure } from "../../lib/error.ts";
import { excerpt } from "../../lib/text.ts";
import { verdictOf } from "../record/describe-work.ts";

const MAX_TITLE = 160;
const MAX_FILES = 40;

/** How the user extends a budget. */
const RAISE = "/next spends as much again; budget in your own configuration raises it for good";

/** The spending of a conversation: its unit and wave, the user's answers about exhausted budgets, and receipts. */
export function createSpending(
  conversation: ConversationCore,
  { ledger, bounds, workspace, redact, host, roleOf }: ConversationServices,
  runs: Pick<Runs, "taskOf">,
  record: Pick<WorkRecord, "filesOf">,
  delegations: Pick<Delegations, "placeOf">,
) {
  const { rootId } = conversation;
  const asking = new Map<string, Promise<boolean>>();
  const written = new Map<string, number>();
  let gone: { readonly unit: string; readonly folder: string } | null = null;

  /** The unit and wave of a session's requests. */
  const placeOf = (sessionId: string): Pick<Place, "unit" | "wave"> => {
    const { workUnit, wave } = conversation.state;
    const place = delegations.placeOf(sessionId, { workUnit, waveId: wave?.id ?? null });
    return { unit: place.workUnit ?? gone?.unit ?? null, wave: place.waveId };
  };
  const writeReceipt = async (slug: string, isOver = false): Promise<void> => {
    await ledger.refresh();
    const plan = await workspace.readWorkUnit({ slug });
    if (!plan.ok || (!isOver && (plan.tasks.length === 0 || plan.tasks.some(({ done }) => !done)))) return;
    const { requests } = ledger.totals.of(`unit ${slug}`);
    if (requests === 0 || written.get(slug) === requests) return;
    const receipt = await workspace.writeReceipt({ folder: slug, markdown: ledger.totals.receipt(slug) });
    if (!receipt.ok) return;
    written.set(slug, requests);
  };
  const settle = async (): Promise<void> => {
    if (conversation.state.knobs.mode === "locked") return;
    if (gone !== null) {
      const { unit: slug, folder } = gone;
      gone = null;
      await workspace.writeReceipt({ folder, markdown: ledger.totals.receipt(slug) });
      ledger.end(slug, basename(folder));
    }
    const slug = conversation.state.workUnit;
    if (slug !== null) await writeReceipt(slug);
  };
  const attempt = (work: Promise<void>): void => {
    work.catch(logFailure(host.logger, "warn", "spending", { rootId }));
  };

  const stopped = bounds.subscribe((sessionId, why, by) => {
    if (sessionId !== rootId || by !== "budget") return;
    conversation.dispatch({ type: "blocked", reason: `${why}.`, nextStep: `${RAISE}.` });
    void conversation.outbox.flush();
  });
  const grantAll = (): void => {
    for (let reached = ledger.reached(rootId); reached?.scope; reached = ledger.reached(rootId))
      ledger.grant(reached.scope);
  };

  return {
    placeOf,
    /** Asks the user once for all waiting calls. @param ask returns their answer */
    async ask(scope: string, ask: () => Promise<boolean>): Promise<boolean> {
      const answer = asking.get(scope) ?? ask().finally(() => asking.delete(scope));
      asking.set(scope, answer);
      return answer;
    },
    /** A unit was archived: the rest of this turn counts for it. */
    archived(slug: string, folder: string): void {
      gone = { unit: slug, folder };
    },
    /** Where it lies, in the turn in which it was archived; else null. */
    archivedAt: (slug: string): string | null => (gone?.unit === slug ? gone.folder : null),
    /** Writes the receipt of a unit into its log, once its tasks are done or with `isOver`. Never rejects. */
    writeReceipt: async (slug: string, isOver?: boolean): Promise<void> =>
      writeReceipt(slug, isOver).catch(() => undefined),
    delegationFinished(task) {
      ledger.note({
        kind: "task",
        at: task.startedAt ?? task.queuedAt,
        end: task.endedAt ?? task.heardAt,
        root: rootId,
        session: task.sessionId,
        agent: task.agent,
        model: task.model,
        ...placeOf(task.sessionId),
        title: excerpt(redact(task.title ?? ""), MAX_TITLE),
        status: task.outcome?.status ?? task.status,
        isRepaired: task.isRepaired,
        verdict: redact(verdictOf(task, givesVerdict(roleOf(task.agent)))),
        task: runs.taskOf(task),
        files: record
          .filesOf(task.sessionId)
          .slice(0, MAX_FILES)
          .map(({ path, added, removed }) => ({ path: redact(path), added, removed })),
      });
    },
    heard(event) {
      const isNext =
        event.type === "next" || (event.type === "user-message" && readFeedback(event.text) === "next");
      if (isNext) grantAll();
    },
    observe(event, isRoot) {
      if (isRoot && event.type === "session.status" && event.status === "idle") attempt(settle());
    },
    dispose: stopped,
  } satisfies Part & Record<string, unknown>;
}

/** Where the requests of a session belong. Guests are not counted: the user runs them like any agent. */
export function placeRequests(input: {
  readonly sessions: Pick<GaiaSessions, "peek" | "speaker">;
  readonly engine: Pick<DelegationEngine, "tasks">;
  conversation(rootId: string): Conversation | undefined;
}): (sessionId: string) => Place | null {
  const { sessions, engine } = input;
  return (session) => {
    const known = sessions.peek(session) ?? null;
    if (known === null || known.isGuest) return null;
    const { rootId: root, specialist } = known;
    const { agent = "", model = null } = sessions.speaker(session) ?? {};
    const belongs = input.conversation(root)?.parts.spending.placeOf(session) ?? { unit: null, wave: null };
    return {
      root,
      session,
      agent: specialist ?? agent,
      model: engine.tasks.openIn(session)?.model ?? model,
      ...belongs,
    };
  };
}
