import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FailureReason, HostEvent } from "../../../src/host/port.ts";
import {
  decideNext,
  dueAt,
  NO_TURN,
  reduceTurn,
  type TurnFacts,
  type Next,
  type TurnState,
  type TurnContext,
  type TurnEvent,
  type TurnStep,
} from "../../../src/conversation/turns/machine.ts";
import { keyed } from "../../support/fake-host.ts";

const sessionId = "root";
const tokens = { input: 0, output: 0, cached: 0 };
const host = (event: HostEvent): TurnEvent => ({ type: "host", event });
const BUSY = host({ type: "session.status", sessionId, status: "busy" });
const IDLE = host({ type: "session.status", sessionId, status: "idle" });
const finished = (isAnswer: boolean): TurnEvent =>
  host({ type: "message.finished", sessionId, messageId: "m", isAnswer, tokens, cost: 0 });
const said = (text: string): TurnEvent =>
  host({ type: "text.finished", sessionId, messageId: "m", partId: "p", text });
const tool = (status: string, call = "c", name = "delegate_gaia"): TurnEvent =>
  host({
    type: "tool.activity",
    sessionId,
    messageId: "m",
    partId: "p",
    callId: keyed(call),
    tool: name,
    kind: "other",
    status,
    title: "",
  });
const failed = (reason: FailureReason): TurnEvent =>
  host({ type: "session.error", sessionId, failure: { reason, message: "", promptSaved: true } });
const ABORTED = failed("aborted");
const retry = (nextAt: number): TurnEvent =>
  host({ type: "session.retry", sessionId, attempt: 1, message: "429", nextAt });
const todos = (open: number): TurnEvent => host({ type: "todos.updated", sessionId, open });
const MESSAGE: TurnEvent = { type: "spoke", how: "message" };
const NO: TurnEvent = { type: "refused", what: "wave w1" };
const DUE: TurnEvent = { type: "due" };
const CONTEXT: TurnContext = { now: 0, stallMs: 60_000, isOurs: true, isHeld: false };

/** What the machine does for these, each at its time; of a bare event the time is that of the one before. */
function play(
  given: readonly (TurnEvent | readonly [number, TurnEvent])[],
  rest: Partial<TurnContext> = {},
): { turn: TurnState; steps: TurnStep[] } {
  let turn = NO_TURN;
  let now = 0;
  const steps: TurnStep[] = [];
  for (const each of given) {
    let event = each as TurnEvent;
    if (Array.isArray(each)) [now, event] = each as [number, TurnEvent];
    const taken = reduceTurn(turn, event, { ...CONTEXT, ...rest, now });
    ({ turn } = taken);
    steps.push(...taken.steps);
  }
  return { turn, steps };
}
const doneFor = (...events: Parameters<typeof play>[0]): string[] =>
  play(events).steps.map((step) => step.do);

describe("a turn", () => {
  it.each<[string, Parameters<typeof play>[0], readonly string[]]>([
    ["rests with its loop", [BUSY, IDLE], ["rest"]],
    ["goes on behind an error within it", [BUSY, failed("other")], []],
    ["is stopped by the user", [BUSY, ABORTED, IDLE], ["stopped", "tell-running", "rest"]],
    [
      "is stopped while its provider is busy",
      [BUSY, retry(9), IDLE],
      ["show-wait", "show-wait", "tell-running", "rest"],
    ],
    [
      "is not stopped once the provider was asked again",
      [BUSY, retry(9), BUSY, IDLE],
      ["show-wait", "show-wait", "rest"],
    ],
  ])("that %s", (_name, events, expected) => {
    expect(doneFor(...events)).toEqual(expected);
  });

  it("whose end is not heard of is asked for behind its last word, and ends where OpenCode says so", () => {
    const begun = [BUSY, said("So."), finished(true)] as const;
    expect(dueAt(play(begun).turn)).toBe(15_000);
    const asked = [...begun, [15_000, DUE]] as const;
    expect(play(asked).steps.at(-1)).toEqual({ do: "look", silence: null });
    const answer = (isBusy: boolean): TurnEvent => ({ type: "looked", isBusy, silence: null });
    expect(play([...asked, answer(false)]).steps.at(-1)).toEqual({ do: "missed-end" });
    expect(play([...asked, answer(true)]).steps).toHaveLength(1);
    expect(dueAt(play([...begun, host({ type: "message.started", sessionId, messageId: "m2" })]).turn)).toBe(
      60_000,
    );
  });

  it("of which nothing is heard ends, by no fault of a tool, a dialog or a wait that was announced", () => {
    const asked = [BUSY, [60_000, DUE]] as const;
    const look = play(asked).steps.at(-1);
    expect(look).toEqual({ do: "look", silence: 75_000 });
    const silent: TurnEvent = { type: "looked", isBusy: true, silence: 75_000 };
    expect(play([...asked, silent]).steps.at(-1)).toMatchObject({
      do: "end",
      why: expect.stringContaining("1 min"),
    });
    expect(play([...asked, silent], { isOurs: false }).steps).toHaveLength(1);
    expect(play([...asked, said("Ah."), silent]).steps).toHaveLength(1);
    expect(play([BUSY, tool("running"), [60_000, DUE], silent]).steps).toHaveLength(1);
    expect(dueAt(play([BUSY, [30_000, retry(50_000)]]).turn)).toBe(80_000);
    expect(dueAt(play([BUSY, [30_000, tool("completed")]]).turn)).toBe(90_000);
  });
});

it("a no is over once the user speaks, and says nothing more of a turn that is over", () => {
  const refused = [BUSY, NO] as const;
  const explained: TurnEvent = { type: "explained" };
  expect(play(refused)).toMatchObject({ steps: [], turn: { no: "you said no (wave w1)" } });
  expect(play([...refused, explained])).toMatchObject({ steps: [], turn: { no: null } });
  // Words for a request take back no stop.
  expect(play([...refused, ABORTED, explained]).turn.no).toBe("you stopped it");
  expect(play([...refused, MESSAGE]).turn.no).toBeNull();
  expect(play([...refused, IDLE]).steps).toEqual([{ do: "rest", isStopped: false }]);
});

const OPEN: TurnFacts = { goesOn: true, openTasks: 1, waitsForUser: false, isBlocked: false, running: 0 };
const WORKED: TurnState = { ...NO_TURN, phase: "resting", openTodos: 2, hasWorked: true, isAnswered: true };

it.each<[Next["kind"], string, Partial<TurnState>, Partial<TurnFacts>]>([
  ["end", "the user said no or stopped it", { no: "you stopped it" }, {}],
  ["end", "it did not end with an answer", { isAnswered: false }, {}],
  ["end", "GAIA is not sent on here", {}, { goesOn: false }],
  ["end", "nothing is open", { openTodos: 0 }, { openTasks: 0 }],
  ["end", "it was no work", { hasWorked: false }, {}],
  ["ask", "the work is blocked", {}, { isBlocked: true, waitsForUser: true }],
  ["ask", "the user is asked", {}, { waitsForUser: true }],
  ["wait", "specialists are at work", {}, { running: 1 }],
  ["end", "it was sent on for this turn", { startedBy: "plugin" }, {}],
  ["end", "it was sent on often enough", { nudges: 2, startedBy: "result" }, {}],
])("next, %s: %s", (kind, why, turn, facts) => {
  expect(decideNext({ ...WORKED, ...turn }, { ...OPEN, ...facts })).toEqual({ kind, why });
});

describe("whatever happens", () => {
  const events: readonly TurnEvent[] = [
    BUSY,
    IDLE,
    finished(true),
    finished(false),
    said("a"),
    said(""),
    tool("running"),
    tool("completed"),
    ABORTED,
    failed("other"),
    retry(5_000),
    todos(2),
    todos(0),
    MESSAGE,
    NO,
    DUE,
    { type: "spoke", how: "answer" },
    { type: "explained" },
    { type: "sent", by: "plugin" },
    { type: "sent", by: "result" },
    { type: "not-sent" },
    { type: "looked", isBusy: true, silence: null },
    { type: "looked", isBusy: false, silence: null },
  ];
  const schedule = fc.array(
    fc.tuple(fc.constantFrom(...events), fc.constantFrom(0, 100, 400, 20_000, 70_000)),
    { maxLength: 40 },
  );

  it("nothing is begun after a no before the user speaks, only a turn that runs is ended, and all that is due passes", () => {
    fc.assert(
      fc.property(schedule, (given) => {
        let turn = NO_TURN;
        let now = 0;
        let hasSaidNo = false;
        for (const [event, ms] of given) {
          now += ms;
          const before = turn;
          const taken = reduceTurn(turn, event, { ...CONTEXT, now });
          ({ turn } = taken);
          if (event === ABORTED || (event === NO && ms >= 0)) hasSaidNo = true;
          if (event.type === "spoke" || event.type === "explained") hasSaidNo = turn.no !== null;
          if (hasSaidNo) {
            expect(turn.no).not.toBeNull();
            expect(decideNext({ ...WORKED, no: turn.no }, OPEN).kind).toBe("end");
          }
          for (const step of taken.steps) {
            if (step.do === "end" || step.do === "missed-end") expect(before.phase).toBe("running");
            if (step.do === "rest")
              expect([turn.phase, turn.openCalls, turn.heardDue]).toEqual(["resting", [], null]);
          }
          if (event === DUE) expect(dueAt(turn) ?? now + 1).toBeGreaterThan(now);
        }
      }),
      { numRuns: 500 },
    );
  });
});
