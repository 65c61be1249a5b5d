import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { git } from "../support/directory.ts";
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
import { FILE, text } from "./lanes-scene.ts";

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
