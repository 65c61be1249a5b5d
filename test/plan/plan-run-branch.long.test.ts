import { chmod, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git, writeIn } from "../support/directory.ts";
import { BOTH, BRANCH, change, folderOf, lanes, onBranch, openBranch, run, usersOf } from "./branch-scene.ts";
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
