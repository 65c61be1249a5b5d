import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { git, writeIn } from "../support/directory.ts";
import {
  BOTH,
  BRANCH,
  change,
  folderOf,
  lanes,
  onBranch,
  openBranch,
  run,
  runAgain,
  usersOf,
} from "./branch-scene.ts";
import { FILE, text, type LanesScene } from "./lanes-scene.ts";

describe("a unit whose work lands on its branch", () => {
  it.each(["auto", "off"])(
    "is worked on, proven and committed there with lanes %s, and nothing of it in the user's tree",
    async (mode) => {
      const scene = await openBranch(change, { config: { lanes: { mode, land: "branch" } } });
      await writeIn(scene.top, "mine.txt", "uncommitted\n");
      await git(scene.top, "add", "mine.txt");
      await writeFile(join(scene.top, FILE), text({ 5: "mine;" }));
      await git(scene.top, "config", "user.name", "T");
      await git(scene.top, "config", "user.email", "t@example.com");
      const before = await usersOf(scene);
      // Without a message it is the plan's title.
      const [given, subject] = mode === "auto" ? [{ commit: "Change both" }, "Change both"] : [{}, "Unit"];
      const report = await scene.gaia.plan("run", given);
      expect(report).toMatchObject({ ok: true, status: "finished", open: [] });
      expect(await git(scene.top, "log", "-1", "--format=%s", BRANCH)).toBe(`${subject}\n`);
      expect(await usersOf(scene)).toBe(before);
      expect(await scene.read()).toBe(text({ 5: "mine;" }));
      expect(await onBranch(scene)).toBe(BOTH);
      expect(await git(scene.top, "ls-tree", "-r", "--name-only", BRANCH)).not.toContain("mine.txt");
      expect(scene.given.every(({ folder }) => !folder.startsWith(scene.top))).toBe(true);
      const notes = JSON.stringify(report["notes"]);
      expect(notes).toContain(
        "the work stands on gaia/unit, which begins without 2 files that you have not committed",
      );
      expect(notes).toContain(
        "commits that you have not: 1), nothing of it in your tree. Take it in: git merge gaia/unit",
      );
      const { supervision } = scene.composition.runtime;
      expect(await supervision.statusOf(await scene.conversation())).toContain(
        "the work stands on branch gaia/unit",
      );
      await git(scene.top, "checkout", "-q", FILE);
      await git(scene.top, "merge", "-q", BRANCH);
      expect(await scene.read()).toBe(BOTH);
    },
  );

  it("goes on there after a restart and where its folder was deleted", async () => {
    const scene = await openBranch(change, {
      names: ["top", "end"],
      lines: (name) => (name === "end" ? ["needs: 1"] : []),
    });
    const { work } = scene;
    scene.work = () => ({ ok: false, errors: ["no"] });
    expect(await run(scene)).toMatchObject({ ok: false });
    const folder = await folderOf(scene);
    expect(folder).toContain("/units/unit");
    await scene.restart();
    expect(await folderOf(scene)).toBe(folder);
    await rm(folder, { recursive: true });
    const conversation = await scene.conversation();
    conversation.userSpoke("go-on");
    scene.work = work;
    expect(await run(scene)).toMatchObject({ ok: true, status: "finished" });
    expect(await onBranch(scene)).toBe(BOTH);
  });

  it.each<[string, (scene: LanesScene) => Promise<unknown>, string]>([
    [
      "is checked out by the user",
      async ({ top }) => git(top, "checkout", "-q", "-b", BRANCH),
      "git does not check gaia/unit out",
    ],
    ["cannot be made", async ({ top }) => git(top, "branch", "gaia"), "git does not check gaia/unit out"],
    [
      "has no commit to begin at",
      async ({ top }) => git(top, "checkout", "-q", "--orphan", "fresh"),
      "there is no commit that a branch could begin at",
    ],
  ])("is BLOCKED with what to do where its branch %s", async (_what, spoil, why) => {
    const scene = await openBranch();
    await spoil(scene);
    const before = await usersOf(scene);
    const report = await run(scene);
    expect(report).toMatchObject({ ok: false, status: "user" });
    expect(report["why"]).toContain("BLOCKED");
    expect(report["why"]).toContain(why);
    expect(scene.given).toEqual([]);
    expect(await usersOf(scene)).toBe(before);
    expect(await scene.read()).toBe(text());
  });

  it("keeps what is not committed where no revision comes about, and says so", async () => {
    const scene = await openBranch();
    await writeIn(scene.top, ".git/hooks/pre-commit", "#!/bin/sh\necho no such ticket\nexit 1\n");
    await chmod(join(scene.top, ".git/hooks/pre-commit"), 0o755);
    const before = await usersOf(scene);
    const report = await run(scene);
    expect(report).toMatchObject({ ok: false });
    expect(report["why"]).toContain("pre-commit hook refused the commit: no such ticket");
    expect(JSON.stringify(report["notes"])).toContain("1 files of it not committed");
    expect(await usersOf(scene)).toBe(before);
    const listed = await lanes(scene);
    expect(listed).toContain("gaia/unit in ");
    expect(listed).toContain("commits: 0, not committed: 1");
    await expect(lanes(scene, "remove", "unit")).rejects.toThrow("Commit what it holds to a branch");
    expect(await git(scene.top, "worktree", "list")).toContain("units/unit");
    expect(await usersOf(scene)).toBe(before);
  });
});

describe("work on a unit's branch, when something goes wrong", () => {
  it("is stopped by Esc in mid-run, and goes on where it was", async () => {
    let isStopped = false;
    const scene = await openBranch(async (given, each) => {
      await change(given, each);
      if (given.name !== "end" || isStopped) return;
      isStopped = true;
      (await each.conversation()).parts.runs.underWay()?.control.abort();
    });
    const before = await usersOf(scene);
    expect(await run(scene)).toMatchObject({ ok: false, status: "stopped" });
    expect(await runAgain(scene)).toMatchObject({ ok: true, status: "finished" });
    expect(await onBranch(scene)).toBe(BOTH);
    expect(await usersOf(scene)).toBe(before);
  });

  it("goes on to its end where it was cut off once the revision was made", async () => {
    const scene = await openBranch();
    const held = join(scene.top, ".git/held");
    await writeFile(held, "");
    const hook = join(scene.top, ".git/hooks/post-commit");
    await mkdir(dirname(hook), { recursive: true });
    await writeFile(hook, `#!/bin/sh\nwhile test -e '${held}'; do sleep 0.1; done\n`, { mode: 0o755 });
    const cut = run(scene);
    const made = async (): Promise<string> => git(scene.top, "log", "--format=%s", `main..${BRANCH}`);
    await expect.poll(async () => made().catch(() => ""), { timeout: 40_000 }).toBe("Unit\n");
    await scene.restart();
    expect(await runAgain(scene)).toMatchObject({ ok: true, status: "finished", open: [] });
    expect(await made()).toBe("Unit\n");
    await rm(held);
    await cut;
    expect(await made()).toBe("Unit\n");
  });

  it("is BLOCKED where its folder is deleted meanwhile, and then goes on with what is committed", async () => {
    const scene = await openBranch(
      async (given, each) => {
        await change(given, each);
        if (given.name === "end" && given.turn === 1) await rm(await folderOf(each), { recursive: true });
      },
      { config: { lanes: { mode: "off", land: "branch" } } },
    );
    const before = await usersOf(scene);
    const report = await run(scene);
    const folder = await folderOf(scene);
    expect(report).toMatchObject({ ok: false, status: "user" });
    expect(report["why"]).toBe(
      `BLOCKED: ${folder} is gone, in which the work stood. What was committed is on ${BRANCH}.`,
    );
    expect(JSON.stringify(report["notes"])).toContain(`somebody deleted its folder ${folder}`);
    expect(await lanes(scene)).toContain("commits: 0, its folder is gone");
    expect(await usersOf(scene)).toBe(before);
    await runAgain(scene);
    expect(existsSync(join(folder, FILE))).toBe(true);
    expect(await usersOf(scene)).toBe(before);
  });

  it("leaves the user's stash alone, which its worktree shares", async () => {
    const scene = await openBranch();
    await run(scene);
    await writeFile(join(scene.top, FILE), text({ 5: "mine;" }));
    await git(scene.top, "stash");
    const folder = await folderOf(scene);
    const worked = text({ 1: "top;", 5: "open;", 12: "end;" });
    await writeFile(join(folder, FILE), worked);
    const before = await usersOf(scene);
    const workplace = scene.composition.runtime.openWorkplace(scene.top, folder);
    onTestFinished(() => workplace.dispose());
    const containment = await workplace.containment();
    await containment.ready();
    const ends = async (command: string): Promise<boolean> => {
      const profile = { project: "write", network: false, caches: false } as const;
      const [program, ...args] = await containment.command(profile, folder, command);
      return spawnSync(program, args, { cwd: folder }).status === 0;
    };
    for (const command of ["git stash", "git stash pop", "cd . && git stash drop", "git add -A"])
      expect(await ends(command), command).toBe(false);
    for (const command of ["git stash list", "git status"]) expect(await ends(command), command).toBe(true);
    expect(await usersOf(scene)).toBe(before);
    expect(await readFile(join(folder, FILE), "utf8")).toBe(worked);
  });

  it("takes in what was done apart by hand, and in the background without a worktree of its own", async () => {
    const scene = await openBranch();
    const before = await usersOf(scene);
    const give = async (name: string, more: object): Promise<object> =>
      scene.gaia.delegate({
        agent: "hephaestus",
        goal: `Change ${name}`,
        ...more,
      });
    expect(await give("top", { worktree: true })).toMatchObject({ status: "completed" });
    await give("end", { background: true });
    const place = join(await folderOf(scene), FILE);
    await expect.poll(async () => readFile(place, "utf8")).toBe(BOTH);
    expect(await usersOf(scene)).toBe(before);
  });
});
