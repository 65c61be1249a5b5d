/** Where a block stands: zero-based line numbers, `end` being the line after its last one. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** A section heading, ATX or setext. Headings inside lists and quotes open no section and stay text. */
export interface Heading extends Span {
  readonly kind: "heading";
  readonly level: number;
  readonly text: string;
}

/** One `- [ ]` item; its continuation lines are text blocks of their own. */
export interface TaskItem extends Span {
  readonly kind: "task";
  readonly indent: number;
  readonly done: boolean;
  readonly text: string;
}

/** A table's row below its delimiter; `line` is zero-based. */
export interface TableRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** A table with header and delimiter row. It ends at the first line without a cell pipe. */
export interface Table extends Span {
  readonly kind: "table";
  readonly header: readonly string[];
  readonly rows: readonly TableRow[];
}

/** `text` is visible prose, lists and quotes; `opaque` is code, comments, HTML and front matter. */
interface PlainBlock extends Span {
  readonly kind: "text" | "opaque";
}

/** A stretch of lines and what it is. */
export type Block = Heading | TaskItem | Table | PlainBlock;

/** What is still open at the end of a file: the line that opened it, its name, the line that would close it. */
export interface Unclosed {
  readonly line: number;
  readonly what: string;
  readonly closer: string;
}
