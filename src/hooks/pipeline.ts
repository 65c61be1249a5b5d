import { renderPlanForApproval } from "../memory/plan-text.ts";
import { settlePlanReview } from "../conversation/planning/plan-review.ts";
import { PLAN_REVIEWER, PLAN_REVIEWS, refuseStep, type Step } from "../conversation/planning/stage.ts";
import type { Conversation } from "../conversation/conversation.ts";
import { Denial, defineHook, type HookDefinition } from "../host/hook.ts";
import type { IncomingCall } from "../host/hook-events.ts";
import { parseJsonRecord, textOf } from "../lib/json.ts";
import type { Runtime } from "../runtime.ts";
import { findPlanGaps } from "../workspace/documents/plan-substance.ts";
import type { StandingPlan } from "../workspace/operations/approvals.ts";
import { renderCommandText } from "../workspace/templates.ts";

type Args = Readonly<Record<string, unknown>>;

/**
 * Holds GAIA to the order of the planning pipeline: nothing of a plan is carried out before the user has approved it, a
 * plan is reviewed twice at most, and only a complete one is put to the user.
 */
export function createPipelineHooks(runtime: Runtime): [HookDefinition, HookDefinition] {
  const { agents, supervision, host, sessions, stages, workspace } = runtime;

  /** @param slug the active unit's when it is left out */
  const planOf = async (slug?: string): Promise<StandingPlan | null> => {
    const plan = await workspace.planStanding(slug === undefined ? {} : { slug });
    // What cannot be read belongs to no unit, and each of its changes is asked for by itself.
    return plan.ok ? plan : null;
  };
  const hold = (conversation: Conversation, step: Step, plan: StandingPlan | null): void => {
    const refusal = refuseStep(stages.get(conversation.rootId), step, plan, conversation.state.knobs.mode);
    if (refusal !== null) throw new Denial(refusal);
  };

  const beforeDelegation = async (conversation: Conversation, call: IncomingCall): Promise<void> => {
    const { args } = call;
    const agent = textOf(args["agent"]) ?? "";
    const mutates = agents.specialists.get(agent)?.mutates ?? false;
    const unit = textOf(args["work_unit"]) ?? conversation.state.workUnit;
    const plan = mutates && unit !== null ? await planOf(unit) : null;
    hold(conversation, { kind: "delegate", agent, mutates }, plan);
    if (agent !== PLAN_REVIEWER || stages.get(conversation.rootId)?.kind !== "planning") return;
    const round = String(stages.countReview(conversation.rootId));
    const brief = await renderCommandText("plan-review", { round, rounds: String(PLAN_REVIEWS) });
    call.setArgument("prompt", `${textOf(args["prompt"]) ?? ""}\n\n${brief}`);
  };

  /** Everything that the user has to know to answer stands on the screen before the dialog does. */
  const beforeApproval = (conversation: Conversation, plan: StandingPlan): void => {
    const stage = stages.get(conversation.rootId);
    if (stage?.kind === "planning") {
      const gaps = findPlanGaps(plan.plan_md, agents.specialists);
      if (gaps.length > 0)
        throw new Denial(`Refused: the plan is not complete (${gaps.join("; ")}). Complete it first.`);
      if (stage.reviews === 0 && agents.specialists.has(PLAN_REVIEWER)) {
        throw new Denial(`Refused: ${PLAN_REVIEWER} has not reviewed the plan yet.`);
      }
    }
    if (plan.tasks.length > 0) conversation.outbox.note(renderPlanForApproval(plan));
  };

  const beforeRecord = async (conversation: Conversation, args: Args): Promise<void> => {
    const { rootId } = conversation;
    const slug = textOf(args["slug"]);
    const op = textOf(args["op"]);
    const isPlanning = stages.get(rootId)?.kind === "planning";
    if (op === "open_wave") hold(conversation, { kind: "open-wave" }, await planOf(slug));
    const plan = op === "request_approval" && args["kind"] === "plan" ? await planOf(slug) : null;
    if (plan !== null) beforeApproval(conversation, plan);
    const begins =
      op === "update_plan" && (args["status"] === "in-progress" || args["status"] === "complete");
    if (isPlanning && begins) hold(conversation, { kind: "start-plan" }, null);
    if (op === "archive_work_unit") hold(conversation, { kind: "archive" }, null);
    if (op === "set_active" && slug === undefined) stages.end(rootId);
  };

  const gate = defineHook({
    id: "pipeline-gate",
    event: "before-tool",
    why: "a gate: before guard-tools, after which a call counts as running",
    onFailure: "closed",
    async run(call) {
      const { tool, sessionId } = call;
      if (tool !== "delegate_gaia" && tool !== "plan_gaia") return;
      const found = await supervision.conversations.of(sessionId);
      if (found === null) return;
      // Of the specialists only the historian has one of these tools, with which she may archive, but approve nothing.
      await (tool === "plan_gaia"
        ? beforeRecord(found.conversation, call.args)
        : beforeDelegation(found.conversation, call));
    },
  });

  const outcome = defineHook({
    id: "pipeline-outcome",
    event: "after-tool",
    why: "before report-tools, which puts at the end of a result what GAIA has to know",
    onFailure: "open",
    async run(call) {
      const { tool, sessionId, args } = call;
      const stage = stages.get(sessionId);
      if (stage?.kind !== "planning") return;
      const session = await sessions.find(sessionId);
      const result = parseJsonRecord(call.outcome.text);
      if (session?.specialist !== null || result === null) return;
      if (tool === "delegate_gaia" && args["agent"] === PLAN_REVIEWER) {
        call.setText(JSON.stringify(settlePlanReview(result, stage.reviews)));
      }
      if (tool !== "plan_gaia" || args["op"] !== "request_approval" || args["kind"] !== "plan") return;
      if (result["ok"] === true) stages.end(sessionId);
      else stages.planRefused(sessionId);
      host.logger.log("debug", "pipeline", `The plan is ${result["ok"] === true ? "" : "not "}approved.`);
    },
  });
  return [gate, outcome];
}
