import fc from "fast-check";
import type {
  Answer,
  CallFault,
  Conversation,
  DialogAnswer,
  EventFault,
  GaiaMove,
  Handing,
  PlanOp,
  QuestionAnswer,
  Restart,
  Schedule,
  SpecialistMove,
  Trouble,
  UserStep,
  Wave,
} from "./schedule.ts";

const AGENTS = ["hephaestus", "artemis", "aether", "hades", "minerva", "demeter", "poseidon"];
const COMMANDS = [
  "ls",
  "touch made.ts",
  "rm -rf src",
  "false",
  "npm test",
  "git commit -m x",
  "sh -c 'git commit -m y'",
  "make release",
];
/** Moments at which faults are put: most schedules have a few hundred events, and those at the beginning matter most. */
const moment = fc.oneof(fc.nat(60), fc.nat(250));
const span = fc.constantFrom(1, 50, 700, 2_500, 12_000, 90_000, 900_000);

const trouble: fc.Arbitrary<Trouble> = fc.oneof(
  fc
    .constantFrom("429", "500", "401", "context", "content", "timeout")
    .map((error) => ({ does: "fail", error }) as const),
  fc.integer({ min: 1, max: 7 }).map((times) => ({ does: "busy", times }) as const),
  fc.constant({ does: "hang" } as const),
  span.map((ms) => ({ does: "slow", ms }) as const),
);

const wave = fc.constantFrom("w1", "w2", "none");
const handing: fc.Arbitrary<Handing> = fc.record({
  agent: fc.constantFrom(...AGENTS),
  background: fc.boolean(),
  wave,
  resume: fc.boolean(),
});

const gaiaMove: fc.Arbitrary<GaiaMove> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .array(handing, { minLength: 1, maxLength: 3 })
      .map((to) => ({ does: "delegate", to }) as const),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant("collect"),
      ids: fc.constantFrom("none", "none", "last", "all", "unknown"),
      wait: fc.constantFrom(0, 1_000, 600_000),
      until: fc.constantFrom("any", "all"),
      cancel: fc.boolean(),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constant("plan"),
      op: fc.constantFrom(
        "create",
        "create",
        "plan",
        "plan",
        "empty-plan",
        "tick",
        "complete",
        "approved",
        "read",
        "open_wave",
        "open_wave",
        "complete_wave",
        "ask-plan",
        "ask-plan",
        "ask-revision",
        "ask-verification",
        "verify",
        "set_active",
        "archive",
      ),
      wave,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...COMMANDS).map((command) => ({ does: "shell", command }) as const),
  },
  { weight: 1, arbitrary: fc.constant({ does: "edit" } as const) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom("Scope", "Handshake", "Pair ramp")
      .map((header) => ({ does: "question", header }) as const),
  },
  { weight: 1, arbitrary: fc.nat(3).map((open) => ({ does: "todos", open }) as const) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom("delegate_gaia", "collect_results", "plan_gaia")
      .map((tool) => ({ does: "nonsense", tool }) as const),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom("Done.", "Shall I go on?").map((text) => ({ does: "say", text }) as const),
  },
  { weight: 1, arbitrary: fc.boolean().map((isVaried) => ({ does: "loop", isVaried }) as const) },
  { weight: 1, arbitrary: trouble },
);

const planMove = (op: PlanOp): GaiaMove => ({ does: "plan", op, wave: "w1" });
const handTo = (agent: string, wave: Wave = "w1"): GaiaMove => ({
  does: "delegate",
  to: [{ agent, background: false, wave, resume: false }],
});
/** A feature from its beginning to its end, and again what must not be done twice. */
const FEATURE: readonly GaiaMove[] = [
  planMove("create"),
  planMove("plan"),
  planMove("ask-plan"),
  planMove("open_wave"),
  handTo("hephaestus"),
  handTo("hades"),
  { does: "shell", command: "git commit -m x" },
  planMove("complete_wave"),
  planMove("ask-revision"),
  handTo("hephaestus"),
  handTo("hades"),
  planMove("complete_wave"),
  planMove("ask-revision"),
  planMove("open_wave"),
  planMove("complete"),
  planMove("archive"),
];
const feature = fc.subarray([...FEATURE], { minLength: 9 });
/** Without a unit. */
const quickFix = fc.constant<GaiaMove[]>([handTo("hephaestus", "none"), handTo("hephaestus", "none")]);
/** Much of a feature in its order, so that gates are met at which anything stands; or any moves. */
const gaiaMoves: fc.Arbitrary<GaiaMove[]> = fc.oneof(
  { weight: 3, arbitrary: fc.array(gaiaMove, { minLength: 1, maxLength: 12 }) },
  { weight: 3, arbitrary: feature },
  { weight: 1, arbitrary: quickFix },
);

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
