import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { examineCommand } from "../../../src/policy/examine-command.ts";
import { canContain } from "../../support/bubblewrap.ts";
import { command } from "./command.ts";
import { PROJECT, World } from "./world.ts";

/** Commands in all; `REACH_RUNS=20000 npx vitest …` for a long run. */
const RUNS = Number(process.env["REACH_RUNS"] ?? 300);
const SEED = Number(process.env["REACH_SEED"] ?? 1);

// Commands run only where nothing but a throwaway disk can be written.
describe.runIf(canContain)("what commands do to a disk", { timeout: 60_000 + RUNS * 200 }, () => {
  let world: World;
  beforeAll(() => {
    world = new World();
  });
  afterAll(() => world.remove());

  it("is noticed, in the project and beside it", () => {
    const seen = world.run([
      "ls",
      "touch new",
      "touch ../outside/new",
      "rm ~/h.txt",
      "touch link-out/new; rm a.txt",
    ]);
    expect(seen.map(({ inside, outside }) => [inside, outside])).toEqual([
      [false, false],
      [true, false],
      [false, true],
      [false, true],
      [true, true],
    ]);
  });

  it("is what their effect says: reading changes nothing, and nothing but what is told reaches beyond the project", () => {
    const all = [...new Set(fc.sample(command, { numRuns: RUNS, seed: SEED }))];
    const judged = all.map((text) => ({
      text,
      ...examineCommand(text, { folder: PROJECT, project: PROJECT, ...world.disk }),
    }));
    // What runs without asking where the user gave their word; the rest is asked for, or contained.
    const told = judged.filter(({ effect }) => /^(?:read|project|history)$/u.test(effect));
    expect(told.length).toBeGreaterThan(RUNS / 20);
    const seen = world.run(told.map(({ text }) => text));
    const wrong = told.filter(
      ({ effect }, index) =>
        seen[index]?.outside === true || (effect === "read" && seen[index]?.inside === true),
    );
    expect(wrong.map(({ effect, text }) => `${effect}: ${text}`)).toEqual([]);
  });
});
