import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newErrors, type PlacedError } from "../../src/extras/language-servers/new-errors.ts";
import {
  findPosition,
  indexOfName,
  nameAt,
  offsetOf,
  showPosition,
} from "../../src/extras/language-servers/position.ts";
import {
  applyEdits,
  readWorkspaceEdit,
  type TextEdit,
  toChanges,
} from "../../src/extras/language-servers/rename.ts";
import { isRefusal } from "../../src/lib/refusal.ts";

const error = (path: string, message: string, line = 0, text = ""): PlacedError => ({
  line: text,
  path,
  message,
  code: "1",
  start: { line, character: 0 },
});

describe("new errors", () => {
  it("are as many of a kind as there are more, wherever they stand", () => {
    const before = [error("a", "x", 1), error("a", "x", 5), error("b", "y")];
    const after = [error("a", "x", 3), error("a", "x", 9), error("a", "x", 12), error("b", "z")];
    expect(newErrors(before, after)).toEqual([error("a", "x", 12), error("b", "z")]);
    expect(newErrors([], after)).toEqual(after);
  });

  it("are the ones in other lines than before, of several that are alike", () => {
    const before = [error("a", "x", 4, "old")];
    const after = [error("a", "x", 1, "new"), error("a", "x", 5, "  old")];
    expect(newErrors(before, after)).toEqual([after[0]]);
    expect(newErrors([error("a", "x", 4, "x = 1")], [error("a", "x", 4, "x = 2")])).toEqual([]);
  });

  it("are none where nothing is worse", () => {
    const errors = fc.array(
      fc.record({ path: fc.constantFrom("a", "b"), message: fc.constantFrom("x", "y", "z") }),
    );
    fc.assert(
      fc.property(errors, errors, (some, more) => {
        const before = some.map(({ path, message }) => error(path, message));
        const all = [...more.map(({ path, message }) => error(path, message, 7)), ...before];
        expect(newErrors(all, before)).toEqual([]);
        expect(newErrors(before, all)).toHaveLength(more.length);
      }),
    );
  });
});

describe("positions", () => {
  it("are those of whole characters from 1, and of units of UTF-16 inside", () => {
    const text = 'const a = "😀";\r\nconst 𝒃 = a;\n';
    expect(findPosition(text, { line: 1, character: 13 })).toEqual({ line: 0, character: 13 });
    expect(findPosition(text, { line: 2, name: "a" })).toEqual({ line: 1, character: 11 });
    expect(showPosition({ line: 1, character: 11 }, text)).toBe("2:11");
    expect(findPosition(text, { line: 9 })).toBeNull();
    expect(findPosition(text, { line: 2, character: 40 })).toBeNull();
    expect(text.slice(offsetOf(text, { line: 1, character: 11 }))).toBe("a;\n");
    // A little off, the name that comes with it decides.
    expect(
      findPosition("let total = totals + total;", { line: 1, character: 21, name: "total" })?.character,
    ).toBe(21);
  });

  const at = (line: number, from: number, to: number, text: string, last = line): TextEdit => ({
    range: { start: { line, character: from }, end: { line: last, character: to } },
    text,
  });

  it("of a rename have to be those of the name", () => {
    expect(applyEdits("a b\na", [at(1, 0, 1, "c"), at(0, 0, 1, "c")], "a")).toBe("c b\nc");
    expect(applyEdits("a b\na", [at(0, 1, 2, "c")], "a")).toBeNull();
    expect(applyEdits("aa", [at(0, 0, 2, "c"), at(0, 1, 2, "c")], "a")).toBeNull();
    expect(applyEdits("a", [at(0, 0, 1, "c\nd")], "a")).toBeNull();
  });

  it("of a rename may be beside the name, where what was short is written out", () => {
    // As rust-analyzer does for the field and for the variable of `Point { x }`.
    expect(applyEdits("Point { x }", [at(0, 8, 8, "left: ")], "x")).toBe("Point { left: x }");
    expect(applyEdits("Point { x }", [at(0, 9, 9, ": left")], "x")).toBe("Point { x: left }");
    expect(applyEdits("Point { x }", [at(0, 3, 3, "left")], "x")).toBeNull();
    expect(applyEdits("Point { x }", [at(0, 8, 8, "left:\n")], "x")).toBeNull();
  });

  it("of a rename may be all lines of a file, of which those with the name are others", () => {
    const text = "import os\r\ntotal = 1\r\nprint(total)\r\n";
    const renamed = (fresh: string): string | null => applyEdits(text, [at(0, 0, 0, fresh, 3)], "total");
    expect(renamed("import os\nsum = 1\nprint(sum)\n")).toBe("import os\r\nsum = 1\r\nprint(sum)\r\n");
    expect(renamed("import sys\nsum = 1\nprint(sum)\n")).toBeNull();
    expect(renamed("sum = 1\nprint(sum)\n")).toBeNull();
  });

  it("are those of names in any script, with the marks that belong to letters", () => {
    const text = "let \u0928\u092e\u0938\u094d\u0924\u0947 = cafe\u0301 + cafe;";
    expect(nameAt(text, 6)).toBe("\u0928\u092e\u0938\u094d\u0924\u0947");
    expect(nameAt(text, 13)).toBe("cafe\u0301");
    expect(indexOfName(text, "cafe")).toBe(text.indexOf("cafe;"));
    expect(indexOfName(text, "\u0928\u092e")).toBe(-1);
  });

  it("are found in long texts as often as there are errors in them", () => {
    const text = "a = 1;\r\n".repeat(60_000);
    const began = process.cpuUsage();
    for (let line = 0; line < 5_000; line += 1) {
      expect(offsetOf(text, { line, character: 2 })).toBe(line * 8 + 2);
      showPosition({ line, character: 2 }, text);
    }
    expect(process.cpuUsage(began).user).toBeLessThan(2_000_000);
  });

  it("of a rename count once where a server names a file in two ways", async () => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "gaia-rename-")));
    const path = join(folder, "a.ts");
    await writeFile(path, "total + total\n");
    const files = new Map([
      [path, [at(0, 0, 5, "sum")]],
      [join(folder, "link", "a.ts"), [at(0, 0, 5, "sum"), at(0, 8, 13, "sum")]],
    ]);
    const found = await toChanges(
      files,
      () => ({ path, name: "a.ts", ruled: "a.ts" }),
      () => undefined,
      "total",
    );
    await rm(folder, { recursive: true });
    if (isRefusal(found)) throw new Error(found.reason);
    expect(found.map(({ after }) => Buffer.from(after).toString())).toEqual(["sum + sum\n"]);
  });

  it("of a rename are read from whichever form a server has", () => {
    const edits = [{ range: at(0, 0, 1, "").range, newText: "c" }];
    const found = new Map([["/a.ts", [at(0, 0, 1, "c")]]]);
    const uri = "file:///a.ts";
    expect(readWorkspaceEdit({ changes: { [uri]: edits } })).toEqual(found);
    expect(readWorkspaceEdit({ changes: { [uri]: edits }, documentChanges: null })).toEqual(found);
    expect(readWorkspaceEdit({ documentChanges: [{ textDocument: { uri }, edits }] })).toEqual(found);
    expect(
      readWorkspaceEdit({ documentChanges: [{ kind: "rename", oldUri: uri, newUri: "file:///c.ts" }] }),
    ).toContain("move");
    expect(readWorkspaceEdit(null)).toEqual(new Map());
  });
});
