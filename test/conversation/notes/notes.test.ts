import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Conversation } from "../../../src/conversation/conversation.ts";
import { fillEnvelope } from "../../../src/delegation/read-result.ts";
import { createTask, ended, type Task } from "../../../src/delegation/task.ts";
import { createRedactor } from "../../../src/lib/redaction.ts";
import { createTestServices, openConversation, type TestServices } from "../../support/services.ts";

const SECRET = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789";
let directory: string;
let services: TestServices;
let conversation: Conversation;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "gaia-debt-"));
  const roleOf = (agent: string) => (agent === "hades" ? "reviewer" : "implementer");
  services = createTestServices({ redact: createRedactor({ KEY: SECRET }), roleOf }, directory);
  ({ conversation } = await openConversation(services));
  await services.workspace.createWorkUnit({ slug: "unit", title: "A unit" });
  conversation.dispatch({ type: "work-unit-changed", workUnit: "unit" });
});
afterEach(async () => rm(directory, { recursive: true, force: true, maxRetries: 3 }));

let count = 0;
function review(
  agent: string,
  ...found: readonly (readonly [where: string, issue: string, severity?: string])[]
): void {
  count += 1;
  const id = `t${count}`;
  const vulnerabilities = found.map(([where, issue, severity = "low"]) => ({ where, issue, severity }));
  const place = { parentId: "root", callId: id, sessionId: `ses_${id}`, background: false, waveId: null };
  const envelope = fillEnvelope(
    { agent, workUnit: null, sessionId: id, vcs: "git" },
    { ok: true, data: { vulnerabilities }, errors: [], outcome: { verdict: "APPROVE" } },
  );
  const task: Task = {
    ...createTask({ id, agent, title: "", workUnit: "unit", ...place }, 0),
    outcome: { ...ended("completed", ""), envelope },
  };
  conversation.each((part) => part.delegationFinished?.(task, false));
}
const debt = async (): Promise<readonly string[]> => conversation.parts.notes.debtOf("unit");
const path = (): string => join(directory, ".gaia/unit/log.md");

describe("the debt of a unit", () => {
  it("holds each note of a reviewer once, without secrets, in its log", async () => {
    review("hades", ["src/a.ts:12", "name is odd"], ["src/b.ts:1", `holds ${SECRET}`, "medium"]);
    review("hades", ["src/a.ts:15", "Name is odd."], ["src/c.ts:1", "slow"], ["src/e.ts:1", "wrong", "high"]);
    review("hephaestus", ["src/d.ts:1", "not a reviewer's"]);
    expect(await debt()).toEqual([
      "src/a.ts:12: name is odd (hades)",
      expect.stringMatching(/^src\/b\.ts:1: holds \[REDACTED.*\(hades\)$/),
      "src/c.ts:1: slow (hades)",
    ]);
    const log = await readFile(path(), "utf8");
    expect(log.match(/## \d{4}-\d\d-\d\d — Noted in reviews, not fixed/g)).toHaveLength(1);
    expect(log).not.toContain(SECRET);
  });

  it("holds no longer what a person struck out", async () => {
    review("hades", ["src/a.ts:12", "name is odd"]);
    await debt();
    const log = await readFile(path(), "utf8");
    await writeFile(path(), log.replace(/^- src\/a.*$/m, ""));
    expect(await debt()).toEqual([]);
  });

  it("waits while locked, over a restart as well", async () => {
    const lock = (value: "locked" | "supervised"): void =>
      conversation.dispatch({ type: "command", change: { knob: "mode", value } });
    lock("locked");
    review("hades", ["src/a.ts:12", "name is odd"]);
    expect(await debt()).toEqual([]);
    const kept: unknown = JSON.parse(JSON.stringify(conversation.parts.notes.snapshot?.()));
    ({ conversation } = await openConversation(services));
    conversation.parts.notes.restore?.([{ kind: "debt", text: 3 }, null]);
    conversation.parts.notes.restore?.(kept);
    lock("supervised");
    expect(await debt()).toEqual(["src/a.ts:12: name is odd (hades)"]);
  });

  it("is none of a review for advice or of a plan", async () => {
    conversation.parts.planning.begin("review");
    review("hades", ["src/a.ts:12", "name is odd"]);
    expect(await debt()).toEqual([]);
  });
});
