import { expect, it } from "vitest";
import { type DiffDepth, linesGone, shapeReview } from "../../src/plan/review/brief.ts";
import { type DiffFile, diffTexts } from "../../src/lib/line-diff.ts";
import { readCases } from "../support/cases.ts";

const NEW = "added" as const;
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
  return shapeReview({ depth, files, isSensitive: (path) => path === ".env", redact: (text) => text });
}

it("shapeReview shows the block whole around what changed in it, and a few lines where there is no room", () => {
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
  expect(whole).toContain(
    "@@ 2 export function first() {}\n export function second() {\n   const step0 = 0;",
  );
  expect(whole).toContain("   const step29 = 29;\n }\n```");
  const narrow = shape(
    "diff",
    Array.from({ length: 30 }, (_each, at) => ({ ...file, path: `src/${at}.ts` })),
  );
  expect(narrow).toContain("@@ 15 export function second() {\n   const step12 = 12;");
  expect(narrow).not.toContain("const step11");
  expect(narrow).not.toContain("Not shown in full");
  expect(narrow).toContain("only the lines around the change are shown");
});

it.each(readCases<[path: string, before: string, after: string, evidence: string[]]>("plan/lost-tests"))(
  "shapeReview names the lines that a test has lost: %s, %s",
  (path, before, after, evidence) => {
    const lost = linesGone(diffTexts(path, before, after)).slice(0, 3);
    expect(lost).toEqual(evidence.map((line) => `1: gone: ${line}`));
  },
);

it("shapeReview stays bounded and says what it left out", () => {
  const long = Array.from({ length: 5_000 }, (_, index) => `line ${index} of a long file\n`).join("");
  const markdown = shape("inline", [diffTexts("big.ts", "", long), diffTexts("second.ts", "", long)]);
  expect(markdown.length).toBeLessThan(8_000);
  expect(markdown).toContain("+line 0 of a long file");
  expect(markdown).toMatch(/Not shown in full, read them yourself\n- big\.ts\n- second\.ts$/);
});
