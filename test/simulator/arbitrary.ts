import fc from "fast-check";
import { COMMANDS, feature, gaiaMoves, quickFix, span, trouble } from "./gaia-moves.ts";
import type {
  Answer,
  CallFault,
  Conversation,
  DialogAnswer,
  EventFault,
  QuestionAnswer,
  Restart,
  Schedule,
  SpecialistMove,
  UserStep,
} from "./schedule.ts";

const answer = fc.constantFrom<Answer[]>(
  "ok",
  "ok",
  "not-ok",
  "approve",
  "reject",
  "blocked",
  "bare-verdict",
  "contradiction",
  "no-json",
  "half-json",
  "empty",
  "asks",
  "assumes",
  "wrong-types",
);
const specialistMove: fc.Arbitrary<SpecialistMove> = fc.oneof(
  { weight: 5, arbitrary: answer.map((how) => ({ does: "answer", how }) as const) },
  {
    weight: 4,
    arbitrary: fc
      .constantFrom("a.ts", "made.ts", ".gaia/plan.md")
      .map((file) => ({ does: "edit", file }) as const),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(...COMMANDS).map((command) => ({ does: "shell", command }) as const),
  },
  { weight: 1, arbitrary: fc.constant({ does: "question", header: "Which" } as const) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom("read", "varied", "edit", "shell")
      .map((call) => ({ does: "loop", call }) as const),
  },
  { weight: 3, arbitrary: trouble },
);

/** What a session of a feature's does: it works, or looks at what was done. */
const ordinary = fc.constantFrom<SpecialistMove[][]>(
  [
    { does: "edit", file: "made.ts" },
    { does: "edit", file: "a.ts" },
    { does: "shell", command: "touch made.ts" },
    { does: "answer", how: "ok" },
  ],
  [
    { does: "shell", command: "git commit -m x" },
    { does: "edit", file: "a.ts" },
    { does: "shell", command: "git commit -m x" },
    { does: "answer", how: "ok" },
  ],
  [{ does: "answer", how: "approve" }],
  [{ does: "answer", how: "reject" }],
  [{ does: "answer", how: "bare-verdict" }],
  [{ does: "answer", how: "blocked" }],
);
const specialistMoves: fc.Arbitrary<SpecialistMove[]> = fc.oneof(
  fc.array(specialistMove, { maxLength: 5 }),
  ordinary,
);

const userStep: fc.Arbitrary<UserStep> = fc.record({
  after: span,
  act: fc.oneof(
    {
      weight: 5,
      arbitrary: fc
        .constantFrom("Make the importer.", "Go on.")
        .map((text) => ({ do: "say", text }) as const),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant("command"),
        name: fc.constantFrom(
          "autopilot",
          "supervised",
          "locked",
          "next",
          "pair",
          "standard",
          "gaia-status",
          "gaia-work",
          "gaia-plan",
          "gaia-unify",
          "gaia-check",
          "handoff",
          "back",
        ),
        words: fc.constantFrom("", "make it"),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.option(fc.nat(3), { nil: null }).map((child) => ({ do: "esc", child }) as const),
    },
    {
      weight: 1,
      arbitrary: fc.option(fc.nat(3), { nil: null }).map((child) => ({ do: "delete", child }) as const),
    },
    { weight: 1, arbitrary: fc.constant({ do: "undo" } as const) },
  ),
});

const dialog: fc.Arbitrary<DialogAnswer> = fc.record({
  after: span,
  reply: fc.constantFrom("once", "once", "once", "always", "reject", "words", "never"),
  twice: fc.boolean(),
});
const question: fc.Arbitrary<QuestionAnswer> = fc.record({
  after: span,
  reply: fc.constantFrom("first", "last", "own words", "reject", "never"),
});
/** Moments at which faults are put: most schedules have a few hundred events, and those at the beginning matter most. */
const moment = fc.oneof(fc.nat(60), fc.nat(250));
const eventFault: fc.Arbitrary<EventFault> = fc.record({
  at: moment,
  how: fc.constantFrom("lost", "doubled", "late"),
  ms: span,
});
const callFault: fc.Arbitrary<CallFault> = fc.record({
  at: fc.nat(80),
  how: fc.constantFrom("fails", "throws", "hangs", "late", "done but unanswered"),
  ms: span,
});
const restart: fc.Arbitrary<Restart> = fc.record({ at: moment, how: fc.constantFrom("kill", "dispose") });

/** Mostly nothing of it, and seldom much: the fewer faults, the more can be said of what must hold. */
const few = <T>(one: fc.Arbitrary<T>, maxLength: number): fc.Arbitrary<T[]> =>
  fc.oneof(fc.constant<T[]>([]), fc.array(one, { maxLength }));

const opening: UserStep = { after: 1, act: { do: "say", text: "Make the importer." } };

const open: fc.Arbitrary<Conversation> = fc.record({
  user: fc.array(userStep, { maxLength: 5 }).map((steps) => [opening, ...steps]),
  gaia: gaiaMoves,
});
/** Locked while someone works: what has begun is held by the gates alone. */
const locking: fc.Arbitrary<Conversation> = fc.record({
  user: fc
    .constantFrom(2_500, 4_000, 8_000, 12_000)
    .map((after): UserStep[] => [opening, { after, act: { do: "command", name: "locked", words: "" } }]),
  gaia: fc.oneof(quickFix, feature),
});
const conversation = fc.oneof({ weight: 6, arbitrary: open }, { weight: 1, arbitrary: locking });

/** Any schedule. */
export const anySchedule: fc.Arbitrary<Schedule> = fc.record({
  mode: fc.constantFrom("supervised", "supervised", "autopilot", "locked"),
  interaction: fc.constantFrom("standard", "standard", "pair"),
  cadence: fc.constantFrom("step", "batch", "wave", "milestone"),
  done: fc.oneof(
    { weight: 50, arbitrary: fc.constantFrom("none" as const, "artifact" as const) },
    { weight: 1, arbitrary: fc.constant("command" as const) },
  ),
  conversations: fc.oneof(
    { weight: 2, arbitrary: fc.tuple(conversation) },
    { weight: 1, arbitrary: fc.tuple(conversation, conversation) },
  ),
  specialists: fc.array(specialistMoves, { minLength: 1, maxLength: 4 }),
  dialogs: fc.array(dialog, { maxLength: 5 }),
  questions: fc.array(question, { maxLength: 2 }),
  events: few(eventFault, 4),
  calls: few(callFault, 3),
  restarts: few(restart, 2),
});
