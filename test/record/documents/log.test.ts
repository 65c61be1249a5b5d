import { describe, expect, it } from "vitest";
import { addLines, appendLogEntry, recordWork, workTitle } from "../../../src/record/documents/log.ts";
import { readCases } from "../../support/cases.ts";

const append = (text: string, markdown: string, title = ""): string => {
  const changed = appendLogEntry(text, { markdown, title }, "2026-02-06");
  return changed.ok
    ? changed.text
    : `refused${changed.line === undefined ? "" : `:${changed.line}`}: ${changed.error}`;
};

describe("appendLogEntry", () => {
  type Added = [name: string, text: string, markdown: string, title: string, expected: string];
  it.each(readCases<Added>("record/documents/log.added"))("adds an entry %s", (_name, text, ...rest) => {
    const [markdown, title, expected] = rest;
    expect(append(text, markdown, title)).toBe(expected);
  });

  type Refused = [name: string, text: string, markdown: string, error: RegExp];
  const refused = readCases<Refused>("record/documents/log.refused");
  it.each(refused)("refuses %s", (_name, text, markdown, error) => {
    expect(append(text, markdown)).toMatch(error);
  });
});

const LOG = "# Log\n\n## 2026-01-01 — Verification\n\n- fine\n";
const line = (id: string, text = `work of ${id}`) => ({ id, text });
const add = (text: string, root: string, ...ids: string[]): string => {
  const changed = addLines(text, { title: workTitle(root), lines: ids.map((id) => line(id)) }, "2026-01-02");
  if (!changed.ok) throw new Error(changed.error);
  return changed.text;
};
const record = (text: string, root: string, id: string, markdown: string): string => {
  const changed = recordWork(text, { root, id, by: "demeter", markdown }, "2026-01-03");
  if (!changed.ok) throw new Error(changed.error);
  return changed.text;
};

describe("the work in a log", () => {
  it("is a section per conversation, to which later lines are added wherever it stands", () => {
    const first = `${add(LOG, "ses_a", "t1")}\n## 2026-01-02 — Review\n\n- REJECT\n`;
    expect(add(add(first, "ses_a", "t2"), "ses_b", "t3")).toBe(
      `${LOG}\n## 2026-01-02 — Work in ses_a\n\n- work of t1 · \`t1\`\n- work of t2 · \`t2\`\n\n## 2026-01-02 — Review\n\n- REJECT\n\n## 2026-01-02 — Work in ses_b\n\n- work of t3 · \`t3\`\n`,
    );
  });

  it("is written once per task, over all conversations and after it was recorded", () => {
    const once = add(LOG, "ses_a", "t1", "t1x");
    expect(add(once, "ses_a", "t1", "t1x")).toBe(once);
    const recorded = record(once, "ses_a", "d1", "Done.");
    expect(add(recorded, "ses_a", "t1")).toBe(recorded);
  });

  it("is refused in a file that a fence has swallowed, and no text can open one", () => {
    expect(addLines("# Log\n\n```\n", { title: "r", lines: [line("t1")] }, "2026-01-02").ok).toBe(false);
    const open = record(LOG, "ses_a", "d1", "```\nnever closed");
    expect(add(open, "ses_a", "t1")).toContain("Work in ses_a");
  });
});
