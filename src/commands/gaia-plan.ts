import { refuse, type Refusal } from "../lib/error.ts";
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { pathIn } from "../lib/path-in.ts";
import { PLAN_REVIEWER, PLANNING } from "../conversation/planning/stage.ts";
import { parsePlan } from "../plan/grammar.ts";
import { renderCommandText } from "../record/templates.ts";
import type { Workspace } from "../record/workspace.ts";
import { type CommandRun, type SlashCommandContext, type CommandReply } from "./define.ts";

const MAX_PATH = 300;

/** `/gaia-plan [request or path]`: recon, interview, plan, review, approval; nothing is carried out (SPEC 12). */
export const gaiaPlan: CommandRun = async (
  argumentText,
  { conversation, runtime: { agents, workspace } },
) => {
  const given = argumentText.trim();
  if (/^--?cancel$/.test(given)) return cancel(conversation, workspace);
  const request =
    given === ""
      ? await fromSpec(workspace, conversation.state.workUnit)
      : ((await fromFile(given, conversation.tree.place)) ?? given);
  if (typeof request !== "string") return request;
  conversation.parts.planning.begin(PLANNING);
  conversation.parts.lanes.say(/\brefactor/i.test(given) ? "refactor" : "feature");
  const recon = agents.named("recon").join(" and ");
  const review = agents.specialists.has(PLAN_REVIEWER)
    ? `Delegate to ${PLAN_REVIEWER}: "review the plan .gaia/<slug>/plan.md"; the plugin says what to look for and what follows from the verdict.`
    : "Read the plan once more as somebody who has to carry it out, and fix what would block them.";
  return {
    forModel: await renderCommandText("gaia-plan", {
      request,
      recon: recon === "" ? "read and search yourself," : recon,
      review,
    }),
  };
};

/** A plan or spec of another tool, by its path; null for a request in words. */
async function fromFile(
  given: string,
  { project, directory }: Pick<SlashCommandContext["conversation"]["tree"]["place"], "project" | "directory">,
): Promise<string | null> {
  if (given.length > MAX_PATH || given.includes("\n")) return null;
  const path = await pathIn(project, directory, given);
  const found = path === null ? null : await stat(resolve(project, path)).catch(() => null);
  // A word may be the name of a folder as well.
  if (found?.isFile() !== true && !(found?.isDirectory() === true && given.includes("/"))) return null;
  return `what ${path} says, a plan or spec that someone else or another tool wrote. Read all of it and what it refers to, ask nothing that it decides, and write it in the form of step 3: everything in it that is to be done as a task (what is done is ticked), in its order, its criteria under Done When; leave nothing out and add nothing.`;
}

/** What is planned where the user names nothing: the spec that they approved. */
async function fromSpec(workspace: Workspace, slug: string | null): Promise<string | Refusal> {
  const unit = await workspace.readWorkUnit(slug === null ? {} : { slug });
  const specifies = "/gaia-spec <feature> specifies it";
  if (!unit.ok) return refuse(`No work unit is open: /gaia-plan <request> plans one, ${specifies} first.`);
  const { slug: name, content } = unit;
  if (content.spec_md === undefined)
    return refuse(`${name} has no spec: /gaia-plan <request> says what is to be planned, ${specifies}.`);
  if (parsePlan(content.spec_md).status !== "approved")
    return refuse(
      `You have not approved the spec of ${name}: ask GAIA for the approval, or say what to plan: /gaia-plan <request>.`,
    );
  return `what the approved spec of the open unit ${name} asks for. Read it with plan_gaia read_work_unit, and ask nothing that it decides; the plan belongs to this unit.`;
}

/** Leaves the planning. A draft stays where it is, and the conversation is not about it any more, so that nothing waits for it. */
async function cancel(
  { parts, state, dispatch }: SlashCommandContext["conversation"],
  workspace: Workspace,
): Promise<CommandReply> {
  const isPlanning = parts.planning.stage()?.kind === "planning";
  parts.planning.end();
  const { workUnit } = state;
  const plan = isPlanning && workUnit !== null ? await workspace.planStanding({ slug: workUnit }) : null;
  const isDraft = plan?.ok === true && plan.standing !== "approved" && plan.status !== "in-progress";
  if (isDraft) dispatch({ type: "work-unit-changed", workUnit: null });
  const what = isPlanning ? "Nothing is planned any more." : "Nothing was being planned.";
  return {
    forUser: isDraft ? `${what} The draft stays in .gaia/${plan.slug}/plan.md.` : what,
    forModel: "The user left the planning and has read so. Answer only: Planning ended.",
  };
}
