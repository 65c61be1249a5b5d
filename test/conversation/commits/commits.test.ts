import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it, onTestFinished, vi } from "vitest";
import { createCommits } from "../../../src/conversation/commits/commits.ts";
import { initialState } from "../../../src/conversation/collaboration/state.ts";
import { recordingOf } from "../../../src/policy/history/history.ts";
import { createTestServices } from "../../support/services.ts";
import { createGit } from "../../../src/vcs/git.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { git } from "../../support/directory.ts";
import { examined } from "../../support/examination.ts";
import { DEFAULTS } from "../collaboration/session.ts";

const NOBODY = { openObjection: () => null };
const CORE = {
  state: initialState("root", DEFAULTS, 0),
  dispatch: () => undefined,
  log: async () => undefined,
  keep: () => undefined,
  mirrored: async () => undefined,
};

it("may leave out what is the user's alone, and nothing that GAIA has had a hand in", async () => {
  const services = createTestServices({}, "/project");
  const refusals = async (isMixed: boolean): Promise<string | null> => {
    const commits = createCommits(
      CORE,
      {
        ...services,
        vcs: {
          ...services.vcs,
          uncommitted: async () => [
            { path: "/project/notes.md", isTracked: true, isStaged: false, isInIndex: false, canStage: true },
          ],
        },
      },
      { standing: async () => "passed" },
      NOBODY,
      { usersOwnAmong: async () => [{ path: "notes.md", isMixed, isNew: false }] },
    );
    return commits.refuseCall({
      tool: "bash",
      agent: "hephaestus",
      examination: examined("history", { history: recordingOf("commit", "git commit") }),
    });
  };
  expect(await refusals(false)).toBeNull();
  expect(await refusals(true)).toContain("leaves out /project/notes.md");
});

it("that was cut off leaves the index as it was before, once nothing is at it any more", async () => {
  const top = await realpath(await mkdtemp(join(tmpdir(), "commits-")));
  onTestFinished(async () => rm(top, { recursive: true, force: true }));
  const run = async (...args: string[]): Promise<string> =>
    git(top, "-c", "user.name=T", "-c", "user.email=t@example.com", ...args);
  const status = async (): Promise<string> => run("status", "--porcelain");
  await run("init", "-q", "-b", "main");
  for (const name of ["known", "mine"]) await writeFile(join(top, name), "x");
  await run("add", "known");
  await run("commit", "-qm", "Known");
  await writeFile(join(top, "known"), "y");
  await writeFile(join(top, "new"), "x");
  await run("add", "mine");
  const services = createTestServices({}, top);
  const open = () =>
    createCommits(
      CORE,
      {
        ...services,
        vcs: createGit(top, systemClock),
        place: { ...services.place, project: top, worktree: top },
      },
      { standing: async () => "passed" },
      NOBODY,
      { usersOwnAmong: async () => [] },
    );
  const call = {
    tool: "bash",
    agent: "hephaestus",
    examination: examined("history", { history: recordingOf("commit", "git commit") }),
  };
  const hook = spawn("sleep", ["60"], { detached: true, stdio: "ignore" });
  onTestFinished(() => void hook.kill("SIGKILL"));
  const first = open();
  await first.begins("call", call);
  first.runs("call", hook.pid ?? 0);
  await run("add", "-A");
  const kept: unknown = JSON.parse(JSON.stringify(first.snapshot?.()));
  const before = " M known\nA  mine\n?? new\n";
  const second = open();
  second.restore?.(kept);
  await pause(100);
  expect(await status()).toBe("M  known\nA  mine\nA  new\n");
  // What is called next is told that it is over.
  await second.begins("next", call);
  expect(await status()).toBe(before);
  await run("add", "-A");
  hook.kill("SIGKILL");
  await once(hook, "exit");
  open().restore?.(kept);
  await vi.waitFor(async () => expect(await status()).toBe(before));
});
