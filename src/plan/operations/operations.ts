import type { Conversation } from "../../conversation/conversation.ts";
import type { Found } from "../../conversation/conversations.ts";
import { readLane } from "../../conversation/lanes/lane.ts";
import { needsApproval, refuseBeginning } from "../../conversation/planning/stage.ts";
import { propose } from "../../record/harvest.ts";
import type { ToolCall } from "../../host/port.ts";
import { recordOf } from "../../lib/json.ts";
import { refuse, type Refusal } from "../../lib/error.ts";
import type { Runtime } from "../../runtime.ts";
import type { Workspace } from "../../record/workspace.ts";
import type { PlanTask } from "../task.ts";
import type { ApprovalCall } from "./approvals.ts";
import type { PlanArgs as Args } from "./args.ts";
import { refuseWrongPlan, type Called, type PlanCall } from "./ask.ts";
import {
  judgePlan,
  refuseBlocked,
  refuseObjected,
  refuseRequest,
  refuseStatus,
  type ApprovalFacts,
} from "./decide-approval.ts";
import { archive, verify } from "./evidence.ts";
import { changePlan, surroundingsOf, writePlan } from "./written.ts";

interface Operation {
  /** Arguments it cannot do without. */
  readonly needs?: readonly (keyof Args)[];
  /** `gaia`: in no other hands; `work`: not a specialist's, who writes into the unit that there is. */
  readonly whose?: "gaia" | "work";
  /** It is about one unit: the one it names, else that of its conversation or task. */
  readonly isOfUnit?: true;
  /** What keeps it from being done now (SPEC 8, 12). */
  refuse?(facts: ApprovalFacts): Refusal | null;
  does(called: Called): Promise<object>;
}

/** GAIA's alone. */
const byGaia =
  (does: (own: PlanCall, called: Called) => Promise<object>): Operation["does"] =>
  async (called) => {
    const { own, input } = called;
    if (own === null) throw new Error(`${input.op} was allowed outside of GAIA's sessions`);
    return does(own, called);
  };
/** The same on a plan that can be read. */
const onPlan = (does: (request: ApprovalCall & { readonly args: Args }) => Promise<object>) =>
  byGaia(async (own, { plan, input, warnings }) => {
    if (plan === null) throw new Error(`${input.op} has no plan`);
    return plan.ok ? does({ ...own, plan, args: input, warnings }) : plan;
  });
const approvals = async () => import("./approvals.ts");

/** As the record has it. */
const onRecord =
  (does: (workspace: Workspace, input: Args) => Promise<object>): Operation["does"] =>
  async ({ runtime: { workspace }, input }) =>
    does(workspace, input);

/** Every operation: what it needs, whose it is, when it is refused and what it does (SPEC 5, 8). */
const OPERATIONS: Readonly<Record<Args["op"], Operation>> = {
  create_work_unit: {
    needs: ["slug", "title"],
    whose: "work",
    async does(called) {
      const { slug = "", title = "" } = called.input;
      const { workspace } = called.runtime;
      const write = async (given: object) => workspace.createWorkUnit({ slug, title, ...given });
      return turnTo(called, await writePlan(called, write));
    },
  },
  read_work_unit: {
    async does(called) {
      const unit = await called.runtime.workspace.readWorkUnit(called.input);
      if (called.own?.conversation.state.workUnit === null) turnTo(called, unit);
      // The plan stands beside its tasks, so that these are told without what would only repeat it.
      return unit.ok ? { ...unit, tasks: unit.tasks.map(inShort) } : unit;
    },
  },
  list_work_units: { does: onRecord(async (workspace) => workspace.listWorkUnits()) },
  set_active: {
    whose: "work",
    async does(called) {
      const { scene, runtime, input } = called;
      const slug = input.slug ?? null;
      if (slug === null) scene?.conversation.parts.planning.end();
      if (slug === null && scene !== null && (await isActiveElsewhere(scene)))
        return turnTo(called, { ok: true, slug: null });
      return turnTo(called, await runtime.workspace.setActive({ slug }));
    },
  },
  update_plan: { isOfUnit: true, refuse: refuseStatus, does: changePlan },
  write_spec: {
    needs: ["markdown"],
    isOfUnit: true,
    // The status of a spec is the user's to set, and it has no tasks.
    does: onRecord(async (workspace, { status: _status, tick: _tick, ...input }) =>
      workspace.updateSpec(input),
    ),
  },
  append_log: {
    needs: ["markdown"],
    isOfUnit: true,
    async does({ runtime: { workspace }, scene, own, input: { markdown = "", ...input }, call }) {
      const written = await workspace.appendLog({ ...input, markdown });
      if (written.ok && own === null) scene?.conversation.parts.workRecord.wroteEntry(call.sessionId);
      return written;
    },
  },
  append_decisions: {
    needs: ["markdown"],
    isOfUnit: true,
    does: onRecord(async (workspace, { markdown = "", ...input }) =>
      workspace.appendDecisions({ ...input, rows_markdown: markdown }),
    ),
  },
  append_learnings: {
    needs: ["bullets"],
    // A model's learnings are for the user to accept, whichever way they come in (SPEC 10).
    does: onRecord(async (workspace, { bullets = [], slug }) => {
      const proposed = await propose(workspace, bullets, "GAIA", slug ?? null);
      if (!proposed.ok) return proposed;
      return { ok: true, hint: "Proposed: the user decides on them (ctrl+x k, /gaia-init)." };
    }),
  },
  next_version: {
    needs: ["dir"],
    does: onRecord(async (workspace, { dir = "", title }) => workspace.nextVersion({ dir, title })),
  },
  find_pattern: {
    needs: ["title"],
    does: onRecord(async (workspace, { title = "" }) => workspace.findPattern({ type: title })),
  },
  verify: { refuse: (facts) => refuseBlocked(facts, "Tell the user."), does: verify },
  open_wave: {
    needs: ["wave_id"],
    whose: "gaia",
    isOfUnit: true,
    refuse: ({ stage, plan, state }) => refuseBeginning(stage, plan, state),
    does: onPlan(async (request) =>
      (await approvals()).openWave(request, request.args.wave_id?.trim() ?? ""),
    ),
  },
  complete_wave: {
    needs: ["wave_id"],
    whose: "gaia",
    isOfUnit: true,
    refuse: (facts) => refuseBlocked(facts, "Tell the user; nothing is complete.") ?? refuseObjected(facts),
    does: onPlan(async (request) =>
      (await approvals()).completeWave(request, request.args.wave_id?.trim() ?? ""),
    ),
  },
  request_approval: {
    needs: ["kind"],
    whose: "gaia",
    isOfUnit: true,
    refuse: refuseRequest,
    does: onPlan(async (request) => (await approvals()).requestApproval(request)),
  },
  run: {
    whose: "gaia",
    isOfUnit: true,
    does: onPlan(async (request) => (await import("../run/run-plan.ts")).runPlan(request)),
  },
  commit: {
    whose: "gaia",
    does: byGaia(
      async (own, { runtime, input }) =>
        (await refuseWrongPlan(runtime, input.slug)) ??
        (await import("../commit/commit.ts")).commit(own, input),
    ),
  },
  archive_work_unit: {
    whose: "work",
    isOfUnit: true,
    refuse: refuseObjected,
    does: async (called) => (await refuseWrongPlan(called.runtime, called.input.slug)) ?? archive(called),
  },
  request_pr: {
    async does({ own, runtime: { extrasOf, supervision }, call }) {
      if (own === null) return refuse("Only the user asks for this, with /gaia-pr.", "Tell the user.");
      return extrasOf(own.conversation).pullRequests.request(own.conversation, supervision.dialogs, call);
    },
  },
};

/** Nothing of a plan is carried out before the user has approved it; what is put to them is complete and reviewed (SPEC 8, 12). */
export function refuseOperation(facts: ApprovalFacts): Refusal | null {
  const { op, isGaia, isSpecialist = false } = facts;
  const { whose, refuse: why } = OPERATIONS[op];
  if (whose === "gaia" && !isGaia)
    return refuse(`${op} is GAIA's alone.`, "Return your contract; GAIA asks the user.");
  if (whose === "work" && isSpecialist)
    return refuse(`${op} is GAIA's alone.`, "Write into the unit that there is, and return your contract.");
  return why?.(facts) ?? null;
}

/** Carries out one operation of `plan_gaia`, by the rules for who calls it and what is true now (SPEC 5, 8). */
export async function operate(runtime: Runtime, given: Args, call: ToolCall): Promise<object> {
  const { op } = given;
  const { needs = [], whose, isOfUnit = false, does } = OPERATIONS[op];
  const found = await runtime.conversations.of(call.sessionId);
  const conversation = found?.conversation ?? null;
  const isGaia = found?.session.specialist === null;
  const scene = conversation && { runtime, conversation, call };
  const own = isGaia ? scene : null;
  const unit = await unitFor(given, isOfUnit, found, call.sessionId, runtime);
  if (typeof unit === "object" && unit !== null) return unit;
  const isNamed = op === "create_work_unit" || op === "set_active";
  const input = unit === null || isNamed ? given : { ...given, slug: unit };
  if (own !== null) {
    const { runs, lanes } = own.conversation.parts;
    const early = runs.refuseTurn(op);
    if (early !== null) return early;
    const lane = readLane(given.lane);
    if (lane !== undefined) lanes.say(lane);
    const unready = op === "run" ? await prepareRun(own, input) : null;
    if (unready !== null) return unready;
  }
  const plan = isGaia && whose === "gaia" && isOfUnit ? await runtime.workspace.planStanding(input) : null;
  const isPlanRequest = op === "request_approval" && input.kind === "plan" && plan?.ok === true;
  const facts: ApprovalFacts = {
    ...input,
    isGaia,
    isSpecialist: found !== null && !isGaia,
    stage: conversation?.parts.planning.stage() ?? null,
    state: conversation?.state ?? null,
    plan: plan?.ok === true ? plan : null,
    ...(isPlanRequest ? await surroundingsOf(runtime, conversation, plan) : {}),
    specialists: runtime.agents.specialists,
    objection: conversation?.parts.reviews.closing(input.slug ?? null) ?? null,
  };
  const refusal = refuseOperation(facts);
  if (refusal !== null) return refusal;
  const absent = needs.filter((key) => {
    const value = input[key];
    return value === undefined || (typeof value === "string" && value.trim() === "");
  });
  if (absent.length > 0) return missing(absent);
  const warnings = isPlanRequest ? judgePlan(facts).shown : [];
  return does({ runtime, call, scene, own, input, plan, warnings });
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

function inShort({ needs, skills, details: _details, ...task }: PlanTask): object {
  return {
    ...task,
    ...(needs.length === 0 ? {} : { needs }),
    ...(skills.length === 0 ? {} : { skills }),
  };
}

/** From now on GAIA's conversation is about the unit of a result. */
function turnTo({ own }: Called, result: object): object {
  const { ok, slug } = recordOf(result);
  const workUnit = typeof slug === "string" ? slug : null;
  if (ok === true) own?.conversation.dispatch({ type: "work-unit-changed", workUnit });
  return result;
}

function missing(keys: readonly (keyof Args)[]): Refusal {
  const what = keys.map((key) => (key === "markdown" ? "content.markdown" : key)).join(" and ");
  return { ...refuse(`This operation needs ${what}.`, `Call again with ${what}.`), isSlip: true };
}

/** Never another conversation's active unit: only reading may begin with that, which is how work is resumed. @returns null where no unit is needed */
async function unitFor(
  { slug }: Pick<Args, "slug">,
  isNeeded: boolean,
  found: Found | null,
  sessionId: string,
  { workspace }: Runtime,
): Promise<string | null | Refusal> {
  if (slug !== undefined || found === null) return slug ?? null;
  const { conversation, session } = found;
  const place =
    session.specialist === null ? null : conversation.parts.delegations.placeOf(sessionId, session).workUnit;
  const own = place ?? conversation.state.workUnit;
  if (own !== null || !isNeeded) return own;
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
