import type { ApprovalRequest } from "../conversation/collaboration/events.ts";
import { hasApprovedWave } from "../conversation/collaboration/state.ts";
import { askApproval } from "../conversation/approvals/ask-approval.ts";
import type { Conversation } from "../conversation/conversation.ts";
import { runChecks } from "../conversation/checks/run-checks.ts";
import { modelView } from "../checks/definition-of-done/render.ts";
import { decideRoute, type RouteDecision } from "../conversation/planning/routing-facts.ts";
import { decideWaveCompletion } from "../checks/wave-completion.ts";
import type { ToolCall } from "../host/port.ts";
import type { Runtime } from "../runtime.ts";

/** What the approval operations of `plan_gaia` read of its arguments. */
export interface ApprovalArgs {
  readonly slug?: string | undefined;
  readonly title?: string | undefined;
  readonly wave_id?: string | undefined;
  readonly kind?: "plan" | "revision" | "verification" | "spec" | undefined;
}

/** Operations that need a human, or that end what a human allowed. */
export type ApprovalOp = "open_wave" | "complete_wave" | "request_approval";

/** Everything that one of these operations works with. */
interface Request {
  readonly runtime: Runtime;
  readonly conversation: Conversation;
  readonly call: ToolCall;
  readonly unit: string;
  readonly args: ApprovalArgs;
}

/** Runs one of the approval operations; only GAIA herself may, for a conversation of hers (SPEC 5, 8). */
export async function runApproval(
  op: ApprovalOp,
  args: ApprovalArgs,
  runtime: Runtime,
  call: ToolCall,
): Promise<object> {
  const found = await runtime.supervision.conversations.of(call.sessionId);
  if (found === null || found.session.specialist !== null) {
    return refuse(`${op} is GAIA's alone.`, "Return your contract; GAIA asks the user.");
  }
  const unit = await runtime.workspace.readWorkUnit(args.slug === undefined ? {} : { slug: args.slug });
  if (!unit.ok) return unit;
  const request: Request = { runtime, conversation: found.conversation, call, unit: unit.slug, args };
  if (op === "request_approval") return requestApproval(request);
  const wave = args.wave_id?.trim() ?? "";
  if (wave === "") return refuse(`${op} needs wave_id.`, "Call again with wave_id.");
  return op === "open_wave" ? openWave(request, wave) : completeWave(request, wave);
}

async function openWave({ runtime, conversation, call, unit, args }: Request, wave: string): Promise<object> {
  const title = args.title === undefined ? {} : { title: args.title };
  const current = conversation.state.wave;
  const isOpen = current?.id === wave && current.workUnit === unit && hasApprovedWave(conversation.state);
  if (isOpen) return { ok: true, wave_id: wave, approved: true };
  const gate: ApprovalRequest = { kind: "wave", workUnit: unit, wave, ...title };
  const approval = await askApproval(conversation, runtime.supervision.dialogs, gate, call);
  if (!approval.granted) {
    return refuse(approval.reason, "Do not start this wave. Ask what should change, or end your turn.");
  }
  await runtime.verifier.begin(conversation.rootId);
  conversation.dispatch({ type: "wave-opened", workUnit: unit, wave, ...title });
  return { ok: true, wave_id: wave, approved: true, by: approval.by };
}

async function completeWave({ runtime, conversation, call, unit }: Request, wave: string): Promise<object> {
  const { verifier, config } = runtime;
  const { rootId, state } = conversation;
  const boundary = config.wavePolicy.boundaryRule;
  if (state.pause?.reason === "blocked") {
    return refuse(`The work is BLOCKED: ${state.pause.detail}`, "Tell the user; nothing is complete.");
  }
  const signal = call.abort;
  const scope = boundary === "manual" ? "full" : await verifier.scopeOfWork(rootId, signal);
  const verification =
    boundary === "manual"
      ? null
      : await runChecks(verifier, { conversation, rootId, unit, scope, by: "gaia", signal });
  if (verification?.kind === "broken") return refuse(verification.problem, "Tell the user.");
  const report = verification?.kind === "ran" ? verification.report : null;
  const completion = decideWaveCompletion({ boundary, report, documentation: scope === "doc" });
  if (completion.kind === "refused") {
    const shown = report === null ? {} : { report: modelView(report) };
    return { ...refuse(completion.reason, completion.hint), ...shown };
  }
  conversation.dispatch({ type: "wave-completed", workUnit: unit, wave });
  conversation.show({ kind: "wave", wave, phase: "completed", title: "" });
  return { ok: true, wave_id: wave, ...(completion.note === undefined ? {} : { note: completion.note }) };
}

async function requestApproval({ runtime, conversation, call, unit, args }: Request): Promise<object> {
  const { kind } = args;
  if (kind === undefined) {
    return refuse(
      "request_approval needs kind.",
      "Call again with kind: plan, revision, verification or spec.",
    );
  }
  const route = kind === "revision" ? await routeRevision(runtime, conversation, call) : null;
  if (route?.kind === "refused") return refuse(route.reason, route.hint);
  const gate: ApprovalRequest = {
    kind,
    workUnit: unit,
    ...(args.title === undefined ? {} : { title: args.title }),
  };
  const approval = await askApproval(conversation, runtime.supervision.dialogs, gate, call);
  if (!approval.granted) {
    return refuse(
      approval.reason,
      `The ${kind} does not go ahead. Ask what should change, or end your turn.`,
    );
  }
  const written = await writeApproval(runtime, unit, kind);
  if (!written.ok) return written;
  conversation.show({ kind: "milestone", text: `${unit}: ${kind} approved by ${approval.by}` });
  return { ok: true, kind, approved: true, by: approval.by };
}

/** What the record holds of a yes: the plan with the revision that the work starts from, or the spec's status. */
async function writeApproval(
  { workspace, vcs }: Runtime,
  slug: string,
  kind: ApprovalArgs["kind"],
): Promise<{ ok: true } | { ok: false; error: string; hint: string }> {
  if (kind === "spec") return workspace.updateSpec({ slug, status: "approved" });
  if (kind !== "plan") return { ok: true };
  return workspace.approvePlan({ slug, base: await vcs.baseRevision() });
}

/** A revision needs checks that passed after the last change, in every mode (SPEC 12). */
async function routeRevision(
  { verifier }: Runtime,
  { rootId, state }: Conversation,
  call: ToolCall,
): Promise<RouteDecision> {
  return decideRoute({
    agent: call.agent,
    edits: true,
    disabledAgents: [],
    mode: state.knobs.mode,
    blockedReason: state.pause?.reason === "blocked" ? state.pause.detail : null,
    createsRevision: true,
    verification: await verifier.standing(rootId, call.abort),
  });
}

function refuse(error: string, hint: string): { ok: false; error: string; hint: string } {
  return { ok: false, error, hint };
}
