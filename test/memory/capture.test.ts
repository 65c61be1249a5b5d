import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultConfig } from "../../src/config/defaults.ts";
import type { ResolvedConfig } from "../../src/config/schema.ts";
import { silentLogger } from "../../src/lib/logger.ts";
import { createCapture } from "../../src/memory/capture/capture.ts";
import { findCorrection } from "../../src/memory/capture/correction.ts";
import { followDeed, type Deed, type OpenFailures } from "../../src/memory/capture/fix.ts";
import { findQuestion } from "../../src/memory/capture/question.ts";
import {
  addObservations,
  type Observations,
  type Proposals,
} from "../../src/workspace/documents/proposals.ts";
import { createFakeClock } from "../support/fake-clock.ts";

describe("findCorrection", () => {
  it.each([
    ["no, use zod", "use zod"],
    ["No. Use pnpm for that.", "Use pnpm for that."],
    ["Thanks!\nNope, call it limiter and go on", "call it limiter and go on"],
    [
      "don't mock the clock, inject it, use createFakeClock",
      "don't mock the clock, inject it, use createFakeClock",
    ],
    ["Don’t use default exports; use named ones.", "Don’t use default exports; use named ones."],
    ["Never write to dist, but keep the sources", "Never write to dist, but keep the sources"],
    ["do not touch src/old, edit src/new instead", "do not touch src/old, edit src/new instead"],
    ["Actually, keep the old name", "Actually, keep the old name"],
    ["I said use tabs", "I said use tabs"],
    ["stop using jest, use vitest", "stop using jest, use vitest"],
  ])("finds it in: %s", (message, found) => {
    expect(findCorrection(message, false)).toBe(found);
  });

  it.each([
    "no",
    "No, that is wrong.",
    "No problem, use whatever you like",
    "no need to use a library here",
    "Don't break the build",
    "Is there no way to use zod?",
    "Add a rate limit and use the limiter",
    `no, ${"very ".repeat(60)}long, use it`,
    "There is nothing to correct here.",
  ])("finds none in: %s", (message) => {
    expect(findCorrection(message, false)).toBeNull();
  });

  it("reads a preference as a correction only after an answer", () => {
    const message = "Use a map instead of an array";
    expect(findCorrection(message, false)).toBeNull();
    expect(findCorrection(message, true)).toBe(message);
  });

  it("never fails, and takes no time, on any text", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 3000 }), fc.boolean(), (text, answered) => {
        const found = findCorrection(text, answered);
        expect(found === null || found.length <= 240).toBe(true);
      }),
    );
    expect(findCorrection("no ".repeat(600) + "use", true)).toBeNull();
  });
});

describe("findQuestion", () => {
  it.each([
    ["How do I run the migrations?", ["run", "migration"]],
    ["where do we keep secrets", ["keep", "secret"]],
  ])("takes the telling words of: %s", (message, terms) => {
    expect(findQuestion(message)?.terms).toEqual(terms);
  });

  it.each([
    ["Wie starte ich die Migrationen?", ["starte", "migrationen"]],
    ["¿Dónde guardamos las claves?", ["guardamo", "clave"]],
    ["كيف أشغل الترحيلات؟", ["الترحيلات"]],
    ["如何运行数据库迁移？", ["运行", "迁移"]],
    ["マイグレーションはどう実行する?", ["実行"]],
  ])("takes it in any language: %s", (message, terms) => {
    expect(findQuestion(message)?.terms).toEqual(expect.arrayContaining(terms));
  });

  it.each(["Run the migrations", "Is it done?", "?", `why ${"x ".repeat(300)}?`])(
    "is none: %s",
    (message) => {
      expect(findQuestion(message)).toBeNull();
    },
  );
});

describe("followDeed", () => {
  const command = (text: string, exit: number, output = ""): Deed => ({
    type: "command",
    command: text,
    exit,
    output,
  });
  const edit = (file: string): Deed => ({ type: "edit", file, after: "new" });
  const fixesOf = (...deeds: Deed[]): string[] => {
    let open: OpenFailures = new Map();
    const fixes: string[] = [];
    for (const deed of deeds) {
      const next = followDeed(open, deed);
      open = next.open;
      if (next.fix !== null) fixes.push(next.fix);
    }
    return fixes;
  };

  it("tells what failed, with what, and what was changed until it passed", () => {
    const failing = command("npm test", 1, "> test\n1 test failed: expected 2\nbye");
    expect(
      fixesOf(
        failing,
        edit("src/a.ts"),
        command("npm test", 1, "error: other"),
        edit("src/b.ts"),
        command("npm test", 0),
      ),
    ).toEqual(['`npm test` failed with "error: other" and passed after changes to src/a.ts, src/b.ts.']);
  });

  it.each([
    ["what passes without a change", [command("npm test", 1), command("npm test", 0)]],
    ["what was changed before it failed", [edit("a"), command("npm test", 1), command("npm test", 0)]],
    ["another command", [command("npm test", 1), edit("a"), command("npm run lint", 0)]],
    ["a search that found nothing", [command("grep x y", 1), edit("a"), command("grep x y", 0)]],
    ["what still fails", [command("npm test", 1), edit("a"), command("npm test", 1)]],
  ])("says nothing about %s", (_what, deeds) => {
    expect(fixesOf(...deeds)).toEqual([]);
  });
});

describe("capture", () => {
  const AS_USUAL: ResolvedConfig["capture"] = defaultConfig().capture;
  const start = (noting: Partial<typeof AS_USUAL> = {}) => {
    const clock = createFakeClock();
    const written: Observations[] = [];
    const observe = async (observations: Observations) => {
      written.push(observations);
      return { ok: true };
    };
    return {
      clock,
      written,
      capture: createCapture(observe, { ...AS_USUAL, ...noting }, clock, silentLogger),
    };
  };

  it("writes once, after things have calmed down", async () => {
    const { clock, written, capture } = start();
    await capture.message("no, use zod", false);
    await clock.advance(400);
    await capture.message("How do I run the migrations?", true);
    await clock.advance(400);
    expect(written).toEqual([]);
    await clock.advance(200);
    expect(written).toEqual([
      {
        learnings: [{ kind: "correction", text: "use zod" }],
        questions: [{ text: "How do I run the migrations?", terms: ["run", "migration"] }],
        askedOften: 3,
      },
    ]);
    expect(clock.pending).toBe(0);
  });

  it("gathers for as long, and looks at as much, as is configured", async () => {
    const low = start({ sensitivity: "low", debounceMs: 2_000 });
    await low.capture.message("no, use zod", true);
    low.capture.propose("insight", "A fact.");
    await low.clock.advance(1_900);
    expect(low.written).toEqual([]);
    await low.clock.advance(200);
    expect(low.written).toMatchObject([{ learnings: [{ text: "A fact." }], questions: [] }]);

    const high = start({ sensitivity: "high" });
    const question = "How do I run the migrations?";
    await high.capture.message(question, true);
    await high.clock.advance(600);
    await high.capture.message(question, true);
    await high.clock.advance(600);
    const about = { date: "2026-01-01", unit: null };
    const none: Proposals = { proposals: [], settled: [], questions: [] };
    const notes = high.written.reduce((before, each) => addObservations(before, each, about), none);
    expect(notes.proposals.map(({ text }) => text)).toEqual([
      `Asked 2 times: "${question}" The answer belongs into the record.`,
    ]);
  });

  it("is bounded in a flood", async () => {
    const { clock, written, capture } = start();
    for (let at = 0; at < 500; at += 1) void capture.message(`no, use way${at}`, false);
    await capture.message("And go on", false);
    await clock.advance(1_000);
    expect(written[0]?.learnings).toHaveLength(30);
  });

  it("writes what waits at the end of the process, and lives through a failing store", async () => {
    const clock = createFakeClock();
    const capture = createCapture(
      async () => Promise.reject(new Error("disk")),
      AS_USUAL,
      clock,
      silentLogger,
    );
    void capture.message("no, use zod", false);
    await expect(capture.flush()).resolves.toBeUndefined();
    expect(clock.pending).toBe(0);
  });
});
