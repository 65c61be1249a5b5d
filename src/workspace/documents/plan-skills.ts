import { nearestName, sameName } from "../../config/nearest-name.ts";
import { excerpt } from "../../lib/excerpt.ts";
import type { PlanTask } from "./plan-tasks.ts";

const MAX_NAME = 60;
const MAX_LIST = 300;

/** Skills that tasks name and nobody finds, each once, and those that there are. @param known their names */
export function findUnknownSkills(tasks: readonly PlanTask[], known: readonly string[]): string[] {
  const unknown = new Set(tasks.flatMap(({ skills }) => skills).filter((name) => !known.includes(name)));
  const found = [...unknown].map((name) => {
    const of = tasks.filter(({ skills }) => skills.includes(name)).map(({ number }) => number);
    const near = sameName(name, known) ?? nearestName(name, known);
    const meant = near === undefined ? "" : `, did you mean "${near}"?`;
    return `task ${of.join(", ")}: there is no skill "${excerpt(name, MAX_NAME)}"${meant}`;
  });
  return found.length === 0 ? [] : [...found, `the skills are ${excerpt(known.join(", "), MAX_LIST)}`];
}
