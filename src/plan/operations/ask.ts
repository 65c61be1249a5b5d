import { askApproval, type Approval } from "../../conversation/approvals/ask-approval.ts";
import type { ApprovalRequest } from "../../conversation/collaboration/approval-kinds.ts";
import type { Conversation } from "../../conversation/conversation.ts";
import type { ToolCall } from "../../host/port.ts";
import { logFailure, refuse, type Refusal } from "../../lib/error.ts";
import { adoptChecks } from "../../project/adopt-checks.ts";
import type { StandingPlan, WorkspaceResult } from "../../record/workspace.ts";
import type { Runtime } from "../../runtime.ts";
import type { PlanArgs } from "./args.ts";

/** A call of GAIA's, in whose name the user can be asked: all that is done with a plan is done in one. */
export interface PlanCall {
  readonly runtime: Runtime;
  readonly conversation: Conversation;
  readonly call: ToolCall;
}

/** A call of `plan_gaia`, with what its operation works with. */
export interface Called {
  readonly runtime: Runtime;
  readonly call: ToolCall;
  /** In a conversation of GAIA's; else null. */
  readonly scene: PlanCall | null;
  /** The same where GAIA itself calls; of the specialists only the historian has this tool. */
  readonly own: PlanCall | null;
  /** Its arguments; `slug` is the unit that it is about. */
  readonly input: PlanArgs;
  /** Of an operation of GAIA's on a unit: its plan, and what that leaves open. */
  readonly plan: WorkspaceResult<StandingPlan> | null;
  readonly warnings: readonly string[];
}

/** A refusal is one of a person's, or for want of one: `isPut`. @param above see {@link askApproval} */
export async function ask(
  { runtime, conversation, call }: PlanCall,
  approval: ApprovalRequest,
  above: readonly string[] = [],
): Promise<Approval> {
  const answer = await askApproval(conversation, runtime.supervision.dialogs, approval, call, above);
  return answer.kind === "refused" ? Object.assign(answer, { isPut: true }) : answer;
}

/** Offers checks to a project that has none: only a person's yes adopts them, and their no holds up nothing. */
export async function offerChecks(scene: PlanCall): Promise<void> {
  const { runtime, conversation } = scene;
  const { questions } = conversation.parts;
  const checks = await questions.takeChecks();
  if (checks.length === 0) return;
  const lines = checks.map(({ command, kind, source, cwd }) => {
    const where = cwd === undefined ? "" : `, run in ${cwd}`;
    return `- ${command} (${kind}, from ${source}${where})`;
  });
  const title = checks
    .map(({ command, cwd }) => (cwd === undefined ? command : `${command} (in ${cwd})`))
    .join("; ");
  const answer = await ask(scene, { kind: "adopt", workUnit: conversation.state.workUnit ?? "", title }, [
    "Nothing is configured that has to pass before work counts as done. This project seems to have:",
    ...lines,
    "Allow writes them into .gaia/config.jsonc: no wave and no commit of GAIA's passes without them.",
    "Reject leaves it so; /gaia-init asks again.",
  ]);
  if (answer.kind === "granted") conversation.outbox.note(await adoptChecks(runtime, checks));
  else if (answer.denied === true) questions.declineChecks();
}

/** Tells once, at a project's first plan, which of its language servers specialists could ask and do not. */
export async function offerHands({ runtime, conversation, call }: PlanCall): Promise<void> {
  const { config, code, host } = runtime;
  if (config.code === "on" || !(await conversation.parts.questions.isNews("hands-offer"))) return;
  const place = { ...host, below: "", standsFor: null, sessionId: call.sessionId, agent: "" };
  const languages = await code.languages(place).catch(logFailure(host.logger, "warn", "offers"));
  if (languages === undefined || languages.length === 0) return;
  conversation.outbox.note(
    `A language server for ${languages.join(", ")} is installed: "hands": "on" in .gaia/config.jsonc lets specialists ask it.`,
  );
}

/** Where a budget is used up only the user says yes, in their own dialog, to as much again of it (SPEC 2.7). */
export async function askToSpend(scene: PlanCall, session: string | null = null): Promise<Refusal | null> {
  const { conversation } = scene;
  const { ledger } = scene.runtime;
  if (!ledger.isBound) return null;
  await ledger.refresh();
  const find = () =>
    (session === null ? null : ledger.reached(session)) ?? ledger.reached(conversation.rootId);
  for (let reached = find(); reached !== null; reached = find()) {
    const { scope, why } = reached;
    const refusal = refuse(
      `No more may be spent: ${why}.`,
      "Only the user raises it, in the dialog, by /next or in their own configuration. Tell them, and end your turn.",
    );
    if (scope === null) return refusal;
    const workUnit = conversation.state.workUnit ?? "";
    const isGranted = await conversation.parts.spending.ask(scope, async () => {
      const approval = await ask(scene, { kind: "budget", workUnit, title: why });
      if (approval.kind !== "granted") return false;
      ledger.grant(scope);
      return true;
    });
    if (!isGranted) return refusal;
  }
  return null;
}

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
