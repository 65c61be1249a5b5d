import * as fc from "fast-check";
import { expect, test } from "vitest";
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
const about = { reason: "batch", detail: "", pausing: true, reviews: [] } as const;
const packet: CheckinPacket = { ...about, batch, reviewDepth: "diff" };

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
  for (const words of ["src/a.ts +5 −3", "npm test → exit 1", "End your turn"])
    expect(renderPacketForModel(packet)).toContain(words);
});

test("what a model is told never takes more than 600 characters, and its orders are never cut", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ maxLength: 300 }), { maxLength: 50 }),
      fc.boolean(),
      fc.boolean(),
      (paths, pausing, isShown) => {
        const facts = paths.map((path) => fact({ files: [{ path, added: 1, removed: 1 }] }));
        const batch = facts.reduce(addFact, EMPTY_BATCH);
        const text = renderPacketForModel({ ...packet, pausing, batch }, isShown);
        expect(text.length).toBeLessThanOrEqual(600);
        expect(text.includes("do not repeat")).toBe(isShown);
        expect(text).toMatch(pausing ? /start nothing\.$/ : /go on\.$/);
      },
    ),
  );
});

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
])("words from a contract %s", (_name, envelope, expected) => {
  expect(reportFromContract(envelope)).toMatchObject(expected);
});
