import type { Conversation } from "../../conversation/conversation.ts";
import { isRefusal, refuse } from "../../lib/error.ts";
import { recordOf } from "../../lib/json.ts";
import { excerpt } from "../../lib/text.ts";
import type { Runtime } from "../../runtime.ts";
import type { StandingPlan } from "../../record/workspace.ts";
import { divideByFiles } from "./divide.ts";
import { digestPlan } from "../update.ts";
import type { Called, PlanCall } from "./ask.ts";
import { judgePlan, type ApprovalFacts } from "./decide-approval.ts";
import { judgingChecks, showEvidence } from "./evidence.ts";

const MAX_TOLD = 1_000;

export async function changePlan(called: Called): Promise<object> {
  const { scene, runtime, input } = called;
  const { slug, markdown, tick, status } = input;
  if (markdown === undefined && (tick ?? []).length === 0 && status === undefined)
    return refuse("This operation needs content.markdown, tick or status.", "Call again with one of them.");
  const { workspace } = runtime;
  const result =
    markdown === undefined
      ? await workspace.updatePlan(input)
      : await writePlan(called, async (given) => workspace.updatePlan({ ...input, ...given }));
  const isTicked = tick !== undefined && recordOf(result)["ok"] === true;
  if (scene === null || !isTicked || slug === undefined) return result;
  return { ...result, ...(await showEvidence({ ...scene, unit: slug })) };
}

/** Writes a plan, with its tasks divided that ask for it; tells what keeps it from being approved, all of it at once. */
export async function writePlan(
  { runtime, scene, call, input: { slug = "", markdown } }: Called,
  write: (given: { readonly markdown?: string }) => Promise<object>,
): Promise<object> {
  const { project } = scene?.conversation.tree.place ?? runtime.host;
  const { allowSensitive } = runtime.config.policy;
  const divided = await divideByFiles(allowSensitive, project, markdown ?? "", call.abort);
  if (divided !== null && isRefusal(divided)) return divided;
  const given = divided?.markdown ?? markdown;
  const result = await write(given === undefined ? {} : { markdown: given });
  if (scene === null || recordOf(result)["ok"] !== true) return result;
  const told = divided?.told ?? [];
  const problems = await settleWrittenPlan(scene, slug);
  return { ...result, ...(told.length === 0 ? {} : { divided: told.join(" ") }), ...problems };
}

/** Notes that this conversation wrote the plan. */
async function settleWrittenPlan(
  { runtime, conversation }: PlanCall,
  slug: string,
): Promise<{ before_approval?: string }> {
  const plan = await runtime.workspace.planStanding({ slug });
  if (!plan.ok) return {};
  const { planning } = conversation.parts;
  planning.wrote(plan.slug, digestPlan(plan.plan_md));
  // Where no task was read the result says so already.
  if (plan.tasks.length === 0) return {};
  const surroundings = await surroundingsOf(runtime, conversation, plan);
  const facts = { stage: planning.stage(), plan, specialists: runtime.agents.specialists, ...surroundings };
  const problems = judgePlan(facts).refused.join("; ");
  if (problems === "") return {};
  return { before_approval: excerpt(`Still to be corrected: ${problems}`, MAX_TOLD) };
}

/** What a plan is held against before it is put to the user, and whether it is this conversation's own text. */
export async function surroundingsOf(
  runtime: Runtime,
  conversation: Conversation | null,
  { slug, plan_md: text }: StandingPlan,
): Promise<Pick<ApprovalFacts, "around" | "isByHand">> {
  const { agents } = runtime.config;
  const disabled = Object.keys(agents).filter((name) => agents[name]?.disabled === true);
  const isByHand = conversation?.parts.planning.hasWritten(slug, digestPlan(text)) !== true;
  const hasChecks = (await judgingChecks(runtime)).length > 0;
  return { around: { disabled, hasChecks }, isByHand };
}
