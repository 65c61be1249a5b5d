import * as z from "zod";
import { runChecks } from "../conversation/checks/run-checks.ts";
import { modelView } from "../checks/definition-of-done/render.ts";
import type { Conversation } from "../conversation/conversation.ts";
import type { ToolCall } from "../host/port.ts";
import { defineTool, type ToolDefinition } from "../host/tool.ts";
import { recordOf } from "../lib/json.ts";
import type { Runtime } from "../runtime.ts";
import { runApproval, type ApprovalOp } from "./plan-approvals.ts";
import type { Workspace } from "../workspace/workspace.ts";

const text = z.string().optional();

const args = {
  op: z.enum([
    "create_work_unit",
    "read_work_unit",
    "list_work_units",
    "set_active",
    "update_plan",
    "write_spec",
    "append_log",
    "append_decisions",
    "append_learnings",
    "open_wave",
    "complete_wave",
    "request_approval",
    "verify",
    "archive_work_unit",
  ]),
  slug: text.describe("a-z 0-9 -; default: the active unit"),
  title: text,
  markdown: text.describe("plan or spec body, or log entry"),
  section: text.describe("replace only this section"),
  tick: z.array(z.string()).optional().describe("plan tasks by number"),
  status: z.enum(["draft", "approved", "in-progress", "complete"]).optional(),
  rows_markdown: text.describe("| date | question | choice | rationale | impact |"),
  wave_id: text,
  kind: z.enum(["plan", "revision", "verification", "spec"]).optional(),
  scope: text.describe("verify: full (default) or doc"),
  bullets: z.array(z.string()).optional().describe('learnings; "pattern: …" sets the kind'),
};
type Args = z.infer<z.ZodObject<typeof args>>;
type Missing = { ok: false; error: string; hint: string };

/** One entry per operation; each checks what only it needs. */
const OPERATIONS: Record<
  Exclude<Args["op"], "verify" | ApprovalOp>,
  (workspace: Workspace, input: Args) => Promise<object>
> = {
  async create_work_unit(workspace, { slug, title }) {
    if (slug === undefined || title === undefined) return missing("slug and title");
    return workspace.createWorkUnit({ slug, title });
  },
  read_work_unit: async (workspace, input) => workspace.readWorkUnit(unit(input)),
  list_work_units: async (workspace) => workspace.listWorkUnits(),
  set_active: async (workspace, { slug }) => workspace.setActive({ slug: slug ?? null }),
  async update_plan(workspace, { markdown, section, tick, status, ...input }) {
    if (markdown === undefined && tick === undefined && status === undefined) {
      return missing("markdown, tick or status");
    }
    return workspace.updatePlan({
      ...unit(input),
      ...(markdown === undefined ? {} : { markdown }),
      ...(section === undefined ? {} : { section }),
      ...(tick === undefined ? {} : { tick }),
      ...(status === undefined ? {} : { status }),
    });
  },
  async write_spec(workspace, { markdown, section, ...input }) {
    if (markdown === undefined) return missing("markdown");
    return workspace.updateSpec({ ...unit(input), markdown, ...(section === undefined ? {} : { section }) });
  },
  async append_log(workspace, { markdown, title, ...input }) {
    if (markdown === undefined) return missing("markdown");
    return workspace.appendLog({ ...unit(input), markdown, ...(title === undefined ? {} : { title }) });
  },
  async append_decisions(workspace, { rows_markdown, ...input }) {
    if (rows_markdown === undefined) return missing("rows_markdown");
    return workspace.appendDecisions({ ...unit(input), rows_markdown });
  },
  async append_learnings(workspace, { bullets, ...input }) {
    if (bullets === undefined) return missing("bullets");
    return workspace.appendLearnings({ ...unit(input), bullets });
  },
  archive_work_unit: async (workspace, input) => workspace.archiveWorkUnit(unit(input)),
};

/** `plan_gaia` (SPEC 5): the only way by which models write workflow files. */
export function createPlanTool(runtime: Runtime): ToolDefinition {
  return defineTool({
    name: "plan_gaia",
    description: "Read and write the record in .gaia/: work units with plan, log and decisions; learnings.",
    args,
    async execute(input, call) {
      return { title: `${input.op} ${input.slug ?? ""}`.trim(), result: await run(runtime, input, call) };
    },
  });
}

async function run(runtime: Runtime, input: Args, call: ToolCall): Promise<object> {
  const { op } = input;
  if (op === "verify") return verify(runtime, input.scope, call);
  if (op === "open_wave" || op === "complete_wave" || op === "request_approval") {
    return runApproval(op, input, runtime, call);
  }
  const found = await runtime.supervision.conversations.of(call.sessionId);
  if (
    op === "update_plan" &&
    input.status === "approved" &&
    found?.conversation.state.knobs.mode === "supervised"
  ) {
    return {
      ok: false,
      error: "Only the user approves a plan.",
      hint: "request_approval with kind: plan asks.",
    };
  }
  const result = await OPERATIONS[op](runtime.workspace, input);
  if (found !== null && found.session.specialist === null && recordOf(result)["ok"] === true) {
    followWorkUnit(found.conversation, op, recordOf(result)["slug"]);
  }
  return result;
}

/** Tells the conversation which work unit it is about from now on. */
function followWorkUnit(conversation: Conversation, op: Args["op"], slug: unknown): void {
  const workUnit = typeof slug === "string" ? slug : null;
  const begins = op === "create_work_unit" || op === "set_active";
  const resumes = op === "read_work_unit" && conversation.state.workUnit === null;
  const ends = op === "archive_work_unit" && conversation.state.workUnit === workUnit;
  if (begins || resumes) conversation.dispatch({ type: "work-unit-changed", workUnit });
  if (ends) conversation.dispatch({ type: "work-unit-changed", workUnit: null });
}

/** Runs the project's checks in the host and writes what they said into the active unit's log (SPEC 11). */
async function verify(runtime: Runtime, scope: string | undefined, call: ToolCall): Promise<object> {
  const { supervision, verifier, workspace } = runtime;
  const conversation = (await supervision.conversations.of(call.sessionId))?.conversation ?? null;
  if (conversation?.state.pause?.reason === "blocked") {
    return {
      ok: false,
      error: `The work is BLOCKED: ${conversation.state.pause.detail}`,
      hint: "Tell the user.",
    };
  }
  // A new session may go on with the unit that is active without having read it.
  const active = await workspace.activeWorkUnit();
  const unit = conversation?.state.workUnit ?? (active.ok ? active.slug : null);
  const rootId = conversation?.rootId ?? call.sessionId;
  const verification = await runChecks(verifier, {
    conversation,
    rootId,
    unit,
    scope,
    by: "gaia",
    signal: call.abort,
  });
  if (verification.kind === "broken")
    return { ok: false, error: verification.problem, hint: "Tell the user." };
  if (verification.kind === "none") {
    const hint =
      "Ask the user which checks to put into .gaia/config.jsonc as definitionOfDone; run them through aether now.";
    return {
      ok: false,
      error: "No Definition of Done is configured.",
      hint,
      suggestions: verification.suggestions,
    };
  }
  const { report, next } = verification;
  return { ok: report.passed, report: modelView(report), next };
}

function unit({ slug }: Pick<Args, "slug">): { slug?: string } {
  return slug === undefined ? {} : { slug };
}

function missing(what: string): Missing {
  return { ok: false, error: `This operation needs ${what}.`, hint: `Call again with ${what}.` };
}
