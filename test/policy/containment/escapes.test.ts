import { describe, expect, it } from "vitest";
import { canContain } from "../../support/bubblewrap.ts";
import { type Escape, ESCAPES } from "./escapes.ts";
import { FURTHER_ESCAPES } from "./further-escapes.ts";
import { has, openWorld, type Ran, WRITE } from "./world.ts";

/** Whether an escape works in a world of its own. */
async function attempt(escape: Escape, isContained: boolean): Promise<{ worked: boolean; ran: Ran }> {
  const world = openWorld();
  const { names = {}, undo } = (await escape.prepare?.(world)) ?? {};
  try {
    Object.assign(world.environment, names);
    const ran = await world.run(escape.command, isContained ? WRITE : null);
    return { worked: await escape.worked(world, ran), ran };
  } finally {
    undo?.();
    world.close();
  }
}

describe.runIf(canContain && has("unshare"))("a contained command, in bubblewrap", () => {
  it("has more than forty known ways out", () => {
    expect([...ESCAPES, ...FURTHER_ESCAPES].length).toBeGreaterThan(40);
  });

  it.each([...ESCAPES, ...FURTHER_ESCAPES])(
    "does not get out by $kind",
    { timeout: 20_000 },
    async (escape) => {
      const free = await attempt(escape, false);
      expect(free.worked, `without a containment it works: ${free.ran.output}`).toBe(true);
      const contained = await attempt(escape, true);
      expect(contained.worked, contained.ran.output).toBe(false);
      expect(contained.ran.finished?.isProven).toBe(true);
    },
  );
});
