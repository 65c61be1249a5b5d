import { expect, it } from "vitest";
import { readDiff, renderChangedLines } from "../../src/work-tree/lines.ts";
import { diffTexts } from "../../src/lib/line-diff.ts";
import { createRedactor } from "../../src/lib/redaction.ts";
import { NO_FILE, type TreeChange } from "../../src/snapshot/version.ts";

const numbered = (count: number, mark = "line "): string =>
  Array.from({ length: count }, (_none, index) => `${mark}${index}\n`).join("");
const shown = (...files: Parameters<typeof diffTexts>[]) =>
  renderChangedLines(files.map((file) => diffTexts(...file)));

it("shows changed lines with their numbers below their file, cut in each file and in all", () => {
  expect(shown(["a.txt", "one\ntwo\nthree\n", "one\n2\n2b\nthree\n"]).get("a.txt")).toEqual([
    "       2 - two",
    "       2 + 2",
    "       3 + 2b",
  ]);
  const long = ["a", "b", "c"].map((path): [string, string, string] => [path, "", numbered(40)]);
  const many = shown(...long, ["d", "", "x"]);
  expect([...many.values()].map((lines) => lines.length)).toEqual([13, 13, 7, 1]);
  expect(many.get("d")).toEqual(["         … 1 more line"]);
  expect(shown(["w", "", "x".repeat(9_000)]).get("w")?.[0]?.length).toBeLessThan(160);
});

const KEY = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123";
const PEM = `-----BEGIN PRIVATE KEY-----\n${"MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n".repeat(9)}-----END PRIVATE KEY-----\n`;

/** Files by what they held before and hold now; null for one that is not there. */
async function changedIn(files: Readonly<Record<string, readonly [string | null, string | null]>>) {
  const bytes = new Map<string, Buffer>();
  const version = (text: string | null): TreeChange["before"] => {
    if (text === null) return NO_FILE;
    bytes.set(text, Buffer.from(text));
    return { id: text, mode: "100644" };
  };
  const changes = Object.entries(files).map(([path, [before, after]]) => ({
    path,
    before: version(before),
    after: version(after),
  }));
  const trees = { bytes: async ({ id }: { id: string }) => bytes.get(id) ?? null };
  const isSensitive = (path: string): boolean => path.startsWith(".env");
  const found = await readDiff(changes, trees, { redact: createRedactor({}), isSensitive });
  return [...renderChangedLines(found)].flatMap(([path, lines]) => [path, ...lines]).join("\n");
}

it("shows what was added, changed and deleted, and a file that only moved as no change", async () => {
  const shownLines = await changedIn({
    "new.txt": [null, "fresh\n"],
    "a.txt": ["one\n", "two\n"],
    "gone.txt": ["bye\n", null],
    "old-name.txt": ["same\n", null],
    "new-name.txt": [null, "same\n"],
  });
  expect(shownLines).toContain("1 + fresh");
  expect(shownLines).toMatch(/1 - one\n +1 \+ two/);
  expect(shownLines).toContain("1 - bye");
  expect(shownLines).not.toContain("same");
});

it("holds no secret, wherever one stands, and nothing of a file that is known to hold some", async () => {
  const shownLines = await changedIn({
    "key.ts": ["a\n", `a\nconst key = "${KEY}";\n`],
    "pem.txt": [`${PEM}end\n`, `start\n${PEM}end\n`],
    ".env": ["A=1\n", "A=hunter2\n"],
  });
  expect(shownLines).toContain('+ const key = "[REDACTED:key…0123]";');
  expect(shownLines).toContain("+ start");
  expect(shownLines).not.toMatch(/sk-ant|MIIEv|hunter2/);
});

it("obeys nothing that a file says to a terminal, and hides nothing that a reader would take for another order", async () => {
  const shownLines = await changedIn({
    "a.txt": ["x\n", "\u001B[2J\u001B]0;title\u0007safe \u202Ereversed\u0000\n".replace("\u0000", "\u0001")],
  });
  expect(shownLines).toContain("safe reversed");
  // oxlint-disable-next-line no-control-regex -- these are meant
  expect(shownLines).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u202E]/u);
});
