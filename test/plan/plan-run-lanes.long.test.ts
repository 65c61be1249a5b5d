import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { JsonRecord } from "../../src/lib/json.ts";
import * as engine from "../../src/snapshot/lanes/engine.ts";
import { git, writeIn } from "../support/directory.ts";
import { FILE, openLanes, text, type Given, type LanesScene, type Work } from "./lanes-scene.ts";

/** Both change line 5. */
const collide: Work = async ({ name, edit, turn }) => {
  if (turn === 1) await edit(FILE, "line 5;", `${name};`);
};
const bundles = async ({ top }: LanesScene): Promise<string[]> =>
  (await readdir(join(top, ".gaia/.local/lanes"))).filter((name) => name.endsWith("bundle")).toSorted();

/** GAIA resumes who worked in a worktree by herself: they work there again, and nowhere once it is gone. */
async function resumeByHand(scene: LanesScene): Promise<void> {
  const { work } = scene;
  const before = scene.given.find(({ name }) => name === "top");
  const resume = async (session_id = ""): Promise<JsonRecord> =>
    scene.gaia.delegate({ agent: "hephaestus", goal: "Change top", session_id });
  scene.work = async ({ edit }) => edit(FILE, "line 0;", "by hand;");
  expect(await resume(before?.session)).toMatchObject({ status: "completed" });
  expect(scene.given.at(-1)).toMatchObject({ session: before?.session, folder: before?.folder });
  expect(await scene.read()).toBe(text());
  scene.work = async ({ edit }) => edit(FILE, "by hand;", "line 0;");
  await resume(before?.session);
  const folder = before?.folder ?? "";
  await rename(folder, `${folder} aside`);
  const count = scene.given.length;
  expect(JSON.stringify(await resume(before?.session))).toContain("in the worktree unit/1, and nowhere else");
  expect(scene.given).toHaveLength(count);
  await rename(`${folder} aside`, folder);
  scene.work = work;
}

it("a conflict of tasks in worktrees is done again once by the session that wrote the later part, on top of what landed, and its first version is kept", async () => {
  const scene = await openLanes(async (given, each) => {
    await collide(given, each);
    if (given.turn === 2) await given.edit(FILE, "top;", "top; end;");
  });
  const report = await scene.gaia.plan("run");
  expect(report).toMatchObject({ ok: true, status: "finished", open: [] });
  expect(await scene.read()).toBe(text({ 5: "top; end;" }));
  const [first, again, ...more] = scene.given.filter(({ name }) => name === "end");
  expect(more).toEqual([]);
  expect(again).toMatchObject({ session: first?.session, folder: scene.top });
  expect(again?.prompt).toMatch(/does not go together .*shared\.txt\. Your files hold what the others made/u);
  expect(JSON.stringify(report)).toContain("It is done again; as it was it is kept in");
  expect(await bundles(scene)).toEqual(["unit-2.bundle"]);
  expect((await scene.conversation()).parts.worktrees.describe()).toBeNull();
});

it("tasks that are green by themselves and red together go back to who wrote them, as after any wave", async () => {
  const check = { id: "few", command: `test $(grep -c task '${FILE}') -lt 2`, timeoutSeconds: 20 };
  const scene = await openLanes(
    async ({ name, edit, turn }) =>
      turn === 1
        ? edit(FILE, name === "top" ? "line 1;" : "line 12;", `${name}; task`)
        : edit(FILE, `${name}; task`, `${name};`),
    { config: { definitionOfDone: { checks: [check] } } },
  );
  expect(await scene.gaia.plan("run")).toMatchObject({ ok: true, status: "finished", open: [] });
  expect(scene.given).toHaveLength(3);
  expect(scene.given[2]).toMatchObject({ turn: 2, prompt: expect.stringContaining(check.command) });
});

describe("lanes.setup", () => {
  const config = (setup: string): object => ({ lanes: { mode: "auto", setup } });
  const change: Work = async ({ name, edit }) =>
    edit(FILE, name === "top" ? "line 1;" : "line 12;", `${name};`);

  it("makes each worktree ready, and what it changes there is no part of the work", async () => {
    const setup = `echo ready >> ready.txt && echo generated >> '${FILE}' && test -f source.txt`;
    const scene = await openLanes(
      async (given, scene) => {
        expect(await readFile(join(given.folder, "ready.txt"), "utf8")).toBe("ready\n");
        await change(given, scene);
      },
      { config: config(setup), files: { "source.txt": "x" } },
    );
    const report = await scene.gaia.plan("run");
    expect(report).toMatchObject({ ok: true, status: "finished", open: [] });
    expect(await scene.read()).toBe(text({ 1: "top;", 12: "end;" }));
    expect(existsSync(join(scene.top, "ready.txt"))).toBe(false);
  });

  it.each([
    ["fails", "echo no such package >&2; exit 3", /lanes\.setup failed: failed · no such package/u],
    ["is refused as dangerous", "sudo rm -rf /", /lanes\.setup refused: it is dangerous/u],
  ])("that %s keeps its tasks from beginning, with what it said", async (_what, setup, why) => {
    const scene = await openLanes(change, { config: config(setup) });
    const report = await scene.gaia.plan("run");
    expect(report).toMatchObject({ ok: false, open: [1, 2] });
    expect(String(report["why"])).toMatch(why);
    // Nobody worked anywhere, the user's own tree included.
    expect(scene.given).toEqual([]);
    expect(await scene.read()).toBe(text());
    expect(await readdir(join(scene.top, ".gaia/.local/lanes"))).toEqual(["lock"]);
  });
});

describe("worktrees in other surroundings", () => {
  const change: Work = async ({ name, edit }) =>
    edit(FILE, name === "top" ? "line 1;" : "line 12;", `${name};`);
  const WHOLE = text({ 1: "top;", 12: "end;" });

  it.each<[string, (store: engine.LaneStore) => Promise<unknown>, RegExp]>([
    [
      "the user's tree cannot be taken down, as where a file may not be read",
      async ({ repository }) => mkdir(join(repository, "users-index/in the way"), { recursive: true }),
      /^no worktrees: git does not take up the files/u,
    ],
    [
      "none can be made, as where git is stuck",
      async ({ repository }) => writeIn(repository, "refs/heads/gaia/unit/1.lock", ""),
      /^no worktrees: git worktree failed/u,
    ],
  ])("are none where %s: the report says so once, and nothing of them is left", async (_where, act, note) => {
    const scene = await openLanes(change, { names: ["end"], config: { lanes: "always" } });
    const store = await engine.openStore(scene.top, { XDG_DATA_HOME: scene.data });
    if (typeof store === "string") throw new Error(store);
    await act(store);
    const report = await scene.gaia.plan("run");
    expect(report).toMatchObject({ ok: true, status: "finished" });
    expect(await scene.read()).toBe(text({ 12: "end;" }));
    expect((report["notes"] as string[]).filter((each) => note.test(each))).toHaveLength(1);
    expect(scene.given.map(({ folder }) => folder)).toEqual([scene.top]);
    expect((await scene.conversation()).parts.worktrees.describe()).toBeNull();
    expect((await readdir(store.kept)).filter((name) => name !== "lock")).toEqual([]);
  });

  it("land nothing of what a session is locked over, and all of it once the user unlocks", async () => {
    const scene = await openLanes(async (given, each) => {
      if (given.turn > 1) return;
      await change(given, each);
      const { dispatch } = await each.conversation();
      dispatch({ type: "command", change: { knob: "mode", value: "locked" } });
    });
    expect(await scene.gaia.plan("run")).toMatchObject({
      ok: false,
      status: "user",
      why: "The session is locked.",
    });
    expect(await scene.read()).toBe(text());
    expect((await scene.conversation()).parts.worktrees.describe()).toMatch(/^in worktrees, not landed: /u);
    await scene.restart();
    const { dispatch, heedOthers } = await scene.conversation();
    // Here, what ran before the restart may write once more.
    await heedOthers();
    dispatch({ type: "command", change: { knob: "mode", value: "autopilot" } });
    await resumeByHand(scene);
    scene.work = async (given) => {
      if (!(await readFile(join(given.folder, FILE), "utf8")).includes(`${given.name};`))
        await change(given, scene);
    };
    expect(await scene.gaia.plan("run")).toMatchObject({ ok: true, status: "finished" });
    expect(await scene.read()).toBe(WHOLE);
  });
});

describe("what the user does while tasks are at work in worktrees", () => {
  const ME = ["-c", "user.name=T", "-c", "user.email=t@example.com"];
  const change = async ({ name, edit, folder }: Given): Promise<void> => {
    if (!(await readFile(join(folder, FILE), "utf8")).includes(`${name};`))
      await edit(FILE, name === "top" ? "line 1;" : "line 12;", `${name};`);
  };
  const WHOLE = text({ 1: "top;", 12: "end;" });

  it("nothing lands on another branch that is checked out meanwhile, before they were told", async () => {
    const scene = await openLanes(async (given, { top }) => {
      await change(given);
      if (given.name !== "end" || given.turn > 1) return;
      await git(top, "switch", "-q", "-c", "other");
      // As `git clean -x` does.
      await rm(join(top, ".gaia/.local/lanes"), { recursive: true });
    });
    const away = await scene.gaia.plan("run");
    expect(away).toMatchObject({
      ok: false,
      why: expect.stringMatching(/^Another branch .* main, .* other now/u),
    });
    expect(await scene.read()).toBe(text());
    expect(await scene.gaia.plan("run")).toMatchObject({ ok: true, status: "finished" });
    expect(await scene.read()).toBe(WHOLE);
  });

  it("what they delete is done anew, and nothing lands in a conflict of theirs, which --abort would take away", async () => {
    const scene = await openLanes(async (given, { top }) => {
      await change(given);
      if (given.name !== "end" || given.turn > 1) return;
      await rm(given.folder, { recursive: true });
      await git(top, ...ME, "merge", "-q", "side").catch(() => "");
    });
    const { top, gaia } = scene;
    const commit = async (word: string): Promise<void> => {
      await writeFile(join(top, FILE), text({ 6: `${word};` }));
      await git(top, ...ME, "commit", "-qam", word);
    };
    await git(top, "switch", "-q", "-c", "side");
    await commit("side");
    await git(top, "switch", "-q", "main");
    await commit("main");
    const gone = await gaia.plan("run");
    expect(gone["why"]).toMatch(
      /^BLOCKED: unit\/2 is gone, with what was done in it. Nothing landed; .*unit\/1 in/u,
    );
    expect(gone["why"]).not.toContain("unit/2 in");
    expect(gone["next"]).toContain("done anew");
    const blocked = await gaia.plan("run");
    expect(blocked["why"]).toContain(`BLOCKED: ${FILE} is in a conflict that the user has not settled yet.`);
    expect(blocked["next"]).toContain("once they have settled it");
    expect(await scene.read()).toMatch(/<{7}[^]*>{7}/u);
    expect(await scene.read()).not.toMatch(/top;|end;/u);
    await git(top, "merge", "--abort");
    await rm(scene.given.find(({ name }) => name === "top")?.folder ?? "", { recursive: true });
    const report = await gaia.plan("run");
    expect(report).toMatchObject({ ok: true, status: "finished" });
    expect(JSON.stringify(report["notes"])).toContain("an earlier worktree is kept in");
    expect(await scene.read()).toBe(text({ 1: "top;", 6: "main;", 12: "end;" }));
  });
});
