import * as fc from "fast-check";
import { expect, it } from "vitest";
import { DEFAULTS } from "../collaboration/session.ts";
import { initialState } from "../../../src/conversation/collaboration/state.ts";
import { reduceCollaboration } from "../../../src/conversation/collaboration/reducer.ts";
import { createReviews } from "../../../src/conversation/reviews/reviews.ts";
import { readCases } from "../../support/cases.ts";
import type { ReviewVerdict } from "../../../src/plan/review/outcome.ts";
import { keeping } from "../../support/kept.ts";

const AGENTS: Readonly<Record<string, string>> = { h: "hades", a: "aether", t: "artemis" };
const VERDICTS: Readonly<Record<string, ReviewVerdict>> = { "+": "APPROVE", "-": "REJECT", "!": "BLOCKED" };

/**
 * What follows from each review of one piece of work.
 * @param steps `h-`: hades rejects (`a` aether, `t` artemis; `+` approves, `!` blocks, `?` says nothing of it), `~` a change,
 * `user`, `wave`, `restart`
 * @param told takes what the log, the user and GAIA are told
 */
function decisions(steps: string, told: string[] = []): string[] {
  let state = initialState("root", DEFAULTS, 0);
  let found = "noted";
  const conversation = {
    get state() {
      return state;
    },
    dispatch(event: Parameters<typeof reduceCollaboration>[1]) {
      if (event.type === "blocked") found = `blocked: ${event.reason} ${event.nextStep}`;
      state = reduceCollaboration(state, { ...event, at: state.at + 1 }, DEFAULTS).state;
    },
    remember: keeping().remember,
    log: async (_about: string, text: string) => void told.push(text),
    tell(text: string) {
      told.push(text);
      if (text.startsWith("REJECT: one fix round")) found = "fix-round";
    },
  };
  const services = {
    redact: (text: string) => text,
    roleOf: () => "reviewer",
    specialistOf: () => undefined,
    host: { toast: async (_kind: string, text: string) => void told.push(text) },
  };
  const open = () =>
    createReviews(
      conversation as never,
      services as never,
      { stage: () => null },
      { wantsRed: () => false },
      { underWay: () => null },
    );
  let memory = keeping();
  conversation.remember = memory.remember;
  let reviews = open();
  const finish = (agent: string, verdict: ReviewVerdict | null | undefined, changed: boolean): void => {
    const said = { verdict, reason: "it is wrong", next_step: "Mend it." };
    const outcome = verdict === null || verdict === undefined ? undefined : said;
    const envelope = { ok: true, data: {}, errors: [], outcome };
    const parseError = outcome === undefined ? "data.risk: expected text; data.x: unknown" : null;
    const task = { id: agent, agent, outcome: { status: "completed", parseError, envelope } };
    reviews.delegationFinished((verdict === null ? { ...task, outcome: null } : task) as never, changed);
  };
  return steps.split(" ").flatMap((step) => {
    if (step === "~") finish("hephaestus", null, true);
    else if (step === "user") {
      conversation.dispatch({ type: "user-message", text: "Go on" } as never);
      reviews.userSpoke("go-on");
    } else if (step === "wave") reviews.heard({ type: "wave-opened" } as never);
    else if (step === "restart") {
      memory = keeping(memory.kept());
      conversation.remember = memory.remember;
      reviews = open();
    } else {
      found = "noted";
      finish(AGENTS[step[0] ?? ""] ?? "", VERDICTS[step[1] ?? ""], false);
      if (reviews.closing(null)?.verdict === null) told.push("not reviewed");
      return [found];
    }
    return [];
  });
}

const kindsOf = (steps: string, told?: string[]): string[] =>
  decisions(steps, told).map((decision) => decision.split(":")[0] ?? "");

it.each(readCases<[name: string, steps: string, kinds: string]>("conversation/reviews/reviews"))(
  "the reviews of one piece of work %s: %s",
  (_name, steps, expected) => {
    expect(kindsOf(steps).join(" ")).toBe(expected);
  },
);

it("the reviews of one piece of work that say nothing of it are no approval and no rejection, and all are told", () => {
  const told: string[] = [];
  expect(kindsOf("~ h? h+ h?", told)).toEqual(["noted", "noted", "noted"]);
  const why = "its answer does not fit, even when asked again: data.risk: expected text.";
  const missed = [
    `- **not reviewed** by hades · ${why}`,
    `Not reviewed by hades: ${why} Have it reviewed again.`,
    "not reviewed",
  ];
  expect(told).toEqual([...missed, ...missed]);
});

it("the reviews of one piece of work end with who said what, and what is next", () => {
  expect(decisions("~ a- ~ h-").at(-1)).toBe(
    "blocked: still rejected after one round of fixing (hades: it is wrong) Mend it.",
  );
  expect(decisions("~ a- h!").at(-1)).toBe("blocked: hades: it is wrong; aether: it is wrong Mend it.");
});

it("the reviews of one piece of work never grant more than one fix round between two words of the user", () => {
  const review = fc
    .tuple(fc.constantFrom("h", "a", "t"), fc.constantFrom("+", "-", "!"))
    .map((each) => each.join(""));
  const steps = fc.array(fc.oneof(fc.constant("~"), review), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(steps, (some) => {
      const kinds = kindsOf(some.join(" "));
      const end = kinds.indexOf("blocked");
      const open = end < 0 ? kinds : kinds.slice(0, end);
      expect(open.filter((kind) => kind === "fix-round").length).toBeLessThanOrEqual(1);
    }),
  );
});
