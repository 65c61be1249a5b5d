import type { ApprovalRequest } from "../conversation/collaboration/events.ts";
import { renderVerdict } from "../conversation/collaboration/verdicts.ts";
import { askApproval } from "../conversation/approvals/ask-approval.ts";
import type { Conversation } from "../conversation/conversation.ts";
import { findNewFiles, findWavesBeyondBudget } from "../conversation/planning/decide-approval.ts";
import type { ToolCall } from "../host/port.ts";
import { excerpt, head } from "../lib/excerpt.ts";
import { plainText } from "../lib/plain-text.ts";
import { refuse } from "../lib/refusal.ts";
import { renderPlanForApproval, renderScope } from "../record/plan-text.ts";
import { sectionText } from "../plan/update.ts";
import { wavesOf } from "../plan/waves.ts";
import type { Runtime } from "../runtime.ts";
import { offerChecks } from "./offer-checks.ts";
import type { ApprovalOp } from "./plan-args.ts";
import { completeWave, openWave } from "./plan-waves.ts";
import type { StandingPlan } from "../record/operations/approvals.ts";

const MAX_GOAL = 100;
const MAX_SPEC = 6_000;

/** What the approval operations of `plan_gaia` read of its arguments. */
export interface ApprovalArgs {
  readonly title?: string | undefined;
  readonly wave_id?: string | undefined;
  readonly kind?: "plan" | "verification" | "spec" | undefined;
}

/** Everything that one of these operations works with. */
export interface ApprovalCall {
  readonly runtime: Runtime;
  readonly conversation: Conversation;
  readonly call: ToolCall;
  readonly plan: StandingPlan;
  readonly args: ApprovalArgs;
  /** What the plan leaves open, one sentence each; nothing of it keeps the user from saying yes. */
  readonly warnings?: readonly string[];
}

/** Runs one of the approval operations, which may be done now (SPEC 5, 8). */
export async function runApproval(op: ApprovalOp, request: ApprovalCall): Promise<object> {
  if (op === "request_approval") return requestApproval(request);
  const wave = request.args.wave_id?.trim() ?? "";
  if (wave === "") return refuse("No wave is named.", `Call ${op} again with wave_id.`);
  return op === "open_wave" ? openWave(request, wave) : completeWave(request, wave);
}

async function requestApproval(given: ApprovalCall): Promise<object> {
  const { runtime, conversation, call, args, plan, warnings = [] } = given;
  const { kind } = args;
  if (kind === undefined) {
    return refuse(
      "It is not said what is to be approved.",
      "Call again with kind: plan, verification or spec.",
    );
  }
  // Everything that the user has to know to answer stands on the screen before the dialog does.
  const beyond = kind === "plan" ? findWavesBeyondBudget(plan.tasks, runtime.config.autopilotSafeguards) : [];
  if (kind === "plan" && plan.tasks.length > 0) {
    const budget = beyond.length === 0 ? "" : `Budget: ${beyond.join("; ")}`;
    const parts = [
      renderPlanForApproval(plan, warnings, await newFiles(runtime, plan)),
      budget,
      await estimate(runtime, plan),
    ];
    conversation.outbox.note(parts.filter(Boolean).join("\n\n"));
  }
  if (kind === "spec") conversation.outbox.note(await renderSpec(runtime, plan));
  const title = args.title === undefined ? {} : { title: args.title };
  const request: ApprovalRequest = {
    kind,
    workUnit: plan.slug,
    ...title,
    ...(kind === "plan" ? { covers: coversOf(plan) } : {}),
    ...reviewsOf(conversation, plan.slug, kind),
  };
  const approval = await askApproval(conversation, runtime.supervision.dialogs, request, call);
  if (approval.kind === "refused") {
    if (kind === "plan") conversation.parts.planning.planAnswered(false);
    const isNo = kind === "plan" && approval.denied === true;
    const noted = isNo ? await runtime.workspace.rejectPlan({ slug: plan.slug, shown: plan.plan_md }) : null;
    return noted?.ok === false ? noted : approval;
  }
  const written = await writeApproval(given, kind, approval.by);
  if (kind === "plan") conversation.parts.planning.planAnswered(written.ok);
  if (!written.ok) return written;
  // Who has just said yes knows it.
  if (approval.by !== "user")
    conversation.show({ kind: "milestone", text: `${plan.slug}: ${kind} approved by ${approval.by}` });
  if (kind === "plan") await offerChecks(runtime, conversation, call);
  const open = [...warnings, ...beyond];
  const told = open.length === 0 ? {} : { warnings: open };
  return { ok: true, kind, approved: true, by: approval.by, ...told };
}

/** A branch of its own holds what earlier tasks of the unit have made; the record stands in the user's tree. */
async function newFiles(runtime: Runtime, { slug, tasks }: StandingPlan): Promise<ReadonlySet<string>> {
  const places = [runtime.treeOf(slug).place, runtime.host];
  const roots = places.flatMap(({ project, directory, worktree }) => [project, directory, worktree]);
  return findNewFiles(tasks, [...new Set(roots)]);
}

/** What the plan may cost, from what earlier ones did; empty where there is nothing to go by. */
async function estimate({ ledger }: Runtime, { slug, tasks }: StandingPlan): Promise<string> {
  await ledger.refresh();
  return ledger.estimate(slug, tasks.length);
}

/** Goal, waves, who does what: all of it stands above the dialog, and this within it. */
function coversOf({ plan_md: markdown, tasks }: StandingPlan): string {
  const waves = wavesOf(tasks).map(({ id, tasks: of }) => `${id}: ${renderScope(of)}`);
  const count = `${counted(tasks.length, "task")} in ${counted(waves.length, "wave")}`;
  return [excerpt(plainText(sectionText(markdown, "Goal")), MAX_GOAL), count, ...waves]
    .filter(Boolean)
    .join(" · ");
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

async function renderSpec({ workspace }: Runtime, { slug, title }: StandingPlan): Promise<string> {
  const unit = await workspace.readWorkUnit({ slug });
  const text = unit.ok ? (unit.content.spec_md ?? "") : "";
  return `Spec of ${slug}: ${title}\n\n${head(plainText(text).trim(), MAX_SPEC)}\n\nAll of it: .gaia/${slug}/spec.md`;
}

/** What reviewers said of what is asked for; the verification is where the user may overrule them. */
export function reviewsOf(
  { state, parts }: Conversation,
  slug: string,
  kind: ApprovalRequest["kind"],
): Pick<ApprovalRequest, "reviews" | "overrulesUntil"> {
  if (kind !== "revision" && kind !== "verification") return {};
  const objection = parts.reviews.closing(slug);
  const unit = objection?.workUnit ?? slug;
  const said = state.verdicts.filter(({ workUnit }) => workUnit === unit);
  if (said.length === 0) return {};
  const overrules = kind === "verification" && objection !== null;
  return {
    reviews: said.map(renderVerdict).join("; "),
    ...(overrules ? { workUnit: unit, overrulesUntil: state.at } : {}),
  };
}

/** What the record holds of a yes: the plan with the revision that the work starts from, or the spec's status. */
async function writeApproval(
  { runtime: { workspace }, conversation, plan: { slug, plan_md: shown } }: ApprovalCall,
  kind: ApprovalArgs["kind"],
  by: "user" | "autopilot",
): Promise<{ ok: true } | { ok: false; error: string; hint: string }> {
  if (kind === "spec") return workspace.updateSpec({ slug, status: "approved" });
  if (kind !== "plan") return { ok: true };
  // Who approves a plan has read its commands.
  if (by === "user") await conversation.parts.evidence.acceptChecks(slug);
  return workspace.approvePlan({ slug, base: await conversation.tree.vcs.baseRevision(), by, shown });
}
