import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT, readFaults } from "./faults.ts";

/** There are never fewer. */
const AT_LEAST = 60;

it("every planted fault stands at one place, and names tests that are there", async () => {
  const faults = await readFaults();
  const wrong = faults.filter(
    ({ files, from, to, found }) => files.length !== 1 || from === to || !existsSync(join(ROOT, found)),
  );
  expect(wrong.map(({ breaks, files, found }) => ({ breaks, files, found }))).toEqual([]);
  expect(new Set(faults.map(({ breaks }) => breaks)).size).toBe(faults.length);
  expect(faults.length).toBeGreaterThanOrEqual(AT_LEAST);
});
