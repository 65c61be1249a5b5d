import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { examineCommand } from "../../../src/policy/examine-command.ts";
import { riskOf } from "../../support/risk.ts";
import { PAYLOAD, script } from "./script.ts";
import { hasBubblewrap, hasZsh, run, WROTE } from "./world.ts";

/** Scripts in all; `FUZZ_RUNS=1000000 npx vitest …` for the long run, which takes about half an hour. */
const RUNS = Number(process.env["FUZZ_RUNS"] ?? 600);
const BATCH = 3_000;

const shells = hasZsh ? (["bash", "zsh"] as const) : (["bash"] as const);
const world = hasBubblewrap ? "in bubblewrap" : "restricted, without bubblewrap";

describe(`scripts against real shells, ${world}`, { timeout: 60_000 + RUNS * 50 }, () => {
  it("notices a program that runs, at once or later, and a file that is written", () => {
    const scripts = ["ls; $(zap)", "ls", "cat <(zap)", "bash -c zap"];
    expect(run(scripts, "bash")).toEqual([[PAYLOAD], [], [PAYLOAD], ["bash", PAYLOAD]]);
    if (hasBubblewrap) expect(run(["ls", "echo >x", "ls"], "bash")).toEqual([[], [WROTE], []]);
  });

  it(`${shells.join(" and ")}: nothing starts and nothing is written that was not seen`, () => {
    // The short run is the same each time; a long one looks for what is new.
    const seed = Number(
      process.env["FUZZ_SEED"] ?? (process.env["FUZZ_RUNS"] === undefined ? 1 : Date.now()),
    );
    const unseen: string[] = [];
    for (let done = 0; done < RUNS; done += BATCH) {
      const scripts = fc.sample(script, { numRuns: Math.min(BATCH, RUNS - done), seed: seed + done / BATCH });
      // Only what is taken for harmless can hide something.
      const harmless = [...new Set(scripts)].filter((text) => riskOf(examineCommand(text)) === "read-only");
      for (const shell of harmless.length === 0 ? [] : shells) {
        const caused = run(harmless, shell);
        const found = harmless.filter(
          (_, at) => caused[at]?.includes(PAYLOAD) || caused[at]?.includes(WROTE),
        );
        unseen.push(...found.map((text) => `${shell}: ${text}`));
      }
    }
    expect(unseen, `seed ${seed}`).toEqual([]);
  });
});
