import { rm } from "node:fs/promises";
import { expect, it } from "vitest";
import { findCommitHook, installCommitHook } from "../../../src/checks/commit-hook/commit-hook.ts";
import { initialState } from "../../../src/conversation/collaboration/state.ts";
import { createCommitHookLoss } from "../../../src/conversation/commit-hook/commit-hook.ts";
import { createGit } from "../../../src/vcs/git.ts";
import { createProject, git } from "../../checks/project.ts";
import { DEFAULTS } from "../collaboration/session.ts";
import { createFakeHost } from "../../support/fake-host.ts";

it("tells the user and GAIA once that git does not run the hook any more", async () => {
  const project = await createProject();
  await git(project, "init", "-q");
  const host = createFakeHost(project);
  const told: string[] = [];
  const begin = async (mode = DEFAULTS.mode): Promise<void> => {
    const part = createCommitHookLoss(
      { tell: (line) => void told.push(line), state: initialState("root", { ...DEFAULTS, mode }, 0) },
      { host, vcs: createGit(project) },
    );
    part.heard?.({ type: "user-message", text: "hello" });
    await part.flush?.();
  };
  await begin();
  const found = await findCommitHook(project);
  if (found.kind === "none") throw new Error(found.why);
  await installCommitHook(found.hook);
  await begin();
  expect(told).toEqual([]);
  await rm(found.hook.path);
  await begin("locked");
  expect(told).toEqual([]);
  await begin();
  await begin();
  expect(told).toEqual([expect.stringContaining("hook install")]);
  expect(host.toasts).toHaveLength(1);
});
