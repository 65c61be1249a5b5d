import { lanesOf } from "../config/lanes.ts";
import { nearestName, sameName } from "../config/nearest-name.ts";
import type { Conversation } from "../conversation/conversation.ts";
import { refuseDisabled, settlePlanReview } from "../plan/delegate/decide-delegation.ts";
import { PLAN_REVIEWER } from "../conversation/planning/stage.ts";
import { HEARD } from "../conversation/turns/turns.ts";
import type { Lanes } from "../conversation/lanes/lanes.ts";
import type { ChildWorktree } from "../delegation/child-session.ts";
import type { ToolCall } from "../host/port.ts";
import { defineTool, type ToolDefinition } from "../host/tool.ts";
import { readLane } from "../conversation/lanes/lane.ts";
import { meteringOf, renderGiven } from "../delegation/result.ts";
import { excerpt } from "../lib/excerpt.ts";
import { isRefusal, refuse, type Refusal, renderAsTask } from "../lib/refusal.ts";
import type { Runtime } from "../runtime.ts";
import { askToSpend } from "../plan/operations/ask.ts";
import { renderTask } from "./delegated-task.ts";
import { askLeave, giveTask, type Order } from "../plan/delegate/give-task.ts";
import { announceDelegate } from "./announced.ts";
import type { ByHand } from "../plan/lanes/by-hand.ts";
import { isAtHome } from "../plan/lanes/place.ts";

/** `delegate_gaia` (SPEC 5): gives one task to one specialist, in a child session of the caller. */
export function createDelegateTool(runtime: Runtime): ToolDefinition {
  const { agents, config, supervision, conversations, memory } = runtime;
  return defineTool({
    ...announceDelegate(
      [...agents.specialists.keys()],
      lanesOf(config).mode !== "off",
      (name) => explainDisabled(runtime, name) ?? suggestName(runtime, name),
    ),
    renderRefusal: renderAsTask,
    async execute(args, call) {
      const specialist = agents.specialists.get(args.agent);
      if (specialist === undefined) throw new Error(`${args.agent} passed the check of the arguments`);
      const conversation = (await conversations.of(call.sessionId))?.conversation ?? null;
      const order: Order = {
        specialist,
        prompt: renderTask(args),
        title: args.goal,
        background: args.background ?? false,
        resume: args.session_id ?? null,
        aids: args.context_aids,
        workUnit: args.work_unit ?? conversation?.state.workUnit ?? null,
        waveId: args.wave_id?.trim() ?? null,
      };
      const leave = await askLeave(runtime, conversation, order, call, call.callId);
      if (leave.kind === "refused") {
        supervision.calls.refused(call.callId);
        return { title: `${args.agent}: refused`, result: leave };
      }
      const home = await openHome(runtime, conversation, order, call);
      const apart =
        home !== undefined && isRefusal(home)
          ? home
          : await openApart(runtime, conversation, order, call, args.worktree === true);
      if (apart !== null && isRefusal(apart)) {
        await conversation?.parts.waves.forget(call.callId);
        supervision.calls.refused(call.callId);
        return { title: `${args.agent}: refused`, result: apart };
      }
      const lanes = conversation?.parts.lanes;
      const advice = await lanes?.begin(specialist, {
        said: readLane(args.lane),
        resume: order.resume,
        call: call.callId,
        verify: args.verify?.trim() || undefined,
        isApart: apart !== null,
      });
      // What is counted at its end is waited for; where nobody can be asked OpenCode ends with her turn.
      const mayRest = !order.background && leave.review === 0 && (await conversation?.canAsk()) !== false;
      const given: Order = {
        ...order,
        ...(mayRest && conversation !== null ? { waited: waitedBy(conversation, apart) } : {}),
        ...(apart === null ? {} : { ends: endsIn(apart, lanes, call) }),
        worktree: apart?.worktree ?? (home !== undefined && !isRefusal(home) ? home : undefined),
      };
      const result = await giveTask(runtime, conversation, given, leave, call);
      if (isRefusal(result)) await apart?.land(result);
      // What it has used up is asked for while there is a call that can ask.
      if (conversation !== null && !order.background) await askToSpend({ runtime, conversation, call });
      if (isRefusal(result)) lanes?.forget(call.callId);
      const isRunning = !isRefusal(result) && result.status === "running";
      const proof = isRefusal(result) || isRunning ? null : await lanes?.settled(result.session_id);
      const said = {
        ...(advice ? { advice } : {}),
        ...(isRunning && !order.background ? { next: HEARD } : {}),
        ...(proof ? { proof } : {}),
        ...(home !== undefined && !isRefusal(home) ? { stands_in: home.folder } : {}),
      };
      const surfaced = (await conversation?.parts.assumptions.withResult(result)) ?? result;
      const stage = conversation?.parts.planning.stage();
      const isPlanReview = args.agent === PLAN_REVIEWER && stage?.kind === "planning";
      return {
        title: `${args.agent} › ${excerpt(memory.redact(args.goal), 60)}`,
        result: isPlanReview
          ? renderGiven(
              settlePlanReview(isRefusal(surfaced) ? renderAsTask(surfaced) : surfaced, stage.reviews),
            )
          : isRefusal(surfaced)
            ? surfaced
            : { ...renderGiven(surfaced), ...said },
        metadata: meteringOf(surfaced),
      };
    },
  });
}

/** Where a unit has a branch of its own, who works for it works there. */
async function openHome(
  runtime: Runtime,
  conversation: Conversation | null,
  { specialist: { mutates, role }, workUnit: unit, resume }: Order,
  call: ToolCall,
): Promise<ChildWorktree | Refusal | undefined> {
  if (conversation === null || unit === null || role === "historian") return undefined;
  const { state, tree } = conversation;
  if (!isAtHome(lanesOf(runtime.config), tree.place.unit !== null, mutates)) return undefined;
  if (unit !== state.workUnit)
    return refuse(
      `This conversation is at ${state.workUnit ?? "no unit"}, whose work stands in one place.`,
      `set_active ${unit} first.`,
    );
  // One of a worktree of its own goes on there.
  const { worktrees } = conversation.parts;
  const isKnown = resume !== null && (await worktrees.settle(resume)) === null;
  const own = isKnown ? worktrees.of(resume) : null;
  if (own !== null && own.to !== tree.place.worktree) return undefined;
  const { openHome: open } = await import("../plan/lanes/place.ts");
  const home = await open({ runtime, conversation, call, unit, notes: [] });
  return home !== undefined && "why" in home ? refuse(home.why, home.next) : home;
}

/** A place of its own for one that wants it, or goes on in one; what that takes is loaded where there are worktrees. */
async function openApart(
  runtime: Runtime,
  conversation: Conversation | null,
  order: Order,
  call: ToolCall,
  isWanted: boolean,
): Promise<ByHand | Refusal | null> {
  if (conversation === null || lanesOf(runtime.config).mode === "off") return null;
  if (!isWanted && order.resume === null) return null;
  const { openByHand } = await import("../plan/lanes/by-hand.ts");
  return openByHand(runtime, conversation, order, call, isWanted);
}

/** It goes on in the background once the user writes, and is no part of GAIA's call any more. */
function waitedBy({ parts }: Conversation, apart: ByHand | null): Order["waited"] {
  return (letGo) =>
    parts.turns.waitFor(() => {
      apart?.rest();
      letGo();
    });
}

/** What was done in a worktree lands before anyone is told of its end. */
function endsIn(apart: ByHand, lanes: Lanes | undefined, { callId }: ToolCall): Order["ends"] {
  return async (result) => {
    const { told, isThere } = await apart.land(result);
    lanes?.landed(callId, result.session_id, isThere);
    return told;
  };
}

/** Which specialist an unknown name is near to, with the whole roster; undefined where it is near to none. */
function suggestName({ agents }: Runtime, agent: unknown): string | undefined {
  const roster = [...agents.specialists.keys()];
  const words = typeof agent === "string" ? agent.split(/[^\w]+/) : [];
  const near = typeof agent === "string" ? nearestName(agent, roster) : undefined;
  const meant = near ?? words.flatMap((word) => sameName(word, roster) ?? nearestName(word, roster) ?? [])[0];
  return meant === undefined
    ? undefined
    : `there is no "${excerpt(String(agent), 60)}"; did you mean "${meant}"? Specialists: ${roster.join(", ")}`;
}

/** Why this agent cannot be called at all, for one that the configuration disables; undefined for an unknown name. */
function explainDisabled({ config, agents }: Runtime, agent: unknown): string | undefined {
  const disabled = Object.keys(config.agents).filter((name) => config.agents[name]?.disabled === true);
  const meant = typeof agent === "string" ? sameName(agent, disabled) : undefined;
  if (meant === undefined) return undefined;
  return renderAsTask(refuseDisabled(meant, [...agents.specialists.keys()])).message;
}
