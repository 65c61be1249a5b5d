import { failureForPerson } from "../lib/for-person.ts";
import { renderTasks } from "../memory/plan-text.ts";
import { sectionText } from "../plan/update.ts";
import type { StandingPlan } from "../workspace/operations/approvals.ts";
import { renderCommandText } from "../workspace/templates.ts";
import { type CommandRun, type CommandReply } from "./define.ts";

/** `/gaia-work [slug]`: carries out an approved plan, in the session in which it was made or in another. */
export const gaiaWork: CommandRun = async (argumentText, { conversation, runtime: { host, workspace } }) => {
  const slug = argumentText.trim() || conversation.state.workUnit;
  const plan = await workspace.planStanding(slug === null ? {} : { slug });
  const refusal = plan.ok ? whyNot(plan, conversation.state.knobs.mode) : failureForPerson(plan);
  if (!plan.ok || refusal !== null) {
    await host.toast("warning", `Nothing was started: ${refusal}`);
    return refuse(refusal ?? "");
  }
  const begun = await workspace.updatePlan({ slug: plan.slug, status: "in-progress" });
  const set = begun.ok ? await workspace.setActive({ slug: plan.slug }) : begun;
  if (!set.ok) return refuse(failureForPerson(set));
  conversation.parts.planning.end();
  conversation.dispatch({ type: "work-unit-changed", workUnit: plan.slug });
  const text = await renderCommandText("gaia-work", {
    slug: plan.slug,
    title: plan.title,
    tasks: renderTasks(plan.tasks.filter(({ done }) => !done)),
    conditions: sectionText(plan.plan_md, "Done When"),
  });
  const open = await conversation.parts.resumption.forMessage();
  return { forModel: open === "" ? text : `${text}\n\n${open}` };
};

/** Decided before any model is asked; a refusal names the way on. */
function whyNot({ slug, standing, tasks }: StandingPlan, mode: string): string | null {
  if (mode === "locked") return "GAIA is locked; /supervised or /autopilot lets her work.";
  if (tasks.length === 0) return `The plan of ${slug} has no tasks; /gaia-plan makes one.`;
  if (standing === "unapproved")
    return `You have not approved the plan of ${slug}; ask GAIA for the approval.`;
  if (standing === "rejected") return `You said no to the plan of ${slug}; ask GAIA for another one.`;
  if (standing === "changed") {
    return `The plan of ${slug} has changed since you approved it; ask GAIA for the approval again.`;
  }
  return tasks.every(({ done }) => done) ? `Every task of ${slug} is done; /gaia-unify closes it.` : null;
}

function refuse(reason: string): CommandReply {
  return { forModel: `Nothing was started, and you start nothing. Tell the user in one line: ${reason}` };
}
