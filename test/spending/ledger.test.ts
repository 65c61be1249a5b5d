import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { silentLogger } from "../../src/lib/error.ts";
import type { Budgets } from "../../src/spending/budget.ts";
import { createLedger, type SpendingLedger } from "../../src/spending/ledger.ts";
import { createJournal } from "../../src/record/store.ts";
import { createFakeClock, type FakeClock } from "../support/fake-clock.ts";
import { openFolder } from "../support/directory.ts";

const NONE: Budgets = { perTask: {}, perUnit: {}, perDay: {} };
const DAY = 24 * 3_600_000;

let directory: string;
let clock: FakeClock;
let unit: string | null;
let ids = 0;
beforeEach(async () => {
  directory = await openFolder();
  clock = createFakeClock();
  unit = "a";
});

function open(budgets: Partial<Budgets> = {}): SpendingLedger {
  return createLedger({
    journal: createJournal(directory, () => "2026-11", { XDG_DATA_HOME: directory }),
    budgets: { ...NONE, ...budgets },
    clock,
    timeOfDay: clock,
    logger: silentLogger,
    placeOf(session) {
      const agent = session === "root" ? "gaia" : "minerva";
      const place = { root: "root", session, agent, model: "a/b", unit, wave: "w1" };
      return session.startsWith("other") ? null : place;
    },
  });
}

/** One request of a session, as the host tells of it. */
function spend(ledger: SpendingLedger, cost: number, { session = "root", tokens = 100, begins = true } = {}) {
  const about = { sessionId: session, messageId: `m${(ids += 1)}` };
  const figures = { tokens: { input: tokens, output: 0, cached: 7 }, cost };
  if (begins) ledger.observe({ type: "message.started", ...about });
  ledger.observe({ type: "message.finished", ...about, isAnswer: true, ...figures });
}
const why = async (ledger: SpendingLedger, session = "root"): Promise<string | null> => {
  await ledger.refresh();
  return ledger.reached(session)?.why ?? null;
};

describe("what is counted", () => {
  it("is each request once, by session, unit, agent and wave, in conversations of GAIA's alone", () => {
    const ledger = open();
    spend(ledger, 0.1);
    spend(ledger, 0.2, { session: "child" });
    spend(ledger, 9, { session: "other" });
    // Copied into a fork: it never began there.
    spend(ledger, 9, { begins: false });
    const sum = ledger.totals.of("unit a");
    expect(sum).toMatchObject({ requests: 2, input: 200, cached: 14 });
    expect(sum.cost).toBeCloseTo(0.3);
    expect(ledger.totals.of("task child").cost).toBeCloseTo(0.2);
    expect(ledger.totals.receipt("a")).toBe(
      [
        "- 2 requests · 200 tokens (14 more cached) · $0.3000, by OpenCode's figures",
        "- minerva: 1 request · 100 tokens (7 more cached) · $0.2000",
        "- gaia: 1 request · 100 tokens (7 more cached) · $0.1000",
        "- wave w1: 2 requests · 200 tokens (14 more cached) · $0.3000",
      ].join("\n"),
    );
  });

  it("is of a unit from its beginning, and nothing that its conversation spent before", () => {
    const ledger = open();
    unit = null;
    spend(ledger, 1);
    unit = "a";
    spend(ledger, 2);
    expect(ledger.totals.of("unit a").cost).toBe(2);
    expect(ledger.totals.of("root root").cost).toBe(3);
  });

  it("is kept for the next process, and for one beside it", async () => {
    const beside = open();
    unit = null;
    const bound = open({ perDay: { cost: 9 } });
    spend(bound, 1);
    await bound.settled();
    await beside.refresh();
    expect(beside.totals.of("root root").cost).toBe(1);
    spend(beside, 2);
    await beside.settled();
    await bound.refresh();
    expect(bound.totals.of("root root").cost).toBe(3);
  });
});

describe("a budget", () => {
  it.each([
    ["perTask", { cost: 1 }, "child", "this task is used up: $1.00 of $1.00 (budget.perTask)"],
    ["perUnit", { cost: 1 }, "root", "the unit a is used up: $1.00 of $1.00 (budget.perUnit)"],
    ["perDay", { tokens: 100 }, "root", "today is used up: 100 of 100 tokens (budget.perDay)"],
  ])("%s is used up at its bound, also after a restart", async (key, budget, session, text) => {
    const ledger = open({ [key]: budget });
    expect(await why(ledger, session)).toBeNull();
    spend(ledger, 0.99, { session, tokens: 99 });
    expect(await why(ledger, session)).toBeNull();
    spend(ledger, 0.01, { session, tokens: 1 });
    expect(await why(ledger, session)).toContain(text);
    await ledger.settled();
    expect(await why(open({ [key]: budget }), session)).toContain(text);
    expect(await why(open({ [key]: budget }), "other")).toBeNull();
  });

  it("of a day begins again with the next, of a unit with the next of its name", async () => {
    const ledger = open({ perDay: { cost: 1 }, perUnit: { cost: 5 } });
    spend(ledger, 5);
    expect(await why(ledger)).toContain("unit a");
    ledger.end("a", "2026-11-22.a");
    expect(await why(ledger)).toContain("today");
    await clock.advance(DAY);
    expect(await why(ledger)).toBeNull();
    await ledger.settled();
    expect(await why(open({ perUnit: { cost: 5 } }))).toBeNull();
  });

  it("is loosened by the user's own word, once more each time", async () => {
    const budgets = { perUnit: { cost: 1 } };
    const ledger = open(budgets);
    spend(ledger, 1);
    ledger.grant("unit a");
    expect(await why(ledger)).toBeNull();
    spend(ledger, 1);
    expect(await why(ledger)).toContain("$2.00 of $2.00");
    await ledger.settled();
    expect(await why(open(budgets))).toContain("$2.00 of $2.00");
  });

  it("holds where what was spent cannot be read, and is no matter where there is none", async () => {
    const path = join(directory, "opencode-gaia");
    const ledger = open({ perUnit: { cost: 1 } });
    spend(ledger, 0.1);
    await ledger.settled();
    await rm(join(path, "spending"), { recursive: true });
    await writeFile(join(path, "spending"), "no folder");
    expect(await why(open({ perUnit: { cost: 1 } }))).toContain("is not known");
    expect(await why(open())).toBeNull();
  });

  it("is not widened by figures below zero, or lines that are damaged", async () => {
    const budgets = { perUnit: { cost: 1 } };
    const ledger = open(budgets);
    spend(ledger, 1);
    await ledger.settled();
    const own = join(directory, "opencode-gaia/spending");
    const path = join(own, (await readdir(own))[0] ?? "", "2026-11.jsonl");
    const line = JSON.parse((await readFile(path, "utf8")).trim().split("\n")[0] ?? "") as object;
    const forged = { ...line, by: "x", cost: -9, input: -9 };
    await writeFile(path, `${await readFile(path, "utf8")}${JSON.stringify(forged)}\n{]\n[]\n`);
    expect(await why(open(budgets))).toContain("$1.00 of $1.00");
  });
});
