import { describe, expect, it } from "vitest";
import { appendLogEntry } from "../../../src/record/documents/log.ts";
import { readCases } from "../../support/cases.ts";

const append = (text: string, markdown: string, title = ""): string => {
  const changed = appendLogEntry(text, { markdown, title }, "2026-02-06");
  return changed.ok
    ? changed.text
    : `refused${changed.line === undefined ? "" : `:${changed.line}`}: ${changed.error}`;
};

describe("appendLogEntry", () => {
  it.each(readCases<[string, string, string, string, string]>("record/documents/log.added"))(
    "adds an entry %s",
    (_name, text, markdown, title, expected) => {
      expect(append(text, markdown, title)).toBe(expected);
    },
  );

  it.each(readCases<[string, string, string, RegExp]>("record/documents/log.refused"))(
    "refuses %s",
    (_name, text, markdown, error) => {
      expect(append(text, markdown)).toMatch(error);
    },
  );
});
