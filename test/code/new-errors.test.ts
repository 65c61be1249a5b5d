import type { TextEdit } from "vscode-languageserver-types";
import { describe, expect, it } from "vitest";
import { occurrencesOf } from "../../src/extras/language-servers/names.ts";
import { newErrors, type PlacedError } from "../../src/extras/language-servers/edit-errors.ts";
import { renamed } from "../../src/extras/language-servers/rename.ts";

const error = (path: string, message: string, line = 0, text = ""): PlacedError => ({
  line: text,
  path,
  message,
  code: "1",
  start: { line, character: 0 },
});

describe("new errors", () => {
  it("are the ones in other lines than before, of several that are alike", () => {
    const before = [error("a", "x", 4, "old")];
    const after = [error("a", "x", 1, "new"), error("a", "x", 5, "  old")];
    expect(newErrors(before, after)).toEqual([after[0]]);
    expect(newErrors([error("a", "x", 4, "x = 1")], [error("a", "x", 4, "x = 2")])).toEqual([]);
    // In another file it is another one.
    expect(newErrors([error("a", "x")], [error("b", "x")])).toEqual([error("b", "x")]);
  });
});

describe("a rename", () => {
  const at = (line: number, from: number, to: number, newText: string, last = line): TextEdit => ({
    range: { start: { line, character: from }, end: { line: last, character: to } },
    newText,
  });

  it("changes lines that hold the name and no others, and no number of lines", () => {
    expect(renamed("a b\na", [at(1, 0, 1, "c"), at(0, 0, 1, "c")], "a")).toBe("c b\nc");
    expect(renamed("b\na", [at(0, 0, 1, "c")], "a")).toBeNull();
    expect(renamed("aa", [at(0, 0, 2, "c"), at(0, 1, 2, "c")], "a")).toBeNull();
    expect(renamed("a", [at(0, 0, 1, "c\nd")], "a")).toBeNull();
    // As rust-analyzer does for the field of `Point { x }`.
    expect(renamed("Point { x }", [at(0, 8, 8, "left: ")], "x")).toBe("Point { left: x }");
  });

  it("may be told as the whole file anew, as long as only lines with the name are others", () => {
    const text = "import os\ntotal = 1\nprint(total)\n";
    const whole = (fresh: string): string | null => renamed(text, [at(0, 0, 0, fresh, 3)], "total");
    expect(whole("import os\nsum = 1\nprint(sum)\n")).toBe("import os\nsum = 1\nprint(sum)\n");
    expect(whole("import sys\nsum = 1\nprint(sum)\n")).toBeNull();
    expect(whole("import os\r\nsum = 1\r\nprint(sum)\r\n")).toBeNull();
    expect(whole("sum = 1\nprint(sum)\n")).toBeNull();
  });
});

it("names are those of any script, with the marks that belong to letters, and stand by themselves", () => {
  const text = "let \u0928\u092e\u0938\u094d\u0924\u0947 = cafe\u0301 + cafe;";
  expect(occurrencesOf(text, "cafe")).toEqual([text.indexOf("cafe;")]);
  expect(occurrencesOf(text, "\u0928\u092e")).toEqual([]);
});
