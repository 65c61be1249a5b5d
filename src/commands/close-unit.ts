import { refuse } from "../lib/error.ts";
import { failureForPerson } from "../lib/for-person.ts";
import { type JudgedClaim, renderEvidence } from "../checks/evidence/claims.ts";
import { reconcile } from "../record/documents.ts";
import { renderCommandText } from "../record/templates.ts";
import { type CommandRun } from "./define.ts";

const MAX_DEBT = 20;

/** `/gaia-unify [slug]`: holds what was planned against what was delivered, and has GAIA close the unit. */
export const gaiaUnify: CommandRun = async (argumentText, { conversation, runtime }) => {
  const { workspace } = runtime;
  const slug = argumentText.trim() || conversation.state.workUnit;
  const plan = await workspace.planStanding(slug === null ? {} : { slug });
  if (!plan.ok) return refuse(failureForPerson(plan));
  const delivered = await runtime.treeOf(plan.slug).vcs.changesSince(plan.base);
  const { checks } = conversation.parts;
  const claims = await checks.claims(plan.slug);
  const { markdown: table, open } = reconcile(plan.tasks, delivered);
  const shown = renderEvidence(claims);
  const markdown = shown === "" ? table : `${table}\n\nEvidence: ${shown}`;
  const catalogue = await runtime.rules.now();
  const documents = catalogue?.touched(delivered.files.map(({ path }) => path)) ?? "";
  const beside = `${renderDebt(await conversation.parts.workRecord.debtOf(plan.slug))}${documents}`;
  // The user closes it and sees what is no more than said: where nothing can be run nobody can show more.
  const isSaid = ({ standing, command }: JudgedClaim): boolean => standing === "claimed" && command === null;
  checks.accept(plan.slug, claims.filter(isSaid));
  const isDoubtful = claims.some(
    (each) => each.standing === "failed" || (each.standing === "claimed" && !isSaid(each)),
  );
  const unit = { slug: plan.slug };
  const written = await workspace.appendLog({ ...unit, title: "Planned and delivered", markdown });
  const set = written.ok ? await workspace.setActive(unit) : written;
  if (!set.ok) return refuse(failureForPerson(set));
  conversation.dispatch({ type: "work-unit-changed", workUnit: plan.slug });
  conversation.parts.planning.end();
  conversation.parts.planning.unifies(plan.slug);
  return {
    forUser: `Planned and delivered, of ${plan.slug}:\n\n${markdown}${beside}`,
    forModel: await renderCommandText("gaia-unify", {
      slug: plan.slug,
      title: plan.title,
      pullRequest: await runtime.extrasOf(conversation).pullRequests.offer(plan.slug),
      table: `${markdown}${beside}`,
      open:
        open.length === 0 && !isDoubtful
          ? "Every task is ticked."
          : "Tasks are open or not proven: archive_work_unit asks the user, who alone closes such a unit.",
    }),
  };
};

/** What reviewers noted and nobody fixed stands in the log already, and is shown with the rest. */
function renderDebt(notes: readonly string[]): string {
  if (notes.length === 0) return "";
  const more = notes.length > MAX_DEBT ? [`- and ${notes.length - MAX_DEBT} before them`] : [];
  const shown = notes.slice(-MAX_DEBT).map((note) => `- ${note}`);
  return ["\n\nNoted in reviews, not fixed:", ...shown, ...more].join("\n");
}
