import { describe, expect, it } from "vitest";
import { entriesOf } from "../../../src/record/recall/entries.ts";

const shown = (path: string, holds: "decision" | "log" | "plan", lines: string[]) =>
  entriesOf({ path, holds, unit: "auth" }, lines.join("\n")).map(({ line, text, heading, date }) =>
    [line, date, heading, text].join(" | "),
  );

describe("entriesOf", () => {
  it("remembers no dialog that was only answered, but the reason that came with one", () => {
    const table = ["| Date | Question | Choice | Rationale | Impact |", "| --- | --- | --- | --- | --- |"];
    const bare = [
      "| 2026-01-02 | Approve the plan (Signup)? | approved |  | It goes ahead. |",
      "| 2026-01-02 | Approve wave w1? | rejected |  | It does not go ahead. |",
      "| 2026-01-02 | May bash run? | rejected |  | The action did not happen. |",
      "| 2026-01-02 | Adopt as checks: npm test? | approved |  | x |",
    ];
    const lasting = [
      "| 2026-01-02 | May bash run? | rejected | use make |  |",
      "| 2026-01-02 | Approve of tabs or spaces? | tabs |  |  |",
    ];
    expect(shown("auth/decisions.md", "decision", [...table, ...bare, ...lasting])).toEqual([
      "7 | 2026-01-02 |  | May bash run? → rejected · use make",
      "8 | 2026-01-02 |  | Approve of tabs or spaces? → tabs",
    ]);
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
});
