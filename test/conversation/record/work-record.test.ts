import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { Role } from "../../../src/config/roles.ts";
import type { Conversation } from "../../../src/conversation/conversation.ts";
import { ended, type Task, type TaskOutcome } from "../../../src/delegation/task.ts";
import { createRedactor } from "../../../src/lib/redaction.ts";
import { createTestServices, openConversation, type TestServices } from "../../support/services.ts";
import { openFolder } from "../../support/directory.ts";
import { taskOf } from "../../support/task.ts";
import { acceptLearnings, entryTexts } from "../../support/entries.ts";

const SECRET = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789";
const PLAN = "## Goal\n\nIt.\n\n## Tasks\n\n- [ ] 1. Write it\n- [ ] 2. Test it\n";
const HARVEST = {
  log_entry: "hephaestus wrote it.",
  decisions: [
    {
      type: "question",
      question: "Which one, jose or jsonwebtoken?",
      answer: "jose",
      rationale: "ESM",
      impact: "auth",
    },
  ],
  learnings: ["pattern: limits live in src", "known already"],
  plan_updates: ["tick 1", "Task 2 was left out"],
  session_summary: "x",
};

const ROLES: Readonly<Record<string, Role>> = { demeter: "historian", hades: "reviewer" };

let directory: string;
let services: TestServices;
let conversation: Conversation;
beforeEach(async () => {
  directory = await openFolder();
  services = createTestServices(
    { redact: createRedactor({ KEY: SECRET }), roleOf: (agent) => ROLES[agent] ?? "implementer" },
    directory,
  );
  ({ conversation } = await openConversation(services));
});

const read = async (path: string): Promise<string> => readFile(join(directory, ".gaia", path), "utf8");
const log = async (): Promise<string> => {
  await conversation.parts.workRecord.settled();
  return read("unit/log.md");
};
async function unit(): Promise<void> {
  await services.workspace.createWorkUnit({ slug: "unit", title: "A unit" });
  await services.workspace.updatePlan({ slug: "unit", markdown: PLAN });
  await acceptLearnings(services.knowledge, "known already");
  await services.workspace.appendDecisions({
    slug: "unit",
    rows: [{ question: "jose or jsonwebtoken?", choice: "jose" }],
  });
  conversation.dispatch({ type: "work-unit-changed", workUnit: "unit" });
}
function task(agent: string, id: string, outcome: Partial<TaskOutcome> = {}, data?: object): Task {
  const envelope = data === undefined ? null : { ok: true, data: { ...data }, errors: [] };
  return taskOf({
    id,
    agent,
    title: `do ${id} with ${SECRET}`,
    callId: id,
    sessionId: `ses_${id}`,
    outcome: { ...ended("completed", ""), envelope, ...outcome },
  });
}
function run(work: Task, ...facts: { files?: object[]; command?: object }[]): void {
  conversation.each((part) => part.delegationStarted?.(work));
  for (const fact of facts) {
    const all = { sessionId: work.sessionId, tool: "x", mutating: true, failed: false, ...fact };
    conversation.dispatch({ type: "tool-finished", fact: all as never });
  }
  conversation.each((part) => part.delegationFinished?.(work, facts.length > 0));
}

describe("the record of what delegations did", () => {
  it("says who, what, files and commands, redacted, with no historian at all", async () => {
    await unit();
    run(
      task("hephaestus", "t1"),
      { files: [{ path: "a.ts", added: 3, removed: 1 }] },
      { command: { command: "npm test", exitCode: 1, output: "" } },
    );
    run(task("demeter", "t2", { status: "partial", message: "The result did not fit." }));
    expect(await log()).toMatch(
      /## \d{4}-\d\d-\d\d — Work in root\n\n- hephaestus, completed: do t1 with \[REDACTED[^\]]*\] · a\.ts \+3 −1 · `npm test` exit 1 · `t1`\n- demeter, partial: .* · The result did not fit · `t2`\n$/,
    );
  });

  it("waits for a unit, and is written nowhere while the session is locked", async () => {
    run(task("minerva", "t1"));
    await unit();
    expect(await log()).toContain("- minerva, completed");
    conversation.dispatch({ type: "command", change: { knob: "mode", value: "locked" } });
    run(task("minerva", "t2"));
    run(task("demeter", "t3", {}, HARVEST));
    const before = await log();
    expect(before).not.toContain("t2");
    expect(before).not.toContain("Recorded");
    expect(conversation.parts.workRecord.isWaiting("t3")).toBe(true);
    conversation.dispatch({ type: "command", change: { knob: "mode", value: "supervised" } });
    expect(await log()).toMatch(/`t2`[^]*$/);
    expect(await log()).toContain("Recorded by demeter (t3)");
  });
});

it("a historian's contract is written by the plugin, each part where it belongs, and once however often it comes", async () => {
  await unit();
  run(task("hephaestus", "t1"));
  run(task("demeter", "d1", {}, HARVEST));
  const written = await log();
  expect(written).toMatch(
    /— Recorded by demeter \(d1\)\n\nhephaestus wrote it\.\n\n- Plan: Task 2 was left out\n\n- hephaestus, completed/,
  );
  expect(written).not.toContain("Work in root");
  const decisions = await read("unit/decisions.md");
  expect(decisions).toContain("| jose or jsonwebtoken? | jose | ESM | auth |");
  expect(decisions.match(/jose or jsonwebtoken/g)).toHaveLength(1);
  expect(await read("unit/plan.md")).toContain("- [x] 1. Write it\n- [ ] 2. Test it");
  const open = (await services.knowledge.all()).filter(({ standing }) => standing === "proposed");
  expect(open).toMatchObject([
    { kind: "pattern", body: "limits live in src", by: "demeter", source: "unit" },
  ]);
  const entries = await entryTexts(directory);
  // As after a kill before it was noted that GAIA had been given it.
  conversation.parts.workRecord.recover(task("demeter", "d1", {}, HARVEST));
  expect(await log()).toBe(written);
  expect(await read("unit/decisions.md")).toBe(decisions);
  expect(await entryTexts(directory)).toBe(entries);
});

describe("the debt of a unit", () => {
  let count = 0;
  const review = (agent: string, ...found: [where: string, issue: string, severity?: string][]): void => {
    count += 1;
    const vulnerabilities = found.map(([where, issue, severity = "low"]) => ({ where, issue, severity }));
    const outcome = { verdict: "APPROVE" } as const;
    const envelope = { ok: true, data: { vulnerabilities }, errors: [], outcome };
    run(task(agent, `r${count}`, { envelope }));
  };
  const ODD: [string, string] = ["src/a.ts:12", "name is odd"];
  const debt = async (): Promise<readonly string[]> => conversation.parts.workRecord.debtOf("unit");

  it("holds each note of a reviewer once, without secrets, until a person strikes it out", async () => {
    await unit();
    review("hades", ODD, ["src/b.ts:1", `holds ${SECRET}`, "medium"]);
    review("hades", ["src/a.ts:15", "Name is odd."], ["src/c.ts:1", "slow"], ["src/e.ts:1", "wrong", "high"]);
    review("hephaestus", ["src/d.ts:1", "not a reviewer's"]);
    expect(await debt()).toEqual([
      "src/a.ts:12: name is odd (hades)",
      expect.stringMatching(/^src\/b\.ts:1: holds \[REDACTED.*\(hades\)$/),
      "src/c.ts:1: slow (hades)",
    ]);
    const text = await log();
    expect(text.match(/## \d{4}-\d\d-\d\d — Noted in reviews, not fixed/g)).toHaveLength(1);
    expect(text).not.toContain(SECRET);
    await writeFile(join(directory, ".gaia/unit/log.md"), text.replaceAll(/^- src\/[ab].*$/gm, ""));
    expect(await debt()).toEqual(["src/c.ts:1: slow (hades)"]);
  });
});
