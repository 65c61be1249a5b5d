import { describe, expect, it } from "vitest";
import { commandOfCommit, type CommitFacts } from "../../src/tools/plan-run/commit-here.ts";

const file = (name: string, rest: object = {}): CommitFacts["uncommitted"][number] => ({
  path: `/p/${name}`,
  isTracked: true,
  isStaged: false,
  isInIndex: false,
  canStage: true,
  ...rest,
});
const facts = (rest: Partial<CommitFacts> = {}): CommitFacts => ({
  message: "Trim names",
  uncommitted: [file("a.ts"), file("test/a b.ts")],
  users: new Map(),
  folder: "/p",
  ...rest,
});
const users = (name: string, isMixed: boolean): CommitFacts["users"] =>
  new Map([[`/p/${name}`, { isMixed }]]);

describe("the command of a commit that nobody has to think about", () => {
  it.each([
    ["stages and commits", {}, "git add -A -- 'a.ts' 'test/a b.ts' && git commit -q -m 'Trim names'"],
    [
      "from a folder below",
      { folder: "/p/test" },
      "git add -A -- '../a.ts' 'a b.ts' && git commit -q -m 'Trim names'",
    ],
    [
      "stages what is not staged",
      { uncommitted: [file("gone.ts", { isStaged: true, canStage: false }), file("a.ts")] },
      "git add -A -- 'a.ts' && git commit -q -m 'Trim names'",
    ],
    ["only commits", { uncommitted: [file("a.ts", { isStaged: true })] }, "git commit -q -m 'Trim names'"],
    [
      "leaves what is the user's, staged or not",
      {
        uncommitted: [file("a.ts", { isInIndex: true }), file("test/a b.ts")],
        users: users("a.ts", false),
      },
      "git add -A -- 'test/a b.ts' && git commit -q -m 'Trim names' -- 'test/a b.ts'",
    ],
    [
      "commits all that is staged where nothing of the user's is",
      { uncommitted: [file("mine.ts"), file("a.ts")], users: users("mine.ts", false) },
      "git add -A -- 'a.ts' && git commit -q -m 'Trim names'",
    ],
    [
      "names files as they are called",
      {
        uncommitted: [":(top)a", "-a.ts", "it's.ts", "a*.ts", "[id].ts", "ü $(x).ts"].map((name) =>
          file(name),
        ),
      },
      String.raw`git add -A -- './:(top)a' '-a.ts' 'it'\''s.ts' 'a\*.ts' '\[id\].ts' 'ü $(x).ts' && git commit -q -m 'Trim names'`,
    ],
    [
      "keeps quotes and lines of the message",
      { message: " Don't `trim` $HOME\r\n\r\nWhy: it's \"so\". ", uncommitted: [file("a.ts")] },
      "git add -A -- 'a.ts' && git commit -q -m 'Don'\\''t `trim` $HOME\n\nWhy: it'\\''s \"so\".'",
    ],
  ] as [string, Partial<CommitFacts>, string][])("%s", (_what, rest, command) => {
    expect(commandOfCommit(facts(rest))).toBe(command);
  });

  it.each([
    ["no message", { message: " \n" }],
    ["an endless message", { message: "x".repeat(8_001) }],
    ["nothing of the work", { uncommitted: [file("a.ts")], users: users("a.ts", false) }],
    ["a file that holds both", { users: users("a.ts", true) }],
    ["a conflict", { uncommitted: [file("a.ts", { canStage: false })] }],
    ["a line", { uncommitted: [file("a\nb.ts")] }],
    ["a backslash", { uncommitted: [file(String.raw`a\b.ts`)] }],
    ["too many", { uncommitted: Array.from({ length: 201 }, (_, at) => file(`${at}.ts`)) }],
  ] as [string, Partial<CommitFacts>][])("leaves %s to somebody who looks", (_what, rest) => {
    expect(commandOfCommit(facts(rest))).toBe(null);
  });
});
