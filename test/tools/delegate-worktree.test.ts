import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import type { JsonRecord } from "../../src/lib/json.ts";
import { announceDelegate } from "../../src/tools/announced.ts";
import * as engine from "../../src/snapshot/lanes/engine.ts";
import { FILE, openLanes, text, type LanesOptions, type LanesScene, type Work } from "../plan/lanes-scene.ts";

const LINES: Readonly<Record<string, number>> = { top: 1, end: 12, same: 1 };
/** Each changes a line of its own, but for one. */
const work: Work = async ({ edit, name, turn }) =>
  turn === 1 ? edit(FILE, `line ${LINES[name]};`, `${name};`) : undefined;
const open = async (options: LanesOptions = {}, does: Work = work) => openLanes(does, options);
const give = async (scene: LanesScene, name: string, more: JsonRecord = {}): Promise<JsonRecord> =>
  scene.gaia.delegate({ agent: "hephaestus", goal: `Change ${name}`, worktree: true, ...more });
const left = async (scene: LanesScene): Promise<string[]> => {
  const store = await engine.openStore(scene.top, { XDG_DATA_HOME: scene.data });
  return typeof store === "string" ? [] : (await engine.listLanes(store)).map(({ name }) => name);
};

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

  it("has none in a session that was begun in the project, which is said", async () => {
    const scene = await open();
    const { session_id } = await give(scene, "end", { worktree: false });
    expect(await give(scene, "top", { session_id })).toMatchObject({
      status: "completed",
      worktree: expect.stringContaining("no worktrees: a session stays where it was begun"),
    });
    expect(scene.given.at(-1)?.folder).toBe(scene.top);
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
