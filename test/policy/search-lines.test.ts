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
  it.each<[string, string]>(readCases<[string, string]>("policy/search-lines.are-left-out-of"))(
    "are left out of %s",
    (_name, text) => {
      const shown = drop(text);
      expect(shown).not.toContain(SECRET);
      expect(shown).toContain("ok");
      expect(shown).toContain("not shown, it may hold secrets]");
    },
  );

  it.each<[string, string]>(readCases<[string, string]>("policy/search-lines.are-not-found-in"))(
    "are not found in %s",
    (_name, text) => {
      expect(drop(text, [".env.test"])).toBe(text);
    },
  );
});
