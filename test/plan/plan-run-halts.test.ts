import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { clockTime } from "../../src/lib/figures.ts";
import { writeIn } from "../support/directory.ts";
import { compose, planCalls, type PlanCalls } from "../support/composition.ts";
import type { ScriptedTurn } from "../support/fake-host.ts";
import { handOver, turnTo } from "./contracts.ts";

const WRITE = "1. Write a.txt\n  - agent: hephaestus\n  - files: a.txt\n  - verify: test -s a.txt\n";
const REVIEW = "- [ ] 2. Review it\n  - agent: hades\n  - needs: 1\n";

/** @param check a command of the user's own that has to pass @param config more of the user's own configuration */
async function open(tasks: string, answer: ScriptedTurn, check?: string, config: object = {}) {
  const composition = await compose({}, async (directory) => {
    const checks = check === undefined ? [] : [{ id: "unit", command: check }];
    await writeIn(
      directory,
      "opencode/gaia.jsonc",
      JSON.stringify({ ...config, definitionOfDone: { checks } }),
    );
    return {};
  });
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

it("a question of a specialist who has finished reaches the user before the next task begins", async () => {
  const begun: string[] = [];
  const { gaia, file } = await open(`- [ ] ${WRITE}${REVIEW}`, async ({ speaker: { agent } }) => {
    begun.push(agent);
    await writeFile(file, "written");
    return agent === "hephaestus" ? handOver(agent, { questions: ["Which currency?"] }) : handOver(agent);
  });
  expect(await gaia.plan("run")).toMatchObject({
    status: "user",
    why: "hephaestus › Write a.txt asks: Which currency?",
    open: [2],
  });
  expect(begun).toEqual(["hephaestus"]);
  expect(await gaia.plan("run")).toMatchObject({ ok: true, status: "finished", open: [] });
});

it("a check that failed before holds up no wave, also where nobody changes a file", async () => {
  const { gaia } = await open(
    "- [ ] 1. Look at it\n  - agent: hades\n",
    async ({ speaker: { agent } }) => handOver(agent),
    "sleep 0.3; exit 1",
  );
  expect(await gaia.plan("run")).toMatchObject({ ok: true, status: "finished", open: [] });
});

it("a last wave is reviewed also where its files cannot be compared", async () => {
  const agents: string[] = [];
  const { composition, gaia, file } = await open(`- [ ] ${WRITE}`, async ({ speaker: { agent } }) => {
    agents.push(agent);
    await writeFile(file, "written");
    return handOver(agent);
  });
  const { tree } = await composition.conversation();
  const unknown = { files: [], base: null, known: false, failed: "git fails" };
  vi.spyOn(tree.vcs, "changesSince").mockResolvedValue(unknown);
  expect(await gaia.plan("run")).toMatchObject({ ok: true, status: "finished", open: [] });
  expect(agents).toContain("hades");
});

it("a check that fails is told in words, and its report is beside them", async () => {
  const { gaia, file } = await open(
    `- [ ] ${WRITE}`,
    async ({ speaker: { agent } }) => {
      await writeFile(file, "broken");
      return handOver(agent);
    },
    "test ! -e a.txt",
  );
  expect(await gaia.plan("run")).toMatchObject({
    ok: false,
    why: expect.stringMatching(/^The Definition of Done does not pass[^{]*: checks not passed: unit$/u),
    report: { passed: false, checks: [{ id: "unit", status: "failed" }] },
  });
});

it.each([
  { config: {}, expected: [] },
  { config: { checkinCadence: "wave" }, expected: ["wave 2 of unit"] },
  { config: { checkinCadence: "milestone" }, expected: ["plan of unit"] },
  {
    config: { startup: { askAtTaskStart: false, defaultProfile: "agentic_checkpoint" } },
    expected: ["wave 2 of unit"],
  },
  { config: { startup: { askAtTaskStart: false, defaultProfile: "agentic_full" } }, expected: [] },
])("autopilot asks at a cadence that was chosen, and at no other: $config", async ({ config, expected }) => {
  const { gaia, file } = await open(
    `- [ ] ${WRITE}${REVIEW}`,
    async ({ speaker: { agent } }) => {
      await writeFile(file, "written");
      return handOver(agent);
    },
    undefined,
    config,
  );
  expect(await gaia.plan("run")).toMatchObject({ ok: true, status: "finished", open: [] });
  expect(gaia.asked.map((permission) => permission.replace(/^gaia_approval: |;.*/gu, ""))).toEqual(expected);
});

it("the check-in of a step names the task behind the one that it is about", async () => {
  const { composition, gaia, file } = await open(
    `- [ ] ${WRITE}- [ ] 2. Write b.txt\n  - agent: hephaestus\n  - files: b.txt\n  - needs: 1\n`,
    async ({ sessionId, speaker: { agent } }) => {
      await writeFile(file, "written");
      const files = [{ path: "a.txt", added: 1, removed: 0 }];
      const fact = { sessionId, tool: "write", mutating: true, failed: false, files };
      (await composition.conversation()).dispatch({ type: "tool-finished", fact });
      return handOver(agent);
    },
  );
  const conversation = await composition.conversation();
  conversation.dispatch({ type: "command", change: { knob: "profile", value: "pair_live" } });
  const notes: string[] = [];
  composition.host.sessions.note = async (_id, _speaker, text) => void notes.push(text);
  expect(await gaia.plan("run")).toMatchObject({ ok: false, open: [2] });
  await conversation.outbox.flushInCall();
  expect(notes.join("\n")).toMatch(/Check-in \(step\)[^]*\nNext: 2\. Write b\.txt/u);
});

it("a check that fails no worse than before is left for the user", async () => {
  const { composition, gaia, file } = await open(
    `- [ ] ${WRITE}`,
    async ({ speaker: { agent } }) => {
      await writeFile(file, "written");
      return handOver(agent);
    },
    "exit 1",
  );
  const notes: string[] = [];
  composition.host.sessions.note = async (_id, _speaker, text) => void notes.push(text);
  expect(await gaia.plan("run")).toMatchObject({ ok: true, open: [] });
  await (await composition.conversation()).outbox.flushInCall();
  expect(notes.join("\n")).toMatch(/^Left for you: .*failing no worse than before the work: unit/mu);
});

it("a task whose command fails is told in one line, with the line that names the error", async () => {
  const task = WRITE.replace("test -s a.txt", "sh check.sh");
  const { composition, gaia } = await open(`- [ ] ${task}`, async ({ speaker: { agent } }) =>
    handOver(agent),
  );
  await writeIn(composition.host.directory, "check.sh", "seq 1 400; echo 'Error: no sum'; seq 1 5; exit 3\n");
  const { why } = await gaia.plan("run");
  expect(why).toMatch(/^Task 1 is not done after its fix round: [^\n]* · Error: no sum$/u);
});
