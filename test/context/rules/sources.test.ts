import { cp, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { loadCatalogue, type RuleCatalogue } from "../../../src/context/rules/load.ts";
import { openRules } from "../../../src/context/open.ts";
import { renderProblem } from "../../../src/config/problem.ts";
import { silentLogger } from "../../../src/lib/error.ts";
import { createRedactor } from "../../../src/lib/redaction.ts";
import { createFakeClock } from "../../support/fake-clock.ts";
import { readCases } from "../../support/cases.ts";
import { writeIn, openFolder } from "../../support/directory.ts";

let root: string;
let directory: string;
beforeEach(async () => {
  root = await openFolder();
  directory = join(root, "project");
  await mkdir(directory);
});

async function load(files: Record<string, string>): Promise<RuleCatalogue> {
  for (const [path, text] of Object.entries(files)) await writeIn(directory, path, text);
  return loadCatalogue({ directory, clock: createFakeClock(), redact: createRedactor({}) });
}

const problemsOf = ({ problems }: RuleCatalogue): string[] => problems.map(renderProblem);
const meets = ({ rules }: RuleCatalogue, path: string): string[] =>
  rules.filter((rule) => rule.meetsPath(path)).map(({ source }) => source);

/** A file of rules as people have them, and a path that it is for and one that it is not. */
type Format = [name: string, path: string, text: string, fits: string, not: string];

const FORMATS = readCases<Format>("context/rules/sources.formats");

describe("a file of rules", () => {
  it.each(FORMATS)("says when by %s", async (_name, path, text, fits, not) => {
    const catalogue = await load({ [path]: text });
    expect(problemsOf(catalogue)).toEqual([]);
    expect(meets(catalogue, fits)).toEqual([path]);
    if (not !== "") expect(meets(catalogue, not)).toEqual([]);
    expect(catalogue.rules[0]?.text).toMatch(/Text\.$/);
    expect(catalogue.rules[0]?.text).not.toContain("---");
  });

  it("that is to be asked for meets nothing, and stands in the index", async () => {
    const catalogue = await load({
      ".cursor/rules/deploy.mdc": "---\ndescription: How to deploy\nglobs:\nalwaysApply: false\n---\nText.",
      ".github/instructions/x.instructions.md": "Text.",
    });
    expect(meets(catalogue, "deploy.sh")).toEqual([]);
    expect(catalogue.forTask("How to deploy")).toEqual([]);
    expect(catalogue.index()).toContain("- .cursor/rules/deploy.mdc (when named as an aid) How to deploy");
  });

  it("that is always to apply does", async () => {
    const catalogue = await load({
      ".cursor/rules/all.mdc": "---\nalwaysApply: true\nglobs: *.ts\n---\nText.",
      ".claude/rules/all.md": "Text.",
    });
    expect(catalogue.forTask("Anything")).toHaveLength(2);
  });
});

/** A project's principles and domains, each with an index. */
const FIXTURES = join(import.meta.dirname, "fixtures");
const withDocuments = async (files: Record<string, string> = {}): Promise<RuleCatalogue> => {
  await cp(FIXTURES, directory, { recursive: true });
  return load(files);
};

describe("an index", () => {
  it("of principles and domains leads to its files by their words", async () => {
    const catalogue = await withDocuments();
    expect(problemsOf(catalogue)).toEqual([]);
    const found = (task: string): string[] => catalogue.forTask(task).map(({ text }) => text);
    expect(found("Please fix the auth flow")).toEqual(["Tokens expire."]);
    expect(found("Users cannot log in")).toEqual(["Tokens expire."]);
    expect(found("authorize authors")).toEqual([]);
    expect(found("Replace the Try/Catch")).toEqual(["Errors have causes."]);
    expect(found("corrigir o SAQUE")).toEqual([expect.stringContaining("Once a day"), "At most 100."]);
    expect(found("修复支付流程")).toHaveLength(2);
    expect(found("An old refund")).toEqual(["Within 30 days."]);
    expect(catalogue.index()).toContain("- docs/domain/cashout/limits.md (cashout, saque, 支付) cashout");
  });

  it("may be written as people write it", async () => {
    const catalogue = await withDocuments({
      "docs/principles/manifest": "A-B_RECALL=apple|pear; plum\r\nA-B_FILE=errors.md\r\n",
      "docs/domain/INDEX.md":
        "# cashout\nKeyword: \u652f\u4ed8\uff0c\u9000\u6b3e\u3001saque\nFile: cashout/limits.md\n\n# refunds\nKeywords:\n1. refund\nFiles:\n1. refunds.md\n",
    });
    expect(problemsOf(catalogue)).toEqual([]);
    const found = (task: string): string[] => catalogue.forTask(task).map(({ text }) => text);
    expect(found("The pear")).toEqual(["Errors have causes."]);
    expect(found("The plum")).toEqual(["Errors have causes."]);
    expect(found("\u4fee\u590d\u9000\u6b3e")).toEqual(["At most 100."]);
    expect(found("o saque")).toEqual(["At most 100."]);
    expect(found("A refund")).toEqual(["Within 30 days."]);
  });

  const toldOf = readCases<[line: string, problem: RegExp]>("context/rules/sources.tells-of");
  it.each(toldOf)("tells of %j", async (line, problem) => {
    await writeFile(join(root, "secret.md"), "secret");
    const files = { "docs/principles/manifest": `${line}\n`, "docs/domain/INDEX.md": "", ".env": "A=b" };
    const catalogue = await withDocuments(files);
    expect(problemsOf(catalogue)).toEqual([expect.stringMatching(problem)]);
    expect(JSON.stringify(catalogue.rules)).not.toContain("secret");
  });

  it.each<[text: string, problem: RegExp]>([
    ["## a\nKeywords: a\n", /INDEX\.md:1: a names no file/],
    ["\n## a\nFiles:\n- refunds.md\n", /INDEX\.md:2: a names no words/],
    ["## a\nKeywords: a\nFiles:\n- nowhere.md — gone\n", /INDEX\.md:1: names nowhere\.md/],
  ])("of domains tells of %j", async (text, problem) => {
    const catalogue = await withDocuments({ "docs/principles/manifest": "", "docs/domain/INDEX.md": text });
    expect(problemsOf(catalogue)).toEqual([expect.stringMatching(problem)]);
  });
});

describe("what is wrong in a rule", () => {
  type Wrong = [path: string, text: string, problem: RegExp, applies: boolean];
  const wrong = readCases<Wrong>("context/rules/sources.is-told-and-the-rest");
  it.each(wrong)("is told, and the rest holds: %s %.40j", async (path, text, problem, applies) => {
    const catalogue = await load({ [path]: text });
    expect(problemsOf(catalogue)).toEqual([expect.stringMatching(problem)]);
    expect(meets(catalogue, "a")).toEqual(applies ? [path] : []);
  });

  it("is told of what is no text, of which nobody is given anything", async () => {
    const text = Buffer.from("Text.", "utf16le").toString("latin1");
    const catalogue = await load({ ".cursor/rules/wide.mdc": text, ".gaia/rules/a.md": "Text." });
    const problem = expect.stringMatching(/wide\.mdc: is given to nobody: it is no text/) as string;
    expect(problemsOf(catalogue)).toEqual([problem]);
    expect(catalogue.rules.map(({ source }) => source)).toEqual([".gaia/rules/a.md"]);
  });

  it("is told no more than fifty times", async () => {
    const catalogue = await load({ ".gaia/rules/a.md": `---\n${"what\n".repeat(900)}---\nText.` });
    expect(problemsOf(catalogue)).toHaveLength(50);
  });

  it("is told of links that lead out of the project, and never what stands there", async () => {
    await writeFile(join(root, "outside.md"), "elsewhere");
    await mkdir(join(directory, ".claude/rules"), { recursive: true });
    await symlink(join(root, "outside.md"), join(directory, ".claude/rules/out.md"));
    const catalogue = await load({});
    const problem = expect.stringMatching(/out\.md: is given to nobody: it lies outside/) as string;
    expect(problemsOf(catalogue)).toEqual([problem]);
    expect(catalogue.rules).toEqual([]);
  });
});

describe("the same text", () => {
  it("is one rule, whichever ways lead to it", async () => {
    await load({ ".claude/rules/a.md": "---\npaths: a.ts\n---\nText." });
    await mkdir(join(directory, ".gaia/rules"), { recursive: true });
    await symlink("../../.claude/rules/a.md", join(directory, ".gaia/rules/b.md"));
    const catalogue = await load({
      "docs/principles/manifest": "A_RECALL=apple\nA_FILE=.claude/rules/a.md\n",
    });
    expect(catalogue.rules.map(({ source }) => source)).toEqual([".claude/rules/a.md"]);
    expect(meets(catalogue, "a.ts")).toHaveLength(1);
    expect(catalogue.forTask("apple")).toHaveLength(1);
  });

  it("is left to OpenCode where that gives it to everyone already", async () => {
    const files = {
      "AGENTS.md": "Ours.",
      "docs/principles/manifest": "A_RECALL=apple\nA_FILE=AGENTS.md, docs/b.md\n",
      "docs/b.md": "Text.",
    };
    expect((await load(files)).rules.map(({ source }) => source)).toEqual(["docs/b.md"]);
  });

  it("comes without its secrets", async () => {
    const { rules } = await load({ ".gaia/rules/a.md": `Use sk-ant-${"a1".repeat(20)}.` });
    expect(rules[0]?.text).toMatch(/^Use \[REDACTED:key/);
  });
});

it("documents that a change may have made untrue are those that name a changed file, or whose words are in its path", async () => {
  const catalogue = await withDocuments();
  const touched = catalogue.touched(["src/cash/daily.ts", "src/refund/x.ts", "README.md"]);
  expect(touched.split("\n").slice(3)).toEqual([
    "- docs/domain/cashout/rules.md: src/cash/daily.ts",
    "- docs/domain/refunds.md: src/refund/x.ts",
  ]);
  expect(catalogue.touched(["src/refund/x.ts", "docs/domain/refunds.md"])).toBe("");
  expect(catalogue.touched([])).toBe("");
});

describe("the rules of a project", () => {
  const open = (told: string[], printed: string[] = []) =>
    openRules(
      { directory, clock: createFakeClock(), redact: (text) => text },
      {
        logger: silentLogger,
        toast: async (_variant, message) => void told.push(message),
        oneShot: { print: (text) => void printed.push(text) },
      },
    );

  it("are none where there are no such files", async () => {
    expect(await open([]).now()).toBeNull();
  });

  it("answer those who ask at the same time in the order in which they asked, by one look", async () => {
    await writeIn(directory, ".gaia/rules/a.md", "Text.");
    const rules = open([]);
    const order: number[] = [];
    const asked = Array.from({ length: 20 }, async (_, index) => {
      const found = await rules.now();
      order.push(index);
      return found;
    });
    expect(new Set(await Promise.all(asked)).size).toBe(1);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  });

  it("are read anew when somebody asks, and what is wrong with them is told once", async () => {
    const [told, printed]: [string[], string[]] = [[], []];
    const rules = open(told, printed);
    await writeIn(directory, ".gaia/rules/a.md", "---\nwhat\n---\nText.");
    expect((await rules.latest())?.rules).toHaveLength(1);
    await writeIn(directory, ".gaia/rules/b.md", "Text.");
    expect((await rules.latest())?.rules).toHaveLength(1);
    expect((await rules.now())?.rules).toHaveLength(2);
    expect((await rules.latest())?.rules).toHaveLength(2);
    expect(told).toEqual([expect.stringContaining(".gaia/rules/a.md:2")]);
    expect(printed).toEqual(told);
  });
});
