import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createJudge, type Judge } from "../../src/policy/load-policy.ts";

let directory: string;
let judge: Judge;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "gaia-judge-"));
  await writeFile(join(directory, ".env"), "A=1\n");
  await symlink(".env", join(directory, "notes.txt"));
  judge = createJudge({
    directory,
    own: ["plan_gaia"],
    dangerous: [],
    allowSensitive: [],
    checks: ["./prove.sh"],
  });
});
afterAll(async () => rm(directory, { recursive: true }));

describe("the judge of a project", () => {
  it.each([
    ["git status", { verdict: "read-only" }],
    ["npm test", { verdict: "mutating", isCheck: true }],
    ["./prove.sh", { verdict: "mutating", isCheck: true }],
    ["npm publish", { verdict: "mutating" }],
    ["sudo npm test", { verdict: "dangerous", part: "sudo npm test" }],
  ])("says of %s what it is, from its first call on", async (command, expected) => {
    const judged = await judge("bash", { command });
    expect(judged).toMatchObject(expected);
    expect(judged.isCheck).toBe("isCheck" in expected ? true : undefined);
  });

  it("names the file with secrets behind a link", async () => {
    expect((await judge("read", { filePath: "notes.txt" })).sensitive).toMatch(/notes\.txt|\.env/);
  });
});
