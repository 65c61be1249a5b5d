import { describe, expect, it } from "vitest";
import { defaultConfig } from "../../../src/config/defaults.ts";
import { renderRelevant, selectRelevant, type RelevantLimits } from "../../../src/record/recall/relevant.ts";
import { rankEntries } from "../../../src/record/recall/rank.ts";

const LIMITS = defaultConfig().knowledge;

/** What would be told for a message, over learnings given as `kind: text`. */
async function told(
  learnings: readonly string[],
  message: string,
  files: readonly string[] = [],
  limits: RelevantLimits = LIMITS,
): Promise<string[]> {
  const entries = learnings.map((learning, at) => {
    const [kind = "", text = ""] = learning.split(": ");
    const common = { heading: "", unit: null, date: "", path: "p", line: at + 1, text };
    return kind === "row"
      ? { ...common, kind: "decision" as const }
      : { ...common, kind: "learning" as const, learning: kind };
  });
  const hits = await rankEntries(entries, [...files, message].join(" "));
  const chosen = selectRelevant(hits, files, entries.length, limits);
  return chosen.map(({ learning = "decision", text }) => `${learning}: ${text}`);
}

const LEARNINGS = [
  "insight: the build takes a minute",
  "pattern: rate limits live in src/limits",
  "anti_pattern: polling the queue wedges the worker",
  "preference: tabs in makefiles only",
  "decision: jose signs tokens",
  "constraint: uploads stay below 5 MB",
  "correction: use pnpm, not npm",
  "row: Postgres or SQLite? → SQLite",
];

describe("selectRelevant", () => {
  it.each([
    ["Add a rate limit to the upload route", [LEARNINGS[1], LEARNINGS[5]]],
    ["Which database: postgres?", ["decision: Postgres or SQLite? → SQLite"]],
    ["install it with PNPM", ["correction: use pnpm, not npm"]],
  ])("for %j chooses %j", async (message, expected) => {
    expect(await told(LEARNINGS, message)).toEqual(expected);
  });

  it.each<[message: string, learning: string, isTold: boolean]>([
    ["令牌怎么登录?", "用户登录使用令牌", true],
    ["我们使用什么颜色?", "用户登录使用令牌", false],
    ["사용자 로그인 오류", "사용자는 로그인을 한다", true],
  ])("for %j in a script without spaces, %j: %j", async (message, learning, isTold) => {
    expect(await told([`pattern: ${learning}`], message)).toHaveLength(isTold ? 1 : 0);
  });

  it.each([
    "Write a haiku about the autumn rain",
    "Hello",
    "Please fix the bug in the code and add a test",
    "use it not that",
    "",
  ])("chooses nothing for %j", async (message) => {
    expect(await told(LEARNINGS, message)).toEqual([]);
  });

  it("knows what is common in this record", async () => {
    const many = Array.from({ length: 100 }, (_, at) => `pattern: payments of kind k${at}x`);
    expect(await told(many, "Show the payments page")).toEqual([]);
    const one = "pattern: payments go through the ledger";
    expect(await told([...many, one], "payments and the ledger")).toEqual([one]);
  });

  it("chooses what is about a file of the message", async () => {
    const many = Array.from({ length: 30 }, (_, at) => `pattern: parser rule ${at}x is in src/parser.ts`);
    expect(await told(many, "Look at src/parser.ts")).toEqual([]);
    expect(await told(many, "Look", ["src/parser.ts"])).toHaveLength(8);
  });

  it("stays within its budget", async () => {
    const common = { kind: "learning", learning: "pattern", heading: "", unit: null, date: "" } as const;
    const long = Array.from({ length: 20 }, (_, line) => {
      return { ...common, path: "p", line, text: `zebra stripes ${line} ${"word ".repeat(80)}` };
    });
    const hits = await rankEntries(long, "zebra stripes");
    const text = renderRelevant(selectRelevant(hits, [], 20, LIMITS));
    expect(text.length).toBeLessThan(1_700);
    expect(text).toContain("- pattern: zebra stripes");
  });

  it("brings up no more than the limits say", async () => {
    const learnings = [
      "zebras have stripes, as zebras and stripes go",
      "zebras and their stripes run",
      "stripes of zebras by the old mill",
    ].map((text) => `pattern: ${text}`);
    const all = [{}, { maxItems: 1 }, { threshold: 1 }, { maxTokens: 10 }];
    const found = all.map(async (limits) => told(learnings, "zebras stripes", [], { ...LIMITS, ...limits }));
    expect((await Promise.all(found)).map(({ length }) => length)).toEqual([3, 1, 1, 1]);
  });
});
