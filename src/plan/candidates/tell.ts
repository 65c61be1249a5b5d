import { renderDuration } from "../../lib/duration.ts";
import { excerpt } from "../../lib/excerpt.ts";
import type { PlanTask } from "../task.ts";
import type { Halt, Run } from "../run/run.ts";
import type { TaskLanes, TaskLane } from "../lanes/place.ts";
import type { Judged, Ranking } from "./judge.ts";

/** Several tries at one task, each in a worktree of its own. */
export interface Contest {
  readonly run: Run;
  readonly lanes: TaskLanes;
  readonly wave: string;
  readonly task: PlanTask;
  readonly tries: readonly PlanTask[];
  readonly open: readonly TaskLane[];
  readonly unready: ReadonlyMap<PlanTask, string>;
  mayLand(): boolean;
}

/** What a candidate asks, where none passes: no further try answers it. */
export function asking({ run, tries }: Contest): Halt | null {
  const each = tries.find(({ number }) => (run.ends.get(number)?.needs ?? "") !== "");
  if (each === undefined) return null;
  const { agent, needs } = run.ends.get(each.number) ?? { agent: "", needs: "" };
  return {
    status: "user",
    why: `Candidate ${each.number}, ${agent} asks: ${needs}`,
    next: "Answer it in the plan, or ask the user; then run again.",
  };
}

export function none(contest: Contest, { order }: Pick<Ranking<Judged>, "order">): Halt {
  const { run, task, open } = contest;
  tell(contest, order, null, "none passes");
  const broken = contest.tries
    .filter(({ number }) => !order.some(({ tried }) => tried.task.number === number))
    .map(({ number }) => `candidate ${number}: ${run.ends.get(number)?.problem ?? "not begun"}`);
  const rows = [...rowsOf(contest, order, null), ...broken];
  run.notes.push(...rows);
  const places = open.map(({ lane: { name, folder } }) => `${name} in ${folder}`).join("; ");
  return {
    status: "decision",
    why: `BLOCKED: no candidate of task ${task.number} passes: ${rows.join(" | ")}. Nothing landed; the worktrees stay: ${places}`,
    next: "Change the plan (update_plan; an approved one is approved again) and call run again, or tell the user.",
  };
}

export function rowsOf(
  { run }: Contest,
  order: readonly Judged[],
  chosen: { readonly candidate: number; readonly why: string } | null,
): string[] {
  const { conversation, runtime } = run;
  const rows = order.map((judged): Row => {
    const { number } = judged.tried.task;
    const { agent, session } = run.ends.get(number) ?? {
      agent: judged.tried.task.agent ?? "",
      session: null,
    };
    const tasks = conversation.tasks().filter(({ sessionId }) => sessionId === session);
    const ms = tasks.reduce(
      (sum, { startedAt, endedAt }) => sum + ((endedAt ?? 0) - (startedAt ?? endedAt ?? 0)),
      0,
    );
    const cost = tasks.reduce((sum, task) => sum + task.cost, 0);
    return {
      judged,
      agent,
      spent: tasks.length === 0 ? null : { ms, cost },
    };
  });
  return renderRows(rows, chosen).map((row) => runtime.memory.redact(`candidate ${row}`));
}

/** Above the dialog, and where nobody is asked: what each of them came to. */
export function tell(
  contest: Contest,
  order: readonly Judged[],
  first: { readonly candidate: number; readonly why: string } | null,
  what: string,
): void {
  const rows = rowsOf(contest, order, first).map((row) => `- ${row.replace("chosen:", `${what}:`)}`);
  contest.run.conversation.outbox.note(
    [`Candidates of task ${contest.task.number}: ${what}`, ...rows].join("\n"),
  );
}

const MAX_CELL = 160;

/** What a candidate took, as far as OpenCode tells. */
interface Spent {
  readonly ms: number;
  readonly cost: number;
}

/** One candidate as its row shows it. */
interface Row {
  readonly judged: Judged;
  readonly agent: string;
  readonly spent: Spent | null;
}

/** The candidates side by side, the best first. @param chosen which, and why; null where none is */
function renderRows(
  rows: readonly Row[],
  chosen: { readonly candidate: number; readonly why: string } | null,
): string[] {
  return rows.map(({ judged, agent, spent }) => {
    const { candidate, files, added, removed } = judged;
    const isChosen = chosen?.candidate === candidate;
    return [
      `${candidate} ${agent}`,
      checksOf(judged),
      `${files} ${files === 1 ? "file" : "files"}`,
      `+${added} −${removed}`,
      spent === null ? "" : `${renderDuration(spent.ms)}, $${spent.cost.toFixed(2)}`,
      isChosen ? `chosen: ${chosen.why}` : "",
    ]
      .filter(Boolean)
      .join(" · ");
  });
}

function checksOf({ fails, passed, red, newErrors, leansOn, leftOut }: Judged): string {
  const more = [
    newErrors === null ? "no server tells of its errors" : newErrors === 0 ? "" : errorsOf(newErrors),
    red === 0 ? "" : `${red} red as before`,
    leansOn.length === 0 ? "" : `with its own ${leansOn.join(", ")}`,
    leftOut.length === 0 ? "" : `its changes to ${leftOut.join(", ")} do not count`,
  ].filter(Boolean);
  const head = fails.length > 0 ? fails.join(", ") : passed === 0 ? "no check" : `passes ${passed}`;
  return excerpt([head, ...more].join("; "), MAX_CELL);
}

function errorsOf(count: number): string {
  return `${count} new ${count === 1 ? "error" : "errors"}`;
}
