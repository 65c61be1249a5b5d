import { createHash } from "node:crypto";
import { FINDING_TYPES, readFindingType } from "../../config/findings.ts";
import { excerpt } from "../../lib/excerpt.ts";

/** One row of `findings.md`. Empty texts mean unknown. */
export interface Finding {
  readonly id: string;
  /** A word of `FINDING_TYPES`, or what a person wrote instead. */
  readonly type: string;
  /** The part of the project that it is about, in a word of the team's own. */
  readonly scope: string;
  /** `path:line`, a path alone, or empty. */
  readonly where: string;
  readonly what: string;
  /** Who reported it: an agent, or a program such as `CI`. */
  readonly by: string;
  /** The whole cell; its first word is what counts (see {@link stateOf}). */
  readonly state: string;
}

/** A finding as it is reported. A missing or impossible id is made from what it says; its state is never the reporter's. */
export type NewFinding = Omit<Finding, "state">;

/** What the plugin writes as the first word of a state; a person may write any other. */
export type FindingState = "open" | "noted" | "started" | "claimed" | "done" | "blocked";

/** The columns of the table, in order. */
export const FINDING_COLUMNS = ["ID", "Type", "Scope", "Where", "What", "By", "State"] as const;

const ID = /^[a-z0-9][a-z0-9._-]{0,63}$/i;
const MAX_WHAT = 400;
const MAX_WHERE = 200;
const MAX_WORD = 40;

/** Whether a text can be a finding's id: 1 to 64 of letters, digits, `.`, `_` and `-`. */
export function isFindingId(text: string): boolean {
  return ID.test(text);
}

/** Ids are one whatever their case. */
export function isSameId(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** The first word of a state; `open` for an empty one, as in a row that a person added. */
export function stateOf({ state }: Pick<Finding, "state">): string {
  return /^[\p{L}\p{N}-]+/u.exec(state.trim())?.[0].toLowerCase() ?? "open";
}

/** The kind of work that begins from a finding; null for one that is only noted. */
export function workOf({ type }: Pick<Finding, "type">): "bug" | "quick-fix" | null {
  const known = readFindingType(type);
  return known === null ? null : FINDING_TYPES[known];
}

/** A report as a row: one line per cell, bounded, with a type that is known, and open unless its type is never begun. */
export function rowOf(given: NewFinding): Finding {
  const where = oneLine(given.where.replaceAll("\\", "/"), MAX_WHERE);
  const what = oneLine(given.what, MAX_WHAT);
  // What is not known begins nothing.
  const type = readFindingType(given.type) ?? "info";
  const id = isFindingId(given.id) ? given.id : `f-${sayingOf({ where, what })}`;
  const state: FindingState = FINDING_TYPES[type] === null ? "noted" : "open";
  return {
    id,
    type,
    scope: oneLine(given.scope, MAX_WORD),
    where,
    what,
    by: oneLine(given.by, MAX_WORD),
    state,
  };
}

/** A row's cells as a finding; cells that are missing count as empty. */
export function findingOfCells(cells: readonly string[]): Finding {
  const [id = "", type = "", scope = "", where = "", what = "", by = "", state = ""] = cells;
  return { id, type, scope, where, what, by, state };
}

/** The inverse of {@link findingOfCells}. */
export function cellsOfFinding({ id, type, scope, where, what, by, state }: Finding): string[] {
  return [id, type, scope, where, what, by, state];
}

/** Without what a terminal would obey. */
function oneLine(text: string, max: number): string {
  return excerpt(text.replaceAll(/\p{Cc}+/gu, " "), max);
}

/** The same of two that say the same of the same file, wherever its lines have gone. */
export function sayingOf({ where, what }: Pick<Finding, "where" | "what">): string {
  const words = what
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
  const path = where.replace(/:\d+(?::\d+)?$/, "");
  return createHash("sha256").update(`${path}\n${words}`).digest("hex").slice(0, 10);
}
