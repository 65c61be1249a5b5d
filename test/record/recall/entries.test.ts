import { describe, expect, it } from "vitest";
import { entriesOf } from "../../../src/record/recall/entries.ts";

const shown = (path: string, holds: "decision" | "log" | "plan", lines: string[]) =>
  entriesOf({ path, holds, unit: "auth" }, lines.join("\n")).map(({ line, text, heading, date }) =>
    [line, date, heading, text].join(" | "),
  );

describe("entriesOf", () => {
  it("reads a decision per row, and leaves out what is empty", () => {
    const table = ["| Date | Question | Choice | Rationale | Impact |", "| --- | --- | --- | --- | --- |"];
    expect(
      shown("auth/decisions.md", "decision", [
        ...table,
        "| 2026-01-02 | jose or jsonwebtoken? | jose | ESM |  |",
      ]),
    ).toEqual(["3 | 2026-01-02 |  | jose or jsonwebtoken? → jose · ESM"]);
  });

  it("still finds the rows of a table that a person broke", () => {
    const broken = ["| Question | Choice |", "| --- | --- |", "| jose? | yes |"];
    expect(shown("auth/decisions.md", "decision", broken)).toContain("3 |  |  | | jose? | yes |");
  });

  it("cuts a log into items and paragraphs, each dated by the heading above it", () => {
    const log = [
      "# Log",
      "",
      "## 2026-01-02 — Wave 1",
      "",
      "- wrote the limiter",
      "  in src/limits",
      "- tested it",
      "",
      "A paragraph",
      "of two lines.",
      "",
      "```",
      "not searched",
      "```",
      "### Later",
      "The end.",
    ];
    expect(shown("auth/log.md", "log", log)).toEqual([
      "5 | 2026-01-02 | 2026-01-02 — Wave 1 | - wrote the limiter in src/limits",
      "7 | 2026-01-02 | 2026-01-02 — Wave 1 | - tested it",
      "9 | 2026-01-02 | 2026-01-02 — Wave 1 | A paragraph of two lines.",
      "16 | 2026-01-02 | Later | The end.",
    ]);
  });

  it("reads the tasks of a plan with their state", () => {
    expect(shown("auth/plan.md", "plan", ["# Auth", "## Tasks", "- [x] Write it", "- [ ] Test it"])).toEqual([
      "3 |  | Tasks | [x] Write it",
      "4 |  | Tasks | [ ] Test it",
    ]);
  });
});
