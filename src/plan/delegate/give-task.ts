import { givesVerdict } from "../../config/roles.ts";
import { renderCollaborationTag } from "../../conversation/collaboration/knobs.ts";
import type { Conversation } from "../../conversation/conversation.ts";
import { renderUsers } from "../../conversation/own-work/own-work.ts";
import { PLAN_REVIEWER, PLAN_REVIEWS } from "../../conversation/planning/stage.ts";
import { renderChildPrompt, type ContextAids } from "../../delegation/child-prompt.ts";
import type { Delegation } from "../../delegation/child-session.ts";
import type { DelegationResult } from "../../delegation/result.ts";
import type { Specialist } from "../../delegation/specialist.ts";
import { bounded } from "../../lib/async.ts";
import { describeError, isRefusal, refuse, type Refusal } from "../../lib/error.ts";
import type { Runtime } from "../../runtime.ts";
import { renderCommandText } from "../../record/templates.ts";
import { askToSpend, refuseWrongPlan, type PlanCall } from "../operations/ask.ts";
import { refuseDelegation } from "./decide-delegation.ts";

type FoundOut = "title" | "parentId" | "callId" | "sessionModel" | "opened" | "abort";

export interface Order extends Omit<Delegation, FoundOut> {
  /** What it is called; by default the first words of the prompt. */
  readonly title?: string | undefined;
  /** What it is about, where the prompt tells more than that, and the files that it names. */
  readonly about?: string | undefined;
  readonly files?: readonly string[] | undefined;
  readonly aids?: ContextAids | undefined;
  /** Done beside the open wave, which neither waits for it nor asks how it ended. */
  readonly isBeside?: boolean | undefined;
  readonly opened?: (() => void) | undefined;
  /** The call that waits for it, by which its session is a child; by default the tool's own, of which it may be a part. */
  readonly callId?: string | undefined;
}

/** The tool call in whose name a task is given; without a conversation of GAIA's it is not supervised. */
export interface GivingCall extends Omit<PlanCall, "conversation"> {
  readonly conversation: Conversation | null;
}

export interface GivenTask {
  readonly isBegun: boolean;
  readonly result: DelegationResult | Refusal;
}

/**
 * Gives a task to its specialist, by hand and in a run, with what the plugin knows for them; waits for its end unless it is a
 * background one. @param place where it is done, once it may begin; `review` numbers a review of a plan, 0 for anything else
 */
export async function giveTask(
  scene: GivingCall,
  order: Order,
  place?: (review: number) => Promise<Partial<Order> | Refusal>,
): Promise<GivenTask> {
  const { conversation } = scene;
  const callId = order.callId ?? scene.call.callId;
  const leave = await askLeave(scene, order, callId);
  if (isRefusal(leave)) return { isBegun: false, result: leave };
  let isGiven = false;
  try {
    const placed = (await place?.(leave.review)) ?? {};
    if (isRefusal(placed)) return { isBegun: false, result: placed };
    const result = await start(scene, { ...order, ...placed, callId, waveId: leave.waveId }, leave.review);
    isGiven = !isRefusal(result);
    return { isBegun: true, result };
  } finally {
    // In its wave it stood from the beginning.
    if (!isGiven) conversation?.parts.waves.forget(callId);
  }
}

interface Leave {
  readonly review: number;
  readonly waveId: string | null;
}

/** Whether a task may begin; one that may stands in its wave from then on. */
async function askLeave(
  { runtime, conversation, call }: GivingCall,
  { specialist: { name, mutates }, workUnit: unit, waveId, isBeside = false, resume }: Order,
  callId: string,
): Promise<Leave | Refusal> {
  const { agents, config, workspace } = runtime;
  if (conversation === null) return { review: 0, waveId };
  const { state, parts } = conversation;
  const plan = mutates && unit !== null ? await workspace.planStanding({ slug: unit }) : null;
  const wrong = plan?.ok === false ? await refuseWrongPlan(runtime, unit ?? undefined) : null;
  if (wrong !== null) return wrong;
  const everyone = [...agents.specialists.values()];
  const early = refuseDelegation({
    agent: name,
    mutates,
    readers: everyone.filter((each) => !each.mutates).map((each) => each.name),
    stage: parts.planning.stage(),
    // What cannot be read belongs to no unit, and each of its changes is asked for by itself.
    plan: plan?.ok === true ? plan : null,
    state,
    lacksWave: config.wavePolicy.enforceWaveId && state.workUnit !== null && waveId === null,
  });
  if (early !== null) return early;
  const unpaid = await askToSpend({ runtime, conversation, call }, resume);
  if (unpaid !== null) return unpaid;
  const work = { call: callId, agent: name, edits: mutates, workUnit: unit, waveId };
  const stands = isBeside ? { waveId } : await parts.waves.begin(work);
  if (isRefusal(stands)) return stands;
  // Counted at once, so that of two reviews in one answer the second is the second.
  const review = name === PLAN_REVIEWER ? parts.planning.countReview() : 0;
  return { review, waveId: stands.waveId };
}

async function start(
  { runtime, conversation, call }: GivingCall,
  order: Order & { readonly callId: string },
  review: number,
): Promise<DelegationResult | Refusal> {
  const { engine, memory, sessions, vcs } = runtime;
  const { title, about: said, files, aids, isBeside: _isBeside, opened, without = [], ...given } = order;
  const { specialist, workUnit, resume, worktree } = given;
  if (resume !== null && worktree === undefined) {
    const why = await conversation?.parts.worktrees.settle(resume);
    if (typeof why === "string") return refuse(why, "");
  }
  if (specialist.mutates) await conversation?.parts.checks.before(workUnit, call.abort);
  // It goes to another model, and its beginning becomes a session's title, which OpenCode logs (SPEC 2.8).
  const prompt = memory.redact(`${order.prompt}${await planReviewBrief(review)}`);
  const about = said ?? order.prompt;
  const brief = await conversation?.parts.bearings.brief({
    specialist,
    unit: workUnit,
    about,
    named: aids?.skills ?? [],
    files: files ?? aids?.files,
    isAway: worktree !== undefined,
    session: resume,
    resumes: resume !== null,
  });
  const users = specialist.mutates ? ((await conversation?.parts.ownWork.usersNames()) ?? "") : "";
  return engine.delegate({
    ...given,
    title: memory.redact(title ?? prompt.replace(/^\s*TASK:\s*/i, "")),
    prompt: renderChildPrompt(prompt, {
      vcs: vcs.kind,
      workUnit,
      waveId: order.waveId,
      collaboration: conversation === null ? "" : renderCollaborationTag(conversation.state),
      aids,
      before: [...(brief?.before ?? []), ...(users === "" ? [] : [renderUsers(users)])],
      after: [
        ...(brief?.after ?? []),
        ...(await reviewSection(runtime, specialist, conversation, call.abort)),
      ],
    }),
    parentId: call.sessionId,
    sessionModel: sessions.speaker(call.sessionId)?.model ?? null,
    without: resume === null ? [...without, ...(await unneeded(runtime, specialist))] : without,
    opened(sessionId) {
      brief?.opened(sessionId);
      opened?.();
    },
    abort: call.abort,
  });
}

/** OpenCode gives an agent a tool for skills, a kilobyte in each request, also where there are none for it. */
async function unneeded({ skills, config }: Runtime, { name }: Specialist): Promise<readonly string[]> {
  const isNamed = config.agents[name]?.toolbox?.skills !== undefined;
  return !isNamed && (await skills.areNone()) ? ["skill"] : [];
}

async function planReviewBrief(round: number): Promise<string> {
  if (round === 0) return "";
  const rounds = String(PLAN_REVIEWS);
  return `\n\n${await renderCommandText("plan-review", { round: String(round), rounds })}`;
}

/** A delegation waits no longer than this for what its reviewer could also find out alone, in milliseconds. */
const PATIENCE_MS = 5_000;
const HEAD = "# The project's uncommitted changes, for a review of them";

/** What a reviewer is given last (SPEC 8): the diff at the user's depth, and how to report what lies outside, where wanted. */
async function reviewSection(
  { config, reviewerBriefs: ofProject, clock, host }: Runtime,
  { role, mutates }: Specialist,
  conversation: Conversation | null,
  signal: AbortSignal,
): Promise<string[]> {
  if (!givesVerdict(role)) return [];
  // One who changes files itself reviews only what this conversation has changed.
  if (mutates && ((await conversation?.parts.ownWork.lastChanges()) ?? []).length === 0) return [];
  if (conversation?.parts.planning.stage()?.kind === "planning") return [];
  const depth = conversation?.state.knobs.reviewDepth ?? "diff";
  const stage = conversation?.parts.planning.stage();
  const advice = stage?.kind === "review" ? stage : null;
  const base = advice?.base;
  const read = async (): Promise<string | null> => {
    const work = advice === null ? ((await conversation?.parts.ownWork.reviewed()) ?? null) : null;
    return (conversation?.tree.reviewerBriefs ?? ofProject).current(depth, signal, work, base);
  };
  const { enabled, ask } = config.findings;
  const asked = enabled && ask ? [(await import("../../extras/findings/render.ts")).ASK_FOR_FINDINGS] : [];
  try {
    const brief = await bounded(read(), PATIENCE_MS, clock, "The diff");
    const title =
      base === undefined
        ? HEAD
        : `# The branch's changes since ${base.slice(0, 12)}, what is uncommitted included`;
    return brief === null ? asked : [`${title}\n${brief}`, ...asked];
  } catch (error) {
    host.logger.log("warn", "review-section", describeError(error));
    return asked;
  }
}
