import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { PromptRequest } from "../../src/host/port.ts";
import type { JsonRecord } from "../../src/lib/json.ts";
import { result } from "../../src/scripted-model/turn.ts";
import { compose, type Composition, planCalls, type PlanCalls } from "../support/composition.ts";
import { git } from "../support/directory.ts";
import { turn, type ScriptedTurn } from "../support/fake-host.ts";
import { CONTRACTS, handOver, isReviewer, turnTo } from "./contracts.ts";

const PLAN = `## Goal

Two files.

## Tasks

- [ ] 1. Write a.txt
  - agent: hephaestus
  - wave: 1
  - files: a.txt
  - verify: test -f a.txt
- [ ] 2. Write b.txt
  - agent: hephaestus
  - wave: 1
  - files: b.txt
  - verify: test -f b.txt
- [ ] 3. Write c.txt
  - agent: hephaestus
  - wave: 2
  - files: c.txt
  - verify: test -f c.txt

## Done When

- all are there
`;

const FINISHED = { ok: true, status: "finished" };

interface Scene {
  readonly composition: Composition;
  readonly gaia: PlanCalls;
  readonly prompts: { agent: string; session: string; text: string }[];
  file(path: string): string;
}
type Worker = (request: PromptRequest, scene: Scene) => Promise<JsonRecord | null> | JsonRecord | null;

/** Everyone does what their task names, unless `work` gives another contract. */
async function open(mode: "supervised" | "autopilot", work: Worker = () => null, plan = PLAN) {
  const composition = await compose();
  turnTo(await composition.conversation(), mode);
  const gaia = planCalls(composition);
  const prompts: Scene["prompts"] = [];
  const scene: Scene = { composition, gaia, prompts, file: (path) => join(composition.host.directory, path) };
  const answer: ScriptedTurn = async (request) => {
    const { agent } = request.speaker;
    prompts.push({ agent, session: request.sessionId, text: request.text });
    const other = await work(request, scene);
    if (other !== null) {
      const { data, ...rest } = other;
      return turn(result(data as JsonRecord, rest).text ?? "");
    }
    const path = /TASK: Write (\w\.txt)/.exec(request.text)?.[1];
    if (agent === "hephaestus" && path !== undefined) await writeFile(scene.file(path), "x");
    return handOver(agent);
  };
  composition.host.script(answer);
  await gaia.plan("create_work_unit", { slug: "unit", title: "Unit" });
  expect(await gaia.plan("update_plan", { content: { markdown: plan } })).toMatchObject({ ok: true });
  return scene;
}
const approve = async ({ gaia }: Scene): Promise<void> => {
  expect(await gaia.plan("request_approval", { kind: "plan" })).toMatchObject({ ok: true });
};
const workers = ({ prompts }: Scene): string[] => prompts.map(({ agent }) => agent);

describe("plan_gaia run", () => {
  it("begins nothing of a plan that is not complete, refused, comes while the session is locked, or breaks a rule", async () => {
    const scene = await open("supervised");
    const faulty = PLAN.replace("agent: hephaestus", "agent: nobody");
    expect(await scene.gaia.plan("run", { content: { markdown: faulty } })).toMatchObject({
      ok: false,
      error: expect.stringContaining("nobody"),
    });
    expect(scene.gaia.asked).toEqual([]);
    scene.gaia.answer = "no";
    expect(await scene.gaia.plan("run", { content: { markdown: PLAN } })).toMatchObject({ ok: false });
    // The same text is not put to the user again.
    expect(await scene.gaia.plan("run")).toMatchObject({
      ok: false,
      why: expect.stringContaining("said no"),
    });
    expect(scene.gaia.asked).toHaveLength(1);
    const { composition } = scene;
    turnTo(await composition.conversation(), "locked");
    expect(await scene.gaia.plan("run", { content: { markdown: `${PLAN}\n- more\n` } })).toMatchObject({
      ok: false,
      why: "The session is locked.",
    });
    // In autopilot too, where nobody is asked.
    turnTo(await composition.conversation(), "autopilot");
    const wrong = `${PLAN}\n- more\n`.replace("files: b.txt", "files: b.txt\n  - needs: 9");
    expect(await scene.gaia.plan("run", { content: { markdown: wrong } })).toMatchObject({
      ok: false,
      error: expect.stringContaining("needs 9"),
    });
    expect(workers(scene)).toEqual([]);
  });

  it("gives up after the fix round, goes on only when the plan or the user says otherwise", async () => {
    let isHelpless = true;
    const scene = await open("autopilot", ({ text }) =>
      isHelpless && text.includes("TASK: Write c.txt") ? { data: CONTRACTS["hephaestus"] } : null,
    );
    const report = await scene.gaia.plan("run");
    expect(report).toMatchObject({ ok: false, status: "decision", open: [3] });
    expect(report["why"]).toMatch(/^Task 3 is not done after its fix round: `test -f c.txt` fails/);
    const { runs } = (await scene.composition.conversation()).parts;
    expect(runs.standstillOf("unit")).toBe(report["why"]);
    const asked = scene.prompts.length;
    expect(await scene.gaia.plan("run")).toMatchObject({
      status: "decision",
      why: "Task 3 failed after its fix round and reads as it did then.",
    });
    expect(scene.prompts).toHaveLength(asked);
    isHelpless = false;
    const changed = PLAN.replaceAll("[ ] 1.", "[x] 1.").replaceAll("[ ] 2.", "[x] 2.");
    await scene.gaia.plan("update_plan", {
      replace: true,
      content: { markdown: changed.replace("3. Write c.txt", "3. Write c.txt with more care") },
    });
    expect(await scene.gaia.plan("run")).toMatchObject(FINISHED);
    expect(runs.standstillOf("unit")).toBeNull();
    const after = scene.prompts.slice(asked).map(({ agent }) => agent);
    expect(after.filter((agent) => !isReviewer(agent))).toEqual(["hephaestus", "demeter"]);
  });

  it("begins nothing without the approvals, and stops at a plan that was changed between waves", async () => {
    const scene = await open("supervised", async ({ text }, { file }) => {
      if (!text.includes("TASK: Write b.txt")) return null;
      const path = file(".gaia/unit/plan.md");
      await writeFile(path, (await readFile(path, "utf8")).replace("Write c.txt", "Write c.txt and more"));
      return null;
    });
    scene.gaia.answer = "no";
    expect(await scene.gaia.plan("run")).toMatchObject({ ok: false });
    expect(await scene.gaia.plan("run")).toMatchObject({ ok: false, status: "user", open: [1, 2, 3] });
    const conversation = await scene.composition.conversation();
    conversation.userSpoke("message");
    scene.gaia.answer = "yes";
    await approve(scene);
    // That ends what the plan's yes would open.
    turnTo(conversation, "supervised");
    scene.gaia.answer = "no";
    expect(await scene.gaia.plan("run")).toMatchObject({ status: "user", why: "The user said no." });
    expect(scene.prompts).toEqual([]);
    conversation.userSpoke("message");
    scene.gaia.answer = "yes";
    const report = await scene.gaia.plan("run");
    expect(report).toMatchObject({ ok: false, status: "user", open: [3] });
    expect(report["why"]).toContain("has not approved the plan");
    await approve(scene);
    expect(await scene.gaia.plan("run")).toMatchObject(FINISHED);
  });

  it("stops where another branch is checked out, with the record and without it", async () => {
    const branches = new Map([
      ["b.txt", "other"],
      ["c.txt", "third"],
    ]);
    const scene = await open("autopilot", async ({ text }) => {
      const path = /TASK: Write (\w\.txt)/.exec(text)?.[1] ?? "";
      const branch = branches.get(path);
      if (branch === undefined) return null;
      branches.delete(path);
      await git(directory, "checkout", "-qB", branch);
      if (branch === "third") await rename(scene.file(".gaia/unit"), scene.file(".gaia/gone"));
      return null;
    });
    const { directory } = scene.composition.host;
    await git(directory, "init", "-q", "-b", "main");
    await git(directory, "commit", "-q", "--allow-empty", "-m", "Start");
    const report = await scene.gaia.plan("run");
    expect(report).toMatchObject({ ok: false, status: "user" });
    expect(report["why"]).toContain("it began on main, and the project is on other now.");
    expect(scene.prompts.map(({ text }) => text).join("\n")).not.toContain("TASK: Write c.txt");
    const gone = await scene.gaia.plan("run");
    expect(gone).toMatchObject({ ok: false, status: "user" });
    expect(gone["why"]).toContain("it began on other, and the project is on third now.");
    // What went on when the folder went may have written a line there.
    await rm(scene.file(".gaia/unit"), { recursive: true, force: true });
    await rename(scene.file(".gaia/gone"), scene.file(".gaia/unit"));
    expect(await scene.gaia.plan("run")).toMatchObject(FINISHED);
  });
});
