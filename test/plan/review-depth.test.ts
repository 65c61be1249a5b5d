import { describe, expect, it } from "vitest";
import { type DiffDepth, shapeReview, findRiskHotspots } from "../../src/plan/review/brief.ts";
import { parseUnifiedDiff } from "../../src/snapshot/unified-diff.ts";

const DIFF = `diff --git a/src/list.ts b/src/list.ts
index 1..2 100644
--- a/src/list.ts
+++ b/src/list.ts
@@ -1,4 +1,5 @@ export class List {
 const kept = 1;
-export function oldName() {}
+export function newName() {}
+-- not a header
 const after = 2;
 const last = 3;
diff --git a/src/auth/login.ts b/src/auth/login.ts
new file mode 100644
--- /dev/null
+++ b/src/auth/login.ts
@@ -0,0 +1,2 @@
+const ok = verifySignature(token);
+\`\`\`
diff --git a/db/migrations/002.sql b/db/migrations/002.sql
--- a/db/migrations/002.sql
+++ b/db/migrations/002.sql
@@ -1 +1 @@
-select 1;
+DROP TABLE users;
diff --git a/.env b/.env
--- a/.env
+++ b/.env
@@ -1 +1 @@
-API_KEY=old-value
+API_KEY=new-value
diff --git a/old.bin b/old.bin
deleted file mode 100644
Binary files a/old.bin and /dev/null differ
diff --git a/b.txt b/b.txt
+++ b/b.txt
Lines not shown, +30 -2
`;

function shape(depth: DiffDepth, diff = DIFF) {
  return shapeReview({
    depth,
    diff,
    isSensitive: (path) => path === ".env",
    redact: (text) => text,
  });
}

describe("parseUnifiedDiff", () => {
  it("reads files, counts and line numbers", () => {
    const files = parseUnifiedDiff(DIFF);
    expect(files.map(({ path, status, added, removed }) => [path, status, added, removed])).toEqual([
      ["src/list.ts", "modified", 2, 1],
      ["src/auth/login.ts", "added", 2, 0],
      ["db/migrations/002.sql", "modified", 1, 1],
      [".env", "modified", 1, 1],
      ["old.bin", "binary", 0, 0],
      ["b.txt", "modified", 30, 2],
    ]);
    expect(files[0]?.hunks[0]?.lines.map(({ kind, line }) => `${kind} ${line}`)).toEqual([
      "context 1",
      "removed 2",
      "added 2",
      "added 3",
      "context 4",
      "context 5",
    ]);
  });

  it("does not take a removed line for the head of a file", () => {
    const diff = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1 @@\n--- a/y\n-b\n+++ b/z\n";
    expect(parseUnifiedDiff(diff)).toMatchObject([{ path: "x", added: 1, removed: 2 }]);
  });
});

describe("shapeReview", () => {
  it("inline: changed lines only", () => {
    const markdown = shape("inline");
    expect(markdown).toContain("+export function newName() {}");
    expect(markdown).not.toContain("const kept");
    expect(markdown).not.toContain("Risk hotspots");
  });

  it("diff: the diff with its context and all touched files", () => {
    const markdown = shape("diff");
    expect(markdown).toContain("@@ 1 export class List {\n const kept = 1;\n-export");
    expect(markdown).toContain("- src/list.ts (modified, +2 −1)");
    expect(markdown).toContain("- b.txt (modified, +30 −2)");
    expect(markdown).not.toContain("Risk hotspots");
  });

  it("risk: hotspots with evidence, and their diffs first", () => {
    const big = Array.from({ length: 150 }, (_each, at) => `+line ${at}`).join("\n");
    const diff = `${DIFF}diff --git a/src/big.ts b/src/big.ts
--- a/src/big.ts
+++ b/src/big.ts
@@ -0,0 +1,150 @@
${big}
diff --git a/test/list.test.ts b/test/list.test.ts
deleted file mode 100644
--- a/test/list.test.ts
+++ /dev/null
@@ -1 +0,0 @@
-expect(list).toEqual([]);
`;
    const markdown = shape("risk", diff);
    expect(findRiskHotspots(parseUnifiedDiff(diff)).map(({ path, kinds }) => [path, kinds])).toEqual([
      ["test/list.test.ts", ["deleted", "tests"]],
      ["src/big.ts", ["large"]],
      ["old.bin", ["binary"]],
    ]);
    expect(markdown).toContain("- test/list.test.ts: deleted, tests\n  - 1: gone: expect(list).toEqual([]);");
    expect(markdown.indexOf("### src/big.ts")).toBeLessThan(markdown.indexOf("### src/list.ts"));
  });

  it.each<[path: string, before: string, after: string, evidence: string[]]>([
    [
      "test/sum.test.ts",
      "  expect(sum(1, 2)).toBe(3);",
      "  expect(sum(1, 2)).toBe(4);",
      ["expect(sum(1, 2)).toBe(3);"],
    ],
    ["test/sum.test.ts", "  it('adds', () => {", "  it.skip('adds', () => {", ["it('adds', () => {"]],
    ["tests/test_sum.py", "    assert total(1) == 3", "    assert True", ["assert total(1) == 3"]],
    ["tests/test_sum.py", "def test_total():", "def helper():", ["def test_total():"]],
    ["sum_test.go", '\tt.Errorf("got %d", got)', "\tt.Log(got)", ['t.Errorf("got %d", got)']],
    ["sum_test.go", "\trequire.NoError(t, err)", "", ["require.NoError(t, err)"]],
    ["src/test/SumTest.java", "    @Test", "", ["@Test"]],
    ["tests/sum.rs", "#[test]", "", ["#[test]"]],
    ["spec/sum_spec.rb", '  it "adds" do', '  xit "adds" do', ['it "adds" do']],
    // What only moves, and what is no test.
    ["test/sum.test.ts", "  expect(sum(1, 2)).toBe(3);", "    expect(sum(1, 2)).toBe(3);", []],
    ["test/sum.test.ts", "const { sum } = require('../sum');", "const { sum } = require('../sum'); ", []],
    ["src/sum.ts", "  expect(3);", "  expect(4);", []],
  ])("names the lines that a test has lost: %s, %s", (path, before, after, evidence) => {
    const diff = `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-${before}\n+${after}\n`;
    const found = findRiskHotspots(parseUnifiedDiff(diff)).filter(({ kinds }) => kinds.includes("tests"));
    expect(found.flatMap((each) => each.evidence)).toEqual(evidence.map((line) => `1: gone: ${line}`));
  });

  it("deep_repo: what changed for others", () => {
    const reach = "## Reach: find who uses what changed in\n- src\n- src/auth\n- db/migrations\n- .\n";
    expect(shape("deep_repo")).toContain(reach);
    expect(shape("risk")).not.toContain("## Reach");
  });

  it("keeps a diff of markdown inside its block", () => {
    expect(shape("diff")).toContain("````diff\n@@ 1\n+const ok = verifySignature(token);\n+```\n````");
  });

  it("stays bounded and says what it left out", () => {
    const long = Array.from({ length: 5_000 }, (_, index) => `+line ${index} of a long file`).join("\n");
    const file = (name: string) =>
      `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n@@ -0,0 +1,5000 @@\n${long}\n`;
    const markdown = shape("inline", file("big.ts") + file("second.ts"));
    expect(markdown.length).toBeLessThan(8_000);
    expect(markdown).toContain("+line 0 of a long file");
    expect(markdown).toMatch(/Not shown in full, read them yourself\n- big\.ts\n- second\.ts$/);
  });
});
