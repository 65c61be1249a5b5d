import type { RecordDocument } from "../../workspace/store/record-documents.ts";

/** What can be searched for, in the words of `recall_gaia`. */
export const RECALL_KINDS = ["learning", "decision", "log", "plan"] as const;
/** One of {@link RECALL_KINDS}. */
export type RecallKind = RecordDocument["holds"];

/** One thing that stands in the record: a learning, a decision's row, a paragraph of a log or plan. */
export interface RecallEntry {
  readonly kind: RecallKind;
  /** On one line. */
  readonly text: string;
  /** The heading it stands under; searched as well, but counts less. */
  readonly heading: string;
  /** Of a learning only: how it ranks where room is short. */
  readonly learning?: string;
  readonly unit: string | null;
  /** ISO day, empty when unknown. */
  readonly date: string;
  /** From the project's folder, for people to open. */
  readonly path: string;
  /** One-based. */
  readonly line: number;
}
