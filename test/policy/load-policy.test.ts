import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readToolCall } from "../../src/host/opencode/tool-call.ts";
import { type ExamineCall, loadPolicy } from "../../src/policy/load-policy.ts";

let directory: string;
let examine: ExamineCall;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "gaia-policy-"));
  await writeFile(join(directory, ".env"), "A=1\n");
  await symlink(".env", join(directory, "notes.txt"));
  examine = loadPolicy({
    directory,
    own: ["plan_gaia"],
    dangerous: [],
    allowSensitive: [],
    checks: ["./prove.sh"],
  });
});
afterAll(async () => rm(directory, { recursive: true }));

describe("the policy of a project", () => {
  it.each([
    ["git status", { effect: "read", isCheck: true }],
    ["npm test", { effect: "project", isCheck: true }],
    ["./prove.sh", { effect: "project", isCheck: true }],
    ["npm publish", { effect: "outside", isCheck: false }],
    ["sudo npm test", { effect: "forbidden", isCheck: false, part: { text: "sudo npm test" } }],
  ])("says of %s what it is, from its first call on", async (command, expected) => {
    expect(await examine("bash", readToolCall("bash", { command }))).toMatchObject(expected);
  });

  it("names the file with secrets behind a link", async () => {
    expect((await examine("read", readToolCall("read", { filePath: "notes.txt" }))).secret).toBe("notes.txt");
    expect((await examine("bash", readToolCall("bash", { command: "cd . && cat notes.txt" }))).secret).toBe(
      "notes.txt",
    );
  });
});
