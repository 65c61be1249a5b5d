import { listOf, recordOf, textOf, type JsonRecord } from "../../lib/json.ts";

/** The kinds of work, by which it is decided what is required (SPEC 12). */
export const LANES = [
  "trivial",
  "quick-fix",
  "bug",
  "feature",
  "refactor",
  "infra",
  "review",
  "docs",
  "verify",
] as const;
export type LaneName = (typeof LANES)[number];

/** Where changed work stands: shown by the host on the files as they are, or no more than said, and why. */
export type Standing =
  | { readonly kind: "proven"; readonly by: string }
  | { readonly kind: "claimed"; readonly why: string };

/** One who changes files for this work. */
export interface Editor {
  readonly agent: string;
  readonly call: string;
  /** Empty before it has begun. */
  readonly session: string;
}

/** The work that a conversation is at; plain JSON, for it survives a restart. */
export interface Lane {
  readonly name: LaneName;
  /** Somebody said so; else it follows from what is done. */
  readonly isSaid: boolean;
  readonly editors: readonly Editor[];
  /** Of a bug: its cause was found, and a test was seen failing for it, by this command. */
  readonly hasCause: boolean;
  readonly red: string | null;
  /** Paths that were changed. */
  readonly files: readonly string[];
  /** null as long as nothing was changed by somebody who has ended. */
  readonly standing: Standing | null;
  /** The user has spoken since it was done: what comes next is other work. */
  readonly isOver: boolean;
}

const MAX_EDITORS = 8;
const MAX_FILES = 30;
const MAX_TEXT = 300;

/** What models call the kinds of work, the first that fits. */
const SPELLINGS: readonly (readonly [RegExp, LaneName])[] = [
  [/quick|hot-?fix|typo|one-?line|small|minor/, "quick-fix"],
  [/bug|defect|incident/, "bug"],
  [/refactor|clean-?up|restructur/, "refactor"],
  [/feature|enhance|implement/, "feature"],
  [/review|audit/, "review"],
  [/doc/, "docs"],
  [/verif|check/, "verify"],
  [/infra|ops|config|pipeline|migration/, "infra"],
  [/trivial|question|look-?up|answer/, "trivial"],
];

/** The kind of work that a model means; undefined for none. */
export function readLane(value: unknown): LaneName | undefined {
  const text =
    textOf(value)
      ?.trim()
      .toLowerCase()
      .replaceAll(/[\s_]+/g, "-") ?? "";
  return LANES.find((name) => name === text) ?? SPELLINGS.find(([form]) => form.test(text))?.[1];
}

/** Puts right how a model names the kind of work among a tool's arguments; what is none is left out. */
export function tidyLane(given: JsonRecord): JsonRecord {
  const { lane, ...rest } = given;
  if (typeof lane !== "string") return given;
  const meant = readLane(lane);
  return meant === undefined ? rest : { ...rest, lane: meant };
}

export function newLane(name: LaneName, isSaid: boolean): Lane {
  return {
    name,
    isSaid,
    editors: [],
    hasCause: false,
    red: null,
    files: [],
    standing: null,
    isOver: false,
  };
}

/** In few words, for a person or a model. */
export function renderStanding(standing: Standing): string {
  return standing.kind === "proven" ? `proven by ${standing.by}` : `claimed, not proven: ${standing.why}`;
}

export function withEditor(lane: Lane, editor: Editor): Lane {
  const others = lane.editors.filter(({ call }) => call !== editor.call);
  return { ...lane, editors: [...others, editor].slice(-MAX_EDITORS) };
}

export function withFiles(lane: Lane, paths: readonly string[]): Lane {
  return { ...lane, files: [...new Set([...lane.files, ...paths])].slice(-MAX_FILES) };
}

/** @returns null for what is no lane */
export function restoreLane(saved: unknown): Lane | null {
  const record = recordOf(saved);
  const name = LANES.find((each) => each === record["name"]);
  if (name === undefined) return null;
  const { kind, by, why } = recordOf(record["standing"]);
  const short = (value: unknown): string => (textOf(value) ?? "").slice(0, MAX_TEXT);
  const editors = listOf(record["editors"]).map((each) => {
    const { agent, call, session } = recordOf(each);
    return { agent: short(agent), call: short(call), session: short(session) };
  });
  const isProven = kind === "proven" && short(by) !== "";
  return {
    ...newLane(name, record["isSaid"] === true),
    editors: editors.slice(-MAX_EDITORS),
    hasCause: record["hasCause"] === true,
    red: short(record["red"]) || null,
    files: listOf(record["files"])
      .filter((each) => typeof each === "string")
      .slice(-MAX_FILES),
    standing: isProven
      ? { kind, by: short(by) }
      : kind === undefined
        ? null
        : { kind: "claimed", why: short(why) },
    isOver: record["isOver"] === true,
  };
}
