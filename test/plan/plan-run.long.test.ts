import { existsSync } from "node:fs";
import { readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { PromptRequest } from "../../src/host/port.ts";
import type { JsonRecord } from "../../src/lib/json.ts";
import { examination } from "../../src/policy/examination.ts";
import { result } from "../../src/scripted-model/turn.ts";
import { compose, ROOT, type Composition } from "../support/composition.ts";
import { git } from "../support/directory.ts";
import { sessionOf, turn, type ScriptedTurn } from "../support/fake-host.ts";
import { planCalls, type PlanCalls } from "../support/plan-calls.ts";
import { createRuntime } from "../support/runtime.ts";
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
async function open(
  mode: "supervised" | "autopilot",
  work: Worker = () => null,
  plan = PLAN,
): Promise<Scene> {
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
/** What was sent for a task first; who works side by side comes in any order. */
const firstFor = ({ prompts }: Scene, name: string): string =>
  prompts.find(({ text }) => text.includes(`TASK: Write ${name}`))?.text ?? "";
/** How a wave of the unit ended. */
const waveIn = async ({ runtime }: Composition, id: string): Promise<string | null | undefined> => {
  const known = await runtime.workspace.readWaves({ slug: "unit" });
  return known.ok ? known.waves.find((wave) => wave.id === id)?.end : undefined;
};
const workers = ({ prompts }: Scene): string[] => prompts.map(({ agent }) => agent);

describe("plan_gaia run", () => {
  it("carries out an approved plan: briefs, waves, ticks, proof, record", async () => {
    const scene = await open("supervised");
    await approve(scene);
    const report = await scene.gaia.plan("run");
    expect(report).toMatchObject({ ...FINISHED, open: [] });
    expect(report["tasks"]).toEqual([
      "1 done, proven, hephaestus: written",
      "2 done, proven, hephaestus: written",
      "3 done, proven, hephaestus: written",
    ]);
    expect(workers(scene).slice(0, 3)).toEqual(["hephaestus", "hephaestus", "hephaestus"]);
    // What changed is shown to reviewers where no version control tells it, too.
    expect(workers(scene).slice(3).toSorted()).toEqual(["aether", "demeter", "hades"]);
    expect(scene.prompts.find(({ agent }) => agent === "hades")?.text).toContain("c.txt");
    const plan = await readFile(scene.file(".gaia/unit/plan.md"), "utf8");
    expect(plan.match(/- \[x\]/g)).toHaveLength(3);
    expect(scene.gaia.asked.map((name) => name.replace(/^gaia_approval: /, ""))).toEqual([
      expect.stringContaining("plan of unit"),
      expect.stringContaining("wave 2 of unit"),
    ]);
    expect(await readFile(scene.file(".gaia/unit/log.md"), "utf8")).toContain("it was done");
    expect(existsSync(scene.file("c.txt"))).toBe(true);
    const first = firstFor(scene, "a.txt");
    expect(first).toContain("## Goal\nTwo files.");
    expect(first).toContain("Its files: a.txt\nNot there yet: a.txt");
    expect(first).toContain("`test -f a.txt`");
    expect(first).toContain("Repair what others work on beside you:\n- 2. Write b.txt (b.txt)");
    expect(first).toContain("all are there");
  });

  it("hands a question of a specialist on, asks before its next wave what was taken for granted, once, and goes on", async () => {
    const assumptions = [
      { text: "the text is x", confidence: 0.4 },
      { text: "the name is free", confidence: 0.9 },
    ];
    let isUnclear = true;
    const scene = await open("autopilot", async ({ speaker, text }, { file }) => {
      if (speaker.agent !== "hephaestus" || !text.includes("TASK: Write a.txt")) return null;
      const questions = ["Which a should I write?"];
      if (isUnclear) return { data: CONTRACTS["hephaestus"], ok: false, errors: ["unclear"], questions };
      await writeFile(file("a.txt"), "x");
      return { data: CONTRACTS["hephaestus"], assumptions };
    });
    expect(await scene.gaia.plan("run")).toMatchObject({
      status: "user",
      why: "Task 1, hephaestus asks: Which a should I write?",
    });
    (await scene.composition.conversation()).userSpoke("message");
    isUnclear = false;
    const halted = await scene.gaia.plan("run");
    expect(halted).toMatchObject({
      status: "user",
      why: "Taken for granted, and not confirmed by the user: the text is x (hephaestus, 0.4)",
      next: expect.stringContaining('call question with header "Assumptions"'),
    });
    expect(existsSync(scene.file("c.txt"))).toBe(false);
    expect(await scene.gaia.plan("run")).toMatchObject(FINISHED);
  });

  it("sends nobody back to fix what cannot be ticked, says why, and goes on once it can", async () => {
    const scene = await open("autopilot");
    const { workspace } = scene.composition.runtime;
    const error = "The record cannot be written: permission is denied.";
    const update = workspace.updatePlan.bind(workspace);
    const isTick = vi.spyOn(workspace, "updatePlan");
    isTick.mockImplementation(async (change) =>
      change.tick === undefined ? update(change) : { ok: false, error, hint: "Nothing was written." },
    );
    expect(await scene.gaia.plan("run")).toMatchObject({
      status: "user",
      why: `The work of task 1, 2 is there, but the plan cannot be ticked: ${error}`,
    });
    expect(workers(scene)).toEqual(["hephaestus", "hephaestus"]);
    isTick.mockRestore();
    expect(await scene.gaia.plan("run")).toMatchObject(FINISHED);
  });

  it("shows them their files, but for what is large, binary, secret or elsewhere, and ticks no other task than theirs", async () => {
    const names = ["a.txt", "gone.txt", "large.txt", "image.bin", ".env", "key.txt", "link.txt"];
    const plan = PLAN.replace("files: a.txt", `files: ${names.join(", ")}`);
    const change: Worker = async (request, { file }) => {
      if (!request.text.includes("TASK: Write a.txt")) return null;
      const path = file(".gaia/unit/plan.md");
      await writeFile(path, (await readFile(path, "utf8")).replace("1. Write a.txt", "1. Write another"));
      return null;
    };
    const scene = await open("autopilot", change, plan);
    const secret = `sk-proj-${"abcdEFGH1234".repeat(4)}`;
    await writeFile(scene.file("a.txt"), "  first ```line``` of a\n");
    await writeFile(scene.file("large.txt"), "large ".repeat(4_000));
    await writeFile(scene.file("image.bin"), "image\0");
    await writeFile(scene.file(".env"), "PLAIN=setting\n");
    await writeFile(scene.file("key.txt"), `const key = "${secret}";\n`);
    await writeFile(scene.file("../out.txt"), "elsewhere\n");
    await symlink("../out.txt", scene.file("link.txt"));
    const report = await scene.gaia.plan("run");
    const text = firstFor(scene, "a.txt");
    expect(text).toContain(
      "They read now, so that you need not read them again:\na.txt\n````\n  first ```line``` of a\n````",
    );
    for (const hidden of ["large large", "image\0", "hidden-value", secret, "elsewhere"])
      expect(text).not.toContain(hidden);
    expect(report).toMatchObject({ ok: false, status: "decision", open: [1, 3] });
    expect(report["why"]).toBe("Task 1 is not done: The plan was changed while it was worked on.");
    expect(report["tasks"]).toContainEqual(
      expect.stringMatching(/^1 broken, .*while it was worked on\. It said: written$/),
    );
    // The one who worked on it is not asked to fix that.
    expect(workers(scene)).toEqual(["hephaestus", "hephaestus"]);
    expect(await readFile(scene.file(".gaia/unit/plan.md"), "utf8")).toContain("- [ ] 1. Write another");
  });

  it("takes a new plan along, has it approved and carries it out in one call, and writes no second under its question", async () => {
    const scene = await open("supervised");
    const plan = PLAN.replace("- all are there", "- `test -f c.txt`");
    const [first, second] = await Promise.all(
      ["the first", "the second"].map(async (words) =>
        scene.gaia.plan("run", {
          slug: "other",
          title: "Another",
          content: { markdown: `${plan}- ${words} is written\n` },
        }),
      ),
    );
    expect(first).toMatchObject({ ok: true, status: "finished", unit: "other" });
    expect(second).toMatchObject({ ok: false, error: expect.stringContaining("being prepared") });
    expect(scene.gaia.asked[0]).toContain("plan of other");
    const written = await readFile(scene.file(".gaia/other/plan.md"), "utf8");
    expect(written).toContain("# Another");
    expect(written).toContain("the first is written");
  });

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

  it("tells them what was found out for the unit, before it was made and in a session before", async () => {
    const scene = await open("autopilot");
    const { composition, gaia } = scene;
    const found = {
      answer: "It.",
      repo_map: "src: code",
      vcs_type: "git",
      plan: [],
      risk_list: ["no tests"],
      suggested_agents: [],
    };
    composition.host.script(turn(result(found).text ?? ""));
    await gaia.plan("set_active");
    await gaia.delegate({ agent: "minerva", goal: "look around" });
    await gaia.plan("set_active", { slug: "unit" });
    const log = async (): Promise<string> => readFile(scene.file(".gaia/unit/log.md"), "utf8");
    // Locked, nothing is written, and it waits.
    const { conversation } = (await composition.runtime.conversations.of(ROOT))!;
    turnTo(conversation, "locked");
    await gaia.delegate({ agent: "minerva", goal: "look while locked" });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await log()).not.toContain("look while locked");
    turnTo(conversation, "autopilot");
    await expect.poll(log).toContain("Recon by minerva: look while locked");
    await expect
      .poll(log)
      .toMatch(/— Recon by minerva: look around\n\n- answer: It\.\n- repo map: src: code\n/);
    const { runtime } = await createRuntime(composition.host, {});
    Object.assign(composition, { runtime });
    const other = "ses_other";
    composition.host.stored.set(other, sessionOf(other));
    runtime.sessions.spoke(other, "gaia", "a/one");
    turnTo((await runtime.conversations.of(other))!.conversation, "autopilot");
    composition.host.script((request) => {
      scene.prompts.push({ agent: request.speaker.agent, session: request.sessionId, text: request.text });
      return handOver("hephaestus");
    });
    await planCalls(composition).plan("run", { slug: "unit", to: "1" }, other);
    expect(scene.prompts[0]?.text).toMatch(
      /# Found out for it\n### Recon by minerva: look around\n- answer: It\.\n- repo map: src: code\n- risk list: no tests/,
    );
  });

  it("sends a task whose proof fails back once, and ends its last wave while the historian still writes", async () => {
    let tries = 0;
    const scene = await open("autopilot", async ({ speaker: { agent }, text }, { composition }) => {
      if (agent === "demeter")
        await expect.poll(async () => waveIn(composition, "2"), { timeout: 30_000 }).toBe("complete");
      if (!text.includes("TASK: Write c.txt")) return null;
      tries += 1;
      return tries === 1 ? { data: CONTRACTS["hephaestus"] } : null;
    });
    const report = await scene.gaia.plan("run", { commit: true });
    expect(report).toMatchObject(FINISHED);
    expect(report["notes"]).toContain("recorded");
    expect(report["notes"]).toContain("revision: none, the project is under no version control");
    const about = scene.prompts.filter(({ text }) => text.includes("TASK: Write c.txt"));
    expect(about).toHaveLength(2);
    expect(about[0]?.session).toBe(about[1]?.session);
    expect(about[1]?.text).toContain("`test -f c.txt` fails (exit code 1)");
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

  it("takes nobody's word for a revision: the host makes it, and none where nothing is uncommitted", async () => {
    const scene = await open("autopilot", async ({ speaker: { agent }, text }, { composition, file }) => {
      if (agent !== "hephaestus") return null;
      const path = file(/Write (\w\.txt)/.exec(text)?.[1] ?? "");
      const { ownWork } = (await composition.runtime.conversations.of(ROOT))!.conversation.parts;
      const call = { callId: `write ${path}`, examination: examination("project", "", { writes: [path] }) };
      await ownWork.begins(call.callId, call.examination, true, false);
      await writeFile(path, "x");
      await ownWork.ends({ ...call, what: "write", told: [] });
      return { data: { ...CONTRACTS["hephaestus"], revision_ids: ["abc"] } };
    });
    const { directory } = scene.composition.host;
    await git(directory, "init", "-q");
    await git(directory, "config", "user.name", "T");
    await git(directory, "config", "user.email", "t@example.com");
    await git(directory, "commit", "-q", "--allow-empty", "-m", "Start");
    const { runtime } = await createRuntime(scene.composition.host, {});
    Object.assign(scene.composition, { runtime });
    runtime.sessions.spoke(ROOT, "gaia", "a/one");
    const gaia = planCalls(scene.composition);
    const made = await gaia.plan("run", { slug: "unit", commit: true });
    expect(made).toMatchObject(FINISHED);
    const head = (await git(directory, "rev-parse", "HEAD")).trim();
    expect(made["notes"]).toContainEqual(`revision: ${head}`);
    const again = await gaia.plan("run", { slug: "unit", commit: true });
    expect(again).toMatchObject({ ok: true, status: "finished", open: [], tasks: [] });
    expect(again["notes"]).toEqual(["revision: none, nothing is uncommitted"]);
    expect((await git(directory, "rev-parse", "HEAD")).trim()).toBe(head);
  }, 60_000);

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

  it("hands on what somebody says who gives no contract, and judges by the plan's own commands what they made", async () => {
    const scene = await open("autopilot");
    scene.composition.host.script(async () => turn("It is all done, and the clock was wrong."));
    const report = await scene.gaia.plan("run");
    expect(report["tasks"]).toContainEqual(
      expect.stringMatching(
        /^1 failed, .*: `test -f a\.txt` fails .* It said: It is all done, and the clock was wrong\.$/,
      ),
    );
    (await scene.composition.conversation()).userSpoke("go-on");
    scene.composition.host.script(async ({ text, speaker: { agent } }) => {
      if (isReviewer(agent)) return handOver(agent);
      const path = /TASK: Write (\w\.txt)/.exec(text)?.[1];
      if (path !== undefined) await writeFile(scene.file(path), "x");
      return turn("Which one should I write?");
    });
    const made = await scene.gaia.plan("run");
    expect(made).toMatchObject({ ...FINISHED, open: [] });
    expect(made["tasks"]).toEqual(
      [1, 2, 3].map((number) => `${number} done, proven, hephaestus: Which one should I write?`),
    );
  });

  it("stops after the wave it was asked for, and proves what is ticked before it says that it is finished", async () => {
    const scene = await open("autopilot");
    expect(await scene.gaia.plan("run", { to: "9" })).toMatchObject({ ok: false, hint: "Its waves: 1, 2." });
    expect(await scene.gaia.plan("run", { to: "1" })).toMatchObject({ ok: true, open: [3] });
    const before = scene.prompts.length;
    expect(await scene.gaia.plan("run", { to: "1" })).toMatchObject({ ok: true, open: [3], tasks: [] });
    expect(scene.prompts).toHaveLength(before);
    const path = scene.file(".gaia/unit/plan.md");
    await writeFile(path, (await readFile(path, "utf8")).replace("[ ] 3.", "[x] 3."));
    const report = await scene.gaia.plan("run");
    expect(report).toMatchObject({ ok: false, status: "decision", tasks: [] });
    expect(report["why"]).toContain("What was done does not hold any more: task 3");
    await writeFile(scene.file("c.txt"), "x");
    expect(await scene.gaia.plan("run")).toMatchObject({ ok: true, status: "finished", tasks: [] });
  });

  it("goes no further where the wave it was asked for is gone from the plan meanwhile", async () => {
    const scene = await open("autopilot", async ({ text }, { file }) => {
      if (!text.includes("TASK: Write b.txt")) return null;
      const plan = await readFile(file(".gaia/unit/plan.md"), "utf8");
      await writeFile(file(".gaia/unit/plan.md"), plan.replace("- wave: 2", "- wave: 3"));
      return null;
    });
    expect(await scene.gaia.plan("run", { to: "2" })).toMatchObject({
      status: "decision",
      why: "The plan of unit was changed and has no wave 2 any more.",
      open: [3],
    });
  });

  it("goes on after a restart where it stopped, in the session that was interrupted", async () => {
    const scene = await open("autopilot");
    let interrupted = "";
    const { host } = scene.composition;
    const before = scene.prompts;
    const hanging = new Promise<never>(() => undefined);
    host.script(async (request) => {
      if (!request.text.includes("TASK: Write c.txt")) {
        const path = /TASK: Write (\w\.txt)/.exec(request.text)?.[1];
        if (path !== undefined) await writeFile(scene.file(path), "x");
        return handOver("hephaestus");
      }
      interrupted = request.sessionId;
      return hanging;
    });
    void scene.gaia.plan("run");
    await expect.poll(() => interrupted, { timeout: 60_000 }).not.toBe("");
    await new Promise((resolve) => setTimeout(resolve, 600));
    const { runtime } = await createRuntime(host, {});
    Object.assign(scene.composition, { runtime });
    runtime.sessions.spoke(ROOT, "gaia", "a/one");
    const texts: string[] = [];
    host.script(async (request) => {
      texts.push(`${request.sessionId}: ${request.text}`);
      await writeFile(scene.file("c.txt"), "x");
      return handOver(request.speaker.agent);
    });
    const gaia = planCalls(scene.composition);
    expect(await gaia.plan("run", { slug: "unit" })).toMatchObject({ ...FINISHED, open: [] });
    expect(texts[0]).toContain(interrupted);
    expect(texts[0]).toContain("You had begun this and were interrupted.");
    expect(before).toEqual([]);
  });
});
