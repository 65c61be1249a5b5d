import { plainName } from "../../lib/nearest-name.ts";
import { isRecord, recordOf, textOf } from "../../lib/json.ts";

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

/**
 * Where changed work stands on the files as they are (SPEC 11): green and seen red before the work, green and nothing more, red,
 * or no more than said, and why.
 */
export type LaneStanding =
  | { readonly kind: "proven" | "passes"; readonly by: string }
  | { readonly kind: "claimed" | "failed"; readonly why: string };

/** The work that a conversation is at; plain JSON, for it survives a restart. */
export interface WorkLane {
  readonly name: LaneName;
  /** Someone said so; else it follows from what is done. */
  readonly isSaid: boolean;
  /** Who changed files for it first; the session is empty before it has begun. */
  readonly editor: { readonly agent: string; readonly call: string; readonly session: string } | null;
  /** Of a bug: its cause was found. */
  readonly hasCause: boolean;
  /** The command that is to show the work, as a delegation named it; and one that the host saw failing before it. */
  readonly verify: string | null;
  readonly red: string | null;
  /** Whether anything but documents was changed. */
  readonly changesCode: boolean;
  /** null as long as nothing was changed by someone who has ended. */
  readonly standing: LaneStanding | null;
  /** The user has spoken since it was done: what comes next is other work. */
  readonly isOver: boolean;
}

const MAX_TEXT = 300;

/** The kind of work of this name, whatever its case and separators; undefined for none. */
export function readLane(value: unknown): LaneName | undefined {
  const name = plainName(textOf(value) ?? "");
  return LANES.find((each) => plainName(each) === name);
}

export function newLane(name: LaneName, isSaid: boolean): WorkLane {
  return {
    name,
    isSaid,
    editor: null,
    hasCause: false,
    verify: null,
    red: null,
    changesCode: false,
    standing: null,
    isOver: false,
  };
}

export function renderStanding(standing: LaneStanding): string {
  if ("why" in standing)
    return standing.kind === "failed" ? `failed: ${standing.why}` : `claimed, not proven: ${standing.why}`;
  if (standing.kind === "proven") return `proven by ${standing.by}`;
  return `passes ${standing.by}, which was not seen failing before the work`;
}

/** @returns null for what is no lane; what is damaged in one counts as not proven */
export function readSavedLane(saved: unknown): WorkLane | null {
  const { name, isSaid, editor, hasCause, verify, red, changesCode, standing, isOver } = recordOf(saved);
  const known = LANES.find((each) => each === name);
  if (known === undefined) return null;
  const short = (value: unknown): string => (textOf(value) ?? "").slice(0, MAX_TEXT);
  const { agent, call, session } = recordOf(editor);
  const { kind, by, why } = recordOf(standing);
  const green = kind === "proven" || kind === "passes" ? short(by) : "";
  return {
    name: known,
    isSaid: isSaid === true,
    editor: isRecord(editor) ? { agent: short(agent), call: short(call), session: short(session) } : null,
    hasCause: hasCause === true,
    verify: short(verify) || null,
    red: short(red) || null,
    changesCode: changesCode !== false,
    standing: !isRecord(standing)
      ? null
      : green === ""
        ? { kind: kind === "failed" ? "failed" : "claimed", why: short(why) }
        : { kind: kind === "proven" ? "proven" : "passes", by: green },
    isOver: isOver === true,
  };
}
