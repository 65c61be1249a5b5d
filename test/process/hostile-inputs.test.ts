import { execFileSync } from "node:child_process";
import { mkdir, symlink, truncate, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { loadDefinitionOfDone } from "../../src/checks/definition-of-done/load.ts";
import { suggestChecks } from "../../src/checks/definition-of-done/suggest.ts";
import { failureKey } from "../../src/checks/definition-of-done/report.ts";
import { createOutputTail, excerptOutput, headlineOf } from "../../src/process/output.ts";
import { parseSourceText } from "../../src/config/source-text.ts";
import { readAnswer } from "../../src/contracts/evaluate.ts";
import { parseKnowledge, parseLearning } from "../../src/record/entries/entry.ts";
import { systemClock } from "../../src/lib/async.ts";
import { excerpt, terminalText } from "../../src/lib/text.ts";
import { readFrontMatter } from "../../src/lib/front-matter.ts";
import { readHead, readRegular, readSource, readText, readTextSync } from "../../src/lib/read-source.ts";
import { createRedactor } from "../../src/lib/redaction.ts";
import { parseMarkdown, plainText, withoutComments } from "../../src/lib/markdown.ts";
import { shapeReview } from "../../src/plan/review/brief.ts";
import { parseStatus } from "../../src/snapshot/uncommitted.ts";
import { diffTexts } from "../../src/lib/line-diff.ts";
import { parseDecisionRows } from "../../src/record/documents/decision.ts";
import { findPlanProblems } from "../../src/plan/problems.ts";
import { parsePlan, renderErrors } from "../../src/plan/grammar.ts";
import { digestPlan, updatePlan } from "../../src/plan/update.ts";
import { openFolder } from "../support/directory.ts";

const redact = createRedactor({});
const same = (text: string): string => text;
/** What reads a text that a program, a model or a repository wrote. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  "an excerpt of an output": (text) => excerptOutput(text, { maxCharacters: 4_000 }),
  "its headline": headlineOf,
  "the signature of a failure": failureKey,
  "the end of an output": (text) => {
    const output = createOutputTail();
    output.write("stdout", Buffer.from(text));
    return output.whole(same);
  },
  redaction: redact,
  configuration: parseSourceText,
  "the contract of an answer": readAnswer,
  "an entry of the knowledge": (text) => parseKnowledge(text, "name"),
  "front matter": readFrontMatter,
  "a line of it": (text) => excerpt(text, 200),
  "plain text": plainText,
  "a text for the terminal": terminalText,
  "a text without comments": withoutComments,
  "a diff for a review": (text) =>
    shapeReview({
      depth: "deep_repo",
      files: [diffTexts("a", "", text), diffTexts("b", text, "")],
      isSensitive: () => false,
      redact: same,
    }),
  "git's status": parseStatus,
  markdown: (text) => parseMarkdown(text).kinds,
  decisions: parseDecisionRows,
  "a learning": parseLearning,
  "a plan": parsePlan,
  "a plan that is written": (text) => updatePlan("", { markdown: text }),
  "its problems": (text) => findPlanProblems(text, { agents: new Map() }),
  "its errors": (text) => renderErrors(parsePlan(text).errors),
  "its digest": digestPlan,
};
/** Each many times over. */
const UNITS = (
  '\n,\r\n, \n,\r, ,a,1,#,`,<!--,[,{"a":,|,=,-,*,",\\,a/,0.,\u001B[,key=,eyJ,x@,// ,\0,# h\n,## Wave 1\n,### Task 1: x\n,' +
  "- [ ] x\n,- [ ] 1. x\n  files: a\n,- x\n,| a | b |\n,```\n,---\n,a: b\n,Error: x\n,not ok 1\n,FAIL  x\n,1 pass\n,Passed! ," +
  '-----BEGIN PRIVATE KEY-----\n,@@ -1 +1 @@\n,diff --git a/x b/x\n@@ -1 +1 @@\n-a\n+b\n,<testcase name="a">,<![CDATA[,<a b=\''
).split(",");
const AROUND: readonly (readonly [string, string])[] = [
  ["", ""],
  ["# Plan\n\n## Tasks\n\n", "\nend"],
];
const [SMALL, LARGE] = [2_048, 16_384];
/** So much of the processor's time is no freeze; beyond it the work may only grow as the text does, with room for noise. */
const FREE_MS = 100;
const NOISE = 2.5;
/** Of the processor's time; what is compared pair by pair took minutes. */
const MOST_MS = 3_000;

function costOf(read: (text: string) => unknown, text: string): number {
  const before = process.cpuUsage();
  read(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

describe("a reader", () => {
  it.each(Object.entries(READERS))(
    "takes no more than its share of time for a hostile text: %s",
    (_, read) => {
      const slow: string[] = [];
      for (const unit of UNITS)
        for (const [before, after] of AROUND) {
          const cost = (size: number): number =>
            costOf(read, before + unit.repeat(Math.ceil(size / unit.length)) + after);
          if (cost(LARGE) < FREE_MS) continue;
          const [small, large] = [cost(SMALL), cost(LARGE)];
          if (large > FREE_MS && large > NOISE * (LARGE / SMALL) * small)
            slow.push(`${JSON.stringify([before, unit])}: ${small} ms, then ${large} ms`);
        }
      expect(slow).toEqual([]);
    },
    300_000,
  );

  it.each([
    "**/a/".repeat(40),
    "a*b/".repeat(60),
    "{a,b}{c,d}{e,f}{g,h}{i,j}{k,l}/*",
    "a*/b*c*, src/**/*.ts, x",
  ])("compares the files of 500 tasks without a freeze: %s", (files) => {
    const task = (_: unknown, at: number): string => `- [ ] ${at + 1}. x\n  - files: ${files}${at}\n`;
    const plan = `# Plan\n\n## Tasks\n\n${Array.from({ length: 500 }, task).join("")}`;
    for (const text of [plan, plan.replaceAll(/\n(?=- \[|$)/gu, "\n  - wave: 1\n")])
      expect(costOf(READERS["its problems"]!, text)).toBeLessThan(MOST_MS);
  });

  it("takes a JSON that is nested 100,000 deep, and a line of 10 MB", () => {
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    const wide = "x".repeat(10_000_000);
    for (const read of [READERS["configuration"], READERS["the contract of an answer"]])
      for (const text of [deep, `\`\`\`json\n{"a": ${deep}}\n\`\`\``, wide])
        expect(() => read?.(text)).not.toThrow();
  });
});

describe.runIf(process.platform !== "win32")("a file that is none of ours", () => {
  const KINDS: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
    "a named pipe": async (path) => void execFileSync("mkfifo", [path]),
    "a socket": async (path) => {
      const server = createServer().listen(path);
      onTestFinished(() => void server.close());
      await new Promise((done) => server.once("listening", done));
    },
    "a device": async (path) => symlink("/dev/zero", path),
    "a folder": async (path) => mkdir(path),
    "a link to itself": async (path) => symlink(path, path),
    "a file of 100 GB": async (path) => {
      await writeFile(path, "");
      await truncate(path, 100_000_000_000);
    },
  };

  it.each(Object.entries(KINDS))("is not read, nor waited for: %s", async (_, make) => {
    const folder = await openFolder();
    const path = join(folder, "package.json");
    await make(path);
    expect(await readRegular(path)).toBeNull();
    expect(await readText(path)).toBe("");
    expect(readTextSync(path)).toBe("");
    expect((await readSource(path, systemClock)).state).toBe("failed");
    expect((await readHead(path, 10))?.bytes.length ?? 0).toBeLessThanOrEqual(10);
    expect(await suggestChecks(folder)).toEqual([]);
  });

  it("ends the search for a Definition of Done with what is wrong", async () => {
    const folder = await openFolder();
    execFileSync("mkfifo", [join(folder, "agency.json")]);
    expect(await loadDefinitionOfDone(folder)).toMatchObject({
      kind: "broken",
      problem: expect.stringContaining("not a regular file") as string,
    });
  });
});
