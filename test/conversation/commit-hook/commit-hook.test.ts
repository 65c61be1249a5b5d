import { rm } from "node:fs/promises";
import { expect, it } from "vitest";
import { findCommitHook, installCommitHook } from "../../../src/checks/commit-hook/commit-hook.ts";
import { createTestServices, openConversation } from "../../support/services.ts";
import { createVcs } from "../../../src/snapshot/vcs.ts";
import { createProject, git } from "../../checks/project.ts";
import { createFakeHost } from "../../support/fake-host.ts";

it("tells the user and GAIA once that git does not run the hook any more", async () => {
  const project = await createProject();
  await git(project, "init", "-q");
  const host = createFakeHost(project);
  const told: string[] = [];
  const begin = async (mode: "supervised" | "locked" = "supervised"): Promise<void> => {
    const services = createTestServices({ host, vcs: createVcs("git", project) }, project);
    const { conversation } = await openConversation(services);
    conversation.dispatch({ type: "command", change: { knob: "mode", value: mode } });
    conversation.dispatch({ type: "user-message", text: "hello" });
    await conversation.parts.checks.flush?.();
    told.push(...conversation.takeLines().filter((line) => line.includes("hook")));
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
  expect(host.toasts.filter((toast) => JSON.stringify(toast).includes("hook install"))).toHaveLength(1);
});
