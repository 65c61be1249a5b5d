import { refuse } from "../lib/error.ts";
import { MAKER } from "../agents/registry.ts";
import { excerpt } from "../lib/text.ts";
import { failureForPerson } from "../lib/for-person.ts";
import { renderTasks } from "../plan/text.ts";
import { renderErrors, parsePlan } from "../plan/grammar.ts";
import { sectionText } from "../plan/update.ts";
import type { StandingPlan } from "../record/workspace.ts";
import { renderCommandText } from "../record/templates.ts";
import { type CommandRun } from "./define.ts";

/** `/gaia-spec <feature>`: a spec in five phases, written together with the user into the unit's `spec.md`. */
export const gaiaSpec: CommandRun = async (argumentText, { conversation }) => {
  const request = argumentText.trim();
  if (request === "") return refuse("/gaia-spec needs what is to be specified.");
  conversation.parts.planning.begin({ kind: "spec" });
  return { forModel: await renderCommandText("gaia-spec", { request }) };
};

/** `/gaia-work [slug]`: carries out an approved plan, in the session in which it was made or in another. */
export const gaiaWork: CommandRun = async (argumentText, { conversation, runtime: { workspace } }) => {
  const slug = argumentText.trim() || conversation.state.workUnit;
  const plan = await workspace.planStanding(slug === null ? {} : { slug });
  if (!plan.ok) return refuse(failureForPerson(plan));
  const why = whyNot(plan, conversation.state.knobs.mode);
  if (why !== null) return refuse(why);
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
  const open = await conversation.parts.restart.forMessage();
  return { forModel: open === "" ? text : `${text}\n\n${open}` };
};

/** Decided before any model is asked; a refusal names the way on. */
function whyNot({ slug, standing, tasks }: StandingPlan, mode: string): string | null {
  if (mode === "locked") return "GAIA is locked; /supervised or /autopilot lets it work.";
  if (tasks.length === 0) return `The plan of ${slug} has no tasks; /gaia-plan makes one.`;
  if (standing === "unapproved")
    return `You have not approved the plan of ${slug}; ask GAIA for the approval.`;
  if (standing === "rejected") return `You said no to the plan of ${slug}; ask GAIA for another one.`;
  if (standing === "changed") {
    return `The plan of ${slug} has changed since you approved it; ask GAIA for the approval again.`;
  }
  return tasks.every(({ done }) => done) ? `Every task of ${slug} is done; /gaia-unify closes it.` : null;
}

const MAX_TITLE = 80;

/** `/gaia-ab <task>`: a unit of one task that two do, each alone; further lines say more of it, as in a plan. */
export const gaiaAb: CommandRun = async (
  argumentText,
  { conversation, runtime: { agents, config, verifier, workspace } },
) => {
  const [title = "", ...more] = argumentText
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  if (title === "") return refuse("Say what is to be done: /gaia-ab <task>");
  if (conversation.state.knobs.mode === "locked") return refuse("GAIA is locked; /supervised unlocks.");
  const has = (key: string): boolean => more.some((line) => new RegExp(`^[-* ]*${key}:`, "i").test(line));
  const lines = [
    ...(has("agent") || !agents.specialists.has(MAKER) ? [] : [`agent: ${MAKER}`]),
    ...(has("candidates") ? [] : ["candidates: 2"]),
    ...more.map((line) => line.replace(/^[-*] /, "")),
  ];
  const markdown = `## Goal\n\n${title}\n\n## Tasks\n\n- [ ] 1. ${title}\n${lines.map((line) => `  - ${line}\n`).join("")}`;
  const { errors, tasks } = parsePlan(markdown);
  if (errors.length > 0) return refuse(`These lines do not say what is to be done:\n${renderErrors(errors)}`);
  const isJudged = tasks.some((task) => task.verify !== undefined);
  const checks = config.wavePolicy.boundaryRule === "manual" ? [] : await verifier.commands();
  if (!isJudged && checks.length === 0)
    return refuse(
      "Nothing would judge them: add a line `verify: <command>`, or have the project's checks found by /gaia-init.",
    );
  const base = `ab ${title.toLowerCase()}`
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, 40)
    .replace(/-$/, "");
  const known = await workspace.listWorkUnits();
  const taken = new Set(known.ok ? known.units.map((unit) => unit.slug) : []);
  let slug = base;
  for (let at = 2; taken.has(slug); at += 1) slug = `${base}-${at}`;
  const made = await workspace.createWorkUnit({ slug, title: excerpt(title, MAX_TITLE), markdown });
  if (!made.ok) return refuse(failureForPerson(made));
  conversation.parts.planning.end();
  conversation.dispatch({ type: "work-unit-changed", workUnit: slug });
  return {
    forModel: `The user has one task done by several who know nothing of each other: ${excerpt(title, MAX_TITLE)}\nIts plan is written. Call plan_gaia run with slug ${slug}, and do what next in its result says. In the end say which was kept, why, and how it was verified.`,
  };
};
