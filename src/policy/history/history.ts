/** What a command makes of the history. `refs`: plumbing. `unclear`: it may, and its text does not tell. */
export type RecordingKind = "commit" | "merge" | "tag" | "push" | "refs" | "unclear";

/** A part of a call that puts something into the history, or sends it on: what has to pass the gate. */
export interface Recording {
  readonly kind: RecordingKind;
  /** As a person would name it. */
  readonly text: string;
}

/** Path specifications of one command, of which git alone says what they take. */
export interface Pathspecs {
  /** Absolute; they are read from there. */
  readonly folder: string;
  readonly specs: readonly string[];
  /** Of files that the index knows, and no others. */
  readonly tracked: boolean;
}

/** What the commits of a line take beside what is staged already. */
export interface Taken {
  /** Every change, new files included. */
  readonly everything: boolean;
  /** Every change of a file that the index knows. */
  readonly tracked: boolean;
  /** Changes below these absolute paths. */
  readonly paths: readonly string[];
  /** What these take in addition. */
  readonly pathspecs: readonly Pathspecs[];
  /** An argument of which its text does not tell what it takes: that counts as nothing. */
  readonly unread: string | null;
  /** They take what {@link paths} and {@link pathspecs} name and nothing else, whatever is staged. */
  readonly only: boolean;
  /** What they take is only known at run time. */
  readonly isOpen: boolean;
}

/** What a call does to commits, branches and tags, from its text alone. */
export interface HistoryPart {
  readonly recordings: readonly Recording[];
  /** It moves HEAD, branches or tags among commits that are there. */
  readonly moves: boolean;
  /** It asks for tags and commits of others. */
  readonly fetches: boolean;
  /** What keeps a hook from running, or hides a change from the checks; as the call names it. */
  readonly unhooked: string | null;
  /** What changes files, or may, in the same line before something is recorded. */
  readonly beside: string | null;
  /** null where nothing is committed. */
  readonly taken: Taken | null;
}

/** A call that records something of which nothing more is known. */
export function recordingOf(kind: RecordingKind, text: string): HistoryPart {
  return {
    recordings: [{ kind, text }],
    moves: false,
    fetches: false,
    unhooked: null,
    beside: null,
    taken: null,
  };
}

/** Tools of others, by what their names say that they do with a repository. */
const TOOL =
  /(?:^|[_.-])(?:(?:git|jj|vcs|repo)\w*[_.-](?:.*[_.-])?(?:commit|push|merge|rebase|cherry_?pick|revert|tag|am|squash|describe|amend)|(?:create_|make_|git_?)?commit(?:_(?:changes|files|all))?)(?:$|[_.-])/iu;
/** Names that only look. */
const LOOKING =
  /(?:^|[_.-])(?:get|list|show|read|search|log|diff|status|view|find|message|history|info)(?:$|[_.-s])/iu;

/** What a tool that is neither the host's nor the plugin's does to the history, as far as its name tells. */
export function historyOfTool(tool: string): HistoryPart | null {
  if (!TOOL.test(tool) || LOOKING.test(tool)) return null;
  return recordingOf(/push/iu.test(tool) ? "push" : "unclear", tool);
}
