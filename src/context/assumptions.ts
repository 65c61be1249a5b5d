import type { DelegationResult, Refusal } from "../delegation/result.ts";
import { excerpt } from "../lib/excerpt.ts";
import { isRecord, numberOf, recordOf, textOf } from "../lib/json.ts";
import type { DecisionInput } from "../workspace/documents/decision.ts";

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
  /** Collects from a finished delegation, each task once, and adds a line to its result when it is time to ask. */
  annotate<T extends DelegationResult | Refusal>(rootId: string, result: T): T;
  pending(rootId: string): readonly Assumption[];
  /**
   * A human agreed: these are decided, and pending no more.
   * @param texts which ones; all when left out
   * @returns the rows for the unit's decisions
   */
  confirm(rootId: string, texts?: readonly string[]): DecisionInput[];
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
    annotate(rootId, result) {
      if (!("task_id" in result) || result.status === "running") return result;
      const reported = readAssumptions(result.parsed_json, result.agent);
      const ledger = ledgerOf(rootId);
      if (reported.length === 0 || ledger.tasks.has(result.task_id)) return result;
      ledger.tasks.add(result.task_id);
      const known = new Set(ledger.pending.map(({ text }) => text));
      const fresh = reported.filter(({ text }) => text !== "" && !known.has(text) && known.add(text));
      ledger.pending = [...ledger.pending, ...fresh].slice(0, MAX_PENDING);
      const unseen = ledger.pending.slice(ledger.surfaced);
      if (unseen.length < MANY && !unseen.some(({ confidence }) => confidence < UNSURE)) return result;
      ledger.surfaced = ledger.pending.length;
      return { ...result, assumptions: renderQuestion(unseen) };
    },
    pending: (rootId) => ledgers.get(rootId)?.pending ?? [],
    confirm(rootId, texts) {
      const ledger = ledgerOf(rootId);
      const isMeant = ({ text }: Assumption): boolean => texts === undefined || texts.includes(text);
      const confirmed = ledger.pending.filter(isMeant);
      const seen = ledger.pending.slice(0, ledger.surfaced).filter((each) => !isMeant(each));
      ledger.pending = ledger.pending.filter((each) => !isMeant(each));
      ledger.surfaced = seen.length;
      return confirmed.map(({ text, agent }) => ({
        question: `Assumed by ${agent}: ${text}`,
        choice: "confirmed",
      }));
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

function renderQuestion(assumptions: readonly Assumption[]): string {
  const list = assumptions.map(({ text, confidence, agent }) => `${text} (${agent}, ${confidence})`);
  return `Not confirmed by the user, ask before more is built on it: ${list.join("; ")}`;
}
