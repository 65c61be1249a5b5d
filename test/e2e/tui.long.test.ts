import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { call, say, type Turn } from "../../src/scripted-model/turn.ts";
import { openTuiProject, type Tui, type TuiProject } from "../support/tui.ts";
import { done, write } from "./scenes.ts";

// Two starts in a fresh home are slow on a loaded machine.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

/** One conversation, scene by scene. */
let tui: TuiProject;
/** The terminal that shows it. */
let shown: Tui;
beforeAll(async () => {
  tui = await openTuiProject({
    files: { "a.txt": "one\n" },
    config: { default_agent: "gaia", snapshot: true },
    gaia: { mode: "autopilot", startup: { askAtTaskStart: false } },
  });
  shown = tui;
  await shown.select("Gaia");
});
afterAll(async () => {
  await shown.close();
  await tui.close();
});

const delegate = (goal: string, verify?: string): Turn =>
  call("delegate_gaia", { agent: "hephaestus", goal, ...(verify !== undefined && { verify }) });
/** How often the plugin has said how work ended, as far as the screen shows it. */
const verdicts = (): number => shown.screen().match(/GAIA: \w+/gu)?.length ?? 0;

it("every piece of work ends with one line: what it changed, what the host has seen of it, what it took", async () => {
  tui.model.script("gaia", say("Hello to you."));
  await shown.submit("Hello");
  await shown.shows("Hello to you.");
  tui.model.script("hephaestus", write(tui, "a.txt", "two\n"), done);
  tui.model.script("gaia", delegate("Write two.", "grep -q two a.txt"), say("Written two."));
  await shown.submit("Two, please");
  await shown.shows(
    /Written two\.[^]*GAIA: done: proven by `grep -q two a\.txt` · a\.txt \+1 −1 · 1 delegation/,
  );
  // Talk is no work.
  expect(verdicts()).toBe(1);
  tui.model.script("hephaestus", done);
  tui.model.script("gaia", delegate("Write three."), say("Written three."));
  await shown.submit("Three, please");
  await shown.shows(/Written three\.[^]*GAIA: nothing changed: no file is other than before · 1 delegation/);
  tui.model.script("hephaestus", write(tui, "a.txt", "four\n"));
  tui.model.always("hephaestus", { trouble: "hang" });
  tui.model.script("gaia", delegate("Write four."));
  await shown.submit("Four, please");
  await shown.shows(/progress=hephaestus · write: a\.txt/);
  shown.press("Escape");
  await shown.shows("again to interrupt");
  shown.press("Escape");
  await shown.shows(/Four, please[^]*GAIA: stopped: you stopped it · a\.txt \+1 −1/);
});

it("shows nobody at work, before anything is said, in a conversation whose OpenCode was killed", async () => {
  tui.model.script("gaia", call("delegate_gaia", { agent: "minerva", goal: "Look at it" }));
  tui.model.script("minerva", { text: "half a sentence", trouble: "stall" });
  await shown.submit("Go");
  await shown.shows(/goal=Look at it, progress=minerva · \d+s\]/);
  await tui.kill();

  shown = await tui.openAnother({ newest: true });
  await shown.shows(/goal=Look at it/);
  expect(shown.sidebar()).not.toContain("● minerva");
  tui.model.script("gaia", say("It was interrupted."));
  await shown.submit("What became of it?");
  await shown.shows("It was interrupted.");
  await shown.shows(/✗ minerva › Look at it · interrupted/);
});

/** Takes a command from the list that comes up. */
async function slash(name: "undo" | "redo"): Promise<void> {
  await shown.type(`/${name}`);
  await shown.shows(new RegExp(`/${name} +${name}`, "i"));
  shown.press("Enter");
}

it("/undo and /redo go from one of the user's messages to the next, whatever notes GAIA wrote between them", async () => {
  tui.model.script("gaia", say("Answer 1."));
  await shown.submit("Question 1");
  await shown.shows("Answer 1.");
  tui.model.always("hephaestus", done);
  tui.model.script("gaia", delegate("Look at five."), say("Answer 2."));
  await shown.submit("Question 2");
  await shown.shows("Answer 2.");
  await shown.shows("✓ hephaestus › Look at five");

  await slash("undo");
  // The words stand in the prompt line again, and not those of the note that came last.
  await shown.shows(/reverted[^]*┃ +Question 2 *\n/);
  expect(shown.screen()).not.toContain("✓ hephaestus › Look at five");
  for (const _letter of "Question 2") shown.press("Backspace");
  await slash("undo");
  await shown.shows(/reverted[^]*┃ +Question 1 *\n/);
  for (const _letter of "Question 1") shown.press("Backspace");
  await slash("redo");
  await shown.shows(/Question 1[^]*Answer 1\.[^]*reverted/);
  await slash("redo");
  await shown.shows(/Answer 2\./);
  expect(shown.screen()).not.toContain("reverted");
});
