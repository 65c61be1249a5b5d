import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { silentLogger } from "../../src/lib/error.ts";
import { createRedactor } from "../../src/lib/redaction.ts";
import { createWorkspace } from "../../src/record/workspace.ts";
import { createFakeClock } from "../support/fake-clock.ts";
import { loadInFakeOpenCode, type FakeOpenCode } from "../support/fake-opencode.ts";

const CONTEXT = "Small steps.";
const RESUME = "Active work unit: limits";
const SESSION = "ses_1";

let directory: string;
let openCode: FakeOpenCode;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "gaia-experimental-"));
  vi.stubEnv("XDG_CONFIG_HOME", directory);
  await writeFile(join(directory, "GAIA.md"), CONTEXT);
  const clock = createFakeClock();
  const workspace = createWorkspace({
    directory,
    clock,
    logger: silentLogger,
    redact: createRedactor({}),
  });
  await workspace.createWorkUnit({ slug: "limits", title: "Rate limits" });
  await workspace.updatePlan({ markdown: "## Tasks\n\n- [ ] 1. Test it\n", status: "in-progress" });
});
afterEach(async () => {
  await openCode.hooks.dispose?.();
  vi.unstubAllEnvs();
  await rm(directory, { recursive: true, force: true });
});

async function start(): Promise<string> {
  openCode = await loadInFakeOpenCode(directory, {});
  const config = { agent: {} as Record<string, { prompt?: string }> };
  await openCode.hooks.config?.(config);
  await openCode.event("session.created", { info: { id: SESSION, metadata: {} } });
  return config.agent["gaia"]?.prompt ?? "";
}

/** Sums up as OpenCode does, with those of its hooks that this one calls. */
async function compact(calls: { prompt: boolean; summary: boolean }): Promise<string> {
  const context: string[] = [];
  const output = { text: "They talked." };
  if (calls.prompt) {
    await openCode.hooks["experimental.session.compacting"]?.({ sessionID: SESSION }, { context });
  }
  if (calls.summary) {
    const ids = { sessionID: SESSION, messageID: "msg_s", partID: "prt_s" };
    await openCode.hooks["experimental.text.complete"]?.(ids, output);
  }
  await openCode.event("session.compacted", { sessionID: SESSION });
  return `${context.join("\n")}\n${output.text}`;
}

describe("the project's context", () => {
  it("stands in the system prompt, and in no message, where OpenCode asks for it", async () => {
    const prompt = await start();
    const first = await openCode.say(SESSION, "Hello");
    expect((await openCode.system(SESSION, prompt)).join("\n")).toContain(CONTEXT);
    await openCode.answer(SESSION);
    expect([first, await openCode.say(SESSION, "And on")].join("\n")).not.toContain(CONTEXT);
    expect(openCode.toasts).toEqual([]);
  });

  it("is none of another agent's", async () => {
    await start();
    await openCode.say(SESSION, "Hello", "build");
    await openCode.answer(SESSION);
    expect(await openCode.say(SESSION, "And on", "build")).toBe("");
    expect(openCode.toasts).toEqual([]);
  });
});

describe("the open tasks after a compaction", () => {
  it.each([
    ["where OpenCode calls both hooks", { prompt: true, summary: true }, true],
    ["where it calls none for the summary", { prompt: true, summary: false }, false],
    ["where it calls none at all", { prompt: false, summary: false }, false],
  ])("are in the summary, else in the next message: %s", async (_when, calls, isInSummary) => {
    await start();
    expect(await openCode.say(SESSION, "Hello")).toContain(RESUME);
    expect((await compact(calls)).endsWith("</gaia-resume>")).toBe(isInSummary);
    expect((await openCode.say(SESSION, "And on")).includes(RESUME)).toBe(!isInSummary);
    expect(await openCode.say(SESSION, "And on")).not.toContain(RESUME);
  });
});
