import * as z from "zod";
import { renderChildPrompt } from "../delegation/child-prompt.ts";
import { renderCollaborationTag } from "../conversation/collaboration/collaboration-tag.ts";
import type { Conversation } from "../conversation/conversation.ts";
import { decideDelegation, refuseDisabled } from "../conversation/planning/decide-delegation.ts";
import { settlePlanReview } from "../conversation/planning/plan-review.ts";
import { PLAN_REVIEWER, PLAN_REVIEWS } from "../conversation/planning/stage.ts";
import type { Specialist } from "../delegation/specialist.ts";
import { nearestName, sameName } from "../config/nearest-name.ts";
import { defineTool, type ToolDefinition } from "../host/tool.ts";
import { renderUsers } from "../conversation/own-work/own-work.ts";
import { excerpt } from "../lib/excerpt.ts";
import { isRefusal, renderAsTask, type Refusal } from "../lib/refusal.ts";
import type { Runtime } from "../runtime.ts";
import { renderCommandText } from "../workspace/templates.ts";
import { reviewSection } from "./review-section.ts";

const names = z.array(z.string()).optional();

/** `delegate_gaia` (SPEC 5): gives one task to one specialist, in a child session of the caller. */
export function createDelegateTool(runtime: Runtime): ToolDefinition {
  const { agents, supervision, conversations, engine, memory, sessions, vcs } = runtime;
  return defineTool({
    name: "delegate_gaia",
    description:
      "Give a task to a specialist and get its contract back. Calls in one answer run in parallel. " +
      "background: returns at once with a task_id for collect_results.",
    args: {
      agent: z.enum([...agents.specialists.keys()] as [string, ...string[]], {
        error: ({ input }) => explainDisabled(runtime, input) ?? suggestName(runtime, input),
      }),
      prompt: z.string().min(1).describe("TASK, CONTEXT, MUST DO, MUST NOT, EXPECTED, AIDS"),
      background: z.boolean().optional(),
      session_id: z.string().optional().describe("resume this specialist session"),
      context_aids: z.object({ skills: names, tools: names, files: names }).optional(),
      work_unit: z.string().optional().describe("slug"),
      wave_id: z.string().optional(),
    },
    tidy({ agent, ...rest }) {
      return agent === undefined ? rest : { agent: meantAgent(runtime, agent) ?? agent, ...rest };
    },
    renderRefusal: renderAsTask,
    async execute(args, call) {
      const specialist = agents.specialists.get(args.agent);
      if (specialist === undefined) throw new Error(`${args.agent} passed the check of the arguments`);
      const conversation = (await conversations.of(call.sessionId))?.conversation ?? null;
      const workUnit = args.work_unit ?? conversation?.state.workUnit ?? null;
      const asked = { workUnit, waveId: args.wave_id?.trim() || null, callId: call.callId };
      const decision = await decide(runtime, conversation, specialist, asked);
      if (decision.kind === "refused") {
        supervision.calls.refused(call.callId);
        return { title: `${args.agent}: refused`, result: decision };
      }
      const { waveId } = decision;
      const start = async () => {
        if (specialist.mutates) await conversation?.parts.checks.before(workUnit, call.abort);
        const brief = await planReviewBrief(decision.review);
        // It goes to another model, and its beginning becomes a session's title, which OpenCode logs (SPEC 2.8).
        const prompt = memory.redact(`${args.prompt}${brief}`);
        const given = await engine.delegate({
          specialist,
          title: prompt.replace(/^\s*TASK:\s*/i, ""),
          prompt: renderChildPrompt(prompt, {
            vcs: vcs.kind,
            workUnit,
            waveId,
            collaboration: conversation === null ? "" : renderCollaborationTag(conversation.state),
            aids: args.context_aids,
            sections: [
              ...(specialist.role === "historian" && conversation !== null
                ? decisionSection(conversation.decisions.take())
                : []),
              ...(specialist.mutates && conversation !== null
                ? usersSection(await conversation.parts.ownWork.usersNames())
                : []),
              ...(await reviewSection(runtime, specialist, conversation, call.abort)),
            ],
          }),
          parentId: call.sessionId,
          callId: call.callId,
          sessionModel: sessions.speaker(call.sessionId)?.model ?? null,
          background: args.background ?? false,
          resume: args.session_id ?? null,
          workUnit,
          waveId,
          vcs: vcs.kind,
          abort: call.abort,
        });
        return { prompt, result: given };
      };
      const begun = await start().catch(async (error: unknown) => {
        await conversation?.parts.waves.forget(call.callId);
        throw error;
      });
      const { prompt, result } = begun;
      if (isRefusal(result)) await conversation?.parts.waves.forget(call.callId);
      const surfaced = (await conversation?.parts.bringUp.withResult(result)) ?? result;
      const stage = conversation?.parts.planning.stage();
      const isPlanReview = args.agent === PLAN_REVIEWER && stage?.kind === "planning";
      return {
        title: `${args.agent} › ${excerpt(prompt, 60)}`,
        result: isPlanReview
          ? settlePlanReview(isRefusal(surfaced) ? renderAsTask(surfaced) : surfaced, stage.reviews)
          : surfaced,
      };
    },
  });
}

/**
 * Whether the delegation may begin, from what is true now.
 * @returns with a yes, the wave that it is part of, and which review of a plan it begins, from 1; 0 for any other work
 */
async function decide(
  { agents, config, workspace }: Runtime,
  conversation: Conversation | null,
  { name, mutates }: Specialist,
  { workUnit: unit, waveId, callId }: { workUnit: string | null; waveId: string | null; callId: string },
): Promise<{ kind: "allowed"; review: number; waveId: string | null } | Refusal> {
  if (conversation === null) return { kind: "allowed", review: 0, waveId };
  const { state, parts } = conversation;
  const plan = mutates && unit !== null ? await workspace.planStanding({ slug: unit }) : null;
  const everyone = [...agents.specialists.values()];
  const decision = decideDelegation({
    agent: name,
    mutates,
    readers: everyone.filter((each) => !each.mutates).map((each) => each.name),
    stage: parts.planning.stage(),
    // What cannot be read belongs to no unit, and each of its changes is asked for by itself.
    plan: plan?.ok === true ? plan : null,
    mode: state.knobs.mode,
    pause: state.pause,
    lacksWave: config.wavePolicy.enforceWaveId && state.workUnit !== null && waveId === null,
  });
  if (decision.kind === "refused") return decision;
  const place = await parts.waves.begin({
    call: callId,
    agent: name,
    edits: mutates,
    workUnit: unit,
    waveId,
  });
  if (isRefusal(place)) return place;
  // Counted at once, so that of two reviews in one answer the second is the second.
  const review = name === PLAN_REVIEWER ? parts.planning.countReview() : 0;
  return { kind: "allowed", review, waveId: place.waveId };
}

/** What the reviewer of a plan has to know beside the task. */
async function planReviewBrief(round: number): Promise<string> {
  if (round === 0) return "";
  const rounds = String(PLAN_REVIEWS);
  return `\n\n${await renderCommandText("plan-review", { round: String(round), rounds })}`;
}

/** The specialist whom a model means beyond doubt; a disabled one is told of as such. */
function meantAgent({ config, agents }: Runtime, agent: unknown): string | undefined {
  return typeof agent === "string"
    ? sameName(agent, [...new Set([...agents.specialists.keys(), ...Object.keys(config.agents)])])
    : undefined;
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
  if (typeof agent !== "string" || config.agents[agent]?.disabled !== true) return undefined;
  return renderAsTask(refuseDisabled(agent, [...agents.specialists.keys()])).message;
}

function usersSection(names: string): string[] {
  return names === "" ? [] : [renderUsers(names)];
}

function decisionSection(rows: readonly string[]): string[] {
  if (rows.length === 0) return [];
  const head =
    "The user's decisions since the last harvest. Where they stand in decisions.md already, add nothing but reasons:";
  return [[head, ...rows].join("\n")];
}
