/** What an edit does to one file. */
export interface FileEdit {
  /** As the call gives it. */
  readonly path: string;
  /** The pieces that are replaced; null where the whole file is, whose text the call does not tell. */
  readonly before: string | null;
  readonly after: string;
  /** Where a file that the edit moves was before. */
  readonly movedFrom?: string;
  /** The file is deleted. */
  readonly isDeleted?: true;
  /** A patch adds the file, over whatever lies there. */
  readonly isAdded?: true;
}

/** What a native tool call does, in our own words: the one reading of a host's tool names and arguments. */
export type ToolEffect =
  /** Looks, or keeps notes; `paths` are files and folders, `patterns` globs of file names, `addresses` on the web. */
  | {
      readonly kind: "read";
      readonly paths: readonly string[];
      readonly patterns: readonly string[];
      readonly addresses: readonly string[];
      /** What it shows are lines of files that it finds by itself. */
      readonly searches?: true;
      /** The skill that it loads. */
      readonly skill?: string;
    }
  /** `isPatch`: one text changes any number of files, instead of one file that the call names. */
  | { readonly kind: "edit"; readonly isPatch: boolean; readonly edits: readonly FileEdit[] }
  | { readonly kind: "command"; readonly command: string; readonly workdir: string | null }
  | { readonly kind: "question"; readonly questions: readonly Readonly<Record<string, unknown>>[] }
  | { readonly kind: "todos" }
  /** Has another agent work in a session below this one, whose own calls are calls like these. */
  | { readonly kind: "subtask" }
  /** The plugin's own tools, other plugins', those of MCP servers; what its arguments call a path or an address. */
  | { readonly kind: "other"; readonly paths: readonly string[]; readonly addresses: readonly string[] };

/** What a call is about, for a line on the screen. */
export type ToolTarget = { readonly path: string } | { readonly text: string };

/** Lines that a call added to and removed from a file. */
export interface FileLines {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
}

/** What came of a call, by the host's own account, in which the model has no part. */
export interface ToolOutcome {
  /** What the model is shown; null for what is no text. */
  readonly text: string | null;
  /** Of a command. */
  readonly exitCode: number | null;
  readonly files: readonly FileLines[];
  /** The labels that the user chose, per question. */
  readonly answers: readonly (readonly string[])[];
}

/** Of a call that did nothing to any file, and is not quoted. */
export const NO_OUTCOME: ToolOutcome = { text: null, exitCode: null, files: [], answers: [] };
