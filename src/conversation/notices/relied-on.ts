import type { ReliedOn } from "../../memory/notices/drift.ts";
import type { ConversationServices } from "../services.ts";

/** What people rely on and files can make untrue: learnings, rules, accepted knowledge, the open tasks of a unit's plan. */
export async function reliedOn(
  { workspace, rules, knowledge }: Pick<ConversationServices, "workspace" | "rules" | "knowledge">,
  slug: string | null,
): Promise<ReliedOn[]> {
  const [learned, ruled, known, unit] = await Promise.all([
    workspace.readLearnings(),
    rules.now(),
    knowledge.accepted(),
    slug === null ? null : workspace.readWorkUnit({ slug }),
  ]);
  const learnings = learned.ok ? learned.learnings : [];
  const tasks = unit?.ok === true ? unit.tasks.filter(({ done }) => !done) : [];
  return [
    ...learnings.map(({ text, line }) => ({ where: `.gaia/learnings.md:${line}`, text })),
    ...(ruled?.rules ?? []).map(({ source, text }) => ({ where: source, text })),
    ...known.map(({ slug: name, body }) => ({ where: `.gaia/knowledge/${name}.md`, text: body })),
    ...tasks.map(({ number, text, files = [] }) => ({
      where: `Task ${number} of ${slug}`,
      text: [text, ...files].join(" "),
    })),
  ];
}
