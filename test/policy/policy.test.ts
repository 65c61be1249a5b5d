import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { readToolCall } from "../../src/host/opencode/tool-call.ts";
import { type ExamineCall, loadPolicy } from "../../src/policy/policy.ts";
import { readCases } from "../support/cases.ts";
import { openFolder } from "../support/directory.ts";

let examine: ExamineCall;
let shell: string;
beforeEach(async () => {
  const directory = await openFolder();
  await writeFile(join(directory, ".env"), "A=1\n");
  await symlink(".env", join(directory, "notes.txt"));
  shell = "/bin/bash";
  examine = loadPolicy({
    directory,
    own: ["plan_gaia"],
    dangerous: ["helm *"],
    allow: ["npm test"],
    allowSensitive: [],
    runFolders: async () => ["/srv/hooks"],
    server: () => ({ host: "127.0.0.1", port: 43_127 }),
    shell: () => shell,
  });
});

describe("the policy of a project", () => {
  it.each(readCases<[string, object, object]>("policy/policy.says-of-what-it-is"))(
    "says of %s %j what it is",
    async (tool, args, expected) => {
      expect(await examine(tool, readToolCall(tool, args))).toMatchObject(expected);
    },
  );

  it("knows nothing of what another shell runs, whichever is in use at the moment", async () => {
    const effect = async () => (await examine("bash", readToolCall("bash", { command: "ls" }))).effect;
    for (const other of ["pwsh", "C:\\Windows\\cmd.exe", "/usr/bin/fish", "nu"]) {
      shell = other;
      expect(await effect(), other).toBe("unknown");
    }
    shell = "/bin/zsh";
    expect(await effect()).toBe("read");
  });
});
