import { excerpt } from "../../lib/excerpt.ts";
import type { Undone } from "./own-work.ts";

const MAX_LIST = 600;
const MAX_FOR_MODEL = 600;

/** What became of "undo last", for the transcript. */
export function renderUndoForUser({ undone, left, beyond, why }: Undone): string {
  if (why !== null) {
    return `Nothing was undone: ${why}. "git status" and "git log" show where things stand; name what is to be changed back, or do it by hand.`;
  }
  const kept = left.map((file) => `${file.path} (${file.why})`);
  return [
    `Undone: ${excerpt(undone.join(", "), MAX_LIST) || "nothing"}`,
    ...(kept.length === 0 ? [] : [`Left as it is: ${excerpt(kept.join(", "), MAX_LIST)}`]),
    ...(beyond.length === 0
      ? []
      : [`Not undone, as no file here shows it: ${excerpt(beyond.join("; "), MAX_LIST)}`]),
  ].join("\n");
}

/** The same for the model, which has no part in it, at most 600 characters. */
export function renderUndoForModel(undone: Undone): string {
  const orders =
    "The user has been shown this. Undo nothing yourself; answer with one short line and end your turn.";
  const told = renderUndoForUser(undone).replaceAll("\n", ". ");
  return `The plugin has carried out "undo last". ${excerpt(told, MAX_FOR_MODEL - orders.length - 50)} ${orders}`;
}
