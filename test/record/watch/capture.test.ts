import { describe, expect, it } from "vitest";
import { defaultConfig } from "../../../src/config/defaults.ts";
import { silentLogger } from "../../../src/lib/logger.ts";
import { createCapture } from "../../../src/record/watch/capture.ts";
import { followDeed, type Observed, type OpenFailures } from "../../../src/record/watch/fix.ts";
import type { Observations } from "../../../src/record/documents/proposals.ts";
import { createFakeClock } from "../../support/fake-clock.ts";

describe("followDeed", () => {
  const command = (text: string, exit: number, output = ""): Observed => ({
    type: "command",
    command: text,
    exit,
    output,
  });
  const edit = (file: string): Observed => ({ type: "edit", file, after: "new" });
  const fixesOf = (...deeds: Observed[]): string[] => {
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
  const { debounceMs } = defaultConfig().capture;
  const start = (observe: (observations: Observations) => Promise<{ ok: boolean }>, wait = debounceMs) => {
    const clock = createFakeClock();
    return { clock, capture: createCapture(observe, { debounceMs: wait }, clock, silentLogger) };
  };
  const keep = () => {
    const written: Observations[] = [];
    return {
      written,
      observe: async (observations: Observations) => {
        written.push(observations);
        return { ok: true };
      },
    };
  };

  it("writes once, after things have calmed down for as long as is configured", async () => {
    const { written, observe } = keep();
    const { clock, capture } = start(observe, 2_000);
    capture.propose("correction", "One.");
    await clock.advance(1_900);
    capture.propose("insight", "Two.");
    await clock.advance(1_900);
    expect(written).toEqual([]);
    await clock.advance(200);
    const learnings = [
      { kind: "correction", text: "One." },
      { kind: "insight", text: "Two." },
    ];
    expect(written).toEqual([{ learnings }]);
    expect(clock.pending).toBe(0);
  });

  it("is bounded in a flood", async () => {
    const { written, observe } = keep();
    const { clock, capture } = start(observe);
    for (let at = 0; at < 500; at += 1) capture.propose("insight", `Fact ${at}.`);
    await clock.advance(1_000);
    expect(written[0]?.learnings).toHaveLength(30);
  });

  it("writes what waits at the end of the process, and lives through a failing store", async () => {
    const { clock, capture } = start(async () => Promise.reject(new Error("disk")));
    capture.propose("insight", "A fact.");
    await expect(capture.flush()).resolves.toBeUndefined();
    expect(clock.pending).toBe(0);
  });
});
