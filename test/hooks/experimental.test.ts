import { describe, expect, it, onTestFinished, vi } from "vitest";
import { silentLogger } from "../../src/lib/error.ts";
import { createRedactor } from "../../src/lib/redaction.ts";
import { createWorkspace } from "../../src/record/workspace.ts";
import { createFakeClock } from "../support/fake-clock.ts";
import { loadInFakeOpenCode } from "../support/fake-opencode.ts";
import { writeIn, openFolder } from "../support/directory.ts";

const CONTEXT = "Small steps.";
const RESUME = "Active work unit: limits";
const SESSION = "ses_1";

/** OpenCode with GAIA in a project that has an open task. */
async function start() {
  const directory = await openFolder();
  await writeIn(directory, "GAIA.md", CONTEXT);
  vi.stubEnv("XDG_CONFIG_HOME", directory);
  const redact = createRedactor({});
  const workspace = createWorkspace({ directory, clock: createFakeClock(), logger: silentLogger, redact });
  await workspace.createWorkUnit({ slug: "limits", title: "Rate limits" });
  await workspace.updatePlan({ markdown: "## Tasks\n\n- [ ] 1. Test it\n", status: "in-progress" });
  const openCode = await loadInFakeOpenCode(directory, {});
  onTestFinished(async () => {
    await openCode.hooks.dispose?.();
    vi.unstubAllEnvs();
  });
  await openCode.event("session.created", { info: { id: SESSION, metadata: {} } });
  return openCode;
}

it("tells the project's context in the system prompt and in no message, behind a role that stays first", async () => {
  const { hooks, say, answer, system, toasts } = await start();
  const config = { agent: {} as Record<string, { prompt?: string }> };
  await hooks.config?.(config);
  const first = await say(SESSION, "Hello");
  expect((await system(SESSION, config.agent["gaia"]?.prompt ?? "")).join("\n")).toContain(CONTEXT);
  await answer(SESSION);
  expect([first, await say(SESSION, "And on")].join("\n")).not.toContain(CONTEXT);
  expect(toasts).toEqual([]);
});

describe("the open tasks after a compaction", () => {
  it.each([
    ["where OpenCode calls both hooks", { prompt: true, summary: true }, true],
    ["where it calls none for the summary", { prompt: true, summary: false }, false],
    ["where it calls none at all", { prompt: false, summary: false }, false],
  ])("are in the summary, else in the next message: %s", async (_when, calls, isInSummary) => {
    const { hooks, say, event } = await start();
    expect(await say(SESSION, "Hello")).toContain(RESUME);
    const context: string[] = [];
    const summary = { text: "They talked." };
    if (calls.prompt) await hooks["experimental.session.compacting"]?.({ sessionID: SESSION }, { context });
    const ids = { sessionID: SESSION, messageID: "msg_s", partID: "prt_s" };
    if (calls.summary) await hooks["experimental.text.complete"]?.(ids, summary);
    await event("session.compacted", { sessionID: SESSION });
    expect(`${context.join("\n")}\n${summary.text}`.endsWith("</gaia-resume>")).toBe(isInSummary);
    expect((await say(SESSION, "And on")).includes(RESUME)).toBe(!isInSummary);
    expect(await say(SESSION, "And on")).not.toContain(RESUME);
  });
});
