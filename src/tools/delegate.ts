import { lanesOf } from "../config/lanes.ts";
import { nearestName, sameName } from "../lib/nearest-name.ts";
import { readLane } from "../conversation/lanes/lane.ts";
import { PLAN_REVIEWER } from "../conversation/planning/stage.ts";
import { meteringOf, renderGiven } from "../delegation/result.ts";
import { defineTool, type ToolDefinition } from "../host/tool.ts";
import { excerpt } from "../lib/text.ts";
import { isRefusal, renderAsTask } from "../lib/error.ts";
import { delegateByHand } from "../plan/delegate/by-hand.ts";
import { refuseDisabled, settlePlanReview } from "../plan/delegate/decide-delegation.ts";
import type { Runtime } from "../runtime.ts";
import { announceDelegate, renderDelegatedTask } from "./announced.ts";

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
      const { agent, goal, background = false, session_id: resume = null } = args;
      const specialist = agents.specialists.get(agent);
      if (specialist === undefined) throw new Error(`${agent} passed the check of the arguments`);
      const conversation = (await conversations.of(call.sessionId))?.conversation ?? null;
      const { isBegun, result, said } = await delegateByHand(
        { runtime, conversation, call },
        {
          specialist,
          prompt: renderDelegatedTask(args),
          title: goal,
          background,
          resume,
          aids: args.context_aids,
          workUnit: args.work_unit ?? conversation?.state.workUnit ?? null,
          waveId: args.wave_id?.trim() ?? null,
        },
        {
          lane: readLane(args.lane),
          verify: args.verify?.trim() || undefined,
          isApart: args.worktree === true,
        },
      );
      if (!isBegun) {
        supervision.calls.refused(call.callId);
        return { title: `${agent}: refused`, result };
      }
      const stage = conversation?.parts.planning.stage();
      const isPlanReview = agent === PLAN_REVIEWER && stage?.kind === "planning";
      const told = isPlanReview
        ? renderGiven(settlePlanReview(isRefusal(result) ? renderAsTask(result) : result, stage.reviews))
        : isRefusal(result)
          ? result
          : { ...renderGiven(result), ...said };
      return {
        title: `${agent} › ${excerpt(memory.redact(goal), 60)}`,
        result: told,
        metadata: meteringOf(result),
      };
    },
  });
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
