import { describe, expect, it } from "vitest";
import { importanceOf } from "../../../src/memory/notes/working.ts";
import { defaultConfig } from "../../../src/config/defaults.ts";
import { createWorkingNotes, type WorkingLimits } from "../../../src/memory/notes/working.ts";
import { idOfLearning } from "../../../src/workspace/documents/learning.ts";
import type { Note } from "../../../src/memory/notes/unit-notes.ts";

const HOUR = 60 * 60_000;
/** What a conversation has at hand, on a clock that the test turns. */
function open(limits: Partial<WorkingLimits> = {}) {
  const clock = { now: 1_000_000 };
  const notes = createWorkingNotes(() => clock.now, { ...defaultConfig().capture, ...limits });
  const ran = (command: string, exitCode: number, output = ""): void =>
    notes.ran({ command, exitCode, output, by: "aether" });
  const texts = (): string[] => notes.all().map(({ text }) => text);
  const note = (text: string, importance = 0.5): Note => ({
    id: idOfLearning(text),
    text,
    by: "gaia",
    importance,
    at: clock.now,
  });
  return { clock, notes, ran, texts, note };
}

describe("importance", () => {
  it.each<[string, number | undefined, number, number]>([
    ["of what nobody says anything about", undefined, 0, 0.4],
    ["goes as far as its author's word, and no further", 1, 0, 0.7],
    ["and no further down", 0, 0, 0.2],
    ["grows with each use", undefined, 1, 0.5],
    ["up to a bound", undefined, 50, 0.6],
  ])("%s", (_what, given, used, expected) => {
    expect(importanceOf("the gateway is slow", given, used)).toBe(expected);
  });

  it("is more where facts can speak of it", () => {
    expect(importanceOf("src/a.ts is generated")).toBe(0.5);
    expect(importanceOf("run `npm test` twice")).toBe(0.5);
  });
});

describe("commands that ran", () => {
  it("are at hand with how they ended: a failure with its error, and what fixed it above all", () => {
    const { clock, notes, ran } = open();
    ran("npm test", 1, "x\nerror: no such table");
    clock.now += 1_000;
    ran("npm test", 0);
    clock.now += 1_000;
    ran("npm run lint", 0);
    ran("git status", 0);
    expect(notes.all().map(({ text, importance, by }) => [text, importance, by])).toEqual([
      ["`npm test` → exit 1: error: no such table", 0.5, "aether"],
      ["`npm test` → exit 0", 0.7, "aether"],
      ["`npm run lint` → exit 0", 0.2, "aether"],
    ]);
  });

  it("count once where one is repeated within half a second", () => {
    const { clock, notes, ran } = open();
    ran("npm test", 0);
    const [first] = notes.all();
    clock.now += 400;
    ran("npm test", 0);
    expect(notes.all()).toEqual([first]);
    clock.now += 600;
    ran("npm test", 0);
    expect(notes.all()[0]?.at).toBe(clock.now);
  });

  it("are sampled where there are more than ten in a second: those that fail are kept", () => {
    const { clock, texts, ran } = open();
    for (let at = 0; at < 20; at += 1) ran(`make part${at}`, at === 15 ? 2 : 0);
    expect(texts()).toHaveLength(11);
    expect(texts()).toContain("`make part15` → exit 2");
    clock.now += 1_001;
    ran("make all", 0);
    expect(texts()).toHaveLength(12);
  });
});

describe("a working note", () => {
  it("is gone an hour after it was noted or used", () => {
    const { clock, notes, texts, note } = open();
    notes.add(note("one"));
    notes.add(note("two"));
    clock.now += HOUR - 1;
    const [one] = notes.all();
    if (one !== undefined) notes.use(one);
    clock.now += 2;
    expect(texts()).toEqual(["one"]);
    clock.now += HOUR;
    expect(texts()).toEqual([]);
  });

  it("gives way to newer ones, the least important first", () => {
    const { notes, texts, note } = open();
    notes.add(note("keep me", 0.7));
    for (let at = 0; at < 250; at += 1) notes.add(note(`note ${at}`, 0.3));
    expect(texts()).toHaveLength(200);
    expect(texts()).toContain("keep me");
    expect(texts()).not.toContain("note 0");
  });

  it("is found by its words, what holds more of them first, then what matters more", () => {
    const { notes, note } = open();
    notes.add(note("the gateway is slow", 0.3));
    notes.add(note("the gateway needs a token", 0.6));
    notes.add(note("pages are cached", 0.7));
    const found = notes.find("gateway tokens slow", [note("the slow gateway token", 0.2)]);
    expect(found.map(({ note: { text } }) => text)).toEqual([
      "the slow gateway token",
      "the gateway needs a token",
      "the gateway is slow",
    ]);
    expect(notes.find("", [])).toEqual([]);
  });
});

describe("what is configured", () => {
  it("says how many are noted at once, what is one, and how long they live", () => {
    const { clock, ran, texts } = open({ debounceMs: 5_000, maxPerSecond: 2, workingMinutes: 2 });
    for (const name of ["a", "b", "c"]) ran(`make ${name}`, 0);
    ran("make d", 1, "error: no");
    expect(texts()).toHaveLength(3);
    clock.now += 4_000;
    ran("make d", 1, "error: no");
    expect(texts()).toHaveLength(3);
    clock.now += 117_000;
    expect(texts()).toEqual([]);
  });
});
