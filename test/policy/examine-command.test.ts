import { describe, expect, it, test } from "vitest";
import { examineCommand } from "../../src/policy/examine-command.ts";
import { riskOf } from "../support/risk.ts";
import { everyday } from "./corpus/everyday.ts";
import { corpus } from "./corpus/index.ts";
import { queries } from "./corpus/queries.ts";
import { readOnly } from "./corpus/read-only.ts";

describe("the corpus", () => {
  it("holds each command once, and enough of each kind", () => {
    const commands = corpus.map(({ command }) => command);
    expect(commands.length - new Set(commands).size).toBe(0);
    expect(everyday.length).toBeGreaterThanOrEqual(150);
    expect(corpus.filter(({ risk }) => risk === "mutating").length).toBeGreaterThanOrEqual(400);
  });

  test.each(corpus)("$risk: $command", ({ command, risk }) => {
    const found = examineCommand(command);
    expect(riskOf(found), found.reason).toBe(risk);
  });

  it("lets at least 97 % of everyday queries through", () => {
    const all = [...everyday, ...readOnly, ...queries];
    const allowed = all.filter(({ command }) => riskOf(examineCommand(command)) === "read-only");
    expect(allowed.length / all.length).toBeGreaterThanOrEqual(0.97);
  });
});

describe("the reason", () => {
  it("names the part of the command that decided", () => {
    const command = "ls && (cd src; rm -f a.txt) | cat";
    const { effect, reason, part } = examineCommand(command);
    expect(effect).not.toBe("read");
    expect(reason).toContain("rm");
    expect(part?.text).toBe("rm -f a.txt");
    expect(command.slice(part?.start, part?.end)).toBe("rm -f a.txt");
  });

  it("shows the gravest finding, not the first", () => {
    expect(examineCommand("touch x; sudo ls; rm y")).toMatchObject({
      effect: "forbidden",
      part: { text: "sudo ls" },
    });
  });

  it("tells how to make an open argument harmless", () => {
    expect(examineCommand('git show "$ref"').reason).toContain("--");
    expect(riskOf(examineCommand('git show -- "$ref"'))).toBe("read-only");
  });
});

describe("dangerous commands of the user's own", () => {
  const dangerous = ["helm uninstall *", "helm * delete *", "npm publish", "drop-*"];
  test.each([
    ["helm uninstall web", "dangerous"],
    ["helm uninstall", "dangerous"],
    ["h'el'm \"uninstall\" web", "dangerous"],
    ["/usr/local/bin/helm uninstall web", "dangerous"],
    ["env A=1 helm uninstall web", "dangerous"],
    ["xargs helm uninstall", "dangerous"],
    ["helm --kube-context prod delete web", "dangerous"],
    ['helm "$verb" web', "dangerous"],
    ["drop-everything", "dangerous"],
    ["npm publish", "dangerous"],
    ["npm publish --dry-run", "mutating"],
    ["helm upgrade web", "mutating"],
    ["echo helm uninstall web", "read-only"],
    ["grep 'helm uninstall' README.md", "read-only"],
  ])("%s is %s", (command, risk) => {
    expect(riskOf(examineCommand(command, { dangerous }))).toBe(risk);
  });

  it("adds to what is dangerous anyway and ignores empty patterns", () => {
    expect(riskOf(examineCommand("sudo ls", { dangerous: [""] }))).toBe("dangerous");
    expect(riskOf(examineCommand("ls", { dangerous: ["", "  "] }))).toBe("read-only");
  });
});

describe("the folder a command runs in", () => {
  test.each([
    ["/", "rm -rf *", "dangerous"],
    ["/home/alice", "rm -rf .", "dangerous"],
    ["/home/alice/project", "rm -rf ..", "dangerous"],
    ["/home/alice/code/project", "rm -rf ..", "mutating"],
    ["/home/alice/code/project", "rm -rf ../../..", "dangerous"],
    ["/srv/app/releases/1", "rm -rf ../../../../etc", "dangerous"],
    ["/home/alice/project", "rm -rf dist", "mutating"],
  ])("in %s, %s is %s", (folder, command, risk) => {
    expect(riskOf(examineCommand(command, { folder }))).toBe(risk);
  });
});

describe("sources that are too much", { timeout: 60_000 }, () => {
  const nested = (open: string, close: string, count = 10_000): string =>
    `echo ${open.repeat(count)}ls${close.repeat(count)}`;

  test.each([
    ["a line of 60 KB", "echo a; ".repeat(7_500)],
    ["a word of 60 KB", `echo ${"a".repeat(60_000)}`],
    ["10,000 substitutions", nested("$(", ")")],
    ["10,000 quoted substitutions", nested('"$(echo ', ')"', 6_000)],
    ["10,000 substitutions that never end", nested("$(", "")],
    ["10,000 subshells", "(".repeat(10_000)],
    ["10,000 expansions", nested("${a:-", "}")],
    ["10,000 levels of arithmetic", nested("$((", "))")],
    ["10,000 backticks", "`".repeat(10_000)],
    ["10,000 functions", `${"f() ".repeat(10_000)}{ ls; }`],
    ["10,000 wrappers", `${"env ".repeat(10_000)}ls`],
    ["10,000 loops", "for f in a; do ".repeat(4_000)],
    ["a command that wraps itself 30 times", `${"eval ".repeat(30)}ls`],
  ])("%s: mutating", (_, command) => {
    expect(riskOf(examineCommand(command))).toBe("mutating");
  });

  test.each([
    ["nothing", ""],
    ["a deletion", "rm -rf /"],
    ["a protected path", "echo x > .gaia/config.jsonc"],
    ["a secret", "cat .env"],
  ])("1 MB with %s at its end is too long to be searched", (_, end) => {
    expect(examineCommand(`: ${"a".repeat(1_048_576)}; ${end}`)).toMatchObject({
      effect: "forbidden",
      reason: expect.stringMatching(/64 KB/u),
    });
  });

  it("searches a line that is too long to be followed to its end", () => {
    const line = (end: string) => examineCommand(`: ${"a ".repeat(30_000)}; ${end}`);
    expect(riskOf(line("rm -rf /"))).toBe("dangerous");
    expect(line("echo x > .gaia/config.jsonc").protectedTarget).toMatchObject({ kind: "path" });
    expect(line("curl localhost:4096").protectedTarget).toMatchObject({ kind: "address" });
    expect(line("cat .env").secret).not.toBeNull();
  });

  it("follows a variable that doubles again and again only so far", () => {
    const command = `x=aaaaaaaaaaaaaaaa; ${"x=$x$x; ".repeat(300)} git log "$x"`;
    expect(riskOf(examineCommand(command))).toBe("read-only");
  });

  it("matches the user's own patterns without trying anything twice", () => {
    const dangerous = [`helm ${"*a".repeat(30)}b`];
    expect(riskOf(examineCommand(`helm ${"a".repeat(60)}`, { dangerous }))).toBe("mutating");
    expect(
      examineCommand(`cat ${"a".repeat(60)}.env`, { allowSensitive: [`${"*a".repeat(30)}b`] }).secret,
    ).not.toBeNull();
  });

  it("still finds plain danger in what it does not follow", () => {
    expect(riskOf(examineCommand(`${"echo a; ".repeat(5_000)} sudo rm x`))).toBe("dangerous");
    expect(riskOf(examineCommand(`${"(".repeat(200)} rm -rf /`))).toBe("dangerous");
    expect(riskOf(examineCommand("echo 'open; rm -rf ~"))).toBe("dangerous");
  });
});
