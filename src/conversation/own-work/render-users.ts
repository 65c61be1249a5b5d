import { excerpt } from "../../lib/excerpt.ts";
import type { UndoneFile } from "./undo.ts";

const MAX_NAMES = 300;

/** The user's own uncommitted files, for those who work beside them. */
export function renderUsers(names: string): string {
  return `Uncommitted and the user's own: ${names}. It is left out of commits; never undo or rewrite it.`;
}

/** Files of the user's that a command, or another one beside it, threw away and the host put back, for the user. */
export function renderSaved(what: string, saved: readonly UndoneFile[]): string {
  const gone = saved.filter(({ left }) => left !== null);
  const lines = [
    `While ${excerpt(what, 120)} ran, uncommitted work of yours was thrown away.`,
    ...(gone.length < saved.length ? [`GAIA has put it back: ${backNames(saved)}.`] : []),
    ...gone.map(({ change, left }) => `Not put back: ${change.path} (${left ?? ""}).`),
  ];
  return lines.join("\n");
}

/** The same for the model whose command it was; empty where nothing was put back. */
export function renderSavedForModel(saved: readonly UndoneFile[]): string {
  const names = backNames(saved);
  if (names === "") return "";
  return `While this ran, uncommitted work of the user's own was thrown away, and put back: ${names}. A command that is to change or delete such a file names it; the user is asked before it is deleted.`;
}

function backNames(saved: readonly UndoneFile[]): string {
  const names = saved.flatMap(({ change, left }) => (left === null ? [change.path] : []));
  return excerpt(names.join(", "), MAX_NAMES);
}
