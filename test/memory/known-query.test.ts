import { beforeEach, describe, expect, it } from "vitest";
import { parseKnowledge } from "../../src/knowledge/entry.ts";
import type { JudgedEntry } from "../../src/knowledge/judge.ts";
import { silentLogger } from "../../src/lib/logger.ts";
import { createKnownQuery } from "../../src/memory/known-query.ts";
import { documentsOf } from "../../src/memory/recall/known.ts";
import { createRecall } from "../../src/memory/recall/recall.ts";
import { createFakeClock } from "../support/fake-clock.ts";

let entries: readonly JudgedEntry[];
let searches: number;
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
  searches = 0;
  clock = createFakeClock(Date.UTC(2026, 0, 31));
  const knowledge = { accepted: async () => entries };
  const nothing = {
    documents: async () => ({ ok: true as const, documents: [] }),
    readDocument: async () => ({ ok: true as const, text: "" }),
  };
  const recall = createRecall(nothing, silentLogger, async () => documentsOf(entries));
  const search: typeof recall.search = async (...given) => {
    searches += 1;
    return recall.search(...given);
  };
  ask = createKnownQuery({ search }, knowledge, clock);
});
const found = async (query: string, more: object = {}): Promise<string[]> =>
  (await ask({ query, ...more })).map(({ id }) => id);

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
    const [first, ...others] = await ask({ query: "zebra" });
    expect(first).toMatchObject({ id: "book", text: expect.stringMatching(/^## On zebra/) });
    expect(others).toEqual([]);
    expect(await found("beta")).toHaveLength(2);
    const places = documentsOf(entries).flatMap(({ entries: pieces }) => pieces.map(({ line }) => line));
    expect(places).toEqual([1, 7, 11, 15, 1]);
  });

  it("is kept for a minute, and no longer than it counts", async () => {
    entries = [entry("a", "Retry twice.")];
    await found("retry");
    await found("retry");
    expect(searches).toBe(1);
    await found("retry", { limit: 2 });
    expect(searches).toBe(2);
    await clock.advance(61_000);
    await found("retry");
    expect(searches).toBe(3);
    entries = [];
    expect(await found("retry")).toEqual([]);
  });
});
