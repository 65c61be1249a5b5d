import type { Conversation } from "../conversation/conversation.ts";
import { isRefusal, type Refusal } from "../lib/refusal.ts";
import type { Runtime } from "../runtime.ts";
import type { PlanArgs as Args } from "./plan-args.ts";
import type { Files } from "./plan-divide.ts";

/** What a task says that is to be divided. */
const EACH = "- each:";

/** The plan with those tasks divided that ask for it, and what became of them. */
export async function divideGiven(
  runtime: Runtime,
  conversation: Conversation | null,
  input: Args,
  signal: AbortSignal,
): Promise<{ readonly input: Args; readonly divided?: string } | Refusal> {
  if (input.markdown?.includes(EACH) !== true) return { input };
  const { dividePlan } = await import("./plan-divide.ts");
  const plan = await dividePlan(input.markdown ?? "", filesOf(runtime, conversation, signal));
  if (isRefusal(plan)) return plan;
  const divided = plan.told.join(" ");
  return { input: { ...input, markdown: plan.markdown }, ...(divided === "" ? {} : { divided }) };
}

/** The same for a plan that stands there, which a person may have written. @returns why it cannot be done */
export async function divideStanding(
  runtime: Runtime,
  conversation: Conversation,
  input: Args,
  signal: AbortSignal,
): Promise<Refusal | null> {
  if (conversation.state.knobs.mode === "locked") return null;
  const plan = await runtime.workspace.planStanding(input);
  if (!plan.ok || !plan.plan_md.includes(EACH)) return null;
  const { divideByHand } = await import("./plan-divide.ts");
  return divideByHand(runtime, conversation, plan, filesOf(runtime, conversation, signal));
}

function filesOf(runtime: Runtime, conversation: Conversation | null, signal: AbortSignal): Files {
  const { project } = conversation?.tree.place ?? runtime.host;
  return { project, allowSensitive: runtime.config.policy.allowSensitive, signal };
}
