import type { Amount } from "../lib/amount.ts";
import { listOf, numberOf, parseJson, recordOf, textOf } from "../lib/json.ts";
import type { AnswerEnd } from "./answers.ts";

export interface Place {
  /** The conversation's session, and the one that the request was sent in. */
  readonly root: string;
  readonly session: string;
  readonly agent: string;
  readonly model: string | null;
  /** null for work that belongs to no unit, yet. */
  readonly unit: string | null;
  readonly wave: string | null;
}

export interface TaskFile {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
}

/** What a specialist did for one delegation. */
export interface TaskEntry extends Place, AnswerEnd {
  readonly kind: "task";
  readonly at: number;
  readonly end: number;
  readonly title: string;
  /** The number of the plan's task; null for other work. */
  readonly task: number | null;
  readonly files: readonly TaskFile[];
}

/** A line of the journal. Times are milliseconds of the system's clock. */
export type SpendingEntry =
  /** A request, or the rest of one that was written down before its end. */
  | (Place & Amount & { readonly kind: "spent"; readonly at: number })
  /** The user let a budget be used up once more. */
  | { readonly kind: "grant"; readonly at: number; readonly scope: string; readonly seal: string }
  /** A unit came to its end with so many tasks of its plan; an archived one leaves its name to another. */
  | (Amount & {
      readonly kind: "end";
      readonly at: number;
      readonly unit: string;
      readonly tasks: number;
      readonly archived: string | null;
      readonly seal: string;
    })
  | TaskEntry;

/** What only this user's plugin can seal for this project: by what is not sealed a budget becomes no looser. */
export function sealedText(entry: Extract<SpendingEntry, { seal: string }>, project: string): string {
  const about = entry.kind === "grant" ? [entry.scope] : [entry.unit, entry.archived];
  return JSON.stringify(["spending", project, entry.kind, entry.at, ...about]);
}

/** Reads a line; null for one that is none. The file may be damaged or come with a project: no figure is below zero. */
export function parseEntry(line: string): SpendingEntry | null {
  const raw = recordOf(parseJson(line));
  const text = (name: string): string => textOf(raw[name]) ?? "";
  const number = (name: string): number => Math.max(0, numberOf(raw[name]) ?? 0);
  const kind = raw["kind"];
  const at = number("at");
  const amount = {
    requests: number("requests"),
    input: number("input"),
    output: number("output"),
    cached: number("cached"),
    cost: number("cost"),
  };
  const place = {
    root: text("root"),
    session: text("session"),
    agent: text("agent"),
    model: textOf(raw["model"]) ?? null,
    unit: textOf(raw["unit"]) ?? null,
    wave: textOf(raw["wave"]) ?? null,
  };
  const seal = text("seal");
  if (kind === "spent") return { kind, at, ...place, ...amount };
  if (kind === "grant") return { kind, at, scope: text("scope"), seal };
  if (kind === "end") {
    const archived = textOf(raw["archived"]) ?? null;
    return { kind, at, unit: text("unit"), tasks: number("tasks"), archived, ...amount, seal };
  }
  if (kind !== "task") return null;
  const files = listOf(raw["files"]).map((each) => {
    const { path, added, removed } = recordOf(each);
    return { path: textOf(path) ?? "", added: numberOf(added) ?? 0, removed: numberOf(removed) ?? 0 };
  });
  const task = numberOf(raw["task"]) ?? null;
  return {
    kind,
    at,
    end: number("end"),
    ...place,
    title: text("title"),
    status: text("status"),
    verdict: text("verdict"),
    isRepaired: raw["isRepaired"] === true,
    task,
    files,
  };
}
