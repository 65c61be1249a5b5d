import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Batch,
  type ToolFact,
  addFact,
  addReport,
  EMPTY_BATCH,
  reportFromContract,
} from "../../../src/conversation/collaboration/batch.ts";
import {
  type CheckinPacket,
  askDeeper,
  deeperThan,
  readFeedback,
  renderPacketForModel,
  renderPacketForUser,
} from "../../../src/conversation/collaboration/checkin-packet.ts";

const fact = (about: Partial<ToolFact>): ToolFact => ({
  sessionId: "child",
  tool: "edit",
  mutating: true,
  failed: false,
  ...about,
});
const batch: Batch = addReport(
  [
    fact({ files: [{ path: "src/a.ts", added: 3, removed: 1 }] }),
    fact({ files: [{ path: "src/b`.ts", added: 10, removed: 0 }] }),
    fact({ files: [{ path: "src/a.ts", added: 2, removed: 2 }] }),
    fact({ files: [{ path: "src/never.ts", added: 9, removed: 9 }], failed: true }),
    fact({
      tool: "bash",
      command: { command: "npm test", exitCode: 1, output: "\u001B[31mok 1\n\nok 2\nok 3\nnot ok 4\n" },
    }),
    fact({ tool: "mcp_db_write" }),
    // One that git ignores, and one that is told of when it lands.
    fact({ tool: "write", told: [{ path: "dist/a.js", added: 1, removed: 0 }], isApart: false }),
    fact({ told: [{ path: "src/later.ts", added: 1, removed: 0 }], isApart: true }),
  ].reduce(addFact, EMPTY_BATCH),
  { rationale: "renames the flag", risk: "", nextStep: "update the docs" },
);
const packet: CheckinPacket = { reason: "batch", detail: "", pausing: true, batch, reviewDepth: "diff" };

test("the user sees measured figures, key output, the agent's words and what to answer", () => {
  expect(renderPacketForUser(packet)).toMatchInlineSnapshot(`
    "Check-in (batch): 2 files (+15 −3), 3 commands
    - src/a.ts +5 −3
    - src/b\`.ts +10 −0
    - $ npm test → exit 1
        ok 1
        ok 2
        ok 3
        not ok 4
    - $ mcp_db_write (no exit code)
    - $ write dist/a.js (no exit code)
    Why: renames the flag
    Next: update the docs
    /next goes on · "undo last" · "review this deeper (risk)" · or say what to change"
  `);
});

test("of work that goes on it is short: no changed lines, what failed, and what comes next", () => {
  const changed = new Map([["src/a.ts", ["       1 + x"]]]);
  const passing = { ...packet, reason: "wave", pausing: false } as const;
  expect(renderPacketForUser(packet, "", changed)).toContain("1 + x");
  expect(renderPacketForUser(passing, "", changed)).toMatchInlineSnapshot(`
    "Check-in (wave): 2 files (+15 −3), 3 commands
    - src/a.ts +5 −3
    - src/b\`.ts +10 −0
    - $ npm test → exit 1
        ok 1
        ok 2
        ok 3
        not ok 4
    Next: update the docs"
  `);
});

test("a budget names itself, and the deepest review offers no deeper one", () => {
  const text = renderPacketForUser({
    ...packet,
    reason: "budget",
    detail: "40 of 40 tool calls",
    reviewDepth: "deep_repo",
  });
  expect(text).toContain("Check-in (budget): 40 of 40 tool calls");
  expect(text).toContain('"review this deeper" ·');
});

test("long lists are cut, with the number of what is missing and true totals", () => {
  const many = Array.from({ length: 100 }, (_, index) =>
    fact({
      files: [{ path: `f${index}`, added: 1, removed: 0 }],
      command: { command: `c${index}`, exitCode: 0, output: "" },
    }),
  ).reduce(addFact, EMPTY_BATCH);
  const text = renderPacketForUser({ ...packet, batch: many });
  expect(text).toContain("(+100 −0), 100 commands");
  expect(text).toContain("- … 85 more file edits");
  expect(text).toContain("- … 94 earlier commands");
  expect(text.length).toBeLessThan(2_000);
});

test("commands around which the project could not be looked at are told of, and are no changes of nothing", () => {
  const command = { command: "make all", exitCode: 0, output: "" };
  const blind = [
    fact({ tool: "bash", command, isUnseen: true }),
    fact({ tool: "bash", command, isUnseen: true, mutating: false }),
    fact({ tool: "bash", command }),
  ].reduce(addFact, EMPTY_BATCH);
  const words =
    "0 files (+0 −0), 3 commands; what 1 of them changed is not known, the project could not be looked at";
  expect(renderPacketForUser({ ...packet, batch: blind })).toContain(words);
  expect(renderPacketForModel({ ...packet, batch: blind })).toContain(words);
});

describe("for the model", () => {
  test("it says what failed and ends the turn", () => {
    const text = renderPacketForModel(packet);
    expect(text).toContain("src/a.ts +5 −3");
    expect(text).toContain("npm test → exit 1");
    expect(text).toContain("End your turn");
  });

  test("it never takes more than 600 characters, and its orders are never cut", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 300 }), { maxLength: 50 }),
        fc.boolean(),
        (paths, pausing) => {
          const facts = paths.map((path) => fact({ files: [{ path, added: 1, removed: 1 }] }));
          const text = renderPacketForModel({
            ...packet,
            pausing,
            batch: facts.reduce(addFact, EMPTY_BATCH),
          });
          expect(text.length).toBeLessThanOrEqual(600);
          expect(text).toMatch(pausing ? /start nothing\.$/ : /go on\.$/);
        },
      ),
    );
  });
});

describe("words from a contract", () => {
  test.each<[string, unknown, object]>([
    [
      "hephaestus",
      { data: { diff_summary: "adds the limiter", known_issues: ["no burst", "no tests"] }, errors: [] },
      { rationale: "adds the limiter", risk: "no burst; no tests", nextStep: "" },
    ],
    [
      "a reviewer's outcome",
      { data: { failures: ["lint"] }, outcome: { verdict: "REJECT", next_step: "fix lint" } },
      { risk: "lint", nextStep: "fix lint" },
    ],
    ["errors when no risk is named", { data: {}, errors: ["npm missing"] }, { risk: "npm missing" }],
    ["garbage", { data: [1], outcome: 7, errors: "x" }, { rationale: "", risk: "x", nextStep: "" }],
    ["nothing", null, { rationale: "", risk: "", nextStep: "" }],
  ])("%s", (_name, envelope, expected) => {
    expect(reportFromContract(envelope)).toMatchObject(expected);
  });

  test("never throws and stays short", () => {
    fc.assert(
      fc.property(fc.anything(), (data) => {
        const report = reportFromContract({ data, diff_summary: "x".repeat(9_000) });
        expect(report.rationale.length).toBeLessThanOrEqual(320);
      }),
    );
  });
});

test.each([
  ["/next", "next"],
  [" /next\n", "next"],
  ["undo last", "undo"],
  ["Undo last", "undo"],
  ["Undo the last batch.", "remark"],
  ['"undo last"', "undo"],
  ["undo", "undo"],
  ["review this deeper", "deeper"],
  ["please review deeper", "remark"],
  ["review this deeper (risk)", "deeper"],
  ["undo last, but keep the tests", "remark"],
  ["do not undo last", "remark"],
  ["next", "remark"],
  ["rename this", "remark"],
])("%j is %s", (text, kind) => {
  expect(readFeedback(text)).toBe(kind);
});

test("a deeper review is asked of both who look, at its depth", () => {
  expect(askDeeper(batch, "risk")).toMatch(/hades.*aether.*depth risk/);
});

test("the depth rises step by step and stays at the end", () => {
  expect((["inline", "diff", "risk", "deep_repo"] as const).map(deeperThan)).toEqual([
    "diff",
    "risk",
    "deep_repo",
    "deep_repo",
  ]);
});
