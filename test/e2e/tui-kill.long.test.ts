import { afterEach, expect, it, vi } from "vitest";
import { call, say } from "../../src/scripted-model/turn.ts";
import { openTuiProject, type TuiProject } from "../support/tui.ts";

// Two starts in a fresh home are slow on a loaded machine.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

let tui: TuiProject;
afterEach(async () => tui.close());

it("shows nobody at work, before anything is said, in a conversation whose OpenCode was killed", async () => {
  tui = await openTuiProject({ config: { default_agent: "gaia" }, gaia: { mode: "autopilot" } });
  const asked = call("delegate_gaia", { agent: "minerva", goal: "Look at it", task: { context: "x" } });
  tui.model.script("gaia", asked);
  tui.model.script("minerva", { text: "half a sentence", trouble: "stall" });
  await tui.submit("Go");
  await tui.shows(/goal=Look at it, progress=minerva · \d+s\]/);
  await tui.kill();

  const again = await tui.openAnother({ newest: true });
  try {
    await again.shows(/goal=Look at it/);
    expect(again.sidebar()).not.toContain("● minerva");
    tui.model.script("gaia", say("It was interrupted."));
    await again.submit("What became of it?");
    await again.shows("It was interrupted.");
    await again.shows(/✗ minerva › Look at it · interrupted/);
  } finally {
    await again.close();
  }
});
