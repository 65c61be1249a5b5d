import type { Specialist } from "../../delegation/specialist.ts";
import { isUnreadable } from "../../delegation/read-result.ts";
import { callOf, type Task } from "../../delegation/task.ts";
import { type Amount, NO_AMOUNT, renderDelta } from "../../lib/figures.ts";
import { listOf, recordOf } from "../../lib/json.ts";
import { EMPTY_BATCH, type Batch } from "../collaboration/batch.ts";
import { whyNot } from "../delegations/end-line.ts";
import type { EndFacts } from "./verdict.ts";

/** What was done since the user asked for it, until they are told how it ended. */
export type PieceOfWork = Readonly<typeof NO_WORK>;

/** A delegation that came to nothing, and that nobody has put right. */
interface Failure {
  readonly task: Task;
  readonly why: string;
}

const NO_WORK = {
  began: 0,
  /** The unit that was there before it. */
  unit: null as string | null,
  run: null as EndFacts["run"],
  edits: "none" as EndFacts["edits"],
  batch: EMPTY_BATCH,
  /** What the conversation had spent before it. */
  before: NO_AMOUNT,
  failures: [] as readonly Failure[],
  /** Something was done whose end nobody has been told. */
  isOpen: false,
  /** Its end was told; what is done after that is told again. */
  isTold: false,
  /** Its unit's report names what is left. */
  isReported: false,
};

export function beginWork(began: number, unit: string | null, before: Amount): PieceOfWork {
  return { ...NO_WORK, began, unit, before };
}

/** The work with the end of a delegation. Pure. @param changed whether it changed the project */
export function noteEnd(
  work: PieceOfWork,
  task: Task,
  { mutates, role }: Pick<Specialist, "mutates" | "role">,
  changed: boolean,
): PieceOfWork {
  if (role === "historian") return work;
  const failures = noteFailure(work.failures, task, whyFailed(task, mutates));
  const edits = !mutates ? work.edits : work.edits === "changed" || changed ? "changed" : "unchanged";
  const isNews = mutates || failures !== work.failures;
  return {
    ...work,
    failures,
    edits,
    isOpen: work.isOpen || isNews,
    ...(isNews ? { isTold: false, isReported: false } : {}),
  };
}

/** One that goes well puts right what failed before in its session, or with the same goal before it was given. */
function noteFailure(failures: readonly Failure[], task: Task, why: string): readonly Failure[] {
  if (task.outcome?.status === "cancelled") return failures;
  const isSame = ({ task: { sessionId, title, endedAt } }: Failure): boolean =>
    sessionId === task.sessionId || (title === task.title && (endedAt ?? 0) <= task.queuedAt);
  const others = failures.filter((each) => !isSame(each));
  if (why !== "") return [...others, { task, why }];
  return others.length === failures.length ? failures : others;
}

/** Why a delegation gave nothing; empty where it gave something. What a reviewer is against stands in its verdict. */
function whyFailed(task: Task, mutates: boolean): string {
  const { outcome } = task;
  if (outcome === null) return "";
  const isSilent = outcome.status === "partial" && outcome.envelope === null;
  const hasFailed = outcome.status === "failed" || (isSilent && (mutates || !isUnreadable(outcome)));
  const { ok, outcome: verdict } = outcome.envelope ?? {};
  const isUndone = (ok === false && verdict === undefined) || outcome.isShort === true;
  return hasFailed || (mutates && isUndone) ? whyNot(task) : "";
}

/** Whether a run gave it, which has dealt with what came of it. */
export function isOfRun({ task: { callId } }: Failure): boolean {
  return callOf(callId) !== callId;
}

export function renderFailures(failures: readonly Failure[]): string {
  return failures.map(({ task, why }) => `${taskName(task)}: ${why}`).join("; ");
}

/** What makers said of these that is left broken. */
export function knownIssuesOf(tasks: readonly Task[]): string[] {
  return tasks.flatMap(({ outcome }) =>
    listOf(recordOf(outcome?.envelope?.data)["known_issues"]).map(String),
  );
}

const MAX_FILES = 3;

/** What is the project's of what was changed. */
export function ownFiles({ files }: Batch): Batch["files"] {
  return files.filter(({ path }) => !path.startsWith(".gaia/"));
}

/** `a.txt +1 −1`, each of a few files, else their number. */
export function renderChanges(batch: Batch): string[] {
  const own = ownFiles(batch);
  const count = own.length + batch.omittedFiles;
  if (count > MAX_FILES) return [`${count} files +${batch.added} −${batch.removed}`];
  return own.map(renderDelta);
}

export function taskName({ agent, title = "" }: Pick<Task, "agent" | "title">): string {
  return title === "" ? agent : `${agent} › ${title}`;
}
