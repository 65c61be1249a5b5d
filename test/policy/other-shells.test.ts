import { describe, expect, it } from "vitest";
import { loadPolicy } from "../../src/policy/load-policy.ts";
import { examineForShell } from "../../src/policy/other-shells.ts";

const policy = loadPolicy({ directory: "/project" });
const effectIn = async (shell: string, command: string) =>
  examineForShell(policy, () => shell)("bash", { kind: "command", command, workdir: null });

describe("a command for another shell", () => {
  it.each([
    "C:\\Windows\\System32\\cmd.exe",
    "pwsh",
    "C:\\Program Files\\PowerShell\\7\\pwsh.exe",
    "powershell.exe",
  ])("is never more than unknown in %s, and no check", async (shell) => {
    expect(await effectIn(shell, "ls")).toMatchObject({ effect: "unknown", isCheck: false });
    expect(await effectIn(shell, "npm test")).toMatchObject({ effect: "unknown", isCheck: false });
  });

  it("stays forbidden where it looks so, and keeps what is secret", async () => {
    expect((await effectIn("pwsh", "rm -rf /")).effect).toBe("forbidden");
    expect((await effectIn("pwsh", "cat .env")).secret).not.toBeNull();
  });

  it("is read in a shell like bash", async () => {
    expect((await effectIn("/bin/bash", "ls")).effect).toBe("read");
    expect((await effectIn("/usr/bin/zsh", "ls")).effect).toBe("read");
  });
});
