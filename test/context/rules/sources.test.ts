import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadCatalogue, type RuleCatalogue } from "../../../src/context/rules/load.ts";
import { openRules } from "../../../src/context/open.ts";
import { renderProblem } from "../../../src/config/problem.ts";
import { silentLogger } from "../../../src/lib/logger.ts";
import { createRedactor } from "../../../src/lib/redaction.ts";
import { createFakeClock } from "../../support/fake-clock.ts";
import { readCases } from "../../support/cases.ts";

let root: string;
let directory: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "gaia-rules-"));
  directory = join(root, "project");
  await mkdir(directory);
});
afterEach(async () => rm(root, { recursive: true, force: true }));

async function put(path: string, text: string | Buffer): Promise<void> {
  await mkdir(dirname(join(directory, path)), { recursive: true });
  await writeFile(join(directory, path), text);
}

async function load(
  files: Record<string, string | Buffer>,
  givenByHost: string[] = [],
): Promise<RuleCatalogue> {
  for (const [path, text] of Object.entries(files)) await put(path, text);
  return catalogueOf(directory, givenByHost);
}

/** As GAIA has it who works in one folder of the project, or in all of it. */
const catalogueOf = async (folder: string, givenByHost: string[] = []): Promise<RuleCatalogue> =>
  loadCatalogue({
    directory: folder,
    top: directory,
    clock: createFakeClock(),
    redact: createRedactor({}),
    givenByHost,
  });

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
});

const MANIFEST = `AUTH_STATE=active
AUTH_RECALL=auth, authentication, "log in"
AUTH_FILE=docs/principles/auth.md

OLD_STATE=inactive
OLD_RECALL=old
OLD_FILE=docs/principles/gone.md
ERROR_HANDLING_RECALL=try-catch
ERROR_HANDLING_FILE=errors.md
GLOBAL_BUDGET=8000
`;
const INDEX = `# Domains

What the business is about, and nothing of code.

## cashout
Keywords: cashout, saque, 支付
Files:
  - cashout/rules.md — Core business rules
  - [limits](cashout/limits.md): Daily limits

### refunds
**Keywords:** refund
**Files:** \`refunds.md\`
`;
const DOCUMENTS = {
  "docs/principles/auth.md": "Tokens expire.",
  "docs/principles/errors.md": "Errors have causes.",
  "docs/domain/cashout/rules.md": "Once a day, see `src/cash/daily.ts`.",
  "docs/domain/cashout/limits.md": "At most 100.",
  "docs/domain/refunds.md": "Within 30 days.",
};

describe("an index", () => {
  it("of principles and domains leads to its files by their words", async () => {
    const catalogue = await load({
      "docs/principles/manifest": MANIFEST,
      "docs/domain/INDEX.md": INDEX,
      ...DOCUMENTS,
    });
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

  it.each<[line: string, problem: RegExp]>(
    readCases<[line: string, problem: RegExp]>("context/rules/sources.tells-of"),
  )("tells of %j", async (line, problem) => {
    await writeFile(join(root, "secret.md"), "secret");
    const catalogue = await load({ "docs/principles/manifest": `${line}\n`, ...DOCUMENTS, ".env": "A=b" });
    expect(problemsOf(catalogue)).toEqual([expect.stringMatching(problem)]);
    expect(JSON.stringify(catalogue.rules)).not.toContain("secret");
  });
});

describe("what is wrong in a rule", () => {
  it.each<[path: string, text: string, problem: RegExp, applies: boolean]>(
    readCases<[path: string, text: string, problem: RegExp, applies: boolean]>(
      "context/rules/sources.is-told-and-the-rest",
    ),
  )("is told, and the rest holds: %s %.40j", async (path, text, problem, applies) => {
    const catalogue = await load({ [path]: text });
    expect(problemsOf(catalogue)).toEqual([expect.stringMatching(problem)]);
    expect(meets(catalogue, "a")).toEqual(applies ? [path] : []);
  });

  it("is told no more than fifty times", async () => {
    expect(
      problemsOf(await load({ ".gaia/rules/a.md": `---\n${"what\n".repeat(900)}---\nText.` })),
    ).toHaveLength(50);
  });

  it("is told of links that lead out of the project, and never what stands there", async () => {
    await writeFile(join(root, "outside.md"), "elsewhere");
    await mkdir(join(directory, ".claude/rules"), { recursive: true });
    await symlink(join(root, "outside.md"), join(directory, ".claude/rules/out.md"));
    const catalogue = await load({});
    expect(problemsOf(catalogue)).toEqual([
      expect.stringMatching(/out\.md: is given to nobody: it lies outside/),
    ]);
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

  it("comes without its secrets", async () => {
    const { rules } = await load({ ".gaia/rules/a.md": `Use sk-ant-${"a1".repeat(20)}.` });
    expect(rules[0]?.text).toMatch(/^Use \[REDACTED:key/);
  });
});

describe("a package of a repository", () => {
  const FILES = {
    ".github/instructions/api.instructions.md": '---\napplyTo: "packages/api/src/**,*.md"\n---\nText.',
    ".cursor/rules/all.mdc": "---\nalwaysApply: true\n---\nText.",
    ".claude/rules/ui.md": "---\npaths: packages/ui/**\n---\nText.",
    ".gaia/rules/whole.md": "Of the repository's own record.",
    "packages/api/.claude/rules/own.md": "---\npaths: src/**\n---\nText.",
    "packages/api/src/a.ts": "",
  };

  it("is under what its tools find at the repository's root, by paths from there", async () => {
    await load(FILES);
    const catalogue = await catalogueOf(join(directory, "packages/api"));
    expect(problemsOf(catalogue)).toEqual([]);
    expect(meets(catalogue, "src/a.ts")).toEqual([
      ".claude/rules/own.md",
      "../../.cursor/rules/all.mdc",
      "../../.github/instructions/api.instructions.md",
    ]);
    expect(meets(catalogue, "README.md")).toEqual(["../../.cursor/rules/all.mdc"]);
    expect(catalogue.index()).toContain("- ../../.claude/rules/ui.md (packages/ui/**)");
    expect(catalogue.index()).not.toContain("whole");
  });
});

describe("documents that a change may have made untrue", () => {
  it("are those that name a changed file, or whose words are in its path", async () => {
    const catalogue = await load({
      "docs/principles/manifest": MANIFEST,
      "docs/domain/INDEX.md": INDEX,
      ...DOCUMENTS,
    });
    expect(
      catalogue.touched(["src/cash/daily.ts", "src/refund/x.ts", "README.md"]).split("\n").slice(3),
    ).toEqual([
      "- docs/domain/cashout/rules.md: src/cash/daily.ts",
      "- docs/domain/refunds.md: src/refund/x.ts",
    ]);
    expect(catalogue.touched(["src/refund/x.ts", "docs/domain/refunds.md"])).toBe("");
    expect(catalogue.touched([])).toBe("");
  });
});

describe("the rules of a project", () => {
  const open = (told: string[], givenByHost: string[] = []) =>
    openRules(
      {
        directory,
        top: directory,
        clock: createFakeClock(),
        redact: (text) => text,
        givenByHost: () => givenByHost,
      },
      { logger: silentLogger, toast: async (_variant, message) => void told.push(message) },
    );

  it("are none where there are no such files", async () => {
    expect(await open([]).now()).toBeNull();
  });
});
