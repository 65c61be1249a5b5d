import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import type { HostEvent } from "../../src/host/port.ts";
import { compose, ROOT, planCalls } from "../support/composition.ts";
import { createRuntime } from "../support/runtime.ts";
import { handOver, turnTo } from "./contracts.ts";

/** A machine that is busy with other tests takes its time. */
const PATIENCE = { timeout: 60_000 };
vi.setConfig({ testTimeout: 180_000 });

const PLAN =
  "## Goal\n\nA file.\n\n## Tasks\n\n- [ ] 1. Write a.txt\n  - agent: hephaestus\n  - files: a.txt\n  - verify: test -s a.txt\n";

const BUSY = { ok: false, error: "The plan of unit is being carried out in the background." };

type Scene = Awaited<ReturnType<typeof open>>;

async function open() {
  const composition = await compose();
  const { host } = composition;
  const conversation = await composition.conversation();
  turnTo(conversation, "autopilot");
  const woken: string[] = [];
  host.sessions.wake = async (_id, _to, text) => {
    woken.push(text);
  };
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  host.script(async ({ speaker: { agent } }) => {
    if (agent === "hephaestus") {
      await gate;
      await writeFile(join(host.directory, "a.txt"), "x");
    }
    return handOver(agent);
  });
  const gaia = planCalls(composition);
  await gaia.plan("create_work_unit", { slug: "unit", title: "Unit" });
  await gaia.plan("update_plan", { content: { markdown: PLAN } });
  const happens = (event: HostEvent): void => conversation.each((part) => part.observe?.(event, true));
  return {
    composition,
    gaia,
    /** What GAIA was woken with. */
    woken,
    /** Lets the worker go on, who waits for it. */
    release: () => release(),
    happens,
    idle: () => happens({ type: "session.status", sessionId: ROOT, status: "idle" }),
  };
}
const begin = async ({ gaia }: Scene): Promise<void> => {
  expect(await gaia.plan("run", { background: true })).toMatchObject({
    ok: true,
    status: "running",
    task_id: "run_unit",
    open: [1],
  });
};
const atWork = async ({ composition }: Scene): Promise<void> =>
  expect.poll(() => composition.host.prompts.length, PATIENCE).toBe(1);

it("a run in the background returns at once, refuses another and what turns away from it, and wakes GAIA once", async () => {
  const scene = await open();
  await begin(scene);
  for (const background of [true, false]) {
    expect(await scene.gaia.plan("run", { background })).toMatchObject(BUSY);
  }
  for (const op of ["open_wave", "complete_wave", "set_active", "archive_work_unit", "create_work_unit"]) {
    const refused = await scene.gaia.plan(op, { wave_id: "9", slug: "unit", title: "x" });
    expect(refused).toMatchObject(BUSY);
  }
  // GAIA's turn has ended; it is no reason to send her on.
  scene.idle();
  expect(scene.woken).toEqual([]);
  scene.release();
  await expect.poll(() => scene.woken.length, PATIENCE).toBe(1);
  expect(scene.woken[0]).toContain('"task_id":"run_unit"');
  expect(scene.woken[0]).toContain('"status":"finished"');
  scene.idle();
  scene.idle();
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(scene.woken).toHaveLength(1);
  expect(await scene.gaia.collect({})).toMatchObject({ message: "No background task is open." });
});

it("a run in the background is offered to be gone on with after a restart, until its report was given", async () => {
  const scene = await open();
  await begin(scene);
  await atWork(scene);
  const { host } = scene.composition;
  const kept = () => JSON.stringify(host.stored.get(ROOT)?.metadata);
  await expect.poll(kept, PATIENCE).toContain(String.raw`\"open run\":\"unit\"`);
  const { runtime } = await createRuntime(host, {});
  runtime.sessions.spoke(ROOT, "gaia", "a/one");
  const { conversation } = (await runtime.conversations.of(ROOT))!;
  expect(await conversation.parts.restart.forMessage()).toContain(
    "the plan of unit was being carried out; plan_gaia run goes on with it",
  );
  // The process before is gone, and those who worked in it.
  host.script(async ({ speaker: { agent } }) => {
    if (agent === "hephaestus") await writeFile(join(host.directory, "a.txt"), "x");
    return handOver(agent);
  });
  const later = planCalls({ ...scene.composition, runtime });
  turnTo(conversation, "autopilot");
  expect(await later.plan("run", { slug: "unit" })).toMatchObject({ status: "finished" });
  expect(conversation.parts.runs.interrupted()).toBeNull();
});
