import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { examineCommand } from "../../../src/policy/examine-command.ts";
import { riskOf } from "../../support/risk.ts";
import { PAYLOAD, script } from "./script.ts";
import { hasBubblewrap, hasZsh, run } from "./world.ts";

/** Scripts of each shell; `FUZZ_RUNS=100000 npx vitest …` for the long run. */
const RUNS = Number(process.env["FUZZ_RUNS"] ?? 150);
const BATCH = 150;

const shells = hasZsh ? (["bash", "zsh"] as const) : (["bash"] as const);
const world = hasBubblewrap ? "in bubblewrap" : "restricted, without bubblewrap";

describe(`scripts against real shells, ${world}`, { timeout: 20_000 + RUNS * 400 }, () => {
  it("notices a program that runs", () => {
    expect(run(["ls; $(zap)", "ls"], "bash")).toEqual([["ls", PAYLOAD], ["ls"]]);
  });

  it.each(shells)("%s starts nothing that was not seen", (shell) => {
    // The short run is the same each time; a long one looks for what is new.
    const seed = Number(
      process.env["FUZZ_SEED"] ?? (process.env["FUZZ_RUNS"] === undefined ? 1 : Date.now()),
    );
    const unseen: string[] = [];
    for (let done = 0; done < RUNS; done += BATCH) {
      const scripts = fc.sample(script, { numRuns: Math.min(BATCH, RUNS - done), seed: seed + done });
      // Only what is taken for harmless can hide something.
      const harmless = scripts.filter((text) => riskOf(examineCommand(text)) === "read-only");
      const started = harmless.length === 0 ? [] : run(harmless, shell);
      unseen.push(...harmless.filter((_, index) => started[index]?.includes(PAYLOAD)));
    }
    expect(unseen, `seed ${seed}`).toEqual([]);
  });
});
