import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  counts,
  judgeTree,
  type Jury,
  rank,
  type TrialEvidence,
  type TriedOut,
} from "../../../src/plan/candidates/judge.ts";
import type { TreeChange } from "../../../src/snapshot/version.ts";
import { readCases } from "../../support/cases.ts";

type Change = "made" | "changed" | "taken away";
const change = (path: string, what: Change = "changed"): TreeChange => ({
  path,
  before: { id: what === "made" ? "" : "a", mode: "100644" },
  after: { id: what === "taken away" ? "" : "b", mode: "100644" },
});

describe("what a candidate has changed", () => {
  const sort = (path: string, what: Change, files: string[] | undefined, folder = "") =>
    counts(change(path, what), files, folder, new Set(["check.sh"])) ? "judged" : "left out";

  it.each(readCases<[path: string, what: Change, expected: string]>("plan/given-changes"))(
    "where the plan gives it src/main.ts: %s, %s, is %s",
    (path, what, expected) => {
      expect(sort(path, what, ["src/main.ts"])).toBe(expected);
      expect(sort(`app/${path}`, what, ["src/main.ts"], "app")).toBe(expected);
      expect(sort(`other/${path}`, what, ["src/main.ts"], "app")).toBe("left out");
    },
  );

  it.each(readCases<[path: string, what: Change, expected: string]>("plan/any-changes"))(
    "where the plan names no files: %s, %s, is %s",
    (path, what, expected) => {
      expect(sort(path, what, undefined)).toBe(expected);
    },
  );

  it("is a check's own file, or a test, where the plan names that very file", () => {
    expect(sort("check.sh", "changed", ["*.sh"])).toBe("left out");
    expect(sort("check.sh", "changed", ["check.sh"])).toBe("judged");
    expect(sort("test/main.test.ts", "changed", ["src/main.ts", "test/main.test.ts"])).toBe("judged");
  });
});

describe("the verdict on a tree", () => {
  const check = (id: string) => ({ id, command: `run ${id}`, scope: "full" as const, timeoutSeconds: 1 });
  const jury: Jury = { verify: check("verify"), checks: [check("a"), check("b")], isByPerson: true };
  const seen = (red: string): TriedOut =>
    new Map(
      ["verify", "a", "b"].map((id) => [
        id,
        red.split(" ").includes(id) ? { kind: "failed", said: `${id} is red` } : { kind: "fine" },
      ]),
    );

  it.each<[name: string, red: string, before: string, expected: object]>([
    ["nothing for what passes", "", "", { fails: [], passed: 3, red: 0 }],
    ["its verify, red before as well", "verify", "verify", { fails: ["`run verify` fails"] }],
    [
      "a check that passed before",
      "a",
      "",
      { fails: ["`run a` fails"], said: ["$ run a\na is red"], red: 0 },
    ],
    ["no check that failed before", "a", "a", { fails: [], red: 1, passed: 2 }],
  ])("holds against it %s", (_name, red, before, expected) => {
    expect(judgeTree(jury, seen(red), seen(before))).toMatchObject(expected);
  });

  it("is no pass where nothing could be run", () => {
    const ends: TriedOut = new Map([["verify", { kind: "refused", said: "it is dangerous" }]]);
    expect(judgeTree({ ...jury, checks: [] }, ends, seen("")).fails).toEqual([
      "`run verify` was not run: it is dangerous",
    ]);
  });
});

/** Two of the same content are the same in everything else as well. */
const evidence = fc
  .record({
    candidate: fc.integer({ min: 1, max: 4 }),
    fails: fc.constantFrom<readonly string[]>([], ["a"], ["a", "b"]),
    red: fc.nat(2),
    files: fc.nat(2),
    added: fc.nat(2),
    removed: fc.nat(2),
    salt: fc.constantFrom("a", "b"),
  })
  .map(({ candidate, ...rest }) => ({
    ...rest,
    candidate,
    tree: JSON.stringify(Object.entries(rest).toReversed()),
  }));

describe("the ranking", () => {
  const whole: TrialEvidence = {
    candidate: 1,
    fails: [],
    red: 0,
    files: 2,
    added: 5,
    removed: 5,
    tree: "x",
  };

  it.each<[why: string, worse: Partial<TrialEvidence>]>([
    ["the only one that passes", { fails: ["a"], added: 0 }],
    ["it fixes a check that failed before", { red: 1, added: 0 }],
    ["the smallest change", { added: 6, files: 1 }],
    ["the fewest files", { files: 3 }],
  ])("prefers for this alone: %s", (why, worse) => {
    const ranking = rank([{ ...whole, ...worse, candidate: 2 }, whole]);
    expect(ranking).toMatchObject({ why, order: [{ candidate: 1 }, { candidate: 2 }] });
  });

  it("chooses one that passes whenever there is one, in whatever order they come", () => {
    fc.assert(
      fc.property(fc.array(evidence, { minLength: 1, maxLength: 4 }), (all) => {
        const ranking = rank(all);
        const isPassed = all.some(({ fails }) => fails.length === 0);
        expect(ranking.order[0]?.fails.length === 0).toBe(isPassed);
        expect(ranking.passing.length > 0).toBe(isPassed);
        const content = (list: readonly TrialEvidence[]): unknown =>
          list.map(({ candidate: _which, ...rest }) => rest);
        for (const other of [all.toReversed(), [...all.slice(1), ...all.slice(0, 1)]]) {
          expect(content(rank(other).order)).toEqual(content(ranking.order));
          expect(rank(other).why).toBe(ranking.why);
        }
      }),
      { numRuns: 500 },
    );
  });
});
