import * as z from "zod/mini";
import { addFact, EMPTY_BATCH, type Batch } from "../collaboration/batch.ts";
import type { Task } from "../../delegation/task.ts";
import { describeError } from "../../lib/error.ts";
import { createLines } from "../../lib/in-line.ts";
import { lazy } from "../../lib/lazy.ts";
import { orElse, readSaved } from "../../lib/saved.ts";
import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import type { ConversationServices } from "../services.ts";
import { describeWork, type FinishedWork } from "./describe-work.ts";
import { writeHarvest } from "./harvest.ts";

/** Lines that wait for a work unit, or for a lock of the user's to end; the oldest go first. */
const MAX_WAITING = 8;

/** A delegation as it came to its end, in this process or in one before. */
export interface EndedWork extends FinishedWork, Pick<Task, "id" | "workUnit"> {}

/**
 * The record of what delegations did (SPEC 10), whether or not a historian comes: each adds a line to the unit's log when it ends,
 * and what a historian returns is written by the plugin.
 */
export type WorkRecord = ReturnType<typeof createWorkRecord>;

const lineSchema = lazy(() =>
  z.object({ id: z.string(), unit: orElse(z.nullable(z.string()), null), line: z.string() }),
);

export function createWorkRecord(
  conversation: Pick<ConversationCore, "rootId" | "state" | "keep">,
  { host, workspace, redact, roleOf }: Pick<ConversationServices, "host" | "workspace" | "redact" | "roleOf">,
) {
  const { rootId: root } = conversation;
  const inLine = createLines();
  const batches = new Map<string, Batch>();
  /** Sessions whose historian has written by a tool, as long as their task runs. */
  const ownEntries = new Set<string>();
  let lines: readonly z.infer<ReturnType<typeof lineSchema>>[] = [];
  let harvests: readonly EndedWork[] = [];

  const isLocked = (): boolean => conversation.state.knobs.mode === "locked";
  /** Where work belongs: a unit that a model named may not exist, and then it is the conversation's own. */
  const placesOf = (unit: string | null): string[] =>
    [...new Set([unit, conversation.state.workUnit])].filter((slug) => slug !== null);

  const writeLine = async ({ id, unit, line: text }: (typeof lines)[number]): Promise<void> => {
    for (const slug of placesOf(unit)) {
      if (!(await workspace.logWork({ slug, root, lines: [{ id, text }] })).ok) continue;
      lines = lines.filter((each) => each.id !== id);
      return;
    }
  };
  const writeHarvestOf = async (work: EndedWork): Promise<void> => {
    const { id, agent: by, outcome, workUnit } = work;
    const { session_id: sessionId = "", data } = outcome?.envelope ?? {};
    const hasOwnEntry = ownEntries.has(sessionId);
    for (const slug of placesOf(workUnit)) {
      const result = await writeHarvest(workspace, host.logger, { slug, root, id, by, data, hasOwnEntry });
      if (result === "failed") return;
      if (result === "written") break;
    }
    // Without a unit there is no record to write it into.
    harvests = harvests.filter((each) => each !== work);
  };
  const write = async (): Promise<void> => {
    if (isLocked() || lines.length + harvests.length === 0) return;
    try {
      for (const line of lines) await writeLine(line);
      for (const work of harvests) await writeHarvestOf(work);
    } catch (error) {
      host.logger.log("warn", "work-record", describeError(error), { root });
    }
    conversation.keep();
  };
  const schedule = (): void => void inLine("", write);

  const add = (work: EndedWork, batch: Batch): void => {
    const { outcome, id } = work;
    const unit = work.workUnit ?? conversation.state.workUnit;
    const isHistorian = roleOf(work.agent) === "historian";
    if (isHistorian && outcome?.status === "completed" && outcome.envelope?.ok === true) {
      harvests = [...harvests, { ...work, workUnit: unit }].slice(-MAX_WAITING);
    } else {
      const line = redact(describeWork(work, batch));
      lines = [...lines.filter((each) => each.id !== id), { id, unit, line }].slice(-MAX_WAITING);
      conversation.keep();
    }
    schedule();
  };

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
    /** Resolves when everything is written that can be. */
    settled: async (): Promise<void> => inLine("", async () => undefined),
    delegationStarted({ sessionId }) {
      batches.set(sessionId, EMPTY_BATCH);
      ownEntries.delete(sessionId);
    },
    delegationFinished(task) {
      add(task, batches.get(task.sessionId) ?? EMPTY_BATCH);
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
    snapshot: () => (lines.length === 0 ? undefined : lines),
    restore(saved) {
      lines = readSaved(lineSchema(), saved, MAX_WAITING);
      schedule();
    },
  } satisfies Part & Record<string, unknown>;
}
