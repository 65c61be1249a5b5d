import { budgetUse } from "../collaboration/reducer.ts";
import { describeAssumption } from "../questions/assumptions.ts";
import { redactDeep } from "../../lib/redaction.ts";
import { renderEvidence } from "../../checks/evidence/claims.ts";
import type { Conversation } from "../conversation.ts";
import type { ConversationServices } from "../services.ts";
import { KNOBS } from "../../config/knobs.ts";
import type { Pause } from "../collaboration/state.ts";
import { isOpen, renderVerdict } from "../collaboration/verdicts.ts";
import { wasInterrupted } from "../../delegation/rebuild.ts";
import { isEnded, type Task } from "../../delegation/task.ts";
import { type AnswerEnd, describeAnswers } from "../../spending/answers.ts";
import { clockTime, renderDuration } from "../../lib/figures.ts";
import { excerpt } from "../../lib/text.ts";
import { renderEnd } from "../delegations/end-line.ts";
import { STAGE_WORDS } from "../planning/stage.ts";

const MAX_SUMMARY = 300;
const MAX_FAILED = 3;

export type StatusFacts = Awaited<ReturnType<typeof readStatus>>;

/** What a status is made of. All times are milliseconds. */
export async function readStatus(
  conversation: Conversation,
  { workspace, defaults, redact, bounds, clock }: ConversationServices,
) {
  const { state, parts, tree, rootId } = conversation;
  const unit = await workspace.planStanding(state.workUnit === null ? {} : { slug: state.workUnit });
  const { place } = tree;
  const slug = unit.ok ? unit.slug : null;
  return {
    state,
    defaults,
    /** The active work unit's plan; null when none is open. */
    plan: unit.ok ? unit : null,
    /** What of it is not in the grammar, for a plan that cannot be read. */
    planError: unit.ok || state.workUnit === null ? "" : unit.error,
    /** Why it is carried out no further, since a run has ended; null for no reason that is known. */
    standstill: parts.runs.standstillOf(slug ?? ""),
    tasks: redactDeep(conversation.tasks(), redact),
    checks: tree.verifier.last(),
    evidence: renderEvidence(await parts.checks.claims(slug)),
    /** Files with uncommitted work of the user's own; empty where there are none. */
    yours: await parts.ownWork.usersNames(),
    left: conversation.left,
    debt: await parts.workRecord.debtOf(slug),
    leftTasks: await parts.restart.leftTasks(),
    assumptions: parts.questions.pending(),
    stage: parts.planning.stage()?.kind ?? null,
    /** Until when GAIA's own provider makes it wait, and why; null while it does not. */
    wait: parts.turns.now().wait,
    /** Why GAIA itself was stopped; null while it may work. */
    held: bounds.heldBy(rootId),
    lane: parts.lanes.describe(),
    worktrees: parts.worktrees.describe(),
    /** Where the work stands that is not in the user's tree; null for the user's tree. */
    branch: place.unit === null ? null : { unit: place.unit, folder: place.worktree },
    now: clock.now(),
  };
}

/** A line of the status; empty where there is nothing to say. */
function row(label: string, value: string | null): string {
  return value === null || value === "" ? "" : label + value;
}

/** The state of a conversation for a person, a few plain lines, what is wrong first (`/gaia-status`). */
export function renderStatus(facts: StatusFacts): string {
  const { state, defaults, plan, tasks, checks, assumptions, debt, stage, branch, now } = facts;
  const { knobs, workUnit, wave, pause, verdicts } = state;
  const wrong = whatIsWrong(facts);
  const isStopped = pause !== null && STOPS.has(pause.reason);
  const isFine = wrong.length === 0 && !isStopped;
  const foreign = plan === null ? "none" : `${plan.slug}, the project's; this conversation has none`;
  const approval =
    wave?.approved === true ? " (approved)" : knobs.mode === "supervised" ? " (not approved)" : "";
  const settled = verdicts.filter(
    (each) => each.workUnit === (plan?.slug ?? workUnit ?? "") && !isOpen(each),
  );
  const running = tasks.filter((task) => !isEnded(task)).map((task) => describeTask(task, now));
  const budgets = budgetUse(state, defaults).map(
    ({ which, value, limit }) => `${Math.max(0, limit - Math.floor(value))} of ${limit} ${which}`,
  );
  const lines = [
    ...(isFine ? ["nothing is wrong"] : wrong.map((each) => `✗ ${each}`)),
    pause === null ? isFine && "nothing waits for you" : describePause(pause),
    stage && STAGE_WORDS[stage],
    `mode ${knobs.mode}: ${KNOBS.mode.values[knobs.mode].meaning}`,
    `profile ${knobs.profile} · visibility ${knobs.visibility} · interaction ${knobs.interaction} · cadence ${knobs.checkinCadence} · review ${knobs.reviewDepth}`,
    row("kind of work: ", facts.lane),
    `work unit ${workUnit ?? foreign} · wave ${wave === null ? "none" : wave.id + approval}`,
    describePlan(plan),
    row("evidence: ", facts.evidence),
    row("assumed, not confirmed by you: ", assumptions.map(describeAssumption).join("; ")),
    ...settled.map((each) => `review: ${renderVerdict(each)}`),
    row(`noted in reviews, not fixed: ${debt.length}; newest: `, excerpt(debt.at(-1) ?? "", MAX_SUMMARY)),
    ...describeAnswers(tasks.filter(isEnded).map(endOf)).map((line) => `answers: ${line}`),
    row("uncommitted and yours, left out of commits and reviews: ", facts.yours),
    facts.worktrees,
    branch &&
      `the work stands on branch gaia/${branch.unit} in ${branch.folder}, nothing of it in your tree; what is committed there comes in with git merge gaia/${branch.unit}`,
    `running: ${running.join("; ") || "nobody"}`,
    `budgets left: ${budgets.join(", ")}`,
    checks === null ? "checks: not run since OpenCode started" : describeChecks(checks, now, true),
  ];
  return ["GAIA", ...lines.filter(Boolean).map((line) => `- ${line}`)].join("\n");
}

function endOf({ agent, model, status, isRepaired, outcome }: Task): AnswerEnd {
  return { agent, model, status, isRepaired, verdict: outcome?.envelope?.outcome?.verdict ?? "" };
}

/** What keeps the work from going on, or went wrong and was not put right, the gravest first. */
function whatIsWrong(facts: StatusFacts): string[] {
  const { state, plan, standstill, tasks, checks, leftTasks, wait, now } = facts;
  const ended = tasks.filter(isEnded);
  // The one who did the same agent's last task well has put it right.
  const failed = ended.filter(
    (task) =>
      task === ended.findLast(({ agent }) => agent === task.agent) && renderEnd(task, now).mark === "✗",
  );
  const isOfUnit = plan !== null && state.workUnit !== null;
  const standsStill = isOfUnit && plan.tasks.some(({ done }) => !done) ? standstill : null;
  const lines = [
    row("stopped until you write: ", facts.held),
    facts.planError,
    isOfUnit && describeStanding(plan),
    row(`the plan of ${plan?.slug} is carried out no further: `, standsStill),
    wait &&
      `GAIA waits for its provider until ${clockTime(wait.until)}, then it goes on by itself: ${excerpt(wait.why, MAX_SUMMARY)}`,
    checks && describeChecks(checks, now, false),
    ...state.verdicts
      .filter(isOpen)
      .map((each) => `review of ${each.workUnit || "the work"}: ${renderVerdict(each)}`),
    ...failed.slice(-MAX_FAILED).map((task) => renderEnd(task, now).line.slice(2)),
    row("open from before the restart: ", leftTasks.map(describeLeft).join("; ")),
    row("left for you: ", facts.left.join("; ")),
  ];
  return lines.flatMap((line) => line || []);
}

/** Reasons that are no check-in of the agreed pace. */
const STOPS: ReadonlySet<string> = new Set(["budget", "blocked"]);

/** What the user said of the plan, where it keeps the work from going on. */
function describeStanding({ standing, slug }: NonNullable<StatusFacts["plan"]>): string {
  if (standing === "rejected")
    return `you said no to the plan of ${slug}: say what to change, or that you approve it after all`;
  return standing === "changed"
    ? `the plan of ${slug} was changed since you approved it: you are asked before it goes on`
    : "";
}

function describePause({ reason, detail }: Pause): string {
  if (reason === "abort") return "waits for you: you stopped the work · /next goes on";
  return `waits for you: ${STOPS.has(reason) ? reason : `check-in (${reason})`}${detail === "" ? "" : ` (${detail})`} · /next goes on`;
}

/** @returns nothing for checks that ended otherwise than is asked for */
function describeChecks(
  { at, summary, passed }: NonNullable<StatusFacts["checks"]>,
  now: number,
  isPassed: boolean,
): string {
  const ago = now - at < 1_000 ? "just now" : `${renderDuration(now - at)} ago`;
  return passed === isPassed ? `checks ${ago}: ${excerpt(summary, MAX_SUMMARY)}` : "";
}

function describePlan(plan: StatusFacts["plan"]): string {
  if (plan === null || plan.tasks.length === 0) return "";
  const open = plan.tasks.filter(({ done }) => !done);
  const [next] = plan.standing === "rejected" ? [] : open;
  const count = `plan ${plan.status ?? "without a status"} · ${plan.tasks.length - open.length} of ${plan.tasks.length} tasks done`;
  return next === undefined ? count : `${count} · next: ${next.number}. ${excerpt(next.text, 100)}`;
}

function describeLeft(task: Task): string {
  const how = wasInterrupted(task) ? "interrupted" : "finished, not collected";
  return `${task.agent} "${excerpt(task.title ?? "", 60)}" (${how})`;
}

function describeTask({ agent, status, activity, startedAt, queuedAt }: Task, now: number): string {
  const doing = status === "running" ? activity : status;
  return `${agent}, ${renderDuration(now - (startedAt ?? queuedAt))}${doing === "" ? "" : ` (${excerpt(doing, 60)})`}`;
}
