import { describe, expect, it } from "vitest";
import { decideStaging } from "../../../src/conversation/own-work/decide-staging.ts";
import { takesIn } from "../../../src/conversation/own-work/takes-in.ts";
import { examineCommand } from "../../../src/policy/examine-command.ts";

const PROJECT = "/p";
const users = [
  { path: ".env", isMixed: false, isNew: true },
  { path: "src/a.ts", isMixed: false, isNew: false },
  { path: "docs/b.md", isMixed: true, isNew: false },
];
const ALL = [".env", "src/a.ts", "docs/b.md"];
const TRACKED = ["src/a.ts", "docs/b.md"];

function taken(command: string, staged: readonly string[] = [], theirs = users) {
  const { staging } = examineCommand(command, { folder: PROJECT, project: PROJECT });
  const holdings = { project: PROJECT, users: theirs, staged: new Set(staged) };
  const found = staging.map((call) => takesIn(call, holdings));
  return { bulk: found.flatMap(({ inBulk }) => inBulk), named: found.flatMap(({ byName }) => byName) };
}

describe("what a command takes into a commit", () => {
  it.each<[string, readonly string[]]>([
    ["git add -A", ALL],
    ["git add .", ALL],
    ["git add -u", TRACKED],
    ["git add --all", ALL],
    ["git add -Av", ALL],
    ["git add :/", ALL],
    ["git add -- .", ALL],
    ["git add '*'", ALL],
    ["git add *", ALL],
    ["git add src", ["src/a.ts"]],
    ["git add ./src/", ["src/a.ts"]],
    ["git add 'src/*.ts'", ["src/a.ts"]],
    ["git add src/*.ts", ["src/a.ts"]],
    ["git add '*.md'", ["docs/b.md"]],
    ["cd src && git add .", ["src/a.ts"]],
    ["cd src && git add ..", ALL],
    ["git -C src add .", ["src/a.ts"]],
    ["git stage .", ALL],
    ["git add $FILES", ALL],
    ["git add --pathspec-from-file=list", ALL],
    ["git add -A -- ':!.env'", TRACKED],
    ["git add -A ':(exclude)src' ':!docs'", [".env"]],
    ["git commit -am x", TRACKED],
    ["git commit --all --message x", TRACKED],
    ["git commit -qam 'x' && git push", TRACKED],
    ["git commit -m x src", ["src/a.ts"]],
    ["env X=1 git add -A", ALL],
    ["bash -c 'git add -A'", ALL],
    ["(git add .) && git commit -m x", ALL],
    ["true && { git add -A; }", ALL],
    ["ls | xargs git add", ALL],
    ["command git add -A", ALL],
    ["/usr/bin/git add -A", ALL],
    ["git -c user.name=x add -A", ALL],
    ["git stash", TRACKED],
    ["git stash -u", ALL],
    ["git stash push -m x", TRACKED],
    ["git stash save x", TRACKED],
    ["git update-index --again", ALL],
    ["git update-index --add --stdin", ALL],
    ["jj commit -m x", ALL],
    ["jj squash", ALL],
  ])("%s: with other files", (command, expected) => {
    const { bulk, named } = taken(command);
    expect([[...new Set(bulk)].toSorted(), named]).toEqual([expected.toSorted(), []]);
  });

  it.each<[string, readonly string[]]>([
    ["git add .env", [".env"]],
    ["git add -- src/a.ts lib/c.ts", ["src/a.ts"]],
    ["cd src && git add a.ts", ["src/a.ts"]],
    ["git -C src add a.ts", ["src/a.ts"]],
    ["git commit -m x -- src/a.ts", ["src/a.ts"]],
    ["git update-index --add .env", [".env"]],
    ["git add /p/.env", [".env"]],
  ])("%s: by its name", (command, expected) => {
    expect(taken(command)).toEqual({ bulk: [], named: expected });
  });

  it.each([
    "git add lib/c.ts",
    "git add lib",
    "git add .env.example",
    "git add -n -A",
    "git commit -m 'all of src'",
    "git commit -m src/a.ts",
    "git commit -m x -- lib/c.ts",
    "git stash list",
    "git stash pop",
    "git status",
    "git diff -- src/a.ts",
    "git add -- ':!.env' lib",
    "git add -A ':!.env' ':!src' ':!docs'",
    "jj commit -m x lib/c.ts",
    "echo git add -A",
  ])("%s: nothing of theirs", (command) => {
    expect(taken(command)).toEqual({ bulk: [], named: [] });
  });

  it.each<[string, "bulk" | "named" | null]>([
    ["git add -A", "bulk"],
    ["git add '*.csv'", "bulk"],
    ["git add data/dump/*.csv", "named"],
    ["git add data", "bulk"],
    ["git add data/dump", "named"],
    ["git add data/dump/", "named"],
    ["git add :/data/dump/1.csv", "named"],
    ["cd data && git add dump/1.csv", "named"],
    ["git commit -m x -- data/dump/1.csv", "named"],
    ["git commit -am x", null],
    ["git add data/dumps/1.csv 'src/*.csv'", null],
    ["git add -A ':!data/dump'", null],
  ])("%s, beside a folder of theirs that stands for its files: %s", (command, how) => {
    const folder = [{ path: "data/dump/", isMixed: false, isNew: true }];
    const expected = ["data/dump/"];
    expect(taken(command, [], folder)).toEqual({
      bulk: how === "bulk" ? expected : [],
      named: how === "named" ? expected : [],
    });
  });

  it("what is staged already goes with a plain commit, and not with one of named files", () => {
    expect(taken("git commit -m x", [".env"]).bulk).toEqual([".env"]);
    expect(taken("git commit -m x -- lib/c.ts", [".env"]).bulk).toEqual([]);
    expect(taken("git commit -i -m x lib/c.ts", [".env"]).bulk).toEqual([".env"]);
    expect(taken("git commit --amend --no-edit", [".env"]).bulk).toEqual([".env"]);
  });
});

describe("whether it may", () => {
  const decide = (command: string, own = users) => {
    const { staging } = examineCommand(command, { folder: PROJECT, project: PROJECT });
    const tree = { heads: new Map(), dirty: new Map(), staged: new Set<string>() };
    const standing = { tree, users: own, work: ["lib/c.ts", "it's.ts", "docs/b.md"], ledger: new Map() };
    return decideStaging(staging, standing, PROJECT);
  };

  it("is refused in bulk, with what is theirs and the command for the rest", () => {
    const decision = decide("git add -A && git commit -m x");
    expect(decision).toMatchObject({ kind: "refuse" });
    const { text } = decision as { text: string };
    for (const path of ALL) expect(text).toContain(path);
    expect(text).toContain(String.raw`git add -- lib/c.ts 'it'\''s.ts'.`);
    expect(text).not.toContain("git add -- docs/b.md");
  });

  it("is asked by name, and where nothing can be told", () => {
    expect(decide("git add .env")).toMatchObject({ kind: "ask", paths: [".env"] });
    const { staging } = examineCommand("git add x", { folder: PROJECT, project: PROJECT });
    expect(decideStaging(staging, null, PROJECT)).toMatchObject({ kind: "ask" });
  });

  it("is no question where all of it is the work's", () => {
    expect(decide("git add -A", [])).toEqual({ kind: "clear" });
    expect(decide("npm test")).toEqual({ kind: "clear" });
  });
});
