import { addFact, EMPTY_BATCH, type Batch } from "../collaboration/batch.ts";
import type { Task } from "../../delegation/task.ts";
import { logFailure } from "../../lib/error.ts";
import { failureForPerson } from "../../lib/for-person.ts";
import { createLines } from "../../lib/async.ts";
import { debtOf } from "../../record/documents.ts";
import { newestWithin } from "../../lib/schema.ts";
import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import type { Planning } from "../planning/stage.ts";
import { triedIn } from "../runs/runs.ts";
import type { ConversationServices } from "../services.ts";
import { describeWork, type FinishedWork } from "./describe-work.ts";
import { writeHarvest } from "../../record/harvest.ts";
import { debtIn, foundBy, notesOf, type Waiting } from "./said.ts";

/** What may wait for a work unit, or for a lock of the user's to end; of each kind the oldest go first. */
const MAX_WAITING: Readonly<Record<Waiting["kind"], number>> = {
  work: 8,
  recon: 4,
  maker: 4,
  debt: 20,
  finding: 40,
};
const MAX_HARVESTS = 8;
/** Of all that waits over a restart, in characters of JSON. */
const MAX_KEPT = 7_800;

const isNote = (each: Waiting): boolean => "markdown" in each;

/** A delegation as it came to its end, in this process or in one before. */
export type EndedWork = FinishedWork & Pick<Task, "id" | "workUnit"> & Partial<Pick<Task, "sessionId">>;

/**
 * The record of what delegations did and said (SPEC 10), whether or not a historian comes: what each did is a line of the unit's
 * log, beside what it says for those who come after; what it found elsewhere stands in `.gaia/findings.md`. What a historian returns
 * is written by the plugin.
 */
export type WorkRecord = ReturnType<typeof createWorkRecord>;

export function createWorkRecord(
  conversation: Pick<ConversationCore, "rootId" | "state" | "remember" | "touch" | "log" | "outbox">,
  services: ConversationServices,
  planning: Pick<Planning, "stage">,
) {
  const { host, workspace, redact, roleOf } = services;
  const { rootId: root } = conversation;
  const inLine = createLines();
  const batches = new Map<string, Batch>();
  /** Sessions whose historian has written by a tool, as long as their task runs. */
  const ownEntries = new Set<string>();
  const waiting = conversation.remember<readonly Waiting[]>("workRecord", [], (all) =>
    // Notes are long, and take what the others leave.
    newestWithin([...all.filter(isNote), ...all.filter((each) => !isNote(each))], MAX_KEPT),
  );
  let harvests: readonly EndedWork[] = [];

  const isWaiting = (each: Waiting): boolean => waiting.now.includes(each);
  const of = <K extends Waiting["kind"]>(...kinds: K[]): Extract<Waiting, { kind: K }>[] =>
    waiting.now.filter((each): each is Extract<Waiting, { kind: K }> =>
      kinds.some((kind) => kind === each.kind),
    );
  const drop = (written: readonly Waiting[]): void => {
    waiting.now = waiting.now.filter((each) => !written.includes(each));
  };
  /** Where work belongs: a unit that a model named may not exist, and then it is the conversation's own. */
  const placesOf = (unit: string | null): string[] =>
    [...new Set([unit, conversation.state.workUnit])].filter((slug) => slug !== null);

  const writeWork = async (): Promise<void> => {
    for (const work of of("work")) {
      const lines = [{ id: work.id, text: work.line }];
      for (const slug of placesOf(work.unit))
        if (isWaiting(work) && (await workspace.logWork({ slug, root, lines })).ok) drop([work]);
    }
  };
  const writeHarvests = async (): Promise<void> => {
    for (const work of harvests) {
      const { id, agent: by, outcome, workUnit, sessionId = "" } = work;
      const data = outcome?.envelope?.data;
      const hasOwnEntry = ownEntries.has(sessionId);
      let result: string | undefined;
      for (const slug of placesOf(workUnit)) {
        result = await writeHarvest(workspace, host.logger, { slug, root, id, by, data, hasOwnEntry });
        if (result === "failed" || result === "written") break;
      }
      // Without a unit there is no record to write it into.
      if (result !== "failed") harvests = harvests.filter((each) => each !== work);
      conversation.touch();
    }
  };
  /** A unit is mostly made after someone has looked around for it. */
  const writeNotes = async (): Promise<void> => {
    for (const note of of("recon", "maker")) {
      const unit = note.unit ?? (note.kind === "recon" ? conversation.state.workUnit : null);
      if (unit === null) continue;
      drop([note]);
      await conversation.log(note.title, note.markdown, unit);
    }
  };
  const writeDebt = async (): Promise<void> => {
    for (const { unit: slug } of of("debt")) {
      const notes = of("debt").filter(({ unit }) => unit === slug);
      if (notes.length === 0) continue;
      const written = await workspace.addDebt({ slug, notes });
      if (!written.ok) host.logger.log("warn", "work-record", `${written.error} ${written.hint}`, { slug });
      drop(notes);
    }
  };
  const writeFindings = async (): Promise<void> => {
    const given = of("finding");
    if (given.length === 0) return;
    const written = await workspace.addFindings(given);
    if (!written.ok) {
      void host.toast("warning", `Findings wait to be written: ${failureForPerson(written)}`);
      throw new Error(written.error);
    }
    const { added, taken } = written;
    drop(given);
    if (taken.length > 0)
      host.logger.log(
        "warn",
        "work-record",
        `Ids of other findings: ${taken.map(({ id }) => id).join(", ")}`,
      );
    if (added.length === 0) return;
    const names = added.map(({ id, type }) => `${id} (${type})`).join(", ");
    conversation.outbox.note(`Found, and noted in .gaia/findings.md: ${names} · /gaia-findings`);
    await conversation.outbox.flush();
  };
  /** What cannot be written goes on waiting. Locked, nothing is written. */
  const schedule = (): void => {
    if (waiting.now.length + harvests.length === 0) return;
    for (const write of [writeWork, writeHarvests, writeNotes, writeDebt, writeFindings])
      inLine("", async () => (conversation.state.knobs.mode === "locked" ? undefined : write())).catch(
        logFailure(host.logger, "warn", "work-record", { root }),
      );
  };
  const settled = async (): Promise<void> => inLine("", async () => undefined);
  const put = (more: readonly Waiting[]): void => {
    const all = [...waiting.now, ...more];
    waiting.now = all.filter(
      ({ kind }, at) => all.slice(at + 1).filter((each) => each.kind === kind).length < MAX_WAITING[kind],
    );
    schedule();
  };

  const add = (work: EndedWork, batch: Batch, said: readonly Waiting[] = []): void => {
    const { outcome, id } = work;
    const unit = work.workUnit ?? conversation.state.workUnit;
    const isHistorian = roleOf(work.agent) === "historian";
    if (isHistorian && outcome?.status === "completed" && outcome.envelope?.ok === true) {
      harvests = [...harvests, { ...work, workUnit: unit }].slice(-MAX_HARVESTS);
      return put(said);
    }
    waiting.now = waiting.now.filter((each) => each.kind !== "work" || each.id !== id);
    put([{ kind: "work", id, unit, line: redact(describeWork(work, batch)) }, ...said]);
  };

  schedule();
  return {
    /** Takes in a task of an earlier process; without an outcome it was interrupted. */
    recover(work: EndedWork): void {
      add(work, EMPTY_BATCH);
    },
    /** The files that the task of a session has changed so far. */
    filesOf: (sessionId: string): Batch["files"] => batches.get(sessionId)?.files ?? [],
    /** A specialist has written an entry of the log by a tool. */
    wroteEntry(sessionId: string): void {
      ownEntries.add(sessionId);
    },
    /** Whether what this task returned is still to be written, and stands nowhere else. */
    isWaiting: (taskId: string): boolean => harvests.some(({ id }) => id === taskId),
    /** What makers noted of work without a unit, which has no log. */
    unlogged: (): readonly { readonly title: string; readonly markdown: string }[] =>
      of("maker").filter(({ unit }) => unit === null),
    /** What reviewers of a unit noted without rejecting it, until someone strikes it out, oldest first; empty where it cannot be read. */
    async debtOf(slug: string | null): Promise<readonly string[]> {
      if (slug === null) return [];
      await settled();
      const read = await workspace.readWorkUnit({ slug });
      return read.ok ? debtOf(read.content.log_md) : [];
    },
    /** Takes in what a candidate said, once it is chosen. */
    noteChosen(task: Parameters<typeof notesOf>[0]): void {
      put(notesOf(task, services));
    },
    /** Resolves when everything is written that can be. */
    settled,
    flush: settled,
    delegationStarted({ sessionId }) {
      batches.set(sessionId, EMPTY_BATCH);
      ownEntries.delete(sessionId);
    },
    delegationFinished(task) {
      // Most candidates go, and with them what they say.
      const notes = triedIn(task.callId) === null ? notesOf(task, services) : [];
      // A review of a plan, or one for advice only, is about no work.
      const unit = planning.stage() === null ? (task.workUnit ?? conversation.state.workUnit) : null;
      const said = [...notes, ...debtIn(task, unit, services), ...foundBy(task, services)];
      add(task, batches.get(task.sessionId) ?? EMPTY_BATCH, said);
      batches.delete(task.sessionId);
    },
    heard(event) {
      if (event.type === "tool-finished") {
        const { fact } = event;
        const batch = batches.get(fact.sessionId);
        // Who did it is told with it, whenever it becomes the project's.
        const known = fact.told === undefined ? fact : { ...fact, files: fact.told };
        if (batch !== undefined) batches.set(fact.sessionId, addFact(batch, known));
      }
      // What waited for a unit, or for the lock to end, may have its place now.
      if (event.type === "work-unit-changed" || event.type === "command") schedule();
    },
  } satisfies Part & Record<string, unknown>;
}
