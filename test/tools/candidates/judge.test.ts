import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runsIn, sortChanges } from "../../../src/tools/plan-run/candidates/check-files.ts";
import { compareAll, readAnswer } from "../../../src/tools/plan-run/candidates/compare.ts";
import { numberIn } from "../../../src/tools/plan-run/candidates/pick.ts";
import { type Evidence, rank } from "../../../src/tools/plan-run/candidates/rank.ts";
import { type Checks, UNSEEN, type TriedOut } from "../../../src/tools/plan-run/candidates/try-out.ts";
import { judgeTree } from "../../../src/tools/plan-run/candidates/verdict.ts";
import type { TreeChange } from "../../../src/snapshot/version.ts";

const change = (path: string, what: "made" | "changed" | "taken away" = "changed"): TreeChange => ({
  path,
  before: { id: what === "made" ? "" : "a", mode: "100644" },
  after: { id: what === "taken away" ? "" : "b", mode: "100644" },
});

describe("files by which a project is checked", () => {
  it.each([
    ["test/a.js"],
    ["src/a.test.ts"],
    ["pkg/a_test.go"],
    ["tests/test_a.py"],
    ["spec/a_spec.rb"],
    ["src/test/java/ATest.java"],
    ["src/__snapshots__/a.snap"],
    ["vitest.config.ts"],
    ["packages/a/tsconfig.build.json"],
    [".github/workflows/ci.yml"],
    ["tests/conftest.py"],
  ])("hold %s, which counts as it was before where the plan gives it to nobody", (path) => {
    const { restored, own, outside } = sortChanges([change(path)], ["src/main.ts"], "", new Set());
    expect([restored.map((step) => step.path), own, outside]).toEqual([[path], [], 1]);
    expect(sortChanges([change(path)], undefined, "", new Set()).restored).toHaveLength(1);
    // The plan gives it to the task: the work is tried with it and without.
    expect(sortChanges([change(path)], [path], "", new Set())).toMatchObject({ restored: [], outside: 0 });
    // Nobody has a task to take it away.
    expect(sortChanges([change(path, "taken away")], [path], "", new Set()).restored).toHaveLength(1);
  });

  it.each([
    ["src/latest.ts", "changed"],
    ["src/contest/a.ts", "changed"],
    ["test/new.test.ts", "made"],
    ["docs/a.md", "changed"],
    ["check.sh", "changed"],
  ] as const)("do not hold %s where it was %s", (path, what) => {
    expect(sortChanges([change(path, what)], ["src/"], "", new Set()).restored).toEqual([]);
  });

  it("hold what sets up the checks where it is new as well, and what a check runs", () => {
    const made = [change("conftest.py", "made"), change(".npmrc", "made"), change("jest.config.js", "made")];
    expect(sortChanges(made, ["src"], "", new Set()).restored).toHaveLength(3);
    const executed = runsIn([
      "sh check.sh",
      "A=1 node --test scripts/verify.mjs && ./ok",
      "grep -q x src/a.js",
    ]);
    expect([...executed]).toEqual(["check.sh", "scripts/verify.mjs", "ok"]);
    expect(
      sortChanges([change("check.sh"), change("src/a.js")], ["src"], "", executed).restored,
    ).toMatchObject([{ path: "check.sh" }]);
    // Where the plan names no files it may be the work itself.
    expect(sortChanges([change("check.sh")], undefined, "", executed).restored).toEqual([]);
  });

  it("are those of the project where that lies below the top of its repository", () => {
    const changes = [change("app/src/a.ts"), change("app/test/a.ts"), change("other/b.ts")];
    const sorted = sortChanges(changes, ["src/a.ts", "test/"], "app", new Set());
    expect(sorted).toMatchObject({ restored: [], own: [{ path: "app/test/a.ts" }], outside: 1 });
  });
});

describe("the verdict on a tree", () => {
  const check = (id: string) => ({ id, command: `run ${id}`, scope: "full" as const, timeoutSeconds: 1 });
  const jury = (gate: "all" | "any" | "none" = "all"): Checks => ({
    verify: check("verify"),
    hidden: null,
    definition: { artifacts: [], gate, checks: [check("a"), check("b")] },
    files: [],
    isByPerson: true,
  });
  const own = (digest: string) => new Map([["a", [{ name: "check.sh", digest, shown: "" }]]]);
  const seen = (red: string, more: Partial<TriedOut> = {}): TriedOut => ({
    ...UNSEEN,
    ends: new Map(
      ["verify", "a", "b"].map((id) => [
        id,
        red.split(" ").includes(id)
          ? { kind: "failed" as const, said: `${id} is red` }
          : { kind: "fine" as const },
      ]),
    ),
    ...more,
  });

  it.each<[string, ReturnType<typeof jury>, TriedOut, TriedOut, Partial<ReturnType<typeof judgeTree>>]>([
    ["nothing for what passes", jury(), seen(""), seen(""), { fails: [], passed: 3, red: 0 }],
    [
      "its verify, red before as well",
      jury(),
      seen("verify"),
      seen("verify"),
      { fails: ["`run verify` fails"] },
    ],
    ["a check that passed before", jury(), seen("a"), seen(""), { fails: ["`run a` fails"], red: 0 }],
    ["no check that failed before", jury(), seen("a"), seen("a"), { fails: [], red: 1, passed: 2 }],
    ["no check where any is enough", jury("any"), seen("a"), seen(""), { fails: [] }],
    [
      "all of them where any is enough",
      jury("any"),
      seen("a b"),
      seen(""),
      { fails: ["`run a` fails", "`run b` fails"] },
    ],
    ["no check where none counts", jury("none"), seen("a b"), seen(""), { fails: [], passed: 1 }],
    [
      "an artifact that was there",
      jury(),
      seen("", { missing: ["x", "y"] }),
      seen("", { missing: ["x"] }),
      { fails: ["y is gone"] },
    ],
    [
      "a check that comes down to something else",
      jury(),
      seen("", { ownFiles: own("true") }),
      seen("", { ownFiles: own("test") }),
      { hollowed: ["what `run a` runs"] },
    ],
    ["no check that was not there", jury(), seen("", { ownFiles: own("true") }), seen(""), { hollowed: [] }],
    [
      "other settings of the checks",
      jury(),
      seen("", { settings: "{}" }),
      seen(""),
      { hollowed: ["what sets up the checks"] },
    ],
  ])("holds against it %s", (_what, of, tree, before, expected) => {
    expect(judgeTree(of, tree, before)).toMatchObject(expected);
  });

  it("is no pass where nothing could be run", () => {
    const ends = new Map([["verify", { kind: "refused" as const, said: "it is dangerous" }]]);
    const verdict = judgeTree(
      { verify: check("verify"), hidden: null, definition: null, files: [], isByPerson: true },
      { ...UNSEEN, ends },
      UNSEEN,
    );
    expect(verdict.fails).toEqual(["`run verify` was not run: it is dangerous"]);
  });
});

/** Two of the same content are the same in everything else as well. */
const evidence = fc
  .record({
    candidate: fc.integer({ min: 1, max: 4 }),
    fails: fc.constantFrom<readonly string[]>([], ["a"], ["a", "b"]),
    isStrict: fc.boolean(),
    red: fc.nat(2),
    newErrors: fc.option(fc.nat(2)),
    outside: fc.nat(2),
    files: fc.nat(2),
    added: fc.nat(2),
    removed: fc.nat(2),
    salt: fc.constantFrom("a", "b"),
  })
  .map(({ candidate, ...rest }) => ({
    ...rest,
    candidate,
    digest: JSON.stringify(Object.entries(rest).toReversed()),
  }));

describe("the ranking", () => {
  const whole: Evidence = {
    candidate: 1,
    fails: [],
    isStrict: true,
    red: 0,
    newErrors: 0,
    outside: 0,
    files: 2,
    added: 5,
    removed: 5,
    digest: "x",
  };

  it.each<[why: string, worse: Partial<Evidence>]>([
    ["the only one that passes", { fails: ["a"], added: 0 }],
    ["it passes by the tests of before", { isStrict: false, added: 0 }],
    ["it fixes a check that failed before", { red: 1, added: 0 }],
    ["it makes the fewest new errors", { newErrors: 1, added: 0 }],
    ["it stays in the plan's files", { outside: 1, added: 0 }],
    ["the smallest change", { added: 6, files: 1 }],
    ["the fewest files", { files: 3 }],
  ])("prefers for this alone: %s", (why, worse) => {
    const ranking = rank([{ ...whole, ...worse, candidate: 2 }, whole]);
    expect(ranking).toMatchObject({ why, order: [{ candidate: 1 }, { candidate: 2 }], equals: [whole] });
  });

  it("holds new errors against nobody where of one that passes nobody can tell them", () => {
    const unknown = { ...whole, candidate: 2, newErrors: null, added: 6 };
    expect(rank([unknown, { ...whole, newErrors: 9 }])).toMatchObject({ why: "the smallest change" });
    const failing = { ...unknown, fails: ["a"] };
    const worse = { ...whole, candidate: 3, newErrors: 1, added: 0 };
    expect(rank([failing, worse, whole])).toMatchObject({
      why: "it makes the fewest new errors",
      order: [{ candidate: 1 }, { candidate: 3 }, { candidate: 2 }],
    });
  });

  it("chooses one that passes whenever there is one, in whatever order they come", () => {
    fc.assert(
      fc.property(fc.array(evidence, { minLength: 1, maxLength: 4 }), (all) => {
        const ranking = rank(all);
        const isPassed = all.some(({ fails }) => fails.length === 0);
        expect(ranking.order[0]?.fails.length === 0).toBe(isPassed);
        expect(ranking.equals.length > 0).toBe(isPassed);
        const content = (list: readonly Evidence[]): unknown =>
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

describe("a comparison by a reader", () => {
  const all = ["a", "b", "c"].map((diff) => ({ of: diff, diff }));
  it.each<[string, (one: string, other: string) => boolean | null, string, boolean]>([
    [
      "who prefers one",
      (one, other) => (one === "b" ? true : other === "b" ? false : one < other),
      "b",
      true,
    ],
    ["who always takes the first", () => true, "a", false],
    ["who says nothing", () => null, "a", false],
  ])("%s", async (_who, answer, best, isRead) => {
    const asked: string[] = [];
    const found = await compareAll(all, async (one, other) => {
      asked.push(`${one}${other}`);
      return answer(one, other);
    });
    expect(found).toEqual({ best, isRead });
    expect(asked.length).toBeLessThanOrEqual(4);
  });

  it("who is shown nothing, for all are the same, has decided nothing", async () => {
    const same = [1, 2, 3].map((of) => ({ of, diff: "same" }));
    const found = await compareAll(same, async () => Promise.reject(new Error("asked")));
    expect(found).toEqual({ best: 1, isRead: false });
  });

  it.each<[string, boolean | null]>([
    ["BETTER: 1", true],
    ["I think BETTER: 1 at first, but\n**BETTER:** 2.", false],
    ["better = 2", false],
    ["BETTER: 3", null],
    ["BETTER: 12", null],
    ["the first", null],
    ["", null],
  ])("reads %j", (text, expected) => {
    expect(readAnswer(text)).toBe(expected);
  });
});

describe("the words of a no", () => {
  it.each<[string, number | null]>([
    ["2", 2],
    ["take candidate 2 instead", null],
    ["1.2", 2],
    ["no, the other one: 2", null],
    ["7.2", null],
    ["not 2", null],
    ["I don't like 2", null],
    ["1 or 2", null],
    ["neither", null],
    ["12", null],
    ["version 3.14", null],
    ["", null],
  ])("%j", (words, expected) => {
    expect(numberIn(words, 1)).toBe(expected);
  });
});
