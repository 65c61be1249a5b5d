import type { DelegationResult } from "../../delegation/result.ts";
import { excerpt } from "../../lib/text.ts";
import { isRecord, listOf, numberOf, recordOf, textOf } from "../../lib/json.ts";
import { refuse, type Refusal } from "../../lib/error.ts";
import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import type { Offer } from "./questions.ts";

/** That many at once are brought up, and a single one below this confidence (SPEC: issue "The record", assumptions). */
const MANY = 3;
const UNSURE = 0.6;
/** In autopilot a single one below this is asked before the next wave of a run; in supervised mode each is. */
const GUESSED = 0.5;
const MAX_TEXT = 160;
const MAX_AGENT = 60;
const MAX_PENDING = 20;
/** As many tasks are remembered as having told theirs: a result may be collected again. */
const MAX_TASKS = 40;

/** By this header of a question it is known that it is about what was taken for granted. */
const HEADER = "Assumptions";
const ASK = `call question with header "${HEADER}" (the plugin fills in the rest)`;
const HOLDS = "It holds";
const DOES_NOT = "It does not";
const OPTIONS = [
  { label: HOLDS, description: "It becomes a decision." },
  { label: DOES_NOT, description: "GAIA works without it; say what is true instead, if you like." },
];

export interface Assumption {
  readonly text: string;
  readonly confidence: number;
  readonly agent: string;
}

/** Of which GAIA was told, the user saw a note, it was asked before a wave. */
type Pending = Assumption & Partial<Record<"isTold" | "isNoted" | "isAsked", true>>;

type FinishedTask = Pick<DelegationResult, "task_id" | "status" | "agent" | "parsed_json">;

const textsOf = (which: readonly Assumption[]): ReadonlySet<string> => new Set(which.map(({ text }) => text));

/** What specialists took for granted and the user has not confirmed; brought before the user whatever a model makes of it. */
export function createAssumptions(
  conversation: Pick<ConversationCore, "state" | "canQuestion" | "outbox" | "tell" | "remember">,
  hasQuestionTool: boolean,
) {
  const ask = hasQuestionTool ? ASK : "ask the user in your answer";
  const pending = conversation.remember<readonly Pending[]>("assumptions", []);
  /** The tasks that have told theirs. */
  const heard = conversation.remember<readonly string[]>("assumptions of", []);
  let isPaused = false;

  const mark = (which: readonly Assumption[], as: "isTold" | "isNoted" | "isAsked"): void => {
    const texts = textsOf(which);
    pending.now = pending.now.map((each) => (texts.has(each.text) ? { ...each, [as]: true } : each));
  };
  /** Collects from a finished delegation, each task once. @returns those that are to be brought up now, each once */
  const collect = (result: FinishedTask | Refusal): readonly Pending[] => {
    if (!("task_id" in result) || result.status === "running" || heard.now.includes(result.task_id))
      return [];
    heard.now = [...heard.now, result.task_id].slice(-MAX_TASKS);
    const known = new Set(["", ...pending.now.map(({ text }) => text)]);
    const fresh = readAssumptions(result.parsed_json, result.agent).filter(
      ({ text }) => known.size < known.add(text).size,
    );
    pending.now = [...pending.now, ...fresh].slice(0, MAX_PENDING);
    const unseen = pending.now.filter(({ isTold }) => !isTold);
    const isDue = unseen.length >= MANY || unseen.some(({ confidence }) => confidence < UNSURE);
    const due = isDue ? unseen : [];
    mark(due, "isTold");
    return due;
  };
  const note = (which: readonly Assumption[]): void => {
    const texts = textsOf(which);
    const fresh = pending.now.filter(({ isNoted, text }) => !isNoted && texts.has(text));
    if (fresh.length === 0) return;
    mark(fresh, "isNoted");
    const lines = fresh.map((each) => `- ${describeAssumption(each)}`);
    conversation.outbox.note(["Assumed, and not confirmed by you:", ...lines].join("\n"));
  };
  const settle = (texts: readonly string[]): void => {
    pending.now = pending.now.filter(({ text }) => !texts.includes(text));
  };
  /** What GAIA reads of them; on autopilot, and where nobody can answer, they are told to the user and hold nobody up. */
  const bringUp = async (due: readonly Pending[]): Promise<string> => {
    const isAlone = conversation.state.knobs.mode === "autopilot" || !(await conversation.canQuestion());
    if (isAlone) note(due);
    const next = isAlone
      ? "rest as little as you can on it, and name it in your report"
      : `before more is built on it ${ask}`;
    return `Not confirmed by the user, ${next}: ${describeAll(due)}`;
  };
  /** The user is about to be asked for something: what is not confirmed stands on the screen first. */
  const decisionWaits = (): void => {
    note(pending.now);
    if (pending.now.length > 0) mark(pending.now, "isTold");
  };

  return {
    pending: (): readonly Assumption[] => pending.now,
    collect,
    settle,
    decisionWaits,
    /** Asks in the plugin's words about the least sure ones, so that the answers stand in the record. @param room how many there is room for */
    offer(room: number): Offer[] {
      const asked = pending.now.toSorted((a, b) => a.confidence - b.confidence).slice(0, Math.max(0, room));
      if (asked.length === 0) return [];
      const questions = asked.map(({ agent, text }) => {
        const question = `Assumed by ${agent}: ${text}. Does that hold?`;
        return { header: HEADER, question, options: OPTIONS, multiple: false };
      });
      return [
        {
          header: HEADER,
          questions,
          async settle(answers) {
            const answered = asked
              .map(({ text }, at) => ({ text, words: (answers[at] ?? []).join(", ") }))
              .filter(({ words }) => words !== "");
            settle(answered.map(({ text }) => text));
            const wrong = answered
              .filter(({ words }) => words !== HOLDS)
              .map(({ text, words }) => (words === DOES_NOT ? text : `${text} (${words})`));
            if (wrong.length === 0) return "The user's answers are recorded; what holds is decided.";
            return `The user's answers are recorded. What does not hold must be put right before you go on: ${wrong.join("; ")}.`;
          },
        },
      ];
    },
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
      const due = pending.now.filter(
        ({ isAsked, confidence }) => !isAsked && (!isAutopilot || confidence < GUESSED),
      );
      if (due.length === 0 || !(await conversation.canQuestion())) return null;
      mark(due, "isAsked");
      mark(pending.now, "isTold");
      const reason = `Taken for granted, and not confirmed by the user: ${describeAll(due)}`;
      return refuse(reason, `Before the next wave ${ask}; then plan_gaia run goes on from there.`);
    },
    /** What GAIA is told of them when it meets the conversation again. */
    remind: (): string[] =>
      pending.now.length === 0 ? [] : [`not confirmed by the user, ${ask}: ${describeAll(pending.now)}`],
    heard() {
      const { pause } = conversation.state;
      const begins = pause !== null && pause.reason !== "abort" && !isPaused;
      isPaused = pause !== null;
      if (begins) decisionWaits();
    },
  } satisfies Part & Record<string, unknown>;
}

function readAssumptions(envelope: unknown, agent: string): Pending[] {
  return listOf(recordOf(envelope)["assumptions"])
    .filter(isRecord)
    .map(({ text, confidence }) => ({
      text: excerpt(textOf(text) ?? "", MAX_TEXT),
      confidence: numberOf(confidence) ?? 0,
      agent: excerpt(agent, MAX_AGENT),
    }));
}

export function describeAssumption({ text, confidence, agent }: Assumption): string {
  return `${text} (${agent}, ${confidence})`;
}

function describeAll(assumptions: readonly Assumption[]): string {
  return assumptions.map(describeAssumption).join("; ");
}
