import fc from "fast-check";

/**
 * One schedule: everything that the user, the models and chance do. Plain data, so that it is printed and shrunk. How it is
 * drawn says what it may hold.
 */
export type Schedule = Drawn<typeof anySchedule>;

type Drawn<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;
type Row = readonly [weight: number, arbitrary: fc.Arbitrary<unknown>];
type DrawnOf<One extends Row> = One extends readonly [number, fc.Arbitrary<infer Value>] ? Value : never;

const oneOf = <const Rows extends readonly Row[]>(...rows: Rows): fc.Arbitrary<DrawnOf<Rows[number]>> =>
  fc.oneof(...rows.map(([weight, arbitrary]) => ({ weight, arbitrary }))) as never;

/** How long something takes, in milliseconds. */
const span = fc.constantFrom<number[]>(1, 50, 700, 2_500, 12_000, 90_000, 900_000);
/** What models type into a shell. */
const COMMANDS =
  "ls, touch made.ts, rm -rf src, false, npm test, git commit -m x, sh -c 'git commit -m y', make release";
const command = fc.constantFrom(...COMMANDS.split(", "));

/** What goes wrong with a request to a model. */
const trouble = fc.oneof(
  fc.record({
    does: fc.constant("fail"),
    error: fc.constantFrom("429", "500", "401", "context", "content", "timeout"),
  }),
  // The provider is busy this many times; OpenCode tries again by itself.
  fc.record({ does: fc.constant("busy"), times: fc.integer({ min: 1, max: 7 }) }),
  fc.record({ does: fc.constant("hang") }),
  fc.record({ does: fc.constant("slow"), ms: span }),
);
export type Trouble = Drawn<typeof trouble>;

const wave = fc.constantFrom("w1", "w2", "none");
export type Wave = Drawn<typeof wave>;

const handing = fc.record({
  agent: fc.constantFrom("hephaestus", "artemis", "aether", "hades", "minerva", "demeter", "poseidon"),
  background: fc.boolean(),
  wave,
  resume: fc.boolean(),
});
export type Handing = Drawn<typeof handing>;

const planOp = fc.constantFrom(
  ...(["create", "create", "plan", "plan", "empty-plan", "tick", "complete", "approved", "read"] as const),
  ...(["open_wave", "open_wave", "complete_wave", "ask-plan", "ask-plan", "commit"] as const),
  ...(["ask-verification", "verify", "set_active", "archive"] as const),
);
export type PlanOp = Drawn<typeof planOp>;

/** One request to GAIA's model, and what it makes of it. */
const gaiaMove = oneOf(
  [6, fc.record({ does: fc.constant("delegate"), to: fc.array(handing, { minLength: 1, maxLength: 3 }) })],
  [
    3,
    fc.record({
      does: fc.constant("collect"),
      ids: fc.constantFrom("none", "none", "last", "all", "unknown"),
      wait: fc.constantFrom(0, 1_000, 600_000),
      until: fc.constantFrom("any", "all"),
      cancel: fc.boolean(),
    }),
  ],
  [6, fc.record({ does: fc.constant("plan"), op: planOp, wave })],
  [1, fc.record({ does: fc.constant("shell"), command })],
  [1, fc.record({ does: fc.constant("edit") })],
  [
    1,
    fc.record({
      does: fc.constant("question"),
      header: fc.constantFrom<string[]>("Scope", "Handshake", "Pair ramp"),
    }),
  ],
  [1, fc.record({ does: fc.constant("todos"), open: fc.nat(3) })],
  [
    1,
    fc.record({
      does: fc.constant("nonsense"),
      tool: fc.constantFrom("delegate_gaia", "collect_results", "plan_gaia"),
    }),
  ],
  [2, fc.record({ does: fc.constant("say"), text: fc.constantFrom<string[]>("Done.", "Shall I go on?") })],
  // Calls tools for as long as it is let.
  [1, fc.record({ does: fc.constant("loop"), isVaried: fc.boolean() })],
  [1, trouble],
);
export type GaiaMove = Drawn<typeof gaiaMove>;

const planMove = (op: PlanOp): GaiaMove => ({ does: "plan", op, wave: "w1" });
export const handTo = (agent: Handing["agent"], to: Partial<Handing> = {}): GaiaMove => ({
  does: "delegate",
  to: [{ agent, background: false, wave: "w1", resume: false, ...to }],
});
/** A feature from its beginning to its end, and again what must not be done twice. */
const FEATURE: readonly GaiaMove[] = [
  ...(["create", "plan", "ask-plan", "open_wave"] as const).map(planMove),
  handTo("hephaestus"),
  handTo("hades"),
  { does: "shell", command: "git commit -m x" },
  ...(["complete_wave", "commit"] as const).map(planMove),
  handTo("hephaestus"),
  handTo("hades"),
  ...(["complete_wave", "commit", "open_wave", "complete", "archive"] as const).map(planMove),
];
/** A feature with gaps. */
const feature = fc.subarray([...FEATURE], { minLength: 9 });
/** Without a unit. */
const fix = handTo("hephaestus", { wave: "none" });
const quickFix = fc.constant([fix, fix]);
/** One after the other in the background, each handed over before the next begins: more turns in a row than are allowed. */
const waking = fc
  .array(fc.constantFrom("hephaestus", "hades", "minerva"), { minLength: 5, maxLength: 7 })
  .map((agents) => agents.flatMap((agent) => inBackground(agent)));
export const inBackground = (agent: Handing["agent"]): GaiaMove[] => [
  handTo(agent, { background: true, wave: "none" }),
  { does: "say", text: "Begun." },
];
/** Much of a feature in its order, so that gates are met at which anything stands; or any moves. */
const gaiaMoves = oneOf(
  [5, fc.array(gaiaMove, { minLength: 1, maxLength: 12 })],
  [6, feature],
  [2, quickFix],
  [1, waking],
);

/** How a specialist ends its work. */
const answer = fc.constantFrom(
  ...(["ok", "ok", "not-ok", "approve", "reject", "blocked", "bare-verdict", "contradiction"] as const),
  ...(["no-json", "half-json", "empty", "asks", "assumes", "wrong-types"] as const),
);
export type Answer = Drawn<typeof answer>;

const specialistMove = oneOf(
  [5, fc.record({ does: fc.constant("answer"), how: answer })],
  [
    4,
    fc.record({
      does: fc.constant("edit"),
      file: fc.constantFrom<string[]>("a.ts", "made.ts", ".gaia/plan.md"),
    }),
  ],
  [3, fc.record({ does: fc.constant("shell"), command })],
  [1, fc.record({ does: fc.constant("question"), header: fc.constant<string>("Which") })],
  // Calls again and again, however they end; `varied` reads another file each time.
  [1, fc.record({ does: fc.constant("loop"), call: fc.constantFrom("read", "varied", "edit", "shell") })],
  [3, trouble],
);
export type SpecialistMove = Drawn<typeof specialistMove>;

const edit = (file: string): SpecialistMove => ({ does: "edit", file });
const shell = (typed: string): SpecialistMove => ({ does: "shell", command: typed });
const ending = (how: Answer): SpecialistMove => ({ does: "answer", how });
/** What a session of a feature's does: it works, or looks at what was done. */
const ordinary = fc.constantFrom(
  [edit("made.ts"), edit("a.ts"), shell("touch made.ts"), ending("ok")],
  [shell("git commit -m x"), edit("a.ts"), shell("git commit -m x"), ending("ok")],
  ...(["approve", "reject", "bare-verdict", "blocked"] as const).map((how) => [ending(how)]),
);
const specialistMoves = fc.oneof(fc.array(specialistMove, { maxLength: 5 }), ordinary);

const TYPED =
  "autopilot supervised locked next pair standard gaia-status gaia-work gaia-plan gaia-unify gaia-check handoff back";
const child = fc.option(fc.nat(3), { nil: null });
/** What the user does, and how long after the step before. */
const userStep = fc.record({
  after: span,
  act: oneOf(
    [
      5,
      fc.record({ do: fc.constant("say"), text: fc.constantFrom<string[]>("Make the importer.", "Go on.") }),
    ],
    [
      4,
      fc.record({
        do: fc.constant("command"),
        name: fc.constantFrom(...TYPED.split(" ")),
        words: fc.constantFrom("", "make it"),
      }),
    ],
    [3, fc.record({ do: fc.constant("esc"), child })],
    [1, fc.record({ do: fc.constant("delete"), child })],
    // Takes back what they said last and what came of it.
    [1, fc.record({ do: fc.constant("undo") })],
  ),
});
export type UserStep = Drawn<typeof userStep>;

/** How the user answers a dialog: `never` until everything else has ended. */
const dialog = fc.record({
  after: span,
  reply: fc.constantFrom("once", "once", "once", "always", "reject", "words", "never"),
  twice: fc.boolean(),
});
const question = fc.record({
  after: span,
  reply: fc.constantFrom("first", "last", "own words", "reject", "never"),
});
/** Moments at which faults are put: most schedules have a few hundred events, and those at the beginning matter most. */
const moment = fc.oneof(fc.nat(60), fc.nat(250));
/** What happens to the n-th event on its way to the plugin. */
const eventFault = fc.record({ at: moment, how: fc.constantFrom("lost", "doubled", "late"), ms: span });
export type EventFault = Drawn<typeof eventFault>;
/** What happens to the n-th call of the plugin's to OpenCode. */
const callFault = fc.record({
  at: fc.nat(80),
  how: fc.constantFrom("fails", "throws", "hangs", "late", "done but unanswered"),
  ms: span,
});
export type CallFault = Drawn<typeof callFault>;
/** OpenCode ends after the n-th event, and is started again. */
const restart = fc.record({ at: moment, how: fc.constantFrom("kill", "dispose") });

/** Mostly nothing of it, and seldom much: the fewer faults, the more can be said of what must hold. */
const few = <Fault>(one: fc.Arbitrary<Fault>, maxLength: number): fc.Arbitrary<Fault[]> =>
  fc.oneof(fc.constant<Fault[]>([]), fc.array(one, { maxLength }));

const opening: UserStep = { after: 1, act: { do: "say", text: "Make the importer." } };
const open = fc.record({
  user: fc.array(userStep, { maxLength: 5 }).map((steps) => [opening, ...steps]),
  /** What GAIA's model does, one per request; after the last it ends its turns. */
  gaia: gaiaMoves,
});
/** Locked while someone works: what has begun is held by the gates alone. */
const locking = fc.record({
  user: fc
    .constantFrom(2_500, 4_000, 8_000, 12_000)
    .map((after): UserStep[] => [opening, { after, act: { do: "command", name: "locked", words: "" } }]),
  gaia: fc.oneof(quickFix, feature),
});
const conversation = oneOf([6, open], [1, locking]);

/** Any schedule. */
export const anySchedule = fc.record({
  mode: fc.constantFrom("supervised", "supervised", "autopilot", "locked"),
  interaction: fc.constantFrom("standard", "standard", "pair"),
  cadence: fc.constantFrom("step", "batch", "wave", "milestone"),
  /** What the project calls done: nothing, a file that a specialist can write, or a command. */
  done: oneOf([50, fc.constantFrom("none", "artifact")], [1, fc.constant("command")]),
  /** One, or two at the same time in the same project, each with a unit of its own. */
  conversations: oneOf([2, fc.tuple(conversation)], [1, fc.tuple(conversation, conversation)]),
  /** The same of each specialist's session, in the order in which they begin; the last one repeats. */
  specialists: fc.array(specialistMoves, { minLength: 1, maxLength: 4 }),
  dialogs: fc.array(dialog, { maxLength: 5 }),
  questions: fc.array(question, { maxLength: 2 }),
  events: few(eventFault, 4),
  calls: few(callFault, 3),
  restarts: few(restart, 2),
});

const UNIT_COMMANDS = new Set(["gaia-plan", "gaia-work", "gaia-unify"]);

/** Whether the user types a command about a unit, which in a conversation without one is about the active one. */
export function usesUnitCommand({ conversations }: Schedule): boolean {
  return conversations
    .flatMap(({ user }) => user)
    .some(({ act }) => act.do === "command" && UNIT_COMMANDS.has(act.name));
}
