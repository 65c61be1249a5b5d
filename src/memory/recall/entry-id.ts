import { idOfLearning } from "../../workspace/documents/learning.ts";
import type { RecallEntry } from "./entry.ts";

/** What an entry is called by: a learning or an entry of knowledge has an id, anything else is where it stands. */
export function idOfEntry({ kind, text, heading }: RecallEntry): string | null {
  if (kind === "knowledge") return heading;
  return kind === "learning" ? idOfLearning(text) : null;
}
