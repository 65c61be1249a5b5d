import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readToolCall } from "../../src/host/opencode/tool-call.ts";
import { type ExamineCall, loadPolicy, userFolders } from "../../src/policy/policy.ts";
import { readCases } from "../support/cases.ts";

let directory: string;
let examine: ExamineCall;
let shell = "/bin/bash";
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "gaia-policy-"));
  await writeFile(join(directory, ".env"), "A=1\n");
  await symlink(".env", join(directory, "notes.txt"));
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
afterAll(async () => rm(directory, { recursive: true }));

describe("the policy of a project", () => {
  it.each(readCases<[string, object, object]>("policy/policy.says-of-what-it-is"))(
    "says of %s %j what it is",
    async (tool, args, expected) => {
      expect(await examine(tool, readToolCall(tool, args))).toMatchObject(expected);
    },
  );

  it("names the file with secrets behind a link", async () => {
    for (const [tool, args] of [
      ["read", { filePath: "notes.txt" }],
      ["bash", { command: "cd . && cat notes.txt" }],
    ] as const)
      expect((await examine(tool, readToolCall(tool, args))).secret).toBe("notes.txt");
  });

  it.each(["pwsh", "C:\\Windows\\cmd.exe", "/usr/bin/fish", "nu"])(
    "knows nothing of what %s runs",
    async (name) => {
      shell = name;
      expect((await examine("bash", readToolCall("bash", { command: "ls" }))).effect).toBe("unknown");
      shell = "/bin/zsh";
      expect((await examine("bash", readToolCall("bash", { command: "ls" }))).effect).toBe("read");
    },
  );

  it("knows the user's folders wherever the environment puts them", () => {
    const folders = userFolders({ XDG_CONFIG_HOME: "/etc/conf", OPENCODE_CONFIG: "/srv/oc.json" }, "/u");
    for (const path of ["/etc/conf/opencode", "/u/.local/share/opencode-gaia", "/srv/oc.json"])
      expect(folders).toContain(path);
  });
});
