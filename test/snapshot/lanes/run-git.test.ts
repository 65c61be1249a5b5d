import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { askUsers } from "../../../src/snapshot/lanes/run-git.ts";
import { own } from "../../../src/snapshot/lanes/store.ts";
import { takeLaneTree } from "../../../src/snapshot/lanes/take-down.ts";
import { git, makeRepository, openLanes } from "./sample-repository.ts";

let root: string;
let top: string;
beforeEach(async () => void ({ root, top } = await makeRepository()));
afterEach(async () => rm(root, { recursive: true, force: true }));

describe("git", () => {
  it.runIf(process.platform !== "win32")(
    "is ended where a filter of the user's hangs, which holds up nobody any longer",
    async () => {
      const pid = join(root, "pid");
      await writeFile(join(root, "smudge"), `#!/bin/sh\necho $$ > '${pid}'\nexec sleep 100\n`, {
        mode: 0o755,
      });
      await writeFile(join(top, ".gitattributes"), "*.txt filter=lfs\n");
      git(top, "add", "-A");
      git(top, "commit", "-qm", "filter");
      const settings = join(root, "settings");
      git(top, "config", "--file", settings, "filter.lfs.smudge", `'${join(root, "smudge")}'`);
      vi.stubEnv("GIT_CONFIG_GLOBAL", settings);
      onTestFinished(() => void vi.unstubAllEnvs());
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      onTestFinished(() => void vi.useRealTimers());
      const answer = askUsers(top, "worktree", "add", "-q", "-b", "side", join(root, "side"));
      while (!existsSync(pid)) await new Promise((done) => setImmediate(done));
      vi.advanceTimersByTime(120_000);
      const waiting = setInterval(() => vi.advanceTimersByTime(25), 5);
      onTestFinished(() => clearInterval(waiting));
      const words = expect.stringContaining("git did not answer within 120 s") as string;
      expect(await answer).toMatchObject({ code: -1, words });
    },
  );

  it("knows the user's settings that stand in the environment, and has none of them in a store", async () => {
    await writeFile(join(root, "ignored"), "*.local\n");
    for (const name of ["a.local", "b.other"]) await writeFile(join(top, name), "x\n");
    const set = { COUNT: "1", KEY_0: "core.excludesFile", VALUE_0: join(root, "ignored") };
    for (const [name, value] of Object.entries(set)) vi.stubEnv(`GIT_CONFIG_${name}`, value);
    onTestFinished(() => void vi.unstubAllEnvs());
    const store = await openLanes(top);
    const names = await own(store, "ls-tree", "--name-only", await takeLaneTree(store));
    expect(names).toContain("b.other");
    expect(names).not.toContain("a.local");
    await expect(own(store, "config", "core.excludesFile")).rejects.toThrow("git config failed");
  });
});
