import { isRecord, numberOf, parseJson, recordOf, textOf } from "../../lib/json.ts";

/** Entries of so many findings; the oldest go first. */
const MAX_HOLDS = 1_000;

/** Which conversation works on a finding, where this checkout alone can know it. */
export interface FindingHold {
  /** The conversation's session. */
  readonly session: string;
  /** The work unit that was begun for it. */
  readonly unit: string | null;
  /** The process in which the conversation is open; its id means something on `host` only. */
  readonly pid: number;
  readonly host: string;
  /** The last sign of work on it, in epoch milliseconds. */
  readonly at: number;
  /** The finding's state as the plugin wrote it last: where the row says anything else, a person has. */
  readonly state: string;
  /** Another conversation gave the finding back; the one that held it may go on with it. */
  readonly isLeft: boolean;
}

/** By ids of findings in lower case. */
export type FindingHolds = ReadonlyMap<string, FindingHold>;

/** What cannot be read counts as not there: nobody but the plugin writes it. */
export function parseHolds(text: string | null): FindingHolds {
  const found = Object.entries(recordOf(parseJson(text ?? ""))).flatMap(([id, value]) => {
    if (!isRecord(value)) return [];
    const [session, host, state] = [textOf(value["session"]), textOf(value["host"]), textOf(value["state"])];
    const [pid, at] = [numberOf(value["pid"]), numberOf(value["at"])];
    if (session === undefined || host === undefined || state === undefined) return [];
    if (pid === undefined || at === undefined) return [];
    const unit = textOf(value["unit"]) ?? null;
    return [[id, { session, unit, pid, host, at, state, isLeft: value["isLeft"] === true }] as const];
  });
  return new Map(found);
}

/** The entries with this one, or without it for null, as text. */
export function renderHold(holds: FindingHolds, id: string, hold: FindingHold | null): string {
  const key = id.toLowerCase();
  const others = [...holds].filter(([each]) => each !== key);
  const next = hold === null ? others : [...others, [key, hold] as const].slice(-MAX_HOLDS);
  return `${JSON.stringify(Object.fromEntries(next), null, 1)}\n`;
}

/** Whether nobody has touched the entry since it was read. */
export function isSameHold(one: FindingHold | undefined, other: FindingHold | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
