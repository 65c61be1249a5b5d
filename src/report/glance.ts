import { renderMoney, renderRequests, renderTokens, tokensOf, type Amount } from "../lib/amount.ts";
import { renderDuration } from "../lib/duration.ts";
import { NOT_REVIEWED } from "../review/outcome.ts";
import type { ReportFacts } from "./gather.ts";

/** One fact of the first look at a unit. */
export interface Glance {
  readonly name: string;
  readonly value: string;
  /** Whether it is as one would wish; null for what is neither. */
  readonly isGood: boolean | null;
}

type Facts = Pick<ReportFacts, "plan" | "tasks" | "diff" | "checks" | "isSealed">;

/** What one wants to know first: how far it is, what it changed, what shows that it holds, what it took. Pure. */
export function glance({ plan, tasks, diff, checks, isSealed }: Facts, all: Amount): Glance[] {
  const done = plan.tasks.filter((task) => task.done).length;
  const whole = plan.tasks.length;
  const runs = new Map(checks.map(({ command, status }) => [command, status]));
  const passed = [...runs.values()].filter((status) => status === "passed").length;
  const verdicts = new Map(
    tasks.flatMap(({ agent, verdict }) => (verdict === "" ? [] : [[agent, verdict] as const])),
  );
  const last = [...verdicts.values()];
  const approving = last.filter((verdict) => verdict.startsWith("APPROVE")).length;
  const unseen = last.filter((verdict) => verdict === NOT_REVIEWED).length;
  const against = last.length - approving - unseen;
  const broken = tasks.filter(({ status }) => status !== "completed").length;
  const facts: (Glance | false)[] = [
    whole > 0 && { name: "Tasks", value: `${done} of ${whole} done`, isGood: done === whole ? true : null },
    { name: "Changed", value: changed(tasks, diff), isGood: null },
    runs.size > 0 && {
      name: "Checks, last run of each",
      value: `${passed} of ${runs.size} passed${isSealed ? "" : " *"}`,
      isGood: isSealed ? passed === runs.size : null,
    },
    verdicts.size > 0 && {
      name: "Reviews, last of each",
      value: [
        against === 0 ? `${approving} of ${verdicts.size} approve` : `${against} of ${verdicts.size} object`,
        unseen === 0 ? "" : `${unseen} ${NOT_REVIEWED}`,
      ]
        .filter(Boolean)
        .join(", "),
      isGood: approving === verdicts.size,
    },
    tasks.length > 0 && {
      name: "Delegations",
      value: broken === 0 ? String(tasks.length) : `${tasks.length}, ${broken} not completed`,
      isGood: broken === 0 ? null : false,
    },
    tasks.length > 0 && {
      name: "From first to last",
      value: renderDuration(
        Math.max(...tasks.map(({ end }) => end)) - Math.min(...tasks.map(({ at }) => at)),
      ),
      isGood: null,
    },
    {
      name: "Cost",
      value: `${renderMoney(all.cost)}, ${renderTokens(tokensOf(all))} tokens, ${renderRequests(all.requests)}`,
      isGood: null,
    },
  ];
  return facts.filter((fact) => fact !== false);
}

/** By the diff as it is now, where there is one; else by what each task has changed. */
function changed(tasks: Facts["tasks"], diff: Facts["diff"]): string {
  const lines = diff.flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.lines));
  const of = (kind: string): number => lines.filter((line) => line.kind === kind).length;
  const files = tasks.flatMap((task) => task.files);
  const sum = (key: "added" | "removed"): number => files.reduce((total, file) => total + file[key], 0);
  const [count, added, removed] =
    diff.length > 0
      ? [diff.length, of("added"), of("removed")]
      : [new Set(files.map(({ path }) => path)).size, sum("added"), sum("removed")];
  return count === 0 ? "nothing" : `${count} ${count === 1 ? "file" : "files"}, +${added} −${removed}`;
}
