import type { Conversation } from "../conversation/conversation.ts";
import { judgePlan, type ApprovalFacts } from "../conversation/planning/decide-approval.ts";
import { excerpt } from "../lib/excerpt.ts";
import { refuse, type Refusal } from "../lib/refusal.ts";
import type { Runtime } from "../runtime.ts";
import { digestPlan } from "../plan/update.ts";
import type { StandingPlan } from "../record/operations/approvals.ts";

const MAX_TOLD = 1_000;

/** Why nothing of a unit's plan is carried out: it is not in the grammar. */
export async function refuseWrongPlan(
  { workspace }: Pick<Runtime, "workspace">,
  slug: string | undefined,
): Promise<Refusal | null> {
  const plan = slug === undefined ? null : await workspace.planStanding({ slug });
  if (slug === undefined || plan === null || plan.ok) return null;
  // Of a unit that can be read, only the grammar is in the way.
  return (await workspace.readWorkUnit({ slug })).ok ? refuse(plan.error, plan.hint) : null;
}

/** What a plan is held against before it is put to the user, and whether it is this conversation's own text. */
export async function surroundingsOf(
  runtime: Runtime,
  conversation: Conversation | null,
  plan: StandingPlan,
): Promise<Pick<ApprovalFacts, "around" | "isByHand">> {
  const { config } = runtime;
  const disabled = Object.keys(config.agents).filter((name) => config.agents[name]?.disabled === true);
  const isVerifiable = await canBeVerified(runtime, conversation, plan);
  const isByHand = conversation?.parts.planning.hasWritten(plan.slug, digestPlan(plan.plan_md)) !== true;
  const open = plan.tasks.filter(({ done }) => !done);
  const isTried = open.some(({ candidates }) => candidates !== undefined);
  const mayCheck = isTried && config.wavePolicy.boundaryRule !== "manual";
  const hasChecks = mayCheck && (await runtime.verifier.commands()).length > 0;
  const isSkilled = open.some(({ skills }) => skills.length > 0);
  const skills = isSkilled ? ((await runtime.skills.names()) ?? undefined) : undefined;
  return { around: { disabled, isVerifiable, hasChecks, skills }, isByHand };
}

/** Whether something shows in the end that the plan worked; looked for only where a task has no command of its own. */
async function canBeVerified(
  { verifier }: Runtime,
  conversation: Conversation | null,
  { slug, tasks }: StandingPlan,
): Promise<boolean> {
  if (tasks.every((task) => task.done || task.verify !== undefined)) return true;
  const claims = (await conversation?.parts.evidence.standing(slug)) ?? [];
  if (claims.some(({ kind, command }) => kind === "condition" && command !== null)) return true;
  return (await verifier.suggest()) === null;
}

/** Notes a plan that this conversation has written, and tells what keeps it from being approved, all of it at once. */
export async function settleWrittenPlan(
  runtime: Runtime,
  conversation: Conversation,
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
  const told = excerpt(`Still to be corrected: ${problems}`, MAX_TOLD);
  return { before_approval: told };
}
