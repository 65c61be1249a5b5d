import type { Conversation } from "../../conversation/conversation.ts";
import type { Found } from "../../conversation/conversations.ts";
import { readLane } from "../../conversation/lanes/lane.ts";
import { propose } from "../../conversation/record/harvest.ts";
import type { ToolCall } from "../../host/port.ts";
import { recordOf } from "../../lib/json.ts";
import { isRefusal, refuse, type Refusal } from "../../lib/error.ts";
import type { Runtime } from "../../runtime.ts";
import type { Workspace } from "../../record/workspace.ts";
import type { PlanTask } from "../task.ts";
import { isApprovalOp, type ApprovalOp, type PlanArgs as Args } from "./args.ts";
import { needsApproval } from "../../conversation/planning/stage.ts";
import { requestTrust, type PlanCall } from "./ask.ts";
import { judgePlan, refuseOperation, type ApprovalFacts } from "./decide-approval.ts";
import { archive, refuseIncomplete, showEvidence, verify } from "./evidence.ts";
import { refuseWrongPlan, settleWrittenPlan, surroundingsOf, divideByFiles } from "./written.ts";

/** What an operation cannot do without, and what that is called. */
const NEEDED: Partial<Record<Args["op"], readonly [keys: readonly (keyof Args)[], what: string]>> = {
  create_work_unit: [["slug", "title"], "slug and title"],
  write_spec: [["markdown"], "content.markdown"],
  append_log: [["markdown"], "content.markdown"],
  append_decisions: [["markdown"], "content.markdown"],
  append_learnings: [["bullets"], "bullets"],
  next_version: [["dir"], "dir"],
  find_pattern: [["title"], "title, a type of patterns"],
};

/** One entry per operation on the record. */
const OPERATIONS: Record<
  Exclude<
    Args["op"],
    "run" | "commit" | "verify" | "request_trust" | "request_pr" | "archive_work_unit" | ApprovalOp
  >,
  (workspace: Workspace, input: Args) => Promise<object>
> = {
  create_work_unit: async (workspace, { slug = "", title = "", markdown }) =>
    workspace.createWorkUnit({ slug, title, ...(markdown === undefined ? {} : { markdown }) }),
  async read_work_unit(workspace, input) {
    const unit = await workspace.readWorkUnit(input);
    // The plan stands beside its tasks, so that these are told without what would only repeat it.
    return unit.ok ? { ...unit, tasks: unit.tasks.map(inShort) } : unit;
  },
  list_work_units: async (workspace) => workspace.listWorkUnits(),
  set_active: async (workspace, { slug }) => workspace.setActive({ slug: slug ?? null }),
  async update_plan(workspace, input) {
    const { markdown, tick, status } = input;
    const isEmpty = markdown === undefined && (tick ?? []).length === 0 && status === undefined;
    return isEmpty ? missing("content.markdown, tick or status") : workspace.updatePlan(input);
  },
  // The status of a spec is the user's to set, and it has no tasks.
  write_spec: async (workspace, { status: _status, tick: _tick, ...input }) => workspace.updateSpec(input),
  append_log: async (workspace, { markdown = "", ...input }) => workspace.appendLog({ ...input, markdown }),
  append_decisions: async (workspace, { markdown = "", ...input }) =>
    workspace.appendDecisions({ ...input, rows_markdown: markdown }),
  next_version: async (workspace, { dir = "", title }) => workspace.nextVersion({ dir, title }),
  find_pattern: async (workspace, { title = "" }) => workspace.findPattern({ type: title }),
  // A model's learnings are for the user to accept, whichever way they come in (SPEC 10).
  async append_learnings(workspace, { bullets = [], slug }) {
    const proposed = await propose(workspace, bullets, "GAIA", slug ?? null);
    if (!proposed.ok) return proposed;
    return { ok: true, hint: "Proposed: the user decides on them (ctrl+x k, /gaia-init)." };
  },
};

/** Carries out one operation of `plan_gaia`, by the rules for who calls it and what is true now (SPEC 5, 8). */
export async function operate(runtime: Runtime, given: Args, call: ToolCall): Promise<object> {
  const { op } = given;
  const found = await runtime.conversations.of(call.sessionId);
  const conversation = found?.conversation ?? null;
  const isGaia = found?.session.specialist === null;
  const scene = conversation && { runtime, conversation, call };
  const own = isGaia ? scene : null;
  if (op === "request_trust") return requestTrust(own);
  if (op === "request_pr") {
    if (own === null) return missing("/gaia-pr of the user");
    return runtime
      .extrasOf(own.conversation)
      .pullRequests.request(own.conversation, runtime.supervision.dialogs, call);
  }
  const unit = await unitFor(given, found, call.sessionId, runtime.workspace);
  if (unit !== null && typeof unit === "object") return unit;
  const isNamed = op === "create_work_unit" || op === "set_active";
  const input = unit === null || isNamed ? given : { ...given, slug: unit };
  const { slug } = input;
  const isPlanRequest = op === "request_approval" && input.kind === "plan";
  if (own !== null) {
    const { runs, lanes } = own.conversation.parts;
    const early = runs.refuseTurn(op);
    if (early !== null) return early;
    const lane = readLane(given.lane);
    if (lane !== undefined) lanes.say(lane);
    const unready = op === "run" ? await prepareRun(own, input) : null;
    if (unready !== null) return unready;
  }
  const plan =
    isGaia && (isApprovalOp(op) || op === "run") ? await runtime.workspace.planStanding(input) : null;
  const around = isPlanRequest && plan?.ok === true ? await surroundingsOf(runtime, conversation, plan) : {};
  const facts: ApprovalFacts = {
    ...input,
    isGaia,
    isSpecialist: found !== null && !isGaia,
    stage: conversation?.parts.planning.stage() ?? null,
    mode: conversation?.state.knobs.mode ?? null,
    pause: conversation?.state.pause ?? null,
    plan: plan?.ok === true ? plan : null,
    ...around,
    specialists: runtime.agents.specialists,
    objection: conversation?.parts.reviews.closing(slug ?? null) ?? null,
  };
  const closes = op === "commit" || op === "archive_work_unit";
  const refusal = refuseOperation(facts) ?? (closes ? await refuseWrongPlan(runtime, slug) : null);
  if (refusal !== null) return refusal;
  if (op === "commit") {
    if (scene === null) return missing("a conversation of GAIA's");
    return (await import("../commit/commit.ts")).commit(scene, input);
  }
  if (op === "verify") return verify(runtime, scene, input.scope, call);
  if (op === "archive_work_unit") return archive(runtime, scene, slug);
  if (isApprovalOp(op) || op === "run") {
    if (own === null || plan === null) throw new Error(`${op} was allowed outside of GAIA's sessions`);
    if (!plan.ok) return plan;
    const request = { ...own, plan, args: input, warnings: isPlanRequest ? judgePlan(facts).shown : [] };
    return op === "run"
      ? (await import("../run/run-plan.ts")).runPlan(request)
      : (await import("./approvals.ts")).runApproval(op, request);
  }
  if (scene === null) return write(runtime, null, op, input, call.abort);
  if (op === "update_plan" && input.status === "complete" && slug !== undefined) {
    const refusal = await beforeComplete(scene, slug, input);
    if (refusal !== null) return refusal;
    await scene.conversation.parts.report.tell(slug);
  }
  const leaves = op === "set_active" && slug === undefined;
  const result =
    leaves && (await isActiveElsewhere(scene))
      ? { ok: true, slug: null }
      : await write(runtime, scene.conversation, op, input, call.abort);
  const { parts } = scene.conversation;
  if (leaves) parts.planning.end();
  if (recordOf(result)["ok"] !== true) return result;
  if (op === "append_log" && !isGaia) parts.workRecord.wroteEntry(call.sessionId);
  if (op === "update_plan" && input.tick !== undefined && slug !== undefined)
    return { ...result, ...(await showEvidence({ ...scene, unit: slug })) };
  if (isGaia) followWorkUnit(scene.conversation, op, recordOf(result)["slug"]);
  return result;
}

/** A second run of one answer would write its plan under the question about the first one's. */
const preparing = new WeakSet<Conversation>();

async function prepareRun(scene: PlanCall, plan: Args): Promise<object | null> {
  const { conversation } = scene;
  if (preparing.has(conversation))
    return refuse("Another run is being prepared.", "Wait for its answer, then run again.", { shown: true });
  preparing.add(conversation);
  try {
    return await prepare(scene, plan);
  } finally {
    preparing.delete(conversation);
  }
}

/** Writes the plan that comes along and asks for the approval it lacks, by their own operations. @returns what keeps the run from beginning */
async function prepare(
  { runtime, conversation: { state }, call }: PlanCall,
  { slug, title, markdown, replace }: Args,
): Promise<object | null> {
  if (slug === undefined) return null;
  const { workspace } = runtime;
  const before = await workspace.planStanding({ slug });
  if (markdown !== undefined) {
    const written = await operate(
      runtime,
      before.ok
        ? { op: "update_plan", slug, markdown, ...(replace === undefined ? {} : { replace }) }
        : { op: "create_work_unit", slug, title: title ?? slug, markdown },
      call,
    );
    if (recordOf(written)["ok"] !== true) return written;
  }
  const plan = await workspace.planStanding({ slug });
  const { mode } = state.knobs;
  // What holds a run up is told by the run itself, and asked for nobody.
  if (!plan.ok || plan.refused || mode === "locked" || state.pause !== null || call.abort.aborted)
    return null;
  const isDue = plan.standing !== "approved" && plan.tasks.length > 0;
  // Where nobody is asked, the plan is held against its rules all the same.
  const isAsked = mode === "autopilot" || plan.standing === "rejected" || needsApproval(plan);
  if (!isDue || !isAsked) return null;
  const approved = await operate(runtime, { op: "request_approval", slug, kind: "plan" }, call);
  return recordOf(approved)["ok"] === true ? null : approved;
}

/** Carries out an operation on the record; of a plan that is written it tells what keeps it from being approved. */
async function write(
  runtime: Runtime,
  conversation: Conversation | null,
  op: keyof typeof OPERATIONS,
  input: Args,
  signal: AbortSignal,
): Promise<object> {
  const [keys = [], what = ""] = NEEDED[op] ?? [];
  if (keys.some((key) => input[key] === undefined)) return missing(what);
  const isPlan = op === "create_work_unit" || (op === "update_plan" && input.markdown !== undefined);
  if (!isPlan) return OPERATIONS[op](runtime.workspace, input);
  const divided = await divideByFiles(runtime, conversation, input.markdown ?? "", signal);
  if (divided !== null && isRefusal(divided)) return divided;
  const { markdown, told = [] } = divided ?? {};
  const given = markdown === undefined ? input : { ...input, markdown };
  const result = await OPERATIONS[op](runtime.workspace, given);
  if (conversation === null || recordOf(result)["ok"] !== true) return result;
  const problems = await settleWrittenPlan(runtime, conversation, input.slug ?? "");
  return { ...result, ...(told.length === 0 ? {} : { divided: told.join(" ") }), ...problems };
}

/** A plan is complete when it is proven, or the user says so; what a status line claims of itself counts for nothing. */
async function beforeComplete(
  scene: PlanCall,
  slug: string,
  { status: _status, ...rest }: Args,
): Promise<Refusal | null> {
  const { workspace } = scene.runtime;
  const plan = await workspace.planStanding({ slug });
  // What the user said no to is refused where it would be written.
  if (!plan.ok || plan.standing === "rejected") return null;
  const isMore = rest.tick !== undefined || rest.markdown !== undefined;
  const written = isMore ? await workspace.updatePlan(rest) : null;
  return written?.ok === false ? null : refuseIncomplete({ ...scene, unit: slug });
}

function inShort({ needs, skills, details: _details, ...task }: PlanTask): object {
  return {
    ...task,
    ...(needs.length === 0 ? {} : { needs }),
    ...(skills.length === 0 ? {} : { skills }),
  };
}

function followWorkUnit(conversation: Conversation, op: Args["op"], slug: unknown): void {
  const begins = op === "create_work_unit" || op === "set_active";
  const resumes = op === "read_work_unit" && conversation.state.workUnit === null;
  const workUnit = typeof slug === "string" ? slug : null;
  if (begins || resumes) conversation.dispatch({ type: "work-unit-changed", workUnit });
}

function missing(what: string): Refusal {
  return refuse(`This operation needs ${what}.`, `Call again with ${what}.`);
}

/** Operations about one work unit. Only reading may begin with the project's active one: that is how work is resumed. */
const OF_A_UNIT = new Set([
  "update_plan",
  "write_spec",
  "append_log",
  "append_decisions",
  "open_wave",
  "complete_wave",
  "request_approval",
  "archive_work_unit",
  "run",
]);

/** The one it names, else that of this conversation or task, never another conversation's active one; null where it needs none. */
async function unitFor(
  { op, slug }: { readonly op: string; readonly slug?: string | undefined },
  found: Found | null,
  sessionId: string,
  workspace: Pick<Workspace, "activeWorkUnit">,
): Promise<string | null | Refusal> {
  if (slug !== undefined || found === null) return slug ?? null;
  const { conversation, session } = found;
  const place =
    session.specialist === null ? null : conversation.parts.delegations.placeOf(sessionId, session).workUnit;
  const own = place ?? conversation.state.workUnit;
  if (own !== null || !OF_A_UNIT.has(op)) return own;
  const active = await workspace.activeWorkUnit();
  const name = active.ok ? active.slug : null;
  return refuse(
    "This conversation is about no work unit.",
    name === null
      ? "Pass a slug, or create_work_unit first."
      : `Pass slug, or read_work_unit to go on with the one that was active last (${name}).`,
  );
}

/** Whether the active unit is that of another conversation, which leaving one's own must not take from it. */
async function isActiveElsewhere({ runtime, conversation }: PlanCall): Promise<boolean> {
  const own = conversation.state.workUnit;
  const active = await runtime.workspace.activeWorkUnit();
  return own !== null && active.ok && active.slug !== null && active.slug !== own;
}
