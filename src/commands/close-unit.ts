import { refuse } from "../lib/error.ts";
import { excerpt } from "../lib/text.ts";
import { failureForPerson } from "../lib/for-person.ts";
import { type JudgedClaim, renderEvidence } from "../checks/evidence/claims.ts";
import type { Offer } from "../conversation/questions/questions.ts";
import { orSeen } from "../work-tree/lines.ts";
import { reconcile } from "../record/documents.ts";
import type { PlanTask } from "../plan/task.ts";
import { renderCommandText } from "../record/templates.ts";
import { type CommandRun } from "./define.ts";

const HEADER = "Close unit";
const CLOSE = "Close it as it is";
const MAX_DEBT = 20;
const KEEP = "Keep it open";

/** `/gaia-unify [slug]`: holds what was planned against what was delivered, and has GAIA close the unit. */
export const gaiaUnify: CommandRun = async (argumentText, { conversation, runtime }) => {
  const { workspace } = runtime;
  const slug = argumentText.trim() || conversation.state.workUnit;
  const plan = await workspace.planStanding(slug === null ? {} : { slug });
  if (!plan.ok) return refuse(failureForPerson(plan));
  const since = await runtime.treeOf(plan.slug).vcs.changesSince(plan.base);
  const delivered = await orSeen(since, conversation.tree.workWatch);
  const { checks } = conversation.parts;
  const claims = await checks.claims(plan.slug);
  const { markdown: table, open } = reconcile(plan.tasks, delivered);
  const shown = renderEvidence(claims);
  const markdown = shown === "" ? table : `${table}\n\nEvidence: ${shown}`;
  const catalogue = await runtime.rules.now();
  const documents = catalogue?.touched(delivered.files.map(({ path }) => path)) ?? "";
  const beside = `${renderDebt(await conversation.parts.workRecord.debtOf(plan.slug))}${documents}`;
  // What is stale is run again before the unit is archived, and where nothing can be run nobody can show more.
  const doubtful = claims.filter(
    ({ standing, command }) => (standing === "claimed" || standing === "failed") && command !== null,
  );
  // The user closes it and sees what is no more than said.
  const isComplete = open.length + doubtful.length === 0;
  if (isComplete) checks.accept(plan.slug, claims);
  const unit = { slug: plan.slug };
  const written = await workspace.appendLog({ ...unit, title: "Planned and delivered", markdown });
  const set = written.ok ? await workspace.setActive(unit) : written;
  if (!set.ok) return refuse(failureForPerson(set));
  conversation.dispatch({ type: "work-unit-changed", workUnit: plan.slug });
  conversation.parts.planning.end();
  conversation.parts.planning.unifies(plan.slug);
  if (!isComplete) {
    conversation.parts.planning.begin("closing");
    conversation.parts.questions.put(
      closeOffer(plan.slug, { open, doubtful }, () => {
        checks.accept(plan.slug, claims);
        conversation.parts.planning.end();
      }),
    );
  }
  return {
    forUser: `Planned and delivered, of ${plan.slug}:\n\n${markdown}${beside}`,
    forModel: await renderCommandText("gaia-unify", {
      slug: plan.slug,
      title: plan.title,
      pullRequest: await runtime.extrasOf(conversation).pullRequests.offer(plan.slug),
      table: `${markdown}${beside}`,
      open: isComplete
        ? "Every task is ticked."
        : `First call question with header "${HEADER}" (the plugin fills in the rest): tasks are open or not proven, and only the user closes such a unit.`,
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

function closeOffer(
  slug: string,
  { open, doubtful }: { open: readonly PlanTask[]; doubtful: readonly JudgedClaim[] },
  allow: () => void,
): Offer {
  const tasks = open.map(({ number, text }) => `${number}. ${excerpt(text, 80)}`).join("; ");
  const claims = doubtful.map(({ id, why }) => `${id}: ${excerpt(why, 100)}`).join("; ");
  const said = [
    ...(open.length === 0 ? [] : [`Open tasks of ${slug}: ${excerpt(tasks, 400)}.`]),
    ...(doubtful.length === 0 ? [] : [`Not proven of ${slug}: ${excerpt(claims, 400)}.`]),
  ];
  const question = `${said.join(" ")} Close the unit all the same?`;
  const options = [
    { label: KEEP, description: "Nothing is archived; /gaia-work goes on with them." },
    { label: CLOSE, description: "They stay open in the archived plan." },
  ];
  return {
    header: HEADER,
    questions: [{ header: HEADER, question, options, multiple: false }],
    async settle([given = []]) {
      const closes = given.length === 1 && given[0] === CLOSE;
      if (closes) allow();
      return closes
        ? "The user closes the unit with its open tasks: go on and archive it."
        : "The user keeps the unit open: archive nothing, close nothing, and end your turn with what is open.";
    },
  };
}
