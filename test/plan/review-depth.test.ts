import { describe, expect, it } from "vitest";
import { type DiffDepth, shapeReview, findRiskHotspots } from "../../src/plan/review/brief.ts";
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
  return shapeReview({
    depth,
    files,
    isSensitive: (path) => path === ".env",
    redact: (text) => text,
  });
}

describe("shapeReview", () => {
  it.each(readCases<[path: string, before: string, after: string, evidence: string[]]>("plan/lost-tests"))(
    "names the lines that a test has lost: %s, %s",
    (path, before, after, evidence) => {
      const found = findRiskHotspots([diffTexts(path, before, after)]).filter(({ kinds }) =>
        kinds.includes("tests"),
      );
      expect(found.flatMap((each) => each.evidence)).toEqual(evidence.map((line) => `1: gone: ${line}`));
    },
  );

  it("stays bounded and says what it left out", () => {
    const long = Array.from({ length: 5_000 }, (_, index) => `line ${index} of a long file\n`).join("");
    const markdown = shape("inline", [diffTexts("big.ts", "", long), diffTexts("second.ts", "", long)]);
    expect(markdown.length).toBeLessThan(8_000);
    expect(markdown).toContain("+line 0 of a long file");
    expect(markdown).toMatch(/Not shown in full, read them yourself\n- big\.ts\n- second\.ts$/);
  });
});
