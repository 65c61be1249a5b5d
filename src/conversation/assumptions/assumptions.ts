import type { Offer, AskedQuestion, Offers } from "../questions/offers.ts";
import type { DelegationResult } from "../../delegation/result.ts";
import { refuse, type Refusal } from "../../lib/refusal.ts";
import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import { excerpt } from "../../lib/excerpt.ts";
import { isRecord, listOf, numberOf, recordOf, textOf } from "../../lib/json.ts";

/** That many at once are brought up, and a single one below this confidence (SPEC: issue "The record", assumptions). */
const MANY = 3;
const UNSURE = 0.6;
/** In autopilot a single one below this is asked before the next wave of a run; in supervised mode each is. */
const GUESSED = 0.5;
/** After that many finished delegations those that nobody confirmed are brought up again, however sure they are. */
const MANY_DELEGATIONS = 10;
const MAX_TEXT = 160;
const MAX_AGENT = 60;
const MAX_PENDING = 20;
/** As many tasks are remembered as having told theirs: a result may be collected again. */
const MAX_TASKS = 60;

export interface Assumption {
  readonly text: string;
  readonly confidence: number;
  readonly agent: string;
}

type FinishedTask = Pick<DelegationResult, "task_id" | "status" | "agent" | "parsed_json">;

export type Assumptions = ReturnType<typeof createAssumptions>;

/** What specialists took for granted and the user has not confirmed; brought before the user whatever a model makes of it. */
export function createAssumptions(
  conversation: Pick<ConversationCore, "state" | "canAsk" | "outbox" | "tell" | "keep">,
  offers: Pick<Offers, "put" | "tie">,
) {
  let pending: readonly Assumption[] = [];
  /** How many of them, from the front, GAIA has been told of. */
  let surfaced = 0;
  /** Finished delegations since some were brought up last. */
  let finished = 0;
  const tasks = new Set<string>();
  const noted = new Set<string>();
  const asked = new Set<string>();
  let isPaused = false;

  const takeDue = (): readonly Assumption[] => {
    const unseen = pending.slice(surfaced);
    const isNew = unseen.length >= MANY || unseen.some(({ confidence }) => confidence < UNSURE);
    if (!isNew && finished < MANY_DELEGATIONS) return [];
    const due = isNew ? unseen : pending;
    surfaced = pending.length;
    finished = 0;
    return due;
  };
  /** Collects from a finished delegation, each task once. @returns those that are to be brought up now, each once */
  const collect = (result: FinishedTask | Refusal): readonly Assumption[] => {
    if (!("task_id" in result) || result.status === "running" || tasks.has(result.task_id)) return [];
    tasks.add(result.task_id);
    finished += 1;
    const known = new Set(pending.map(({ text }) => text));
    const fresh = readAssumptions(result.parsed_json, result.agent).filter(
      ({ text }) => text !== "" && !known.has(text) && known.add(text),
    );
    pending = [...pending, ...fresh].slice(0, MAX_PENDING);
    const due = takeDue();
    if (pending.length > 0) conversation.keep();
    return due;
  };
  const settle = (texts: readonly string[]): void => {
    const isMeant = ({ text }: Assumption): boolean => texts.includes(text);
    surfaced = pending.slice(0, surfaced).filter((each) => !isMeant(each)).length;
    pending = pending.filter((each) => !isMeant(each));
    conversation.keep();
  };
  const note = (all: readonly Assumption[]): void => {
    const fresh = all.filter(({ text }) => !noted.has(text));
    if (fresh.length === 0) return;
    for (const { text } of fresh) noted.add(text);
    const lines = fresh.map((each) => `- ${describeAssumption(each)}`);
    conversation.outbox.note(["Assumed, and not confirmed by you:", ...lines].join("\n"));
  };
  const offer = (): void => offers.put(assumptionsOffer(pending, settle));
  /** The user sees all of them now, so that none is brought up for being new. */
  const show = (): void => {
    surfaced = pending.length;
    conversation.keep();
    offer();
  };
  /** What GAIA reads of them; on autopilot, and where nobody can answer, they are told to the user and hold nobody up. */
  const bringUp = async (due: readonly Assumption[]): Promise<string> => {
    const isAlone = conversation.state.knobs.mode === "autopilot" || !(await conversation.canAsk());
    if (isAlone) note(due);
    else offer();
    const next = isAlone
      ? "rest as little as you can on it, and name it in your report"
      : `before more is built on it ${ASK}`;
    return `Not confirmed by the user, ${next}: ${describeAll(due)}`;
  };
  /** The user is about to be asked for something: what is not confirmed stands on the screen first. */
  const decisionWaits = (): void => {
    if (pending.length === 0) return;
    note(pending);
    show();
  };

  return {
    pending: (): readonly Assumption[] => pending,
    collect,
    settle,
    decisionWaits,
    /** A delegation's result as GAIA gets it, with the assumptions that are due after it. */
    async withResult<T extends DelegationResult | Refusal>(result: T): Promise<T> {
      const due = collect(result);
      return due.length === 0 ? result : { ...result, assumptions: await bringUp(due) };
    },
    delegationFinished({ id, agent, background, outcome }) {
      // The result of any other is given back by the call that waits for it.
      if (!background || outcome === null) return;
      const due = collect({ task_id: id, agent, status: "completed", parsed_json: outcome.envelope });
      if (due.length > 0) void bringUp(due).then(conversation.tell);
    },
    /** What is to be asked before the next wave of a run begins, each once, and how; null for nothing, or where nobody answers. */
    async beforeWave(): Promise<Refusal | null> {
      const isAutopilot = conversation.state.knobs.mode === "autopilot";
      const due = pending.filter(
        ({ text, confidence }) => !asked.has(text) && (!isAutopilot || confidence < GUESSED),
      );
      if (due.length === 0 || (await conversation.canAsk()) !== true) return null;
      for (const { text } of due) asked.add(text);
      show();
      const reason = `Taken for granted, and not confirmed by the user: ${describeAll(due)}`;
      return refuse(reason, `Before the next wave ${ASK}; then plan_gaia run goes on from there.`);
    },
    heard() {
      const { pause } = conversation.state;
      const begins = pause !== null && pause.reason !== "abort" && !isPaused;
      isPaused = pause !== null;
      if (begins) decisionWaits();
    },
    join(callId: string, questions: readonly AskedQuestion[]): readonly AskedQuestion[] | null {
      const room = MAX_QUESTIONS - questions.length;
      if (room <= 0 || pending.length === 0) return null;
      const behind = assumptionsOffer(pending, settle, room);
      offers.tie(callId, behind, questions.length);
      return [...questions, ...behind.questions];
    },
    /** What GAIA is told of them when it meets the conversation again. */
    remind(): string[] {
      if (pending.length === 0) return [];
      offer();
      return [`not confirmed by the user, ${ASK}: ${describeAll(pending)}`];
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
  } satisfies Part & Record<string, unknown>;
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

/** By this header of a question it is known that it is about what was taken for granted. */
const ASSUMPTIONS_HEADER = "Assumptions";
const ASK = `call question with header "${ASSUMPTIONS_HEADER}" (the plugin fills in the rest)`;
const HOLDS = "It holds";
const DOES_NOT = "It does not";
/** As many as one question of OpenCode's shows well; the least sure ones first. */
const MAX_QUESTIONS = 4;

export function describeAssumption({ text, confidence, agent }: Assumption): string {
  return `${text} (${agent}, ${confidence})`;
}

function describeAll(assumptions: readonly Assumption[]): string {
  return assumptions.map(describeAssumption).join("; ");
}

/** Asks in the plugin's words, so that the answers stand in the record. @param room how many questions there is room for */
function assumptionsOffer(
  pending: readonly Assumption[],
  settle: (texts: readonly string[]) => void,
  room = MAX_QUESTIONS,
): Offer {
  const asked = pending.toSorted((a, b) => a.confidence - b.confidence).slice(0, room);
  const questions = asked.map(({ text, agent }) => ({
    header: ASSUMPTIONS_HEADER,
    question: `Assumed by ${agent}: ${text}. Does that hold?`,
    options: [
      { label: HOLDS, description: "It becomes a decision." },
      { label: DOES_NOT, description: "GAIA works without it; say what is true instead, if you like." },
    ],
    multiple: false,
  }));
  return {
    header: ASSUMPTIONS_HEADER,
    questions,
    async settle(answers) {
      const answered = asked.flatMap((each, at) => {
        const words = (answers[at] ?? []).join(", ");
        return words === "" ? [] : [{ ...each, words }];
      });
      settle(answered.map(({ text }) => text));
      const wrong = answered.filter(({ words }) => words !== HOLDS);
      if (wrong.length === 0) return "The user's answers are recorded; what holds is decided.";
      return `The user's answers are recorded. What does not hold must be put right before you go on: ${wrong.map(describe).join("; ")}.`;
    },
  };
}

function describe({ text, words }: Assumption & { words: string }): string {
  return words === DOES_NOT ? text : `${text} (${words})`;
}
