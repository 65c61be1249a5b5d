import type { MarkdownDocument } from "../markdown/document.ts";
import { sectionsOf, type Section } from "../markdown/section.ts";

/** What people and models call the sections that the plugin reads, beside the template's own titles. */
const SAME: Readonly<Record<string, string>> = {
  task: "tasks",
  "task list": "tasks",
  "definition of done": "done when",
};

/** A section by its title as people write it: `## Tasks:`, `### 3. Tasks`, `## **Done-When**`. The first one counts. */
export function findPlanSection(document: MarkdownDocument, title: string): Section | null {
  const wanted = plainTitle(title);
  return sectionsOf(document).find(({ heading }) => plainTitle(heading.text) === wanted) ?? null;
}

/** A title without emphasis, number, colon and case. */
export function plainTitle(title: string): string {
  const words = title
    .replaceAll(/[*_`]/g, "")
    .trim()
    .replace(/^\d+[.)]\s+/, "")
    .replace(/\s*:$/, "")
    .replaceAll(/[\s-]+/g, " ")
    .toLowerCase();
  return Object.hasOwn(SAME, words) ? (SAME[words] ?? words) : words;
}
