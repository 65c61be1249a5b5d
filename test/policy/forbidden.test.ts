import { homedir } from "node:os";
import { describe, expect, it, test } from "vitest";
import { findForbidden } from "../../src/policy/forbidden.ts";
import { parseLine } from "../../src/policy/simple-commands.ts";
import { readCases } from "../support/cases.ts";

const find = (line: string, folder = "/project/a"): string | null =>
  findForbidden(parseLine(line), line, folder);

describe("what no mode allows", () => {
  test.each([
    "sudo ls",
    "sudo -u root ls",
    "/usr/bin/sudo ls",
    "s'u'do ls",
    "\\sudo ls",
    "ls && sudo make install",
    "echo $(sudo cat a)",
    "A=1 sudo ls",
    "env sudo ls",
    "env -i A=1 sudo ls",
    "nice -n 10 sudo ls",
    "timeout 5 sudo ls",
    "timeout -s KILL 5s sudo ls",
    "nohup sudo ls &",
    "time sudo ls",
    "command sudo ls",
    "flock f sudo ls",
    "env nice -n 5 timeout 9 sudo ls",
    "xargs -n 1 sudo rm",
    "find . -exec sudo rm {} +",
    "find . -execdir env sudo rm {} +",
    "bash -c 'sudo ls'",
    "bash -lc 'sudo ls'",
    "bash --norc -c 'sudo ls'",
    "bash -c -e 'sudo ls'",
    'sh -c "sudo apt install $PACKAGE"',
    "env bash -c 'nice sudo ls'",
    "bash -c \"sh -c 'sudo ls'\"",
    "eval sudo ls",
    "f() { sudo ls; }; f",
    "su - root",
    "doas ls",
    "pkexec ls",
    "shutdown now",
    "systemctl poweroff",
    "init 0",
    "busybox reboot",
    "mkfs.ext4 /dev/sda1",
    "diskpart.exe",
    "fdisk /dev/sda",
    "dd if=/dev/zero of=/dev/sda",
    "cp a /dev/nvme0n1",
    "tee /dev/sdb < a",
    "cat a > /dev/sda",
    "cat a > /dev/../dev/sda",
    "echo a >> //dev/sda",
    "echo b > /proc/sysrq-trigger",
    ":(){ :|:& };:",
    "kill -9 -1",
    "kill -9 1",
    "kill 1",
    "rm -rf /",
    "rm -rf /*",
    "rm -fr -- /",
    "rm -r -f ~",
    "rm -rf ~/*",
    "rm -rf $HOME",
    'rm -rf "$HOME"/',
    "rm --recursive --force /usr",
    "rm --recurs /usr",
    "rm -rf /usr/bin",
    "rm -rf /home/alice",
    "rm -rf ../..",
    `rm -rf ${homedir()}`,
    "timeout 5 rm -rf /",
    "chmod -R 777 /",
    "chown -R me /etc",
    "mv ~ /tmp/x",
    "find / -delete",
    "find ~ -name a -exec rm -rf {} +",
    "git push --force",
    "git push -f origin main",
    "git push --force-with-lease",
    "git push --forc",
    "git push origin +main",
    "git push --mirror",
    "git -C x push -uf origin main",
    "env git push --force",
  ])("%j", (line) => {
    expect(find(line)).not.toBeNull();
  });

  test.each(readCases<string>("policy/forbidden.not"))("not %j", (line) => {
    expect(find(line)).toBeNull();
  });

  it("holds for what is deleted from where the command runs", () => {
    expect(find("rm -rf *", "/")).not.toBeNull();
    expect(find("rm -rf .", homedir())).not.toBeNull();
    expect(find("rm -rf *", "/project/a")).toBeNull();
  });

  it("refuses a line that is too long or too deep to be read", () => {
    for (const line of [`echo ${"a".repeat(40_000)}`, "coproc ".repeat(4_000), "$(".repeat(16_000)])
      expect(find(line)?.includes("put it in a script") !== false).toBe(true);
    expect(find(`echo ${"a".repeat(40_000)}`)).toContain("put it in a script");
  });

  test.each(["env ", "bash ", "find -exec ", "xargs rm -r ", "timeout 5 env "])(
    "takes a line of %jfor what it is in time",
    (piece) => {
      const start = performance.now();
      find(piece.repeat(Math.floor(30_000 / piece.length)));
      expect(performance.now() - start).toBeLessThan(2_000);
    },
  );
});
