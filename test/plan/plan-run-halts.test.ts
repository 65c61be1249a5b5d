import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { clockTime } from "../../src/lib/figures.ts";
import { compose } from "../support/composition.ts";
import { type ScriptedTurn } from "../support/fake-host.ts";
import { planCalls, type PlanCalls } from "../support/plan-calls.ts";
import { handOver, turnTo } from "./contracts.ts";

const WRITE = "1. Write a.txt\n  - agent: hephaestus\n  - files: a.txt\n  - verify: test -s a.txt\n";
const REVIEW = "- [ ] 2. Review it\n  - agent: hades\n  - needs: 1\n";

async function open(tasks: string, answer: ScriptedTurn) {
  const composition = await compose();
  turnTo(await composition.conversation(), "autopilot");
  composition.host.script(answer);
  const gaia: PlanCalls = planCalls(composition);
  await gaia.plan("create_work_unit", { slug: "unit", title: "Unit" });
  const markdown = `## Goal\n\nA file.\n\n## Tasks\n\n${tasks}`;
  expect(await gaia.plan("update_plan", { content: { markdown } })).toMatchObject({ ok: true });
  return { composition, gaia, file: join(composition.host.directory, "a.txt") };
}

it("a run names the provider's limit that a task waits for, and finds no fault with the plan", async () => {
  const nextAt = Date.now() + 3_600_000;
  const { composition, gaia } = await open(`- [ ] ${WRITE}`, async ({ sessionId }) => {
    const retry = { type: "session.retry", sessionId, attempt: 1, message: "Rate limit reached" } as const;
    setImmediate(() => composition.runtime.engine.observe({ ...retry, nextAt }));
    return new Promise(() => undefined);
  });
  expect(await gaia.plan("run")).toMatchObject({
    ok: false,
    status: "user",
    why: `The provider of task 1 (hephaestus) answers again at ${clockTime(nextAt)}: go on then, or choose another model with /models and go on now.`,
    open: [1],
  });
});

it("a rejected task whose maker nobody knows any more is fixed by the default maker, and looked at again", async () => {
  const agents: string[] = [];
  const { composition, gaia, file } = await open(`- [x] ${WRITE}${REVIEW}`, async (request) => {
    const { agent } = request.speaker;
    agents.push(agent);
    if (agent === "hephaestus") {
      await writeFile(file, "fixed");
      const files = [{ path: "a.txt", added: 1, removed: 1 }];
      const fact = { sessionId: request.sessionId, tool: "write", mutating: true, failed: false, files };
      (await composition.conversation()).dispatch({ type: "tool-finished", fact });
    }
    const isFixed = (await readFile(file, "utf8")) === "fixed";
    if (agent === "hades" && !isFixed)
      return handOver(agent, { outcome: { verdict: "REJECT", reason: "a.txt is wrong" } });
    return handOver(agent);
  });
  await writeFile(file, "made elsewhere");
  expect(await gaia.plan("run")).toMatchObject({ ok: true, status: "finished", open: [] });
  expect(agents.slice(0, 3)).toEqual(["hades", "hephaestus", "hades"]);
});
