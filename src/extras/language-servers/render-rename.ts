import type { FileChange } from "../changes/change.ts";
import { excerpt } from "../../lib/excerpt.ts";
import { linesOf } from "./position.ts";

/** Characters of a line that the model reads. */
const MAX_LINE = 120;

/** The changed lines of each file, as they were and as they are to be: a unified diff without the lines around. */
export function renderPreview(changes: readonly FileChange[]): string {
  return changes
    .map(({ name, before, after }) => {
      const [old, fresh] = [before, after].map((bytes) => linesOf(Buffer.from(bytes).toString("utf8")));
      const lines = (old ?? []).flatMap((line, at) => {
        const other = fresh?.[at] ?? "";
        return line === other ? [] : [`@@ -${at + 1} +${at + 1} @@\n-${line}\n+${other}`];
      });
      return [`--- ${name}`, `+++ ${name}`, ...lines].join("\n");
    })
    .join("\n");
}

/** What was renamed, for the model. */
export function renderRenamed(
  changes: readonly FileChange[],
  from: string,
  to: string,
  left: readonly string[],
): string {
  const lines = changes.map(({ name, pieces }) => {
    const [first] = pieces;
    const more = pieces.length > 1 ? ` and ${pieces.length - 1} more` : "";
    return `${name}: ${pieces.length} line${pieces.length === 1 ? "" : "s"}: ${excerpt(first?.after ?? "", MAX_LINE)}${more}`;
  });
  return [
    `Renamed ${from} to ${to} in ${changes.length} file${changes.length === 1 ? "" : "s"}:`,
    ...lines,
    ...(left.length === 0 ? [] : [`Not renamed, as the server does not read them: ${left.join(", ")}.`]),
  ].join("\n");
}
