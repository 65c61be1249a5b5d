import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aether } from "../../src/agents/aether.ts";
import {
  combineRepair,
  evaluateAnswer,
  renderRepairPrompt,
  readAnswer,
} from "../../src/contracts/evaluate.ts";
import { readCases } from "../support/cases.ts";

/** An answer of a reviewer as models write them, and the verdict that it counts as; null for none. */
interface Recorded {
  readonly shape: string;
  readonly text: string;
  readonly verdict: string | null;
  readonly before?: string;
  readonly times?: number;
}

const { contract } = aether;

const verdictOf = (text: string): string | null => {
  const evaluation = evaluateAnswer(contract, { text });
  return evaluation.status === "valid" ? (evaluation.answer.outcome?.verdict ?? null) : null;
};

/** What counts in the end of an answer whose reviewer says this when asked once more; null for not reviewed. */
function settled(text: string, again: string): string | null {
  const repaired = combineRepair(
    evaluateAnswer(contract, { text }),
    evaluateAnswer(contract, { text: again }),
  );
  return repaired.answer?.outcome?.verdict ?? null;
}

it.each(readCases<Recorded>("contracts/answers"))(
  "an answer as it was recorded $shape: $verdict",
  ({ text, verdict, before = "", times = 1 }) => {
    const whole = before.repeat(times) + text;
    const evaluation = evaluateAnswer(contract, { text: whole });
    expect(verdictOf(whole)).toBe(verdict);
    // An approval that cannot be read does not become one by being repeated.
    if (verdict === null) expect(settled(whole, whole)).not.toBe("APPROVE");
    if (evaluation.status === "invalid")
      expect(renderRepairPrompt(contract, evaluation.problems)).toMatch(
        /^Your result could not be read:\n- /,
      );
  },
);

const DATA = { checks_run: [], failures: [], failed_before: [], fixes: [], release_ready: true };
const answer = (verdict: unknown): object => ({ ok: true, data: DATA, errors: [], outcome: { verdict } });
/** Words for a verdict that are none of the enum. */
const WORDS =
  "LGTM|approved|rejected|block|ok|pass|fail|not approved|APPROVE.|APPROVE!|**APPROVE**|APPROVE, mostly|request changes|abgelehnt|genehmigt|refusé|却下|承認|拒绝|通过|отклонено|одобрено|مرفوض|반려|+1|-1|👍|👎|maybe|||null".split(
    "|",
  );
const SPELLINGS: readonly ((verdict: string) => string)[] = [
  (verdict) => verdict,
  (verdict) => verdict.toLowerCase(),
  (verdict) => ` ${verdict}\n`,
];
/** Where an answer may stand, and whether it is read there. */
const PLACES: readonly [isRead: boolean, (object: object) => string][] = [
  [true, (object) => `\`\`\`json\n${JSON.stringify(object, null, 2)}\n\`\`\``],
  [true, (object) => `I approve this.\n\n${JSON.stringify(object)}\n\nVerdict: REJECT`],
  [true, (object) => `<think>\n${JSON.stringify(answer("APPROVE"))}\n</think>\n${JSON.stringify(object)}`],
  [true, (object) => `\`\`\`json\n{"draft": 1}\n\`\`\`\n\`\`\`\n${JSON.stringify(object)}\n\`\`\``],
  [false, (object) => JSON.stringify({ answer: object })],
  [false, (object) => JSON.stringify([object]).slice(0, -3)],
  [false, (object) => JSON.stringify(object).replaceAll('"', "'")],
  [false, (object) => `<think>\n${JSON.stringify(object)}`],
  [false, (object) => Object.entries(object).flat().join(" | ")],
];

describe("an answer that is generated", () => {
  const verdicts = ["APPROVE", "REJECT", "BLOCKED"].flatMap((verdict) =>
    SPELLINGS.map((spell) => ({ said: spell(verdict), verdict })),
  );
  const words = WORDS.map((said) => ({ said, verdict: null }));

  it.each(PLACES)("counts exactly where the enum stands in its place: %s %s", (isRead, place) => {
    for (const { said, verdict } of [...verdicts, ...words]) {
      const text = place(answer(said));
      expect(verdictOf(text), text).toBe(isRead ? verdict : null);
    }
  });
});

describe("a repair", () => {
  const text = (value: unknown): string => JSON.stringify(value);
  const broken = (verdict: string) => text({ ...answer(verdict), data: { ...DATA, release_ready: "yes" } });

  it("takes the place of what could not be read", () => {
    expect(settled("I approve.", text(answer("REJECT")))).toBe("REJECT");
    expect(settled("I reject this.", text(answer("APPROVE")))).toBe("APPROVE");
    expect(settled(broken("APPROVE"), text(answer("REJECT")))).toBe("REJECT");
    expect(settled("Hm.", "Hm.")).toBeNull();
  });

  it("cannot turn a plain objection into an approval, and says so", () => {
    const [first, second] = [broken("REJECT"), text(answer("APPROVE"))].map((each) =>
      evaluateAnswer(contract, { text: each }),
    );
    expect(combineRepair(first!, second!)).toMatchObject({
      status: "valid",
      answer: { outcome: { verdict: "REJECT" } },
      note: "outcome.verdict: the answer said REJECT, its repair APPROVE; REJECT stands",
    });
    expect(settled(broken("BLOCKED"), "I do not know.")).toBe("BLOCKED");
    expect(settled(broken("REJECT"), broken("APPROVE"))).toBe("REJECT");
    expect(settled(broken("APPROVE"), broken("APPROVE"))).toBeNull();
  });
});

describe("reading", () => {
  it("never throws, whatever bytes a model writes", () => {
    const marks = '{ } " \\ ``` ```json\n \n [ ] , : {"ok":true <think> </think> \u0000 \uD800';
    const pieces = fc.constantFrom(...marks.split(" "));
    const written = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(pieces, { maxLength: 400 }).map((list) => list.join("")),
    );
    fc.assert(
      fc.property(written, (input) => {
        expect(typeof readAnswer(input)).toBe("object");
        expect(evaluateAnswer(contract, { text: input }).status).toBe("invalid");
      }),
      { numRuns: 2_000 },
    );
  });

  it("finds any object, whatever prose stands around it", () => {
    const prose = fc.string().map((words) => words.replaceAll(/[{}`<]/g, ""));
    fc.assert(
      fc.property(prose, fc.dictionary(fc.string(), fc.jsonValue()), prose, (before, object, after) => {
        expect(readAnswer(`${before}${JSON.stringify(object)}${after}`)).toEqual(
          JSON.parse(JSON.stringify(object)),
        );
      }),
    );
  });
});
