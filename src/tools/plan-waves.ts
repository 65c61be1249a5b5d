import { modelView } from "../checks/definition-of-done/render.ts";
import { decideWaveCompletion } from "../checks/wave-completion.ts";
import { askApproval } from "../conversation/approvals/ask-approval.ts";
import type { ApprovalRequest } from "../conversation/collaboration/events.ts";
import { refuseObjected } from "../conversation/planning/decide-approval.ts";
import { hasApprovedWave } from "../conversation/collaboration/state.ts";
import { renderLeft } from "../conversation/waves/decide-wave.ts";
import { isRefusal, refuse, type Refusal } from "../lib/refusal.ts";
import { renderScope } from "../record/plan-text.ts";
import type { PlanTask } from "../plan/task.ts";
import { wavesOf } from "../plan/waves.ts";
import type { ApprovalCall } from "./plan-approvals.ts";
import { refuseRefuted, settleChangedChecks } from "./plan-evidence.ts";

/** Opens a wave: its name is taken for good, and the user is asked where they have not said yes in advance (SPEC 8). */
export async function openWave(request: ApprovalCall, wave: string): Promise<object> {
  const { runtime, conversation, call, args } = request;
  const unit = request.plan.slug;
  const { waves, checks } = conversation.parts;
  const current = conversation.state.wave;
  const isOpen = current?.id === wave && current.workUnit === unit && hasApprovedWave(conversation.state);
  if (isOpen) return { ok: true, wave_id: wave, approved: true };
  const claim = await waves.claim(wave, unit);
  if (isRefusal(claim)) return claim;
  const left = claim.leaves.map(renderLeft).join(", ");
  const titles = [args.title ?? "", left === "" ? "" : `leaves ${left} unfinished`].filter(Boolean);
  const title = titles.length === 0 ? {} : { title: titles.join(", ") };
  const tasks = openTasksOf(request.plan, wave);
  const covers = [renderScope(tasks), "until it is complete its changes within the project run unasked"];
  const asked: ApprovalRequest = {
    kind: "wave",
    workUnit: unit,
    wave,
    ...title,
    covers: covers.filter(Boolean).join(" · "),
  };
  let approval: Awaited<ReturnType<typeof askApproval>> | null = null;
  try {
    approval = await askApproval(conversation, runtime.supervision.dialogs, asked, call);
  } finally {
    await waves.settle(wave, unit, claim, approval?.kind === "granted");
  }
  if (approval.kind === "refused") return approval;
  await checks.begin(
    unit,
    tasks.map(({ number }) => `task ${number}`),
  );
  conversation.dispatch({ type: "wave-opened", workUnit: unit, wave, ...title });
  const result = { ok: true, wave_id: wave, approved: true, by: approval.by };
  if (left === "") return result;
  const note = `Wave ${left} was left unfinished; its name is not used again.`;
  conversation.outbox.note(note);
  return { ...result, note };
}

/** What the plan holds for a wave, which may have been given another name because its own was used before. */
function openTasksOf({ tasks }: ApprovalCall["plan"], wave: string): readonly PlanTask[] {
  const waves = wavesOf(tasks);
  // A plan's waves are numbered where it names none, and models write w1.
  const name = waves.some(({ id }) => id === wave) ? wave : wave.replace(/^w(?:ave)?[ -]?(?=\d)/i, "");
  const found = waves.find(({ id }) => id === name) ?? waves.find(({ id }) => name.startsWith(`${id}.`));
  return (found?.tasks ?? []).filter(({ done }) => !done);
}

/** Closes a wave that is open, at rest and proven; what failed in it only the user can overlook, in their own dialog. */
export async function completeWave(request: ApprovalCall, wave: string): Promise<object> {
  const { conversation } = request;
  const unit = request.plan.slug;
  const { waves, reviews } = conversation.parts;
  const before = await waves.mayClose(wave, unit);
  if (before.kind === "refused") return before;
  const proof = await prove(request, wave);
  if (proof.kind === "refused") return proof;
  const refusal = before.overlook === "" ? null : await askToOverlook(request, wave, before.overlook);
  // The checks and the dialog take their time, and a review may have come in.
  const objected = refuseObjected({ objection: reviews.closing(unit) });
  const open = refusal ?? objected ?? (await waves.close(wave, unit, before));
  if (open !== null) return open;
  const id = conversation.state.wave?.id ?? wave;
  conversation.dispatch({ type: "wave-completed", workUnit: unit, wave: id });
  // A check-in says it otherwise.
  if (conversation.state.knobs.checkinCadence === "milestone") conversation.show({ kind: "wave", wave: id });
  return { ok: true, wave_id: id, ...(proof.note === undefined ? {} : { note: proof.note }) };
}

/** What the Definition of Done, and the evidence of what is ticked, say of the files as they are now. */
async function prove(
  { runtime, conversation, call, plan: { slug: unit } }: ApprovalCall,
  wave: string,
): Promise<{ kind: "allowed"; note?: string } | Refusal> {
  const { checks } = conversation.parts;
  const request = { runtime, conversation, call, unit };
  await settleChangedChecks(request);
  const boundary = runtime.config.wavePolicy.boundaryRule;
  const signal = call.abort;
  const scope = boundary === "manual" ? "full" : await checks.scopeOfWork(signal);
  const verification = boundary === "manual" ? null : await checks.run(unit, { scope, by: "gaia", signal });
  if (verification?.kind === "broken") return refuse(verification.problem, "Tell the user.");
  const report = verification?.kind === "ran" ? verification.report : null;
  const completion = decideWaveCompletion({ boundary, report, documentation: scope === "doc" });
  if (completion.kind === "refused") {
    return report === null ? completion : { ...completion, details: { report: modelView(report) } };
  }
  return (boundary === "manual" ? null : await refuseRefuted(request, wave)) ?? completion;
}

async function askToOverlook(
  { runtime, conversation, call, plan }: ApprovalCall,
  wave: string,
  what: string,
): Promise<Refusal | null> {
  const title = `close wave ${wave} although ${what}`;
  const asked: ApprovalRequest = { kind: "exception", workUnit: plan.slug, title };
  const approval = await askApproval(conversation, runtime.supervision.dialogs, asked, call);
  if (approval.kind === "granted") return null;
  return refuse(`The wave stays open: ${what}. ${approval.reason}`, "Have it done again, or end your turn.");
}
