import { describe, expect, it } from "vitest";
import { dropSensitiveLines } from "../../src/policy/search-lines.ts";
import { readCases } from "../support/cases.ts";

const SECRET = "hunter2";
const LINKS: Readonly<Record<string, string>> = {
  "notes.txt": "/project/.env",
  "src/b.ts": "/project/src/b.ts",
  "/p/src/b.ts": "/p/src/b.ts",
};
const drop = (text: string, allowSensitive: readonly string[] = []): string =>
  dropSensitiveLines(text, { allowSensitive, resolve: (path) => LINKS[path] });

describe("lines of sensitive files", () => {
  it.each<[string, string]>([
    ["grep -rn", `src/a.ts:1:ok\n./.env:2:PASS=${SECRET}\nsrc/b.ts:1:ok`],
    ["grep -r", `src/a.ts:ok\n.env:PASS=${SECRET}`],
    ["grep behind a link", `notes.txt:1:PASS=${SECRET}\nsrc/a.ts:1:ok`],
    [
      "OpenCode's grep",
      `Found 3 matches\n/p/src/a.ts:\n  Line 1: ok\n\n/p/.env:\n  Line 1: PASS=${SECRET}\n  Line 2: B=${SECRET}`,
    ],
    [
      "OpenCode's grep, which puts an empty line behind each",
      `Found 4 matches\n/p/.env:\n  Line 1: A=${SECRET}\n\n  Line 2: B=${SECRET}\n\n  Line 4: a.b: ${SECRET}\n\n\n/p/src/b.ts:\n  Line 1: ok\n`,
    ],
    [
      "OpenCode's grep, first",
      `Found 2 matches\n/p/.env:\n  Line 1: PASS=${SECRET}\n/p/src/a.ts:\n  Line 1: ok`,
    ],
    ["git grep", `src/a.ts:ok\nconfig/.env.production:PASS=${SECRET}`],
    [
      "git diff",
      `diff --git a/.env b/.env\n--- a/.env\n+++ b/.env\n@@ -1 +1 @@\n-PASS=a\n\n+PASS=${SECRET}\ndiff --git a/src/a.ts b/src/a.ts\n+ok`,
    ],
    ["git diff --no-prefix", `diff --git .env .env\n+PASS=${SECRET}\ndiff --git a.ts a.ts\n+ok`],
    [
      "git log -p",
      `commit 0123456789\n\n    ok\n\ndiff --git a/k.pem b/k.pem\n+${SECRET}\n\ncommit 1123456789\n\n    ok`,
    ],
    ["a stored output", `00001| src/a.ts:1:ok\n00002| .env:1:PASS=${SECRET}`],
    ["windows", `src\\a.ts:1:ok\r\n.\\.env:1:PASS=${SECRET}\r`],
  ])("are left out of %s", (_name, text) => {
    const shown = drop(text);
    expect(shown).not.toContain(SECRET);
    expect(shown).toContain("ok");
    expect(shown).toContain("not shown, it may hold secrets]");
  });

  it.each<[string, string]>(readCases<[string, string]>("policy/search-lines.are-not-found-in"))(
    "are not found in %s",
    (_name, text) => {
      expect(drop(text, [".env.test"])).toBe(text);
    },
  );
});
