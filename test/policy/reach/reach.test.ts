import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { examineCommand } from "../../../src/policy/examine-command.ts";
import { canContain } from "../../support/bubblewrap.ts";
import { command, meeting } from "./command.ts";
import { PROJECT, type Touched, World } from "./world.ts";

/** Commands in all; `REACH_RUNS=20000 npx vitest …` for a long run. */
const RUNS = Number(process.env["REACH_RUNS"] ?? 300);
const SEED = Number(process.env["REACH_SEED"] ?? 1);

/** What begins a process that the line does not wait for. */
const BACKGROUND = /(?<!&)&(?![&>\d])|[<>]\(/u;
const ASKS = /\b(?:curl(?!.*unix)|wget|ping|git (?:clone|ls-remote))\b/u;

/** What of it was touched, by its names. */
const whatOf = (touched: Touched): string =>
  Object.entries(touched)
    .filter(([, was]) => was === true)
    .map(([name]) => name)
    .join(", ");

interface Told {
  readonly text: string;
  readonly effect: string;
}

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

  it("is noticed, on the network and among the processes", () => {
    const seen = world.run([
      "sleep 0.1 & wait; kill -0 $VICTIM",
      "echo x > /dev/tcp/192.0.2.1/80",
      "python3 -m http.server 8081 & sleep 1; kill $!",
      "kill $VICTIM",
      "kill -STOP $VICTIM",
      "sleep 3 & disown",
    ]);
    expect(seen.map(({ socket, victim, leaves }) => [socket, victim, leaves])).toEqual([
      [false, false, false],
      [true, false, false],
      [true, false, false],
      [false, true, false],
      [false, true, false],
      [false, false, true],
    ]);
  });

  /** What runs without asking where the user gave their word, and what it did; the rest is asked for, or contained. */
  const runTold = (arbitrary: fc.Arbitrary<string>): (Told & Touched)[] => {
    const all = [...new Set(fc.sample(arbitrary, { numRuns: RUNS, seed: SEED }))];
    const told = all
      .map((text) => ({
        text,
        ...examineCommand(text, { folder: PROJECT, project: PROJECT, ...world.disk }),
      }))
      .filter(({ effect }) => /^(?:read|project|history)$/u.test(effect));
    expect(told.length).toBeGreaterThan(RUNS / 20);
    const seen = world.run(told.map(({ text }) => text));
    return told.map(({ text, effect }, index) => ({ text, effect, ...(seen[index] as Touched) }));
  };

  it.each([
    ["files", command],
    ["sockets and processes", meeting],
  ])("is what their effect says, of %s", (_name, arbitrary) => {
    const wrong = runTold(arbitrary).filter(
      ({ text, effect, inside, outside, socket, victim, leaves }) =>
        outside ||
        victim ||
        (effect === "read" && inside) ||
        (leaves && !BACKGROUND.test(text)) ||
        // Some programs are there to ask others.
        (socket && !ASKS.test(text)),
    );
    expect(wrong.map(({ effect, text, ...touched }) => `${effect}: ${text} ${whatOf(touched)}`)).toEqual([]);
  });
});
