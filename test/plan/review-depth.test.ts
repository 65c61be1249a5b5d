import { describe, expect, it } from "vitest";
import { type DiffDepth, shapeReview, findRiskHotspots } from "../../src/plan/review/brief.ts";
import { type DiffFile, diffTexts } from "../../src/lib/line-diff.ts";
import { readCases } from "../support/cases.ts";

const NEW = "added" as const;
const GONE = "deleted" as const;
const LIST: readonly DiffFile[] = [
  diffTexts(
    "src/list.ts",
    "export class List {\n\n\n\nconst kept = 1;\nexport function oldName() {}\nconst after = 2;\n",
    "export class List {\n\n\n\nconst kept = 1;\nexport function newName() {}\n- not a header\nconst after = 2;\n",
  ),
  { ...diffTexts("src/auth/login.ts", "", "const ok = verifySignature(token);\n```\n"), status: NEW },
  diffTexts("db/migrations/002.sql", "select 1;\n", "DROP TABLE users;\n"),
  diffTexts(".env", "API_KEY=old-value\n", "API_KEY=new-value\n"),
  { path: "old.bin", status: "binary", added: 0, removed: 0, hunks: [] },
  { path: "b.txt", status: "modified", added: 30, removed: 2, hunks: [] },
];

function shape(depth: DiffDepth, files = LIST) {
  return shapeReview({
    depth,
    files,
    isSensitive: (path) => path === ".env",
    redact: (text) => text,
  });
}

describe("shapeReview", () => {
  it("inline: changed lines only", () => {
    const markdown = shape("inline");
    expect(markdown).toContain("+export function newName() {}");
    expect(markdown).not.toContain("const kept");
    expect(markdown).not.toContain("Risk hotspots");
  });

  it("diff: the diff with its context and all touched files", () => {
    const markdown = shape("diff");
    expect(markdown).toContain("@@ 3 export class List {\n \n \n const kept = 1;\n-export");
    expect(markdown).toContain("- src/list.ts (modified, +2 −1)");
    expect(markdown).toContain("- b.txt (modified, +30 −2)");
    expect(markdown).not.toContain("Risk hotspots");
  });

  it("shows a function whole around what changed in it, and a few lines where there is no room", () => {
    const body = Array.from({ length: 30 }, (_each, at) => `  const step${at} = ${at};`);
    const before = [
      "export function first() {}",
      "export function second() {",
      ...body,
      "}",
      "const last = 1;",
    ];
    const after = before.map((line) => line.replace("step15 = 15", "step15 = 16"));
    const file = diffTexts("src/steps.ts", before.join("\n"), after.join("\n"));
    const whole = shape("diff", [file]);
    expect(whole).toContain("@@ 2\n export function second() {\n   const step0 = 0;");
    expect(whole).toContain("   const step29 = 29;\n }\n```");
    const narrow = shape(
      "diff",
      Array.from({ length: 30 }, (_each, at) => ({ ...file, path: `src/${at}.ts` })),
    );
    expect(narrow).toContain("@@ 15 export function second() {\n   const step12 = 12;");
    expect(narrow).not.toContain("const step11");
    expect(narrow).not.toContain("Not shown in full");
  });

  it("risk: hotspots with evidence, and their diffs first", () => {
    const big = Array.from({ length: 150 }, (_each, at) => `line ${at}\n`).join("");
    const files = [
      ...LIST,
      diffTexts("src/big.ts", "", big),
      { ...diffTexts("test/list.test.ts", "expect(list).toEqual([]);\n", ""), status: GONE },
    ];
    const markdown = shape("risk", files);
    expect(findRiskHotspots(files).map(({ path, kinds }) => [path, kinds])).toEqual([
      ["test/list.test.ts", ["deleted", "tests"]],
      ["src/big.ts", ["large"]],
      ["old.bin", ["binary"]],
    ]);
    expect(markdown).toContain("- test/list.test.ts: deleted, tests\n  - 1: gone: expect(list).toEqual([]);");
    expect(markdown.indexOf("### src/big.ts")).toBeLessThan(markdown.indexOf("### src/list.ts"));
  });

  it.each(readCases<[path: string, before: string, after: string, evidence: string[]]>("plan/lost-tests"))(
    "names the lines that a test has lost: %s, %s",
    (path, before, after, evidence) => {
      const found = findRiskHotspots([diffTexts(path, before, after)]).filter(({ kinds }) =>
        kinds.includes("tests"),
      );
      expect(found.flatMap((each) => each.evidence)).toEqual(evidence.map((line) => `1: gone: ${line}`));
    },
  );

  it("deep_repo: what changed for others", () => {
    const reach = "## Reach: find who uses what changed in\n- src\n- src/auth\n- db/migrations\n- .\n";
    expect(shape("deep_repo")).toContain(reach);
    expect(shape("risk")).not.toContain("## Reach");
  });

  it("keeps a diff of markdown inside its block", () => {
    expect(shape("diff")).toContain("````diff\n@@ 1\n+const ok = verifySignature(token);\n+```\n````");
  });

  it("stays bounded and says what it left out", () => {
    const long = Array.from({ length: 5_000 }, (_, index) => `line ${index} of a long file\n`).join("");
    const markdown = shape("inline", [diffTexts("big.ts", "", long), diffTexts("second.ts", "", long)]);
    expect(markdown.length).toBeLessThan(8_000);
    expect(markdown).toContain("+line 0 of a long file");
    expect(markdown).toMatch(/Not shown in full, read them yourself\n- big\.ts\n- second\.ts$/);
  });
});
