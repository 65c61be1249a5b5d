import { describe, expect, it } from "vitest";
import { appendLogEntry } from "../../../src/record/documents/log.ts";

const append = (text: string, markdown: string, title?: string): string => {
  const changed = appendLogEntry(
    text,
    title === undefined ? { markdown } : { markdown, title },
    "2026-02-06",
  );
  return changed.ok
    ? changed.text
    : `refused${changed.line === undefined ? "" : `:${changed.line}`}: ${changed.error}`;
};

describe("appendLogEntry", () => {
  it.each([
    [
      "under a dated heading",
      "# Log\n",
      "### Done\n- x",
      undefined,
      "# Log\n\n## 2026-02-06\n\n### Done\n- x\n",
    ],
    ["with a title", "# Log\n", "- x", "Tokens", "# Log\n\n## 2026-02-06 — Tokens\n\n- x\n"],
    ["with a heading of its own", "# Log\n", "## Day one\n- x", "Tokens", "# Log\n\n## Day one\n- x\n"],
    [
      "to the section of the same heading",
      "# Log\n\n## 2026-02-06\n\n- x\n",
      "- y",
      undefined,
      "# Log\n\n## 2026-02-06\n\n- x\n\n- y\n",
    ],
    [
      "not to an older section of that heading",
      "## 2026-02-06\n\n- x\n\n## Other\n",
      "- y",
      undefined,
      "## 2026-02-06\n\n- x\n\n## Other\n\n## 2026-02-06\n\n- y\n",
    ],
    [
      "with the file's line endings",
      "# Log\r\n\r\nmine",
      "a\nb",
      undefined,
      "# Log\r\n\r\nmine\r\n\r\n## 2026-02-06\r\n\r\na\r\nb\r\n",
    ],
    ["closing a fence", "# Log\n", "```\nx", undefined, "# Log\n\n## 2026-02-06\n\n```\nx\n```\n"],
  ])("adds an entry %s", (_name, text, markdown, title, expected) => {
    expect(append(text, markdown, title)).toBe(expected);
  });

  it.each([
    ["an empty entry", "# Log\n", " \n", /^refused: .*empty/],
    [
      "a file whose fence is never closed",
      "# Log\n\n```\nx\n",
      "y",
      /^refused:3: this code fence is never closed/,
    ],
    ["a file with a conflict", "# Log\n<<<<<<< HEAD\n=======\n>>>>>>> b\n", "y", /^refused:2: unresolved/],
  ])("refuses %s", (_name, text, markdown, error) => {
    expect(append(text, markdown)).toMatch(error);
  });
});
