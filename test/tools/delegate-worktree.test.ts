import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { git } from "../support/directory.ts";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import type { JsonRecord } from "../../src/lib/json.ts";
import { announceDelegate } from "../../src/tools/announced.ts";
import * as engine from "../../src/snapshot/lanes/engine.ts";
import { ROOT } from "../support/composition.ts";
import { FILE, openLanes, text, type LanesOptions, type LanesScene, type Work } from "../plan/lanes-scene.ts";

const LINES: Readonly<Record<string, number>> = { top: 1, end: 12, same: 1 };
/** Each changes a line of its own, but for one. */
const work: Work = async ({ edit, name, turn }) =>
  turn === 1 ? edit(FILE, `line ${LINES[name]};`, `${name};`) : undefined;
const open = async (options: LanesOptions = {}, does: Work = work): Promise<LanesScene> =>
  openLanes(does, options);
const give = async (scene: LanesScene, name: string, more: JsonRecord = {}): Promise<JsonRecord> =>
  scene.gaia.delegate({ agent: "hephaestus", goal: `Change ${name}`, worktree: true, ...more });
const left = async (scene: LanesScene): Promise<string[]> => {
  const store = await engine.openStore(scene.top, { XDG_DATA_HOME: scene.data });
  return typeof store === "string" ? [] : (await engine.listLanes(store)).map(({ name }) => name);
};

/** The one who works waits for a word. */
async function openHeld(): Promise<{ readonly scene: LanesScene; readonly goOn: () => void }> {
  let goOn = (): void => undefined;
  const word = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const scene = await open({}, async (given, each) => {
    await word;
    await work(given, each);
  });
  return { scene, goOn };
}

const LANDED = /^landed from worktrees: unit\/by-hand\/\d+$/u;

describe("a delegation by hand that wants a worktree", () => {
  it("works in one of its own beside others and the user, and lands at its end", async () => {
    const scene = await open({}, async (given, each) => {
      await work(given, each);
      // Nobody sees anything of the other before both are done.
      while (each.given.length < 2) await new Promise((done) => setImmediate(done));
    });
    await writeFile(join(scene.top, FILE), text({ 6: "the user's;" }));
    const [one, other] = await Promise.all([give(scene, "top"), give(scene, "end")]);
    for (const { worktree } of [one, other]) expect(worktree).toMatch(LANDED);
    expect(one["worktree"]).not.toBe(other["worktree"]);
    expect(scene.given.map(({ folder }) => folder)).not.toContain(scene.top);
    expect(new Set(scene.given.map(({ folder }) => folder)).size).toBe(2);
    expect(await scene.read()).toBe(text({ 1: "top;", 6: "the user's;", 12: "end;" }));
    expect(await left(scene)).toEqual([]);
  });

  it("lands nothing where the user changed the same lines, and goes on in its own place, after a restart too", async () => {
    const scene = await open();
    scene.work = async (given, each) => {
      await work(given, each);
      if (given.turn === 1) await writeFile(join(each.top, FILE), text({ 1: "the user's;" }));
      else await given.edit(FILE, "top;", "line 1;");
      await writeFile(join(given.folder, "new.txt"), "top\n");
    };
    const blocked = await give(scene, "top");
    expect(blocked["worktree"]).toMatch(
      /^BLOCKED: .*the folder\/shared\.txt.* Resume the session, and it lands at its end; .* lanes remove unit\/by-hand\/\d+$/u,
    );
    expect(await scene.read()).toBe(text({ 1: "the user's;" }));
    expect((await scene.conversation()).parts.worktrees.describe()).toMatch(
      /^in worktrees, not landed: unit\/by-hand\/\d+$/u,
    );
    await scene.restart();
    const again = await give(scene, "top", { session_id: blocked["session_id"], worktree: undefined });
    expect(again["worktree"]).toMatch(LANDED);
    expect(scene.given[1]?.folder).toBe(scene.given[0]?.folder);
    expect(await scene.read()).toBe(text({ 1: "the user's;" }));
    expect(await scene.read("new.txt")).toBe("top\n");
    expect(await left(scene)).toEqual([]);
  });

  it("keeps apart what was stopped, and what a session is locked over", async () => {
    const scene = await open({}, async (given, each) => {
      await work(given, each);
      (await each.conversation()).dispatch({ type: "command", change: { knob: "mode", value: "locked" } });
    });
    const result = await give(scene, "top");
    expect(result["worktree"]).toMatch(/^Nothing may be changed now: it stays in .*by-hand/u);
    expect(await scene.read()).toBe(text());
    expect(await left(scene)).toEqual([expect.stringMatching(/^unit\/by-hand\/\d+$/u)]);
    (await scene.conversation()).dispatch({ type: "command", change: { knob: "mode", value: "autopilot" } });
    scene.work = async () => void (await git(scene.top, "switch", "-q", "-c", "other"));
    const resumed = { session_id: result["session_id"], worktree: undefined };
    expect((await give(scene, "top", resumed))["worktree"]).toMatch(
      /^Another branch .* other now: it stays in /u,
    );
    expect(await scene.read()).toBe(text());
    scene.work = () => undefined;
    expect((await give(scene, "top", resumed))["worktree"]).toMatch(LANDED);
  });

  it.each<[string, LanesOptions, JsonRecord, string]>([
    [
      "of a session that was begun in the project",
      {},
      { resume: true },
      "a session stays where it was begun",
    ],
  ])("has none, which is said: %s", async (_which, options, { resume }, why) => {
    const scene = await open(options);
    const before = resume === true ? await give(scene, "end", { worktree: false }) : {};
    const result = await give(scene, "top", resume === true ? { session_id: before["session_id"] } : {});
    expect(result).toMatchObject({
      status: "completed",
      worktree: expect.stringContaining(`no worktrees: ${why}`),
    });
    expect(scene.given.at(-1)?.folder).toBe(scene.top);
  });

  it("has one without git as well, and one who changes nothing needs none", async () => {
    const scene = await open();
    await rm(join(scene.top, ".git"), { recursive: true });
    expect((await give(scene, "top"))["worktree"]).toMatch(LANDED);
    const read = await scene.gaia.delegate({ agent: "hades", goal: "Look at it", worktree: true });
    expect(read["worktree"]).toBe("no worktrees: hades changes nothing");
  });

  it("works in the background as well, and has landed once it is told to have ended", async () => {
    const { scene, goOn } = await openHeld();
    const begun = await give(scene, "top", { background: true });
    expect(begun).toMatchObject({ status: "running" });
    expect(await scene.read()).toBe(text());
    goOn();
    const end = await scene.gaia.collect({ task_id: begun["task_id"], until: "all" });
    expect(end).toMatchObject({ status: "completed", worktree: expect.stringMatching(LANDED) });
    expect(await scene.read()).toBe(text({ 1: "top;" }));
    expect(await left(scene)).toEqual([]);
  });

  it("says of what ended in the background and has not landed where it is, after a restart too", async () => {
    const { scene, goOn } = await openHeld();
    const begun = await give(scene, "top", { background: true });
    (await scene.conversation()).dispatch({ type: "command", change: { knob: "mode", value: "locked" } });
    goOn();
    const asked = { task_id: begun["task_id"], until: "all" };
    expect((await scene.gaia.collect(asked))["worktree"]).toMatch(
      /^Nothing may be changed now: it stays in /u,
    );
    await scene.restart();
    const end = await scene.gaia.collect(asked);
    expect(end["worktree"]).toMatch(
      /^It has not landed: it stays in .*by-hand.* until its session is resumed/u,
    );
    expect(await scene.read()).toBe(text());
  });

  it("goes on in the background once the user writes, and a stop of GAIA's turn is none of it then", async () => {
    const { scene, goOn } = await openHeld();
    const { parts } = await scene.conversation();
    const going = give(scene, "top");
    while (scene.given.length === 0) await new Promise((done) => setImmediate(done));
    parts.turns.userSpoke?.("message");
    parts.turns.observe?.({ type: "text.activity", sessionId: ROOT } as never, true);
    const begun = await going;
    expect(begun).toMatchObject({ status: "running" });
    goOn();
    const end = await scene.gaia.collect({ task_id: begun["task_id"], until: "all" });
    expect(end).toMatchObject({ status: "completed", worktree: expect.stringMatching(LANDED) });
    expect(await scene.read()).toBe(text({ 1: "top;" }));
  });

  it("does not begin where it cannot be made ready", async () => {
    const scene = await open({ config: { lanes: { mode: "auto", setup: "exit 3" } } });
    expect(await give(scene, "top")).toMatchObject({
      status: "failed",
      message: expect.stringContaining("lanes.setup failed"),
    });
    expect(scene.given).toEqual([]);
    expect(await left(scene)).toEqual([]);
  });

  it("is no matter of anybody's while lanes are off: no byte, and no such argument", async () => {
    const scene = await open({ config: { lanes: "off" } });
    expect(await give(scene, "top")).toMatchObject({
      status: "failed",
      error: expect.stringContaining("worktree: Unknown argument"),
    });
    expect(scene.given).toEqual([]);
    const bytes = (isOn: boolean): string =>
      JSON.stringify(z.toJSONSchema(z.object(announceDelegate(["hephaestus"], isOn).args)));
    expect(bytes(false)).not.toContain("worktree");
    expect(bytes(true).length - bytes(false).length).toBeLessThan(100);
    expect(existsSync(join(scene.data, "opencode-gaia/worktree"))).toBe(false);
  });
});
