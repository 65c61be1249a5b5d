import { appendFile, mkdir, realpath, rm, symlink, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { createLosses, type Losses } from "../../../src/conversation/own-work/losses.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { readToolCall } from "../../../src/host/opencode/tool-call.ts";
import { type ExamineCall, loadPolicy } from "../../../src/policy/load-policy.ts";
import { createGit } from "../../../src/vcs/git.ts";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { git, writeIn } from "../../support/directory.ts";

let directory: string;
let work: Losses;
let examine: ExamineCall;
beforeEach(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), "gaia-own-work-")));
  await git(directory, "init", "-q");
  await writeIn(directory, "src/a.ts", "one\n");
  await writeIn(directory, "src/b.ts", "two\n");
  await writeIn(directory, ".gitignore", "secret.txt\n");
  await git(directory, "add", "-A");
  await git(directory, "-c", "user.name=x", "-c", "user.email=x@x", "commit", "-qm", "x");
  work = createLosses({ vcs: createGit(directory, systemClock), clock: systemClock });
  // Below the temporary folder everything is temporary, and so a project is taken for one only by its name.
  examine = loadPolicy({ directory, own: [], dangerous: [], allowSensitive: [], checks: [] });
});
afterEach(async () => rm(directory, { recursive: true, force: true }));

const at = (path: string): string => join(directory, path);
const effectOf = async (command: string) => {
  const examination = await examine("bash", readToolCall("bash", { command }));
  return (await work.settle(examination)).effect;
};
/** Something of the conversation's writes a file. */
async function write(path: string, text: string): Promise<void> {
  const { writes } = await examine("write", readToolCall("write", { filePath: at(path), content: text }));
  await work.begins(writes);
  await writeIn(directory, path, text);
  await work.ends(writes);
}

describe("throwing away", () => {
  it("what version control holds, or the conversation itself made, is no loss", async () => {
    expect(await effectOf("rm src/a.ts")).toBe("project");
    expect(await effectOf("rm -r src")).toBe("project");
    await write("new/try.ts", "x");
    expect(await effectOf("rm new/try.ts && rm -rf new")).toBe("project");
    await write("src/a.ts", "changed\n");
    expect(await effectOf("rm src/a.ts")).toBe("project");
    expect(await effectOf("git checkout -- src/a.ts")).toBe("project");
    expect(await effectOf("git checkout src/a.ts && npm test")).toBe("project");
    expect(await effectOf("git restore src/a.ts && git commit -m x")).toBe("history");
  });

  it("what a command made is no loss either", async () => {
    const { writes } = await examine(
      "bash",
      readToolCall("bash", { command: "echo x > try.ts; touch more.ts" }),
    );
    await work.begins(writes);
    await writeFile(at("try.ts"), "x\n");
    await writeFile(at("more.ts"), "");
    await work.ends(writes);
    expect(await effectOf("rm try.ts more.ts")).toBe("project");
  });

  it("the user's own work is a loss: changed before, after, or while the conversation writes", async () => {
    await writeIn(directory, "src/a.ts", "the user's\n");
    expect(await effectOf("rm src/a.ts")).toBe("lossy");
    expect(await effectOf("git checkout src/a.ts")).toBe("lossy");
    await write("src/a.ts", "ours on top\n");
    expect(await effectOf("git checkout src/a.ts")).toBe("lossy");
    await write("src/b.ts", "ours\n");
    await appendFile(at("src/b.ts"), "and the user's\n");
    expect(await effectOf("git checkout src/b.ts")).toBe("lossy");
    await write("try.ts", "ours");
    await appendFile(at("try.ts"), "and the user's");
    expect(await effectOf("rm try.ts")).toBe("lossy");
    expect(await effectOf("rm -r src")).toBe("lossy");
  });

  it("a call that never ran makes nothing its own", async () => {
    const { writes } = await examine(
      "write",
      readToolCall("write", { filePath: at("late.ts"), content: "x" }),
    );
    await work.begins(writes);
    await writeIn(directory, "late.ts", "the user's");
    expect(await effectOf("rm late.ts")).toBe("lossy");
  });

  it("new and ignored files of the user's are a loss, in folders too", async () => {
    await writeIn(directory, "notes.txt", "x");
    await writeIn(directory, "src/secret.txt", "x");
    expect(await effectOf("rm notes.txt")).toBe("lossy");
    expect(await effectOf("rm -rf src")).toBe("lossy");
    await unlink(at("src/secret.txt"));
    await symlink("/etc/hosts", at("src/link"));
    expect(await effectOf("rm -rf src")).toBe("lossy");
  });

  test.each([
    "git reset --hard",
    "git clean -fd",
    "git checkout -f main",
    "git checkout .",
    "rm -rf .git",
    "rm -rf .gaia",
    "rm *.ts",
    'rm "$X"',
    "rm src/a.ts; git stash drop",
    "git -C src checkout a.ts",
  ])("%s is never settled", async (command) => {
    await mkdir(at(".gaia"), { recursive: true });
    expect(["lossy", "unknown", "forbidden"]).toContain(await effectOf(command));
  });

  it("is not settled where there is no version control", async () => {
    await rm(at(".git"), { recursive: true });
    expect(await effectOf("rm src/a.ts")).toBe("lossy");
  });
});
