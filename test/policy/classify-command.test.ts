import { describe, expect, it, test } from "vitest";
import { classifyCommand } from "../../src/policy/classify-command.ts";
import { everyday } from "./corpus/everyday.ts";
import { corpus } from "./corpus/index.ts";
import { queries } from "./corpus/queries.ts";
import { readOnly } from "./corpus/read-only.ts";

describe("the corpus", () => {
  it("holds each command once, and enough of each kind", () => {
    const commands = corpus.map(({ command }) => command);
    expect(commands.length - new Set(commands).size).toBe(0);
    expect(everyday.length).toBeGreaterThanOrEqual(150);
    expect(corpus.filter(({ verdict }) => verdict === "mutating").length).toBeGreaterThanOrEqual(400);
  });

  test.each(corpus)("$verdict: $command", ({ command, verdict }) => {
    const judgement = classifyCommand(command);
    expect(judgement.verdict, judgement.reason).toBe(verdict);
  });

  it("lets at least 97 % of everyday queries through", () => {
    const all = [...everyday, ...readOnly, ...queries];
    const allowed = all.filter(({ command }) => classifyCommand(command).verdict === "read-only");
    expect(allowed.length / all.length).toBeGreaterThanOrEqual(0.97);
  });
});

describe("the reason", () => {
  it("names the part of the command that decided", () => {
    const command = "ls && (cd src; rm -f a.txt) | cat";
    const { verdict, reason, node } = classifyCommand(command);
    expect(verdict).toBe("mutating");
    expect(reason).toContain("rm");
    expect(node?.text).toBe("rm -f a.txt");
    expect(command.slice(node?.start, node?.end)).toBe("rm -f a.txt");
  });

  it("shows the gravest finding, not the first", () => {
    expect(classifyCommand("touch x; sudo ls; rm y")).toMatchObject({
      verdict: "dangerous",
      node: { text: "sudo ls" },
    });
  });

  it("tells how to make an open argument harmless", () => {
    expect(classifyCommand('git show "$ref"').reason).toContain("--");
    expect(classifyCommand('git show -- "$ref"').verdict).toBe("read-only");
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
  ])("%s is %s", (command, verdict) => {
    expect(classifyCommand(command, { dangerous }).verdict).toBe(verdict);
  });

  it("adds to what is dangerous anyway and ignores empty patterns", () => {
    expect(classifyCommand("sudo ls", { dangerous: [""] }).verdict).toBe("dangerous");
    expect(classifyCommand("ls", { dangerous: ["", "  "] }).verdict).toBe("read-only");
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
  ])("in %s, %s is %s", (folder, command, verdict) => {
    expect(classifyCommand(command, { folder }).verdict).toBe(verdict);
  });
});

describe("sources that are too much", { timeout: 60_000 }, () => {
  const nested = (open: string, close: string, count = 10_000): string =>
    `echo ${open.repeat(count)}ls${close.repeat(count)}`;

  test.each([
    ["a line of 1 MB", "echo a; ".repeat(131_072)],
    ["a word of 1 MB", `echo ${"a".repeat(1_048_576)}`],
    ["10,000 substitutions", nested("$(", ")")],
    ["10,000 quoted substitutions", nested('"$(echo ', ')"')],
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
    expect(classifyCommand(command).verdict).toBe("mutating");
  });

  it("follows a variable that doubles again and again only so far", () => {
    const command = `x=aaaaaaaaaaaaaaaa; ${"x=$x$x; ".repeat(3_000)} git log "$x"`;
    expect(classifyCommand(command).verdict).toBe("read-only");
  });

  it("still finds plain danger in what it does not follow", () => {
    expect(classifyCommand(`${"echo a; ".repeat(10_000)} sudo rm x`).verdict).toBe("dangerous");
    expect(classifyCommand(`${"(".repeat(200)} rm -rf /`).verdict).toBe("dangerous");
    expect(classifyCommand("echo 'open; rm -rf ~").verdict).toBe("dangerous");
  });
});
