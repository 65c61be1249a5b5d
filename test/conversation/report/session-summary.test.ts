import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Conversation } from "../../../src/conversation/conversation.ts";
import { createTask, ended, type Task } from "../../../src/delegation/task.ts";
import { createRedactor } from "../../../src/lib/redaction.ts";
import { createTestServices, openConversation, type TestServices } from "../../support/services.ts";

const SECRET = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789";
const PLAN = "## Goal\n\nIt.\n\n## Tasks\n\n- [x] 1. Write it\n- [ ] 2. Test it\n";

let directory: string;
let services: TestServices;
let conversation: Conversation;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "gaia-session-"));
  await open();
});
afterEach(async () => {
  await Promise.all([conversation.parts.workRecord.settled(), conversation.parts.report.flush()]);
  await rm(directory, { recursive: true, force: true });
});

async function open(overrides: Partial<TestServices> = {}): Promise<void> {
  services = createTestServices({ redact: createRedactor({ KEY: SECRET }), ...overrides }, directory);
  ({ conversation } = await openConversation(services));
}
async function unit(slug: string): Promise<void> {
  await services.workspace.createWorkUnit({ slug, title: "A unit" });
  await services.workspace.updatePlan({ slug, markdown: PLAN });
  conversation.dispatch({ type: "work-unit-changed", workUnit: slug });
}
async function sessions(slug: string): Promise<string> {
  await conversation.parts.report.flush();
  return readFile(join(directory, ".gaia", slug, "sessions.md"), "utf8");
}
function task(agent: string, status: "completed" | "failed"): Task {
  const about = { id: agent, agent, title: "", parentId: "root", callId: agent, sessionId: `ses_${agent}` };
  const begun = createTask({ ...about, background: false, workUnit: null, waveId: null }, 0);
  return { ...begun, status, outcome: ended(status, "") };
}
const finish = (agent: string, status: "completed" | "failed" = "completed"): void => {
  conversation.each((part) => part.delegationFinished?.(task(agent, status), true));
};
const says = (text: string): void => conversation.dispatch({ type: "user-message", text });

it("says what was asked, done, decided and left, in one section for each session", async () => {
  says(`Limit the requests with ${SECRET}`);
  await unit("limits");
  finish("hephaestus");
  finish("hephaestus");
  finish("aether", "failed");
  const asked = { requestId: "q1", purpose: "other" as const, questions: ["Which store?"] };
  conversation.dispatch({ type: "question-asked", ...asked });
  conversation.dispatch({ type: "question-answered", requestId: "q1", answers: [["memory"]] });
  conversation.leave("git push");
  conversation.dispatch({ type: "turn-ended" });
  const first = await sessions("limits");
  expect(first.replace(/\d{4}-\d\d-\d\d/, "DAY")).toBe(
    [
      "# Sessions",
      "",
      "## DAY — Session root",
      "",
      "- Asked: Limit the requests with [REDACTED:env…6789]",
      "- Done: 1 of 2 tasks, hephaestus ×2, aether failed",
      "- Decided: Which store? → memory",
      "- Left: git push; 2. Test it",
      "",
    ].join("\n"),
  );
  says("And now the tests");
  conversation.dispatch({ type: "blocked", reason: "No network.", nextStep: "Install it." });
  conversation.dispatch({ type: "turn-ended" });
  const later = await sessions("limits");
  expect(later.match(/^## /gm)).toHaveLength(1);
  expect(later).toContain("- Asked: And now the tests\n");
  expect(later).toContain("BLOCKED: No network. Next: Install it.");
});

it("stands with the checkout where something was done without a unit, and with the unit once there is one", async () => {
  const local = async (): Promise<string> => sessions(".local").catch(() => "");
  says("What is this?");
  conversation.dispatch({ type: "turn-ended" });
  expect(await local()).toBe("");
  finish("hephaestus");
  expect(await local()).toMatch(
    /## \S+ — Session root\n\n- Asked: What is this\?\n- Done: hephaestus\n- Left: nothing\n$/,
  );
  const hits = await services.memory.recall.search("hephaestus", { kinds: new Set(["log"]), prefix: false });
  expect(hits.map(({ entry }) => entry.path)).toContain(".gaia/.local/sessions.md");

  // As after a crash.
  const kept = conversation.parts.report.snapshot?.();
  await open();
  conversation.parts.report.restore?.(JSON.parse(JSON.stringify(kept)));
  finish("apollo");
  expect((await local()).match(/^## /gm)).toHaveLength(1);
  expect(await local()).toContain("- Done: hephaestus, apollo\n");
  await unit("limits");
  expect(await sessions("limits")).toContain("- Done: 1 of 2 tasks, hephaestus, apollo\n");
  expect(await local()).toBe("# Sessions\n");
});

it("writes nothing in a locked session", async () => {
  says("Limit the requests");
  await unit("limits");
  conversation.dispatch({ type: "command", change: { knob: "mode", value: "locked" } });
  await conversation.parts.report.flush();
  await rm(join(directory, ".gaia", "limits", "sessions.md"));
  finish("hephaestus");
  conversation.dispatch({ type: "turn-ended" });
  await expect(sessions("limits")).rejects.toThrow("ENOENT");
});
