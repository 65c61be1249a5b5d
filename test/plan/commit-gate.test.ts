import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { compose, planCalls } from "../support/composition.ts";
import { git } from "../support/directory.ts";
import { turnTo } from "./contracts.ts";

/** A repository with one commit, in which the user has changed a.txt. */
async function makeRepository(directory: string): Promise<void> {
  await git(directory, "init", "-q", "-b", "main");
  await git(directory, "config", "user.name", "T");
  await git(directory, "config", "user.email", "t@example.com");
  await writeFile(join(directory, "a.txt"), "one\n");
  await git(directory, "add", "a.txt");
  await git(directory, "commit", "-q", "-m", "Start");
  await writeFile(join(directory, "a.txt"), "the user's\n");
}

async function merge(directory: string): Promise<void> {
  await git(directory, "update-ref", "MERGE_HEAD", "HEAD");
}

async function conflict(directory: string): Promise<void> {
  await git(directory, "checkout", "-q", "-b", "other");
  await git(directory, "commit", "-q", "-a", "-m", "Theirs");
  await git(directory, "checkout", "-q", "main");
  await writeFile(join(directory, "a.txt"), "ours\n");
  await git(directory, "commit", "-q", "-a", "-m", "Ours");
  await git(directory, "merge", "-q", "--squash", "other").catch(() => null);
}

async function nest(directory: string): Promise<void> {
  await mkdir(join(directory, "inner"));
  await makeRepository(join(directory, "inner"));
}

it.each([
  [
    "with the user's own changes in autopilot, which asks nobody",
    async () => null,
    "autopilot",
    "a.txt",
    "a.txt holds uncommitted changes of the user's own",
  ],
  ["in a locked session", async () => null, "locked", "a.txt", "The session is locked."],
  ["inside the user's merge", merge, "autopilot", "a.txt", "A merge of the user's is under way"],
  ["beside the user's conflicts", conflict, "autopilot", "a.txt", "The index holds conflicts of the user's"],
  ["of a repository in the repository", nest, "autopilot", "inner", "is a repository of its own"],
] as const)("makes no commit %s", async (_name, prepare, mode, file, reason) => {
  const composition = await compose({}, async (directory) => {
    await makeRepository(directory);
    await prepare(directory);
    return {};
  });
  const { directory } = composition.host;
  const history = await git(directory, "log", "--format=%s");
  turnTo(await composition.conversation(), mode);
  const refused = await planCalls(composition).plan("commit", { commit: "Work", files: [file] });
  expect(refused["error"]).toContain(reason);
  expect(await git(directory, "log", "--format=%s")).toBe(history);
});

it.each([
  ["REJECT", "the REJECT of aether stands: No test."],
  [null, "not reviewed by aether: No test."],
] as const)("makes no commit of what a review ended with as %s", async (verdict, reason) => {
  const composition = await compose({}, async (directory) => {
    await makeRepository(directory);
    return {};
  });
  const conversation = await composition.conversation();
  turnTo(conversation, "autopilot");
  const given = {
    workUnit: "",
    reviewer: "aether",
    role: "checker",
    verdict,
    reason: "No test.",
    findings: [],
  };
  conversation.dispatch({ type: "reviewed", given });
  const refused = await planCalls(composition).plan("commit", { commit: "Work", files: ["a.txt"] });
  expect(refused["error"]).toContain(reason);
});
