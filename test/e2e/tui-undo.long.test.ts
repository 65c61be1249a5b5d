import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { call, result, say } from "../../src/scripted-model/turn.ts";
import { openTuiProject, type TuiProject } from "../support/tui.ts";
import { HEPHAESTUS_DONE, plan, UNIT } from "./collaboration-scenes.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let tui: TuiProject;
beforeAll(async () => {
  tui = await openTuiProject({
    config: { default_agent: "gaia", snapshot: true },
    gaia: { mode: "autopilot", startup: { askAtTaskStart: false } },
  });
});
afterAll(async () => tui.close());

/** Takes a command from the list that comes up. */
async function slash(name: "undo" | "redo"): Promise<void> {
  await tui.type(`/${name}`);
  await tui.shows(new RegExp(`/${name} +${name}`, "i"));
  tui.press("Enter");
}

it("/undo and /redo go from one of the user's messages to the next, whatever notes GAIA wrote between them", async () => {
  await tui.select("Gaia");
  tui.model.script("gaia", say("Answer 1."));
  await tui.submit("Question 1");
  await tui.shows("Answer 1.");
  tui.model.script("hephaestus", result(HEPHAESTUS_DONE));
  tui.model.script(
    "gaia",
    UNIT,
    plan("open_wave", { wave_id: "w1" }),
    call("delegate_gaia", { agent: "hephaestus", goal: "x", wave_id: "w1" }),
    say("Answer 2."),
  );
  await tui.submit("Question 2");
  await tui.shows("Answer 2.");
  await tui.shows("✓ hephaestus");

  await slash("undo");
  // The words stand in the prompt line again, and not those of the note that came last.
  await tui.shows(/reverted[^]*┃ +Question 2 *\n/);
  expect(tui.screen()).not.toMatch(/✓ hephaestus/);
  for (const _letter of "Question 2") tui.press("Backspace");
  await slash("undo");
  await tui.shows(/reverted[^]*┃ +Question 1 *\n/);
  for (const _letter of "Question 1") tui.press("Backspace");
  await slash("redo");
  await tui.shows(/Question 1[^]*Answer 1\.[^]*reverted/);
  await slash("redo");
  await tui.shows(/Answer 2\./);
  expect(tui.screen()).not.toContain("reverted");
});
