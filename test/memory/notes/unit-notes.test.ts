import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { idOfLearning } from "../../../src/workspace/documents/learning.ts";
import {
  keepNote as keepFor,
  parseNotes,
  withoutNotes,
  type Note,
} from "../../../src/memory/notes/unit-notes.ts";

const NOW = Date.parse("2026-03-01T10:00:00.000Z");
const keepNote = (text: string, root: string, given: Note, days = 30): string =>
  keepFor(text, root, given, days);
const note = (text: string, more: Partial<Note> = {}): Note => ({
  id: idOfLearning(text),
  text,
  by: "gaia",
  importance: 0.5,
  at: NOW,
  ...more,
});

describe("the notes of a unit", () => {
  it("are read back as they were kept, each for its own conversation", () => {
    const text = keepNote(keepNote("", "ses_1", note("one #db")), "ses_2", note("two — twice"));
    expect(parseNotes(text, "ses_1")).toEqual([note("one #db")]);
    expect(parseNotes(text, "ses_2")).toEqual([note("two — twice")]);
    expect(parseNotes(text, "ses_3")).toEqual([]);
  });

  it("stand once each, and the user's own lines stay", () => {
    const before = keepNote("# Memory\n\nMine.\n", "ses_1", note("one"));
    const text = keepNote(before, "ses_1", note("one", { at: NOW + 1, importance: 0.2 }));
    expect(parseNotes(text, "ses_1")).toEqual([note("one", { at: NOW + 1 })]);
    expect(text).toContain("\nMine.\n");
  });

  it("go after thirty days, or as many as are configured, and beyond a hundred the least important", () => {
    const day = 86_400_000;
    let text = keepNote("", "ses_1", note("old", { at: NOW - 31 * day }));
    expect(parseNotes(keepNote(text, "ses_1", note("new"), 32), "ses_1")).toHaveLength(2);
    text = keepNote(text, "ses_1", note("needed", { importance: 0.7 }));
    expect(parseNotes(text, "ses_1").map((each) => each.text)).toEqual(["needed"]);
    for (let at = 0; at < 110; at += 1)
      text = keepNote(text, "ses_1", note(`note ${at}`, { importance: 0.3 }));
    expect(parseNotes(text, "ses_1")).toHaveLength(100);
    expect(text).toContain("needed");
  });

  it("survive any text, and no text makes a line of another conversation", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: "binary" }), (words) => {
        const given = note(`x ${words}`);
        const text = keepNote(keepNote("", "ses_2", note("theirs")), "ses_1", given);
        expect(parseNotes(text, "ses_1").map(({ id }) => id)).toEqual([given.id]);
        expect(parseNotes(text, "ses_2")).toEqual([note("theirs")]);
      }),
    );
  });

  it("are taken out of what commands print, however they are read", () => {
    const text = keepNote("", "ses_1", note("the token is blue"));
    for (const shown of [text, `diff\n+${text.split("\n").join("\n+")}`, text.replaceAll("- `", "7:- `")]) {
      expect(withoutNotes(shown)).not.toContain("blue");
      expect(withoutNotes(shown)).toContain("[not shown: noted in a conversation");
    }
    expect(withoutNotes("- `npm test` is green — noted by ann")).toBe("- `npm test` is green — noted by ann");
  });
});
