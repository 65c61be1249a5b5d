import type { DelegationResult } from "../../delegation/result.ts";
import type { Refusal } from "../../lib/refusal.ts";
import { excerpt } from "../../lib/excerpt.ts";
import { isRecord, listOf, numberOf, recordOf, textOf } from "../../lib/json.ts";
import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";

/** That many at once are brought up, and a single one below this confidence (SPEC: issue "The record", assumptions). */
const MANY = 3;
const UNSURE = 0.6;
/** After that many finished delegations those that nobody confirmed are brought up again, however sure they are. */
const MANY_DELEGATIONS = 10;
const MAX_TEXT = 160;
const MAX_AGENT = 60;
const MAX_PENDING = 20;
/** As many tasks are remembered as having told theirs: a result may be collected again. */
const MAX_TASKS = 60;

/** Something that a specialist took for granted. */
export interface Assumption {
  readonly text: string;
  /** From 0 to 1. */
  readonly confidence: number;
  readonly agent: string;
}

/** What is read of a delegation's result. */
export type FinishedTask = Pick<DelegationResult, "task_id" | "status" | "agent" | "parsed_json">;

/** The assumptions of a conversation that the user has not confirmed yet, over a restart as well. */
export interface Assumptions extends Part {
  /**
   * Collects from a finished delegation, each task once.
   * @returns those that are to be brought up now, each once; mostly none
   */
  collect(result: FinishedTask | Refusal): readonly Assumption[];
  pending(): readonly Assumption[];
  /** The user sees all of them now, so that none is brought up for being new. */
  shown(): void;
  /** The user said whether these hold, and they are pending no more. */
  settle(texts: readonly string[]): void;
}

export function createAssumptions({ keep }: Pick<ConversationCore, "keep">): Assumptions {
  let pending: readonly Assumption[] = [];
  /** How many of them, from the front, GAIA has been told of. */
  let surfaced = 0;
  /** Finished delegations since some were brought up last. */
  let finished = 0;
  const tasks = new Set<string>();

  const takeDue = (): readonly Assumption[] => {
    const unseen = pending.slice(surfaced);
    const isNew = unseen.length >= MANY || unseen.some(({ confidence }) => confidence < UNSURE);
    if (!isNew && finished < MANY_DELEGATIONS) return [];
    const due = isNew ? unseen : pending;
    surfaced = pending.length;
    finished = 0;
    return due;
  };

  return {
    collect(result) {
      if (!("task_id" in result) || result.status === "running") return [];
      if (tasks.has(result.task_id)) return [];
      tasks.add(result.task_id);
      finished += 1;
      const known = new Set(pending.map(({ text }) => text));
      const fresh = readAssumptions(result.parsed_json, result.agent).filter(
        ({ text }) => text !== "" && !known.has(text) && known.add(text),
      );
      pending = [...pending, ...fresh].slice(0, MAX_PENDING);
      const due = takeDue();
      if (pending.length > 0) keep();
      return due;
    },
    shown() {
      surfaced = pending.length;
      keep();
    },
    pending: () => pending,
    settle(texts) {
      const isMeant = ({ text }: Assumption): boolean => texts.includes(text);
      surfaced = pending.slice(0, surfaced).filter((each) => !isMeant(each)).length;
      pending = pending.filter((each) => !isMeant(each));
      keep();
    },
    snapshot: () =>
      tasks.size === 0 ? undefined : { pending, surfaced, finished, tasks: [...tasks].slice(-MAX_TASKS) },
    restore(saved) {
      const kept = recordOf(saved);
      pending = listOf(kept["pending"]).slice(0, MAX_PENDING).map(readAssumption);
      surfaced = Math.max(0, Math.min(numberOf(kept["surfaced"]) ?? 0, pending.length));
      finished = numberOf(kept["finished"]) ?? 0;
      for (const task of listOf(kept["tasks"])) if (typeof task === "string") tasks.add(task);
    },
  };
}

function readAssumptions(envelope: unknown, agent: string): Assumption[] {
  return listOf(recordOf(envelope)["assumptions"])
    .filter(isRecord)
    .map((each) => readAssumption({ ...each, agent }));
}

function readAssumption(raw: unknown): Assumption {
  const { text, confidence, agent } = recordOf(raw);
  return {
    text: excerpt(textOf(text) ?? "", MAX_TEXT),
    confidence: numberOf(confidence) ?? 0,
    agent: excerpt(textOf(agent) ?? "", MAX_AGENT),
  };
}
