import { describe, expect, it } from "vitest";
import { canContain } from "../support/bubblewrap.ts";
import { type Escape, ESCAPES, hasWorked, prepare } from "./escapes.ts";
import { has, openWorld, type Ran, WRITE } from "./world.ts";

/** Not contained; contained as where no filter of system calls is known; contained. */
type Wall = "none" | "unfiltered" | "whole";

/** Whether an escape works in a world of its own. */
async function attempt(escape: Escape, wall: Wall): Promise<{ worked: boolean; ran: Ran }> {
  const world = openWorld(wall === "unfiltered" ? { architecture: "another" } : {});
  const undo = await prepare(world, escape);
  try {
    const ran = await world.run(escape.command, wall === "none" ? null : WRITE);
    return { worked: hasWorked(world, escape, ran), ran };
  } finally {
    undo();
    world.close();
  }
}

describe.runIf(canContain && has("unshare"))("a contained command, in bubblewrap", () => {
  it("has more than sixty known ways out", () => {
    expect(ESCAPES.length).toBeGreaterThan(60);
  });

  it.each(ESCAPES)("does not get out by $kind", { timeout: 20_000 }, async (escape) => {
    // What only the filter closes works in a containment without it.
    const free = await attempt(escape, escape.only === undefined ? "none" : "unfiltered");
    expect(free.worked, `without a containment it works: ${free.ran.output}`).toBe(true);
    const contained = await attempt(escape, "whole");
    expect(contained.worked, contained.ran.output).toBe(false);
    expect(contained.ran.finished?.isProven).toBe(true);
  });

  it.each(ESCAPES.filter(({ command }) => /unshare|bwrap/u.test(command)))(
    "does not get out by $kind where nothing filters either",
    async (escape) => {
      expect((await attempt(escape, "unfiltered")).worked).toBe(false);
    },
  );
});
