import { randomUUID } from "node:crypto";
import type { HostEvent } from "../host/port.ts";
import { NO_AMOUNT, withoutAmount, type Amount } from "../lib/figures.ts";
import { bounded, type Clock, shared } from "../lib/async.ts";
import { describeError, type Logger } from "../lib/error.ts";
import type { Journal } from "../record/store.ts";
import { hasBudget, reachedBudget, type Budgets, type Charged, type Reached } from "./budget.ts";
import { parseEntry, type SpendingEntry, type Place } from "./entry.ts";
import { createTotals, SCOPES } from "./totals.ts";

/** How long reading what was spent may take, in milliseconds. */
const LIMIT_MS = 5_000;
/** Messages of which is remembered what was written down; and entries that wait for a folder. */
const MAX_MESSAGES = 2_000;

export interface LedgerInput {
  readonly journal: Journal;
  readonly budgets: Budgets;
  /** Waits; the time of day dates the entries. */
  readonly clock: Clock;
  readonly timeOfDay: Clock;
  readonly logger: Logger;
  /** Where a session's requests belong; null for sessions that are not GAIA's. */
  placeOf(sessionId: string): Place | null;
}

/**
 * What GAIA's conversations have spent, all their specialists included, by the host's own figures: kept in the user's own data, which
 * no project brings along and no agent writes, over restarts and for all processes, so that no budget begins again.
 */
export type SpendingLedger = ReturnType<typeof createLedger>;

export function createLedger(input: LedgerInput) {
  const { journal, budgets, clock, timeOfDay, logger, placeOf } = input;
  const by = randomUUID();
  const isBound = hasBudget(budgets);
  const totals = createTotals();
  const begun = new Set<string>();
  const counted = new Map<string, Amount>();
  let waiting: string[] = [];
  let writing: Promise<void> = Promise.resolve();
  /** Why nothing is known of what was spent before; null where it is. */
  let unread: string | null = isBound ? "nothing was read yet" : null;

  const take = (line: string): void => {
    // What this process wrote it has counted already.
    if (line.includes(by)) return;
    const entry = parseEntry(line);
    if (entry !== null) totals.add(entry);
  };
  const refresh = shared(async (): Promise<void> => {
    try {
      await writing;
      for (const line of await bounded(journal.read(), LIMIT_MS, clock, "what was spent")) take(line);
      unread = null;
    } catch (error) {
      unread = isBound ? describeError(error) : null;
      logger.log("warn", "spending", `What was spent cannot be read: ${describeError(error)}`);
    }
  });
  const flush = async (): Promise<void> => {
    const lines = waiting;
    if (lines.length === 0) return;
    try {
      await journal.append(lines);
      waiting = waiting.slice(lines.length);
    } catch (error) {
      logger.log("warn", "spending", `What was spent cannot be written: ${describeError(error)}`);
    }
  };
  const add = (entry: SpendingEntry): void => {
    totals.add(entry);
    waiting = [...waiting, JSON.stringify({ ...entry, by })].slice(-MAX_MESSAGES);
    writing = writing.then(flush);
  };
  const count = ({ sessionId, messageId, tokens, cost }: Extract<HostEvent, { cost: number }>): void => {
    const place = begun.has(messageId) ? placeOf(sessionId) : null;
    if (place === null) return;
    const before = counted.get(messageId) ?? NO_AMOUNT;
    const now = { requests: 1, ...tokens, cost };
    counted.set(messageId, now);
    const [oldest] = counted.keys();
    if (counted.size > MAX_MESSAGES && oldest !== undefined) counted.delete(oldest);
    const rest = withoutAmount(now, before);
    if (Object.values(rest).some((figure) => figure !== 0))
      add({ kind: "spent", at: timeOfDay.now(), ...place, ...rest });
  };

  const charged = ({ session, root, unit }: Place): Charged[] => {
    const of = (key: Charged["key"], scope: string, what: string): Charged => ({
      key,
      scope,
      what,
      amount: totals.of(scope),
      grants: totals.grantsOf(scope),
    });
    return [
      ...(session === root ? [] : [of("perTask", SCOPES.task(session), "this task")]),
      of("perUnit", SCOPES.unit({ unit, root }), unit === null ? "this work" : `the unit ${unit}`),
      of("perDay", SCOPES.day(timeOfDay.now()), "today"),
    ];
  };

  return {
    totals,
    isBound,
    /** Takes in what other processes, and earlier ones, have spent. Never rejects. */
    refresh,
    observe(event: HostEvent): void {
      if (event.type === "message.started") {
        // A fork begins with messages that were paid for elsewhere, and never began in it.
        if (placeOf(event.sessionId) === null) return;
        if (begun.size === 0) void refresh();
        begun.add(event.messageId);
        const [oldest = ""] = begun;
        if (begun.size > MAX_MESSAGES) begun.delete(oldest);
      }
      if (event.type === "message.finished") count(event);
    },
    /** The budget that keeps a session from sending anything more; null when none does. */
    reached(sessionId: string): Reached | null {
      const place = isBound ? placeOf(sessionId) : null;
      if (place === null) return null;
      if (unread !== null) return { scope: null, why: `what was spent is not known: ${unread}` };
      return reachedBudget(charged(place), budgets);
    },
    /** The user lets this budget be used up once more. To be called for their own word only. */
    grant(scope: string): void {
      add({ kind: "grant", at: timeOfDay.now(), scope });
    },
    /** A unit was archived. @param archived where its folder went */
    end(unit: string, archived: string): void {
      add({ kind: "end", at: timeOfDay.now(), unit, archived });
    },
    note: add,
    async settled(): Promise<void> {
      await writing;
    },
  };
}
