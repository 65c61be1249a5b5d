/** What can be searched for, in the words of `recall_gaia`. */
export const RECALL_KINDS = ["learning", "decision", "log", "plan"] as const;
/** What is found: in documents of the record, and entries that people accepted. */
export type RecallKind = (typeof RECALL_KINDS)[number];
export const ALL_KINDS: ReadonlySet<RecallKind> = new Set(RECALL_KINDS);

/** One thing that stands in the record: a learning, a decision's row, a paragraph of a log or plan. */
export interface RecallEntry {
  readonly kind: RecallKind;
  readonly text: string;
  /** The heading it stands under; searched as well, but counts less. */
  readonly heading: string;
  /** The kind of a learning, which says how it ranks where room is short. */
  readonly learning?: string;
  readonly about?: readonly string[];
  readonly unit: string | null;
  readonly date: string;
  /** From the project's folder, for people to open. */
  readonly path: string;
  readonly line: number;
}

export function recallKey({ path, text }: RecallEntry): string {
  return `${path}\n${text}`;
}

export function idOfEntry({ kind, heading }: RecallEntry): string | null {
  return kind === "learning" ? heading : null;
}
