import { excerpt } from "../../lib/excerpt.ts";

const MAX_LINE = 90;

/** A change that the user did not want. */
export interface Refused {
  /** Relative to the project. */
  readonly path: string;
  /** What would have been there, or was; empty where it is not known. */
  readonly text: string;
  readonly how: "refused" | "took back" | "replaced";
}

/** What the user did not want of a file, and what was put there after it, as one sentence; null where both are the same. */
export function describeReplaced({ path, text, how }: Refused, instead: string): string | null {
  const [old, fresh] = [lineOf(text, instead), lineOf(instead, text)];
  if (old === "" || fresh === "") return null;
  if (how === "replaced")
    return `In ${path} the user wrote "${excerpt(fresh, MAX_LINE)}" over "${excerpt(old, MAX_LINE)}".`;
  return `In ${path} the user ${how} "${excerpt(old, MAX_LINE)}"; "${excerpt(fresh, MAX_LINE)}" came in its place.`;
}

/** The first line that says something and that the other text does not have. */
function lineOf(text: string, other: string): string {
  const known = new Set(other.split("\n").map((line) => line.trim()));
  const lines = text.split("\n").map((line) => line.trim());
  return lines.find((line) => /[\p{L}\p{N}]/u.test(line) && !known.has(line)) ?? "";
}
