import { isBareApproval, settleDecisions } from "../../workspace/documents/decision.ts";
import { sectionText } from "../../plan/update.ts";
import { GAIA_FOLDER } from "../../workspace/gaia-path.ts";
import type { PlanTask } from "../../plan/task.ts";
import type { BriefContext } from "./brief.ts";
import { filesNow } from "./files-now.ts";
import type { Run } from "./run.ts";

/** What the plugin knows for a task of a plan; what cannot be read is left out, for it only helps. */
export async function gatherContext(
  { runtime, conversation, unit }: Pick<Run, "runtime" | "conversation" | "unit">,
  task: PlanTask,
  beside: readonly PlanTask[],
): Promise<BriefContext> {
  const { workspace, memory, verifier } = runtime;
  const [read, decided, relevant, checks, recon, now] = await Promise.all([
    workspace.readWorkUnit({ slug: unit }),
    workspace.readDecisions({ slug: unit }),
    memory.relevant(new Set(), `${task.text} ${task.details}`, task.files ?? []),
    verifier.commands(),
    conversation.parts.recon.known(unit),
    filesNow(runtime, conversation.tree.place.project, task),
  ]);
  conversation.parts.learnings.told(relevant.learnings);
  const lasting = decided.ok
    ? settleDecisions(decided.decisions, decided.approvals).filter((row) => !isBareApproval(row))
    : [];
  const plan = read.ok ? read.content.plan_md : "";
  return {
    folder: `${GAIA_FOLDER}/${unit}`,
    goal: sectionText(plan, "Goal"),
    doneWhen: sectionText(plan, "Done When"),
    guardrails: sectionText(plan, "Guardrails"),
    spec: read.ok ? (read.content.spec_md ?? "") : "",
    recon: [sectionText(plan, "Context"), recon].filter(Boolean).join("\n"),
    decisions: lasting.map(({ question, choice }) => `${question} → ${choice}`),
    relevant: relevant.text,
    checks,
    now,
    beside,
  };
}
