import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { JsonRecord } from "../../src/lib/json.ts";
import * as engine from "../../src/snapshot/lanes/engine.ts";
import { git, writeIn } from "../support/directory.ts";
import { FILE, openLanes, text, type Given, type LanesScene, type Work } from "./lanes-scene.ts";

const CONFLICT = /<{7}[^]*>{7}.*\n/u;
/** Both change line 5. */
const collide: Work = async ({ name, edit, turn }) => {
  if (turn === 1) await edit(FILE, "line 5;", `${name};`);
};
const isRound = ({ prompt }: Given): boolean => prompt.includes("It is asked of you once");
const rounds = ({ given }: LanesScene): Given[] => given.filter(isRound);
const bundles = async ({ top }: LanesScene): Promise<string[]> =>
  (await readdir(join(top, ".gaia/.local/lanes"))).filter((name) => name.endsWith("bundle")).toSorted();
/** What the worktrees that a report names hold of the shared file. */
async function kept(report: JsonRecord): Promise<string[]> {
  const folders = [...String(report["why"]).matchAll(/unit\/\d in (.*?) \(git diff/gu)];
  return Promise.all(folders.map(async ([, path = ""]) => readFile(join(path, FILE), "utf8")));
}
const BOTH = [text({ 5: "top;" }), text({ 5: "end;" })];
/** Both do their part; then the one who is asked to put it together does this. */
const openRound = async (round: Work, config = {}): Promise<LanesScene> =>
  openLanes(
    async (given, scene) => {
      await collide(given, scene);
      return isRound(given) ? round(given, scene) : undefined;
    },
    { config },
  );

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

describe("a conflict of tasks in worktrees", () => {
  it("is put together once by the session that wrote the later part, which is told both sides and both tasks", async () => {
    const scene = await openRound(async ({ edit }, { read }) => {
      // Nothing of it stands in the user's tree meanwhile.
      expect(await read()).toBe(text());
      await edit(FILE, CONFLICT, "top; end;\n");
    });
    const report = await scene.gaia.plan("run");
    expect(report).toMatchObject({ ok: true, status: "finished", open: [] });
    expect(await scene.read()).toBe(text({ 5: "top; end;" }));
    const [round, ...more] = rounds(scene);
    expect(more).toEqual([]);
    const writer = scene.given.find(({ name }) => name === "end");
    expect(round).toMatchObject({ name: "end", session: writer?.session, folder: writer?.folder });
    expect(round?.prompt).toMatch(/THEIR TASKS\n- Change top[^]*YOUR TASK\n- Change end/u);
    expect(round?.prompt).toMatch(/BOTH SIDES\nthe folder\/shared\.txt\n<{7}.*\ntop;\n={7}\nend;\n>{7}/u);
    expect(JSON.stringify(report)).toContain("put together by hephaestus: unit/1 and unit/2");
    // The one who put them together may have left something out.
    expect(await bundles(scene)).toEqual(["unit-1.bundle", "unit-2.bundle"]);
  });

  it("lands nothing where the markers are left, and is asked of nobody again before the user speaks", async () => {
    const scene = await openRound(() => undefined);
    const report = await scene.gaia.plan("run");
    expect(report).toMatchObject({ ok: false, status: "user", open: [1, 2] });
    expect(report["why"]).toMatch(
      /^BLOCKED: unit\/2 does not .* put it together once: conflict markers stand in .*Nothing landed/u,
    );
    expect(await scene.read()).toBe(text());
    expect(await kept(report)).toEqual(BOTH);
    expect(await bundles(scene)).toEqual([]);
    expect((await scene.conversation()).parts.worktrees.describe()).toMatch(
      /^in worktrees, not landed: \S+\/1, \S+\/2$/u,
    );
    await scene.restart();
    await resumeByHand(scene);
    expect(await scene.gaia.plan("run")).toMatchObject({ ok: false, status: "user" });
    expect(rounds(scene)).toHaveLength(1);
    (await scene.conversation()).userSpoke("go-on");
    scene.work = async (given) => {
      if (isRound(given)) await given.edit(FILE, CONFLICT, "top; end;\n");
    };
    expect(await scene.gaia.plan("run")).toMatchObject({ ok: true, status: "finished" });
    expect(rounds(scene)).toHaveLength(2);
    expect(await scene.read()).toBe(text({ 5: "top; end;" }));
  });

  it.each<[string, Work, RegExp]>([
    ["says that it cannot", () => ({ ok: false, errors: ["no idea"] }), /once: no idea\. Nothing/],
    [
      "puts it together so that a check fails",
      async ({ edit }) => edit(FILE, CONFLICT, "end;\n"),
      /`grep -q top .*` fails on all of it together, and not on its parts\. Nothing/,
    ],
  ])("lands nothing where who is asked %s", async (_what, round, why) => {
    const scene = await openRound(round);
    const report = await scene.gaia.plan("run");
    expect(report["why"]).toMatch(why);
    expect(await scene.read()).toBe(text());
    expect(await kept(report)).toEqual(BOTH);
    expect(rounds(scene)).toHaveLength(1);
  });

  it("is a matter of the user's where they changed the same lines meanwhile", async () => {
    const scene = await openLanes(
      async ({ edit }, { top }) => {
        await edit(FILE, "line 5;", "task;");
        await writeFile(join(top, FILE), text({ 5: "mine;" }));
      },
      { names: ["task"], config: { lanes: "always" } },
    );
    const report = await scene.gaia.plan("run");
    expect(report["why"]).toMatch(/^BLOCKED: unit\/1 does not go together .*shared\.txt\. Nothing landed/u);
    expect(rounds(scene)).toEqual([]);
    expect(await scene.read()).toBe(text({ 5: "mine;" }));
  });

  it("stops with the run: nothing lands, and every worktree is as its worker left it", async () => {
    const scene = await openRound(async ({ edit }, { conversation }) => {
      await edit(FILE, CONFLICT, "half\n");
      (await conversation()).parts.runs.underWay()?.control.abort();
    });
    expect(await scene.gaia.plan("run")).toMatchObject({ ok: false, status: "stopped" });
    expect(await scene.read()).toBe(text());
    const folders = scene.given.slice(0, 2).map(({ folder }) => folder);
    expect(
      new Set(await Promise.all(folders.map(async (path) => readFile(join(path, FILE), "utf8")))),
    ).toEqual(new Set(BOTH));
    expect((await scene.conversation()).parts.worktrees.describe()).toMatch(
      /^in worktrees, not landed: \S+\/1, \S+\/2$/u,
    );
    // What was half done is kept as well.
    expect(await bundles(scene)).toEqual(["unit-2.bundle"]);
  });
});

describe("tasks that are green by themselves and red together", () => {
  const check = { id: "few", command: `test $(grep -c task '${FILE}') -lt 2`, timeoutSeconds: 20 };
  const work: Work = async ({ name, edit, turn }) => {
    if (turn === 1) await edit(FILE, name === "top" ? "line 1;" : "line 12;", `${name}; task`);
  };

  it("are put together once by who wrote the later part, in the files of the tasks alone", async () => {
    const scene = await openLanes(
      async (given, scene) => {
        await work(given, scene);
        if (isRound(given)) await given.edit(FILE, "end; task", "end;");
      },
      { config: { definitionOfDone: { checks: [check] } } },
    );
    const report = await scene.gaia.plan("run");
    expect(report).toMatchObject({ ok: true, status: "finished", open: [] });
    expect(await scene.read()).toBe(text({ 1: "top; task", 12: "end;" }));
    expect(rounds(scene)).toEqual([expect.objectContaining({ name: "end" })]);
    expect(rounds(scene)[0]?.prompt).toContain(`$ ${check.command}`);
    expect(rounds(scene)[0]?.prompt).toContain(`fix it, in ${FILE} alone`);
  });

  it("land nothing where that makes the check pass in another file", async () => {
    const scene = await openLanes(
      async (given, scene) => {
        await work(given, scene);
        if (isRound(given)) await writeFile(join(given.folder, "pass"), "");
      },
      {
        config: { definitionOfDone: { checks: [{ ...check, command: `test -f pass || ${check.command}` }] } },
      },
    );
    const report = await scene.gaia.plan("run");
    expect(report["why"]).toMatch(
      /together, and not on its parts\. .* pass was changed, which is not part of it/u,
    );
    expect(await scene.read()).toBe(text());
  });
});

describe("lanes.setup", () => {
  const config = (setup: string, more: object = {}): object => ({ lanes: { mode: "auto", setup }, ...more });
  const change: Work = async ({ name, edit }) =>
    edit(FILE, name === "top" ? "line 1;" : "line 12;", `${name};`);

  it("makes each worktree and the place of the checks ready, and what it changes there is no part of the work", async () => {
    const setup = `echo ready >> ready.txt && echo generated >> '${FILE}' && test -f source.txt`;
    const scene = await openLanes(
      async (given, scene) => {
        expect(await readFile(join(given.folder, "ready.txt"), "utf8")).toBe("ready\n");
        await change(given, scene);
      },
      {
        config: config(setup, {
          // Passes only where it is ready; without that it would say nothing, being red before as well.
          definitionOfDone: {
            checks: [{ id: "one", command: `test ! -f ready.txt || test $(grep -c ready ready.txt) = 1` }],
          },
        }),
        files: { "source.txt": "x" },
      },
    );
    const report = await scene.gaia.plan("run");
    expect(report).toMatchObject({ ok: true, status: "finished", open: [] });
    expect(await scene.read()).toBe(text({ 1: "top;", 12: "end;" }));
    expect(existsSync(join(scene.top, "ready.txt"))).toBe(false);
  });

  it("finds in the place of the checks what fails together, which without it would fail anyway", async () => {
    const check = { id: "few", command: `test -f ready.txt && test $(grep -c task '${FILE}') -lt 2` };
    const scene = await openLanes(
      async ({ name, edit, turn }) => {
        if (turn === 1) await edit(FILE, name === "top" ? "line 1;" : "line 12;", `${name}; task`);
      },
      { config: config("touch ready.txt", { definitionOfDone: { checks: [check] } }) },
    );
    const report = await scene.gaia.plan("run");
    expect(report["why"]).toMatch(/^BLOCKED: `test -f ready.txt .*fails on all of it together/u);
    expect(await scene.read()).toBe(text());
  });

  it.each([
    ["fails", "echo no such package >&2; exit 3", /lanes\.setup failed: failed no such package/u],
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

  it("in supervised mode and for a project below the top of its repository: the calls are made in that folder", async () => {
    const scene = await openLanes(change, { mode: "supervised", below: "packages/one of them" });
    expect(await scene.gaia.plan("run")).toMatchObject({ ok: true, status: "finished" });
    expect(await scene.read()).toBe(WHOLE);
    for (const { folder } of scene.given)
      expect(folder).toMatch(/\/lanes\/unit\/\d\/packages\/one of them$/u);
    // The plan's yes is one for its first wave.
    expect(scene.gaia.asked.join("\n")).toMatch(/^gaia_approval: plan of unit.*opens wave 1.*$/u);
    expect((await scene.conversation()).parts.worktrees.describe()).toBeNull();
  });

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

  it("with a file that the plan names and git ignores stay: no bundle would hold it", async () => {
    const scene = await openLanes(
      async (given) => {
        await change(given, scene);
        await writeFile(join(given.folder, "end.txt"), "ignored\n");
      },
      { names: ["end"], config: { lanes: "always" }, files: { ".gitignore": "end.txt\n" } },
    );
    const report = await scene.gaia.plan("run");
    expect(report).toMatchObject({ ok: true, status: "finished" });
    expect(await scene.read()).toBe(text({ 12: "end;" }));
    const [, folder = ""] = /landed without end\.txt, .* stays in (.*?)"/u.exec(JSON.stringify(report)) ?? [];
    expect(await readFile(join(folder, "end.txt"), "utf8")).toBe("ignored\n");
  });

  it("that cannot be removed once their work has landed stay, and the work counts as landed", async () => {
    const scene = await openLanes(
      async (given, { top }) => {
        await change(given, scene);
        const owner = join(top, ".gaia/.local/lanes/unit-1.owner");
        await rm(owner, { force: true });
        await mkdir(owner);
      },
      { names: ["end"], config: { lanes: "always" } },
    );
    const report = await scene.gaia.plan("run");
    expect(report).toMatchObject({ ok: true, status: "finished", open: [] });
    expect(await scene.read()).toBe(text({ 12: "end;" }));
    expect(JSON.stringify(report["notes"])).toMatch(/unit\/1 has landed, and its worktree stays: /u);
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
    expect((await scene.conversation()).parts.worktrees.describe()).toMatch(/kept$/u);
    (await scene.conversation()).dispatch({ type: "command", change: { knob: "mode", value: "autopilot" } });
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

it("the user is told that hooks are at work where a commit takes long, and how to end it", async () => {
  const scene = await openLanes(async ({ name, edit }) =>
    edit(FILE, name === "top" ? "line 1;" : "line 12;", `${name};`),
  );
  const { host, runtime } = scene.composition;
  for (const [key, value] of [
    ["name", "T"],
    ["email", "t@example.com"],
  ])
    await git(scene.top, "config", `user.${key}`, value ?? "");
  const hook = join(scene.top, ".git/hooks/pre-commit");
  await mkdir(dirname(hook), { recursive: true });
  await writeFile(hook, "#!/bin/sh\nsleep 1\n", { mode: 0o755 });
  const { after } = runtime.clock;
  const slow = vi.spyOn(runtime.clock, "after");
  onTestFinished(() => slow.mockRestore());
  slow.mockImplementation((ms, then) => after(ms === 20_000 ? 300 : ms, then));
  expect(await scene.gaia.plan("run", { commit: "Both" })).toMatchObject({ ok: true, status: "finished" });
  expect(await git(scene.top, "log", "-1", "--format=%s")).toBe("Both\n");
  expect(host.toasts.filter((text) => text.includes("hooks of the repository may be at it"))).toHaveLength(1);
});
