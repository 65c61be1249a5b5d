import { excerpt } from "../../lib/excerpt.ts";
import type { RestoredFile } from "../../snapshot/restore.ts";
import type { Undone } from "./own-work.ts";

const MAX_LIST = 600;
const MAX_FOR_MODEL = 600;
const MAX_NAMES = 300;

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

/** The user's own uncommitted files, for those who work beside them. */
export function renderUsers(names: string): string {
  return `Uncommitted and the user's own: ${names}. It is left out of commits; never undo or rewrite it.`;
}

/** Files of the user's that a command, or another one beside it, threw away and the host put back, for the user. */
export function renderSaved(what: string, saved: readonly RestoredFile[]): string {
  const gone = saved.filter(({ left }) => left !== null);
  const lines = [
    `While ${excerpt(what, 120)} ran, uncommitted work of yours was thrown away.`,
    ...(gone.length < saved.length ? [`GAIA has put it back: ${backNames(saved)}.`] : []),
    ...gone.map(({ change, left }) => `Not put back: ${change.path} (${left ?? ""}).`),
  ];
  return lines.join("\n");
}

/** The same for the model whose command it was; empty where nothing was put back. */
export function renderSavedForModel(saved: readonly RestoredFile[]): string {
  const names = backNames(saved);
  if (names === "") return "";
  return `While this ran, uncommitted work of the user's own was thrown away, and put back: ${names}. A command that is to change or delete such a file names it; the user is asked before it is deleted.`;
}

function backNames(saved: readonly RestoredFile[]): string {
  const names = saved.flatMap(({ change, left }) => (left === null ? [change.path] : []));
  return excerpt(names.join(", "), MAX_NAMES);
}
