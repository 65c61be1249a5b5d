import { beforeEach, describe, expect, it } from "vitest";
import { parseKnowledge } from "../../../src/record/entries/entry.ts";
import type { JudgedEntry } from "../../../src/record/entries/judge.ts";
import { createKnownQuery } from "../../../src/record/recall/recall.ts";
import { documentsOf } from "../../../src/record/recall/entries.ts";
import { createFakeClock } from "../../support/fake-clock.ts";

let entries: readonly JudgedEntry[];
/** What has to be over before the files are read. */
let reading: Promise<void>;
let clock: ReturnType<typeof createFakeClock>;
let ask: ReturnType<typeof createKnownQuery>;

const entry = (slug: string, body: string, scope: "project" | "user" = "project"): JudgedEntry => {
  const made = { ...parseKnowledge("", slug, scope), body, status: "accepted" as const };
  return {
    ...made,
    path: `/${scope}/${slug}`,
    hash: `${slug} ${body}`,
    isConfirmed: true,
    standing: "accepted",
  };
};
beforeEach(() => {
  entries = [];
  clock = createFakeClock(Date.UTC(2026, 0, 31));
  reading = Promise.resolve();
  const knowledge = {
    async accepted() {
      await reading;
      return entries;
    },
  };
  ask = createKnownQuery(knowledge, clock, 200);
});
const found = async (query: string, more: object = {}): Promise<string[]> =>
  (await ask({ query, ...more })).answers.map(({ id }) => id);

describe("what is known of a question", () => {
  it("is nothing where nothing is known", async () => {
    expect(await found("retry")).toEqual([]);
  });

  it("begins with the project's, as far as it answers", async () => {
    entries = [
      entry("mine", "Retry the gateway, retry it, always retry.", "user"),
      entry("ours", "Retry the gateway twice, then give up on it for the rest of the day."),
      entry(
        "far",
        "The weather is fine today and nobody has to retry anything at all, says the long long report of it.",
      ),
    ];
    expect(await found("retry gateway")).toEqual(["ours", "mine"]);
    expect(await found("retry gateway", { threshold: 0 })).toEqual(["ours", "far", "mine"]);
    expect(await found("retry gateway", { limit: 1 })).toEqual(["ours"]);
  });

  it("is found anywhere in a long one, which answers once, with the piece that does", async () => {
    const filler = (word: string): string => `${word} is what this part is about. `.repeat(40);
    const parts = ["alpha", "beta", "gamma", "zebra"].map((word) => `## On ${word}\n\n${filler(word)}`);
    entries = [entry("book", `# A handbook\n\n${parts.join("\n\n")}`), entry("b", "Beta is another.")];
    const [first, ...others] = (await ask({ query: "zebra" })).answers;
    expect(first).toMatchObject({ id: "book", text: expect.stringMatching(/^## On zebra/) });
    expect(others).toEqual([]);
    expect(await found("beta")).toHaveLength(2);
    const places = documentsOf(entries).flatMap(({ entries: pieces }) => pieces().map(({ line }) => line));
    expect(places).toEqual([1, 7, 11, 15, 1]);
  });

  it("is told from what is there after the time, which is said", async () => {
    entries = [entry("old", "Retry twice.")];
    expect(await ask({ query: "retry" })).toMatchObject({ isWhole: true });
    let read = (): void => undefined;
    reading = new Promise((done) => (read = done));
    const asked = ask({ query: "retry" });
    await clock.advance(250);
    read();
    expect(await asked).toMatchObject({ isWhole: false, answers: [{ id: "old" }] });
  });
});
