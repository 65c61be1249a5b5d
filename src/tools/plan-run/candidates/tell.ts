import type { PlanTask } from "../../../plan/task.ts";
import type { Halt } from "../halt.ts";
import type { Lanes, TaskLane } from "../lanes.ts";
import type { Run } from "../run.ts";
import type { Judged } from "./evidence.ts";
import type { OthersTests } from "./others-tests.ts";
import type { Ranking } from "./rank.ts";
import { renderRows, type Row } from "./table.ts";

/** Several tries at one task, each in a worktree of its own. */
export interface Contest {
  readonly run: Run;
  readonly lanes: Lanes;
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
  tests: OthersTests["told"] = new Map(),
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
      tests: tests.get(judged.candidate) ?? "",
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
  tests?: OthersTests["told"],
): void {
  const rows = rowsOf(contest, order, first, tests).map((row) => `- ${row.replace("chosen:", `${what}:`)}`);
  contest.run.conversation.outbox.note(
    [`Candidates of task ${contest.task.number}: ${what}`, ...rows].join("\n"),
  );
}
