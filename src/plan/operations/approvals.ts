import { unproven } from "../../checks/evidence/claims.ts";
import { modelView } from "../../checks/definition-of-done/render.ts";
import type { Approval } from "../../conversation/approvals/ask-approval.ts";
import type { ApprovalRequest, PlannedWave } from "../../conversation/collaboration/approval-kinds.ts";
import { isStop } from "../../conversation/collaboration/knobs.ts";
import { hasApprovedWave, mayOpen } from "../../conversation/collaboration/state.ts";
import { renderVerdict } from "../../conversation/collaboration/verdicts.ts";
import type { Conversation } from "../../conversation/conversation.ts";
import { counted } from "../../lib/figures.ts";
import { excerpt, head } from "../../lib/text.ts";
import { plainText } from "../../lib/markdown.ts";
import { refuse, type Refusal } from "../../lib/error.ts";
import { renderPlanForApproval, renderScope } from "../text.ts";
import type { Runtime } from "../../runtime.ts";
import type { StandingPlan } from "../../record/workspace.ts";
import { digestPlan, sectionText } from "../update.ts";
import { waveNamed, wavesOf } from "../waves.ts";
import type { PlanArgs } from "./args.ts";
import { ask, offerChecks, offerHands, type PlanCall } from "./ask.ts";
import { refuseObjected } from "./decide-approval.ts";
import { refuseRefuted, runChecks, settleChangedChecks } from "./evidence.ts";

const MAX_GOAL = 100;
const MAX_SPEC = 6_000;

type ApprovalArgs = Pick<PlanArgs, "title" | "wave_id" | "kind">;

export interface ApprovalCall extends PlanCall {
  readonly plan: StandingPlan;
  readonly args: ApprovalArgs;
  /** What the plan leaves open, one sentence each; nothing of it keeps the user from saying yes. */
  readonly warnings?: readonly string[];
}

/** Asks the user for a yes, once what is put to them may be (SPEC 8). */
export async function requestApproval(given: ApprovalCall): Promise<object> {
  const { runtime, conversation, args, plan, warnings = [] } = given;
  const { kind = "plan" } = args;
  const isPlan = kind === "plan";
  if (isPlan && plan.tasks.length > 0) {
    conversation.outbox.note(renderPlanForApproval(plan, warnings));
  }
  if (kind === "spec") conversation.outbox.note(await renderSpec(runtime, plan));
  const isAsked = isPlan && conversation.state.knobs.mode === "supervised";
  const first = isAsked ? firstWave(plan) : undefined;
  const request: ApprovalRequest = {
    kind,
    workUnit: plan.slug,
    ...(args.title === undefined ? {} : { title: args.title }),
    ...(isPlan ? { covers: coversOf(plan, first, runtime.host.client === "terminal") } : {}),
    ...(first === undefined ? {} : { opens: first }),
    isStop: isPlan && isStop(conversation.state, "milestone"),
    ...reviewsOf(conversation, plan.slug, kind),
  };
  const approval = await ask(given, request);
  const { planning } = conversation.parts;
  if (approval.kind === "refused") {
    if (!isPlan) return approval;
    planning.planAnswered(false);
    if (approval.denied !== true) return approval;
    const noted = await runtime.workspace.rejectPlan({ slug: plan.slug, shown: plan.plan_md });
    return noted.ok ? approval : noted;
  }
  const written = await writeApproval(given, kind, approval.by);
  if (isPlan) planning.planAnswered(written.ok);
  if (!written.ok) return written;
  if (approval.by !== "user")
    conversation.show({ kind: "milestone", line: `${plan.slug}: ${kind} approved by ${approval.by}` });
  if (isPlan) await offerChecks(given).then(async () => offerHands(given));
  const told = warnings.length === 0 ? {} : { warnings };
  return { ok: true, kind, approved: true, by: approval.by, ...told };
}

/** What a yes to the plan allows. @param isShown the plan stands above the dialog, which shows this twice and has little room */
function coversOf(
  { plan_md: markdown, tasks }: StandingPlan,
  opens: PlannedWave | undefined,
  isShown: boolean,
): string {
  if (isShown) return opens === undefined ? "" : `wave ${opens.wave} runs unasked`;
  const waves = wavesOf(tasks).map(({ id, tasks: of }) => `${id}: ${renderScope(of)}`);
  return [
    excerpt(plainText(sectionText(markdown, "Goal")), MAX_GOAL),
    `${counted(tasks.length, "task")} in ${counted(waves.length, "wave")}`,
    opens === undefined ? "" : `opens wave ${opens.wave}, whose changes run unasked`,
    ...waves,
  ]
    .filter(Boolean)
    .join(" · ");
}

function firstWave({ tasks, plan_md: markdown }: StandingPlan): PlannedWave | undefined {
  const first = wavesOf(tasks).find((wave) => wave.tasks.some(({ done }) => !done));
  return first && { wave: first.id, plan: digestPlan(markdown) };
}

async function renderSpec({ workspace }: Runtime, { slug, title }: StandingPlan): Promise<string> {
  const unit = await workspace.readWorkUnit({ slug });
  const text = unit.ok ? (unit.content.spec_md ?? "") : "";
  return `Spec of ${slug}: ${title} (.gaia/${slug}/spec.md)\n\n${head(plainText(text).trim(), MAX_SPEC)}`;
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
  kind: NonNullable<ApprovalArgs["kind"]>,
  by: "user" | "autopilot",
): Promise<{ ok: true } | { ok: false; error: string; hint: string }> {
  if (kind === "spec") return workspace.updateSpec({ slug, status: "approved" });
  if (kind !== "plan") return { ok: true };
  // Who approves a plan has read its commands.
  if (by === "user") await conversation.parts.checks.acceptPlan(slug);
  return workspace.approvePlan({ slug, base: await conversation.tree.vcs.baseRevision(), by, shown });
}

/** Opens a wave: its name is taken for good, and the user is asked where they have not said yes in advance (SPEC 8). */
export async function openWave(request: ApprovalCall, wave: string): Promise<object> {
  const { conversation, args } = request;
  const unit = request.plan.slug;
  const { waves, checks } = conversation.parts;
  const { state } = conversation;
  if (state.wave?.id === wave && state.wave.workUnit === unit && hasApprovedWave(state))
    return { ok: true, wave_id: wave, approved: true };
  const of = waveNamed(wavesOf(request.plan.tasks), wave);
  const tasks = (of?.tasks ?? []).filter(({ done }) => !done);
  const planned = of && { wave: of.id, plan: digestPlan(request.plan.plan_md) };
  let left = "";
  let title: { readonly title?: string } = {};
  let approval = { kind: "granted", by: "user" } as Approval;
  const dispatchOpened = (): void =>
    conversation.dispatch({
      type: "wave-opened",
      workUnit: unit,
      wave,
      ...(planned === undefined ? {} : { planned }),
    });
  const refused = await waves.open(wave, unit, async (leaves) => {
    left = leaves;
    const titles = [args.title ?? "", left === "" ? "" : `leaves ${left} unfinished`].filter(Boolean);
    title = titles.length === 0 ? {} : { title: titles.join(", ") };
    // What is left behind the plan's dialog did not say.
    if (left === "" && mayOpen(conversation.state, unit, planned)) {
      dispatchOpened();
      return true;
    }
    const covers = [renderScope(tasks), "until it is complete its changes within the project run unasked"];
    const isNext = of?.id !== wavesOf(request.plan.tasks)[0]?.id;
    const stop = { isStop: isNext && isStop(conversation.state, "wave") };
    const asked = { kind: "wave", workUnit: unit, wave, ...title, ...stop } as const;
    approval = await ask(request, { ...asked, covers: covers.filter(Boolean).join(" · ") });
    return approval.kind === "granted";
  });
  if (refused !== null) return refused;
  if (approval.kind === "refused") return approval;
  await checks.begin(
    unit,
    tasks.map(({ number }) => `task ${number}`),
  );
  dispatchOpened();
  const result = { ok: true, wave_id: wave, approved: true, by: approval.by };
  if (left === "") return result;
  const note = `Wave ${left} was left unfinished; its name is not used again.`;
  conversation.outbox.note(note);
  return { ...result, note };
}

/**
 * Closes a wave that is open, at rest and proven. What failed in it holds it up until the plan's tasks of that wave are shown to
 * hold, by whomever, or the user overlooks it in their own dialog. @param isReported the unit's report follows
 */
export async function completeWave(request: ApprovalCall, wave: string, isReported = false): Promise<object> {
  const { conversation } = request;
  const unit = request.plan.slug;
  const { waves, reviews } = conversation.parts;
  let note: string | undefined;
  const open = await waves.close(wave, unit, async ({ failed, refusal }) => {
    const planned = waveNamed(wavesOf(request.plan.tasks), wave)?.id ?? wave;
    const proof = await prove(request, planned);
    if (proof.kind === "refused") return proof;
    ({ note } = proof);
    const isSettled = failed === "" || (await haveTasksPassed(request, planned));
    const refused = isSettled ? null : (refusal ?? (await askToOverlook(request, wave, failed)));
    // The checks and the dialog take their time, and a review may have come in.
    return refused ?? refuseObjected({ objection: reviews.closing(unit) });
  });
  if (open !== null) return open;
  const id = conversation.state.wave?.id ?? wave;
  conversation.dispatch({ type: "wave-completed", workUnit: unit, wave: id, isReported });
  if (conversation.state.knobs.checkinCadence === "milestone")
    conversation.show({ kind: "wave", line: `Wave ${id} completed` });
  return { ok: true, wave_id: id, ...(note === undefined ? {} : { note }) };
}

/** What the Definition of Done, and the evidence of what is ticked, say of the files as they are now. */
async function prove(
  request: ApprovalCall,
  wave: string,
): Promise<{ kind: "allowed"; note?: string } | Refusal> {
  const given = { ...request, unit: request.plan.slug };
  await settleChangedChecks(given);
  if (request.runtime.config.wavePolicy.boundaryRule === "manual") return { kind: "allowed" };
  const failed = await runChecks(given);
  if (failed === null || failed === "unconfigured") {
    const note = "No Definition of Done is configured, so nothing was checked.";
    return (await refuseRefuted(given, wave)) ?? { kind: "allowed", ...(failed === null ? {} : { note }) };
  }
  const { why, report } = failed;
  if (report === null) return refuse(why, "Tell the user.");
  return refuse(
    `The wave stays open: ${why}.`,
    "Have the failure fixed by the agent it belongs to, then complete the wave again.",
    { report: modelView(report) },
  );
}

/** Whether all tasks that the plan has in a wave are ticked, and shown to hold by commands that the host ran. */
async function haveTasksPassed({ conversation, plan }: ApprovalCall, wave: string): Promise<boolean> {
  const claims = await conversation.parts.checks.claims(plan.slug);
  const tasks = claims.filter((claim) => claim.kind === "task" && claim.wave === wave);
  return tasks.length > 0 && unproven(tasks).length === 0;
}

async function askToOverlook(request: ApprovalCall, wave: string, what: string): Promise<Refusal | null> {
  const title = `close wave ${wave} although ${what}`;
  const approval = await ask(request, { kind: "exception", workUnit: request.plan.slug, title });
  if (approval.kind === "granted") return null;
  return refuse(`The wave stays open: ${what}. ${approval.reason}`, "Have it done again, or end your turn.");
}
