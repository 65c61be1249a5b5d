import { createHash } from "node:crypto";
import { FINDING_TYPES, readFindingType } from "../../config/findings.ts";
import { excerpt, wordsIn } from "../../lib/text.ts";
import { refuseChange, type Updated, defineTable } from "./table.ts";

const table = defineTable({
  id: "ID",
  type: "Type",
  scope: "Scope",
  where: "Where",
  what: "What",
  by: "By",
  state: "State",
});

/** One row of `findings.md`. Empty means unknown; `where` is `path:line` or a path; of `state` the first word counts. */
export type Finding = ReturnType<typeof table.entryOf>;

/** A finding as it is reported. A missing or impossible id is made from what it says; its state is never the reporter's. */
export type NewFinding = Omit<Finding, "state">;

/** What the plugin writes as the first word of a state; a person may write any other. */
export type FindingState = "open" | "noted" | "started" | "claimed" | "done" | "blocked";

/** `known`: what was there already, under its id or in other words for the same. `taken`: whose id another one has. */
type FindingCounts = Readonly<Record<"added" | "known" | "taken", readonly Finding[]>>;

export interface StateChange {
  readonly id: string;
  /** Only a finding in one of these states is changed; a text is the whole cell, as it was written before. */
  readonly was: string | readonly FindingState[];
  readonly state: string;
}

/** 1 to 64 of letters, digits, `.`, `_` and `-`. */
const ID = /^[a-z0-9][a-z0-9._-]{0,63}$/i;
const MAX_WHAT = 400;
const MAX_WHERE = 200;
const MAX_WORD = 40;
/** More rows than these nobody reads, and further reports are refused. */
const MAX_ROWS = 1_000;

/** The first word of a state; `open` for an empty one, as in a row that a person added. */
export function stateOf({ state }: Pick<Finding, "state">): string {
  return /^[\p{L}\p{N}-]+/u.exec(state.trim())?.[0].toLowerCase() ?? "open";
}

/** The kind of work that begins from a finding; null for one that is only noted. */
export function workOf({ type }: Pick<Finding, "type">): "bug" | "quick-fix" | null {
  const known = readFindingType(type);
  return known === null ? null : FINDING_TYPES[known];
}

/** Every finding of a file, in order, with its one-based line; the first row of an id counts. */
export function parseFindings(text: string): ReturnType<typeof table.parse> {
  const read = table.parse(text);
  return read.ok ? { ...read, rows: firstOf(read.rows) } : read;
}

/** Adds what is not there yet, each once. A row that is there is left as it is, whatever a report says of its id. */
export function addFindings(text: string, given: readonly NewFinding[]): Updated<FindingCounts> {
  return table.change(text, (rows, document) => {
    const standing = firstOf(rows);
    const named = new Map<string, Finding>(standing.map((each) => [each.id.toLowerCase(), each]));
    const said = new Map<string, Finding>(standing.toReversed().map((each) => [findingText(each), each]));
    const counts = { added: [] as Finding[], known: [] as Finding[], taken: [] as Finding[] };
    for (const finding of given.map(rowOf)) {
      const [id, saying] = [finding.id.toLowerCase(), findingText(finding)];
      const other = named.get(id);
      // Of one reporter, an id is the same finding in whatever words; of another, its words are not taken for it.
      const repeated = other?.by === finding.by ? other : said.get(saying);
      if (repeated !== undefined) counts.known.push(repeated);
      else if (other !== undefined) counts.taken.push(other);
      else {
        counts.added.push(finding);
        named.set(id, finding);
        said.set(saying, finding);
      }
    }
    if (standing.length + counts.added.length > MAX_ROWS)
      return refuseChange(
        `there are ${standing.length} findings already.`,
        "Take out those that are settled.",
      );
    return [table.append(document, counts.added), counts];
  });
}

/** Writes a state where it is still what the writer knows: of two only one begins, and a person's word stands. */
export function changeState(
  text: string,
  { id, was, state }: StateChange,
): Updated<{ readonly changed: boolean; readonly finding: Finding }> {
  return table.change<{ changed: boolean; finding: Finding }>(text, (rows, document) => {
    const row = rows.find((each) => each.id.toLowerCase() === id.toLowerCase());
    if (row === undefined) return refuseChange(`there is no finding "${id}".`, "/gaia-findings lists them.");
    const { line, ...finding } = row;
    if (stateOf({ state }) === "started" && workOf(finding) === null)
      return refuseChange(
        `${finding.id} is only noted.`,
        `Its type, ${finding.type || "none"}, begins no work.`,
        line - 1,
      );
    const fits =
      typeof was === "string" ? finding.state === was : was.some((each) => each === stateOf(finding));
    if (!fits) return [document, { changed: false, finding }];
    const next = { ...finding, state };
    return [table.replace(document, line, next), { changed: true, finding: next }];
  });
}

/** A report as a row: one line per cell, bounded, with a type that is known, and open unless its type is never begun. */
export function rowOf(given: NewFinding): Finding {
  const where = oneLine(given.where.replaceAll("\\", "/"), MAX_WHERE);
  const what = oneLine(given.what, MAX_WHAT);
  const type = readFindingType(given.type) ?? "info";
  const id = ID.test(given.id) ? given.id : `f-${findingText({ where, what })}`;
  const state: FindingState = FINDING_TYPES[type] === null ? "noted" : "open";
  const [scope, by] = [oneLine(given.scope, MAX_WORD), oneLine(given.by, MAX_WORD)];
  return { id, type, scope, where, what, by, state };
}

/** Those with an id, the first of each. */
function firstOf<T extends Finding>(rows: readonly T[]): T[] {
  const named = new Set([""]);
  return rows.filter(({ id }) => named.size < named.add(id.toLowerCase()).size);
}

function oneLine(text: string, max: number): string {
  return excerpt(text.replaceAll(/\p{Cc}+/gu, " "), max);
}

/** The same of two that say the same of the same file, wherever its lines have gone. */
export function findingText({ where, what }: Pick<Finding, "where" | "what">): string {
  const path = where.replace(/:\d+(?::\d+)?$/, "");
  const words = wordsIn(what).join(" ");
  return createHash("sha256").update(`${path}\n${words}`).digest("hex").slice(0, 10);
}
