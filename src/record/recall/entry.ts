import { idOfLearning } from "../documents/learning.ts";
import type { RecordDocument } from "../store/record-documents.ts";

/** What can be searched for, in the words of `recall_gaia`. */
export const RECALL_KINDS = ["learning", "decision", "log", "plan"] as const;
/** One of {@link RECALL_KINDS}. */
type RecordKind = RecordDocument["holds"];
/** What is found: of the record, and what people accepted as known. */
export type RecallKind = RecordKind | "knowledge";
/** Everything that is found where nobody asks for less. */
export const ALL_KINDS: ReadonlySet<RecallKind> = new Set([...RECALL_KINDS, "knowledge"]);

/** One thing that stands in the record: a learning, a decision's row, a paragraph of a log or plan. */
export interface RecallEntry {
  readonly kind: RecallKind;
  /** On one line. */
  readonly text: string;
  /** The heading it stands under; searched as well, but counts less. */
  readonly heading: string;
  /** Of a learning, and of knowledge, its type; that of a learning says how it ranks where room is short. */
  readonly learning?: string;
  readonly unit: string | null;
  /** ISO day, empty when unknown. */
  readonly date: string;
  /** From the project's folder, for people to open. */
  readonly path: string;
  /** One-based. */
  readonly line: number;
}

/** What an entry is called by: a learning or an entry of knowledge has an id, anything else is where it stands. */
export function idOfEntry({ kind, text, heading }: RecallEntry): string | null {
  if (kind === "knowledge") return heading;
  return kind === "learning" ? idOfLearning(text) : null;
}
