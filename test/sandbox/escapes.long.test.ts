import { describe, expect, it } from "vitest";
import { canContain } from "../support/bubblewrap.ts";
import { type Escape, ESCAPES } from "./escapes.ts";
import { FURTHER_ESCAPES } from "./further-escapes.ts";
import { LATER_ESCAPES } from "./later-escapes.ts";
import { PLANTED_ESCAPES } from "./planted-escapes.ts";
import { SYSTEM_CALL_ESCAPES } from "./system-call-escapes.ts";
import { has, openWorld, type Ran, WRITE } from "./world.ts";

/** Not contained; contained as where no filter of system calls is known; contained. */
type Wall = "none" | "unfiltered" | "whole";

/** Whether an escape works in a world of its own. */
async function attempt(escape: Escape, wall: Wall): Promise<{ worked: boolean; ran: Ran }> {
  const world = openWorld(wall === "unfiltered" ? { architecture: "another" } : {});
  const { names = {}, undo } = (await escape.prepare?.(world)) ?? {};
  try {
    Object.assign(world.environment, names);
    const ran = await world.run(escape.command, wall === "none" ? null : WRITE);
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

  it.each([...ESCAPES, ...FURTHER_ESCAPES, ...LATER_ESCAPES, ...PLANTED_ESCAPES])(
    "does not get out by $kind",
    { timeout: 20_000 },
    async (escape) => {
      const free = await attempt(escape, "none");
      expect(free.worked, `without a containment it works: ${free.ran.output}`).toBe(true);
      const contained = await attempt(escape, "whole");
      expect(contained.worked, contained.ran.output).toBe(false);
      expect(contained.ran.finished?.isProven).toBe(true);
    },
  );

  it.each(SYSTEM_CALL_ESCAPES)("does not get out by $kind, which only the filter closes", async (escape) => {
    const unfiltered = await attempt(escape, "unfiltered");
    expect(unfiltered.worked, `without the filter it works: ${unfiltered.ran.output}`).toBe(true);
    const contained = await attempt(escape, "whole");
    expect(contained.worked, contained.ran.output).toBe(false);
    expect(contained.ran.finished?.isProven).toBe(true);
  });

  it.each([...ESCAPES, ...FURTHER_ESCAPES].filter(({ command }) => /unshare|bwrap/u.test(command)))(
    "does not get out by $kind where nothing filters either",
    async (escape) => {
      expect((await attempt(escape, "unfiltered")).worked).toBe(false);
    },
  );
});
