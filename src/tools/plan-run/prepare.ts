import type { Conversation } from "../../conversation/conversation.ts";
import { needsApproval } from "../../conversation/planning/stage.ts";
import type { ToolCall } from "../../host/port.ts";
import { recordOf } from "../../lib/json.ts";
import { refuse } from "../../lib/refusal.ts";
import type { Runtime } from "../../runtime.ts";

/** The operations that one call of `run` can stand for. */
type Operation =
  | {
      readonly op: "create_work_unit";
      readonly slug: string;
      readonly title: string;
      readonly markdown: string;
    }
  | {
      readonly op: "update_plan";
      readonly slug: string;
      readonly markdown: string;
      readonly replace?: boolean;
    }
  | { readonly op: "request_approval"; readonly slug: string; readonly kind: "plan" };

type Operate = (operation: Operation) => Promise<object>;

/** What `run` is given of a plan. */
export interface NewPlan {
  readonly slug?: string | undefined;
  readonly title?: string | undefined;
  readonly markdown?: string | undefined;
  readonly replace?: boolean | undefined;
}

/** A second run of one answer would write its plan under the question about the first one's. */
const preparing = new WeakSet<Conversation>();

/**
 * What stands before a run: writes the plan that comes along, and asks for the approval that it lacks. By the operations of
 * their own, so that everything they hold a plan to holds here.
 * @param operate carries out an operation
 * @returns what one of them answered that keeps the run from beginning; null where it may
 */
export async function prepareRun(
  runtime: Runtime,
  conversation: Conversation,
  plan: NewPlan,
  call: ToolCall,
  operate: Operate,
): Promise<object | null> {
  if (preparing.has(conversation))
    return refuse("Another run is being prepared.", "Wait for its answer, then run again.", { shown: true });
  preparing.add(conversation);
  try {
    return await prepare(runtime, conversation, plan, call, operate);
  } finally {
    preparing.delete(conversation);
  }
}

async function prepare(
  { workspace }: Runtime,
  { state }: Conversation,
  { slug, title, markdown, replace }: NewPlan,
  call: ToolCall,
  operate: Operate,
): Promise<object | null> {
  if (slug === undefined) return null;
  const before = await workspace.planStanding({ slug });
  if (markdown !== undefined) {
    const written = await operate(
      before.ok
        ? { op: "update_plan", slug, markdown, ...(replace === undefined ? {} : { replace }) }
        : { op: "create_work_unit", slug, title: title ?? slug, markdown },
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
  const approved = await operate({ op: "request_approval", slug, kind: "plan" });
  return recordOf(approved)["ok"] === true ? null : approved;
}
