import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { defaultConfig } from "../../../src/config/defaults.ts";
import type { Conversation } from "../../../src/conversation/conversation.ts";
import { ended } from "../../../src/delegation/task.ts";
import { createRedactor } from "../../../src/lib/redaction.ts";
import { sessionOf } from "../../support/fake-host.ts";
import { openFolder } from "../../support/directory.ts";
import { taskOf } from "../../support/task.ts";
import { createTestServices, openConversation, type TestServices } from "../../support/services.ts";

const SECRET = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789";
const PLAN = "## Goal\n\nIt.\n\n## Tasks\n\n- [x] 1. Write it\n- [ ] 2. Test it\n";

let directory: string;
let services: TestServices;
let conversation: Conversation;
beforeEach(async () => {
  directory = await openFolder();
  await open();
});
afterEach(async () => {
  await Promise.all([conversation.parts.workRecord.settled(), conversation.parts.sessionSummary.flush()]);
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
  await conversation.parts.sessionSummary.flush();
  return readFile(join(directory, ".gaia", slug, "sessions.md"), "utf8");
}
const finish = (agent: string, status: "completed" | "failed" = "completed"): void => {
  conversation.each((part) =>
    part.delegationFinished?.(taskOf({ agent, status, outcome: ended(status, "") }), true),
  );
};
const says = (text: string): void => conversation.dispatch({ type: "user-message", text });

it("says what was asked, done, decided and left, in one section for each session", async () => {
  says(`Limit the requests with ${SECRET}`);
  await unit("limits");
  finish("hephaestus");
  finish("hephaestus");
  finish("aether", "failed");
  const asked = { requestId: "q1", questions: ["Which store?"] };
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

it("goes on after a crash with what was seen before, and stands in the next session's beginning", async () => {
  services.host.stored.set("root", sessionOf("root"));
  says("Limit the requests");
  await unit("limits");
  finish("hephaestus");
  await sessions("limits");
  await conversation.mirrored();
  await open({ host: services.host });
  finish("hephaestus");
  expect(await sessions("limits")).toContain("- Done: 1 of 2 tasks, hephaestus ×2\n");
  expect((await sessions("limits")).match(/^## /gm)).toHaveLength(1);
  const resumed = await services.memory.resume("limits");
  expect(resumed).toContain("Last session:\n- Asked: Limit the requests");
});

it("begins anew with the next unit, of which the last message is the reason", async () => {
  says("Limit the requests");
  await unit("limits");
  finish("hephaestus");
  says("And a page that shows them");
  await unit("page");
  conversation.dispatch({ type: "turn-ended" });
  expect(await sessions("page")).toMatch(/Asked: And a page that shows them\n- Done: 1 of 2 tasks\n/);
  expect(await sessions("page")).not.toContain("Limit");
  expect(await sessions("limits")).toContain("hephaestus");
});

it.each([
  ["capture.enabled", { ...defaultConfig().capture, enabled: false }],
  ["capture.sessions", { ...defaultConfig().capture, sessions: false }],
])("writes nothing without %s", async (_key, capture) => {
  await open({ capture });
  says("Limit the requests");
  await unit("limits");
  finish("hephaestus");
  conversation.dispatch({ type: "turn-ended" });
  await conversation.parts.sessionSummary.flush();
  expect(await readdir(join(directory, ".gaia", "limits"))).not.toContain("sessions.md");
});

it("writes nothing in a locked session", async () => {
  says("Limit the requests");
  await unit("limits");
  conversation.dispatch({ type: "command", change: { knob: "mode", value: "locked" } });
  await conversation.parts.sessionSummary.flush();
  await rm(join(directory, ".gaia", "limits", "sessions.md"));
  finish("hephaestus");
  conversation.dispatch({ type: "turn-ended" });
  await expect(sessions("limits")).rejects.toThrow("ENOENT");
});
