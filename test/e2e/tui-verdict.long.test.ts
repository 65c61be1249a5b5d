import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { call, result, say, type Turn } from "../../src/scripted-model/turn.ts";
import { openTuiProject, type TuiProject } from "../support/tui.ts";
import { HEPHAESTUS_DONE, write } from "./collaboration-scenes.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let tui: TuiProject;
beforeAll(async () => {
  tui = await openTuiProject({
    files: { "a.txt": "one\n" },
    config: { default_agent: "gaia", snapshot: true },
    gaia: { mode: "autopilot", startup: { askAtTaskStart: false } },
  });
  await tui.select("Gaia");
});
afterAll(async () => tui.close());

const delegate = (goal: string, verify?: string): Turn =>
  call("delegate_gaia", { agent: "hephaestus", goal, ...(verify !== undefined && { verify }) });
/** How often the plugin has said how work ended, as far as the screen shows it. */
const verdicts = (): number => tui.screen().match(/GAIA: \w+/gu)?.length ?? 0;

it("every piece of work ends with one line: what it changed, what the host has seen of it, what it took", async () => {
  tui.model.script("gaia", say("Hello to you."));
  await tui.submit("Hello");
  await tui.shows("Hello to you.");
  tui.model.script("hephaestus", write(tui, "a.txt", "two\n"), result(HEPHAESTUS_DONE));
  tui.model.script("gaia", delegate("Write two.", "grep -q two a.txt"), say("Written two."));
  await tui.submit("Two, please");
  await tui.shows(
    /Written two\.[^]*GAIA: done: proven by `grep -q two a\.txt` · a\.txt \+1 −1 · 1 delegation/,
  );
  // Talk is no work.
  expect(verdicts()).toBe(1);
  tui.model.script("hephaestus", result(HEPHAESTUS_DONE));
  tui.model.script("gaia", delegate("Write three."), say("Written three."));
  await tui.submit("Three, please");
  await tui.shows(/Written three\.[^]*GAIA: nothing changed: no file is other than before · 1 delegation/);
  tui.model.script("hephaestus", write(tui, "a.txt", "four\n"), { trouble: "hang" });
  tui.model.script("gaia", delegate("Write four."));
  await tui.submit("Four, please");
  await tui.shows(/progress=hephaestus · write: a\.txt/);
  tui.press("Escape");
  await tui.shows("again to interrupt");
  tui.press("Escape");
  await tui.shows(/Four, please[^]*GAIA: stopped: you stopped it · a\.txt \+1 −1/);
});
