import fc from "fast-check";
import type { GaiaMove, Handing, PlanOp, Trouble, Wave } from "./schedule.ts";

const AGENTS = ["hephaestus", "artemis", "aether", "hades", "minerva", "demeter", "poseidon"];
/** What models type into a shell. */
export const COMMANDS = [
  "ls",
  "touch made.ts",
  "rm -rf src",
  "false",
  "npm test",
  "git commit -m x",
  "sh -c 'git commit -m y'",
  "make release",
];
/** How long something takes, in milliseconds. */
export const span = fc.constantFrom(1, 50, 700, 2_500, 12_000, 90_000, 900_000);

/** What goes wrong with a request to a model. */
export const trouble: fc.Arbitrary<Trouble> = fc.oneof(
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
        "commit",
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
  planMove("commit"),
  handTo("hephaestus"),
  handTo("hades"),
  planMove("complete_wave"),
  planMove("commit"),
  planMove("open_wave"),
  planMove("complete"),
  planMove("archive"),
];
/** A feature with gaps. */
export const feature = fc.subarray([...FEATURE], { minLength: 9 });
/** Without a unit. */
export const quickFix = fc.constant<GaiaMove[]>([handTo("hephaestus", "none"), handTo("hephaestus", "none")]);
/** One after the other in the background, each handed over before the next begins: more turns in a row than are allowed. */
export const waking = fc
  .array(fc.constantFrom("hephaestus", "hades", "minerva"), { minLength: 5, maxLength: 7 })
  .map((agents) =>
    agents.flatMap((agent): GaiaMove[] => [
      { does: "delegate", to: [{ agent, background: true, wave: "none", resume: false }] },
      { does: "say", text: "Begun." },
    ]),
  );
/** Much of a feature in its order, so that gates are met at which anything stands; or any moves. */
export const gaiaMoves: fc.Arbitrary<GaiaMove[]> = fc.oneof(
  { weight: 5, arbitrary: fc.array(gaiaMove, { minLength: 1, maxLength: 12 }) },
  { weight: 6, arbitrary: feature },
  { weight: 2, arbitrary: quickFix },
  { weight: 1, arbitrary: waking },
);
