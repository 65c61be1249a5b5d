import { isEnded, type Task } from "../../delegation/task.ts";
import { excerpt } from "../../lib/excerpt.ts";
import type { StandingPlan } from "../../workspace/operations/approvals.ts";
import { reportFromContract } from "../collaboration/contract-report.ts";
import type { CollaborationState } from "../collaboration/state.ts";
import { renderEnd } from "../delegations/end-line.ts";

const MAX_LINE = 240;
/** Open tasks, specialists at work, and results: the next, and the newest. */
const MAX_EACH = 4;

/** Where things stand when the user begins to speak with a specialist; all of it is what the host saw. */
export interface BriefFacts {
  readonly vcs: string;
  readonly state: Pick<CollaborationState, "knobs" | "wave" | "workUnit">;
  /** Null where no unit is open. */
  readonly plan: Pick<StandingPlan, "slug" | "title" | "standing" | "tasks"> | null;
  /** The newest checks in a few words; empty where none ran. */
  readonly checks: string;
  /** All delegations of the conversation, ended ones too. */
  readonly tasks: readonly Task[];
  /** What the conversation is held to, in words; empty for nothing. */
  readonly stage: string;
  readonly now: number;
}

/** What is going on, in at most some 4,000 characters. Pure. */
export function renderBrief({ vcs, state, plan, checks, tasks, stage, now }: BriefFacts): string {
  const open = plan?.tasks.filter(({ done }) => !done) ?? [];
  const atWork = tasks.filter((task) => !isEnded(task)).slice(-MAX_EACH);
  const ended = tasks.filter(isEnded).slice(-MAX_EACH);
  const { wave, knobs } = state;
  const lines = [
    `vcs_type: ${vcs} · mode: ${knobs.mode}${wave === null ? "" : ` · wave: ${wave.id}`}`,
    ...(stage === "" ? [] : [stage]),
    ...(plan === null
      ? []
      : [
          `Work unit: ${plan.slug}: ${excerpt(plan.title, MAX_LINE)}`,
          `Plan: ${plan.standing}, ${plan.tasks.length - open.length} of ${plan.tasks.length} tasks done`,
          ...open.slice(0, MAX_EACH).map(({ number, text }) => `Open: ${number}. ${excerpt(text, MAX_LINE)}`),
        ]),
    ...(checks === "" ? [] : [`Checks: ${excerpt(checks, MAX_LINE)}`]),
    ...atWork.map(({ agent, title = "" }) => `At work beside you: ${agent} › ${excerpt(title, MAX_LINE)}`),
    ...ended.map((task) => {
      const { rationale } = reportFromContract(task.outcome?.envelope);
      return `Result: ${renderEnd(task, now).line}${rationale && `: ${excerpt(rationale, MAX_LINE)}`}`;
    }),
  ];
  return lines.map((line) => `- ${line}`).join("\n");
}

/** The brief as its specialist reads it, at the end of the user's first words. */
export function frameBrief(brief: string): string {
  return `<gaia-talk>
The user speaks with you directly here, and goes back to GAIA, who plans this work, with /back. Answer them in plain words, without a contract. What the plugin knows of the work:
${brief}
</gaia-talk>`;
}
