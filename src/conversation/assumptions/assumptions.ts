import type { DelegationResult } from "../../delegation/result.ts";
import type { Refusal } from "../../lib/refusal.ts";
import { excerpt } from "../../lib/excerpt.ts";
import { isRecord, numberOf, recordOf, textOf } from "../../lib/json.ts";

/** That many at once are brought up, and a single one below this confidence (SPEC: issue "The record", assumptions). */
const MANY = 3;
const UNSURE = 0.6;
const MAX_TEXT = 160;
const MAX_PENDING = 30;

/** Something that a specialist took for granted. */
export interface Assumption {
  readonly text: string;
  /** From 0 to 1. */
  readonly confidence: number;
  readonly agent: string;
}

/** The assumptions of each conversation that no human has confirmed yet; in memory only. */
export interface Assumptions {
  /**
   * Collects from a finished delegation, each task once.
   * @returns those that are to be brought up now, each once; mostly none
   */
  collect(rootId: string, result: DelegationResult | Refusal): readonly Assumption[];
  pending(rootId: string): readonly Assumption[];
  /** A human said whether these hold, and they are pending no more. */
  settle(rootId: string, texts: readonly string[]): void;
  forget(rootId: string): void;
}

interface Ledger {
  pending: readonly Assumption[];
  /** How many of them, from the front, GAIA has been told of. */
  surfaced: number;
  readonly tasks: Set<string>;
}

export function createAssumptions(): Assumptions {
  const ledgers = new Map<string, Ledger>();
  const ledgerOf = (rootId: string): Ledger => {
    const ledger = ledgers.get(rootId) ?? { pending: [], surfaced: 0, tasks: new Set() };
    ledgers.set(rootId, ledger);
    return ledger;
  };

  return {
    collect(rootId, result) {
      if (!("task_id" in result) || result.status === "running") return [];
      const reported = readAssumptions(result.parsed_json, result.agent);
      const ledger = ledgerOf(rootId);
      if (reported.length === 0 || ledger.tasks.has(result.task_id)) return [];
      ledger.tasks.add(result.task_id);
      const known = new Set(ledger.pending.map(({ text }) => text));
      const fresh = reported.filter(({ text }) => text !== "" && !known.has(text) && known.add(text));
      ledger.pending = [...ledger.pending, ...fresh].slice(0, MAX_PENDING);
      const unseen = ledger.pending.slice(ledger.surfaced);
      if (unseen.length < MANY && !unseen.some(({ confidence }) => confidence < UNSURE)) return [];
      ledger.surfaced = ledger.pending.length;
      return unseen;
    },
    pending: (rootId) => ledgers.get(rootId)?.pending ?? [],
    settle(rootId, texts) {
      const ledger = ledgerOf(rootId);
      const isMeant = ({ text }: Assumption): boolean => texts.includes(text);
      const seen = ledger.pending.slice(0, ledger.surfaced).filter((each) => !isMeant(each));
      ledger.pending = ledger.pending.filter((each) => !isMeant(each));
      ledger.surfaced = seen.length;
    },
    forget(rootId) {
      ledgers.delete(rootId);
    },
  };
}

function readAssumptions(envelope: unknown, agent: string): Assumption[] {
  const reported = recordOf(envelope)["assumptions"];
  return (Array.isArray(reported) ? reported.filter(isRecord) : []).map((each) => ({
    text: excerpt(textOf(each["text"]) ?? "", MAX_TEXT),
    confidence: numberOf(each["confidence"]) ?? 0,
    agent,
  }));
}
