import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { result } from "../../src/scripted-model/turn.ts";
import { compose, ROOT, type Composition, planCalls, type PlanCalls } from "../support/composition.ts";
import { git } from "../support/directory.ts";
import { failedTurn, turn } from "../support/fake-host.ts";
import { createRuntime } from "../support/runtime.ts";
import { CONTRACTS, handOver, turnTo } from "./contracts.ts";

const task = (number: number, text: string, agent: string, verify = ""): string =>
  `- [ ] ${number}. ${text}\n  - agent: ${agent}\n  - wave: 1\n${verify === "" ? "" : `  - verify: ${verify}\n`}`;
const planOf = (...tasks: string[]): string =>
  `## Goal\n\nA file.\n\n## Tasks\n\n${tasks.join("")}\n## Done When\n\n- it is there\n`;
const WRITE = task(1, "Write a.txt", "hephaestus", "test -s a.txt");

interface Scene {
  readonly composition: Composition;
  readonly gaia: PlanCalls;
  readonly prompts: { agent: string; session: string; text: string }[];
}

/**
 * A repository in which everyone does what they are told; reviewers judge as scripted, and approve after that. Beside a verdict
 * one may be that it `breaks`, `is cut` at a bound, or `finds` what three are to fix.
 */
async function open(plan: string, verdicts: Record<string, readonly string[]>): Promise<Scene> {
  const composition = await compose();
  const { host } = composition;
  await git(host.directory, "init", "-q");
  await git(host.directory, "commit", "-q", "--allow-empty", "-m", "Start");
  const { runtime } = await createRuntime(host, {});
  Object.assign(composition, { runtime });
  runtime.sessions.spoke(ROOT, "gaia", "a/one");
  const { conversation } = (await runtime.conversations.of(ROOT))!;
  const gaia = planCalls(composition);
  const prompts: Scene["prompts"] = [];
  const left = new Map(Object.entries(verdicts).map(([agent, list]) => [agent, [...list]]));
  host.script(async ({ speaker: { agent }, sessionId, text }) => {
    prompts.push({ agent, session: sessionId, text });
    if (agent === "hephaestus") {
      await writeFile(join(host.directory, "a.txt"), `${prompts.length}`);
      const files = [{ path: "a.txt", added: 1, removed: 0 }];
      const fact = { sessionId, tool: "write", mutating: true, failed: false, files };
      conversation.dispatch({ type: "tool-finished", fact });
    }
    const verdict = left.get(agent)?.shift() ?? "APPROVE";
    if (verdict === "breaks") return failedTurn("auth", "no key", 401);
    if (verdict === "is cut") {
      runtime.engine.cut(runtime.engine.tasks.openIn(sessionId)?.id ?? "", "5 requests are the bound");
      return new Promise(() => undefined);
    }
    if (verdict === "finds") {
      const vulnerabilities = [
        ["the lock is never freed", "a.txt:3", "high", "Take the lock twice", "hephaestus"],
        ["it leaks the key", "ci.yml:1", "critical", "Print the log", "poseidon"],
        ["it is slow", "a.txt:9", "low", "Read slowly", "artemis"],
      ].map(([issue, where, severity, testable_scenario, suggested_fix_agent]) => ({
        issue,
        where,
        severity,
        testable_scenario,
        suggested_fix_agent,
      }));
      const objects = { outcome: { verdict: "REJECT", reason: "two of them" } };
      return turn(result({ ...CONTRACTS[agent], vulnerabilities }, objects).text ?? "");
    }
    const outcome = { verdict, reason: `${verdict} of a.txt:3` };
    return handOver(agent, agent === "hephaestus" || agent === "demeter" ? {} : { outcome });
  });
  turnTo(conversation, "autopilot");
  await gaia.plan("create_work_unit", { slug: "unit", title: "Unit" });
  expect(await gaia.plan("update_plan", { content: { markdown: plan } })).toMatchObject({ ok: true });
  return { composition, gaia, prompts };
}
const who = ({ prompts }: Scene): string[] => prompts.map(({ agent }) => agent);
const REVIEW = task(2, "Review it", "hades");

it("a reviewer that is a task of the plan rejects, has it fixed by its writer, looks again, ends the run with its second no, and is asked again about other work", async () => {
  const scene = await open(planOf(WRITE, REVIEW), { hades: ["REJECT", "REJECT"] });
  const report = await scene.gaia.plan("run");
  expect(report).toMatchObject({ ok: false, status: "user", open: [2] });
  expect(report["why"]).toContain("BLOCKED");
  expect(report["tasks"]).toContainEqual(expect.stringMatching(/^2 failed, hades .*REJECT of a\.txt:3/));
  expect(who(scene).slice(0, 4)).toEqual(["hephaestus", "hades", "hephaestus", "hades"]);
  const [, first, fix, second] = scene.prompts;
  expect(first?.text).toMatch(
    /## Done When\n[^]*TASK: Review it[^]*# Noted by those who worked on it\n### Noted by hephaestus: Write[^]*\n- diff summary: written\n- notes: kept it small\n[^]*Judge in this order/,
  );
  expect(first?.text.indexOf("kept it small")).toBeLessThan(first?.text.indexOf("+1") ?? 0);
  expect(fix?.session).toBe(scene.prompts[0]?.session);
  expect(fix?.text).toContain("REJECT of a.txt:3");
  expect(second?.session).toBe(first?.session);
  expect(second?.text).toContain("Look again");
  const { conversation } = (await scene.composition.runtime.conversations.of(ROOT))!;
  // Nobody is told to do by hand what the run has done.
  expect(conversation.takeLines().join("\n")).not.toContain("one fix round");
  conversation.dispatch({ type: "user-message", text: "Try once more" });
  const more = planOf(
    WRITE.replace("[ ]", "[x]"),
    REVIEW,
    task(3, "Write a.txt anew", "hephaestus", "test -s a.txt"),
  );
  await scene.gaia.plan("update_plan", { content: { markdown: more }, replace: true });
  expect(await scene.gaia.plan("run")).toMatchObject({ ok: true, status: "finished", open: [] });
  const last = scene.prompts.findLast(({ agent }) => agent === "hades");
  expect(last?.text).toMatch(/Look again[^]*FOUND BEFORE[^]*REJECT of a\.txt:3/);
});

describe("a review of the run's own", () => {
  it("that breaks or is cut holds the plan up until all have looked", async () => {
    const scene = await open(planOf(WRITE), { hades: ["breaks", "is cut"] });
    const { conversation } = (await scene.composition.runtime.conversations.of(ROOT))!;
    for (const _how of ["breaks", "is cut"]) {
      const report = await scene.gaia.plan("run");
      expect(report).toMatchObject({ ok: false, status: "user" });
      expect(report["why"]).toMatch(/^Not reviewed by hades: /);
      // They look side by side, and end in any order.
      const verdicts = conversation.state.verdicts.toSorted((a, b) => (a.reviewer < b.reviewer ? -1 : 1));
      expect(verdicts).toMatchObject([
        { reviewer: "aether", verdict: "APPROVE" },
        { reviewer: "hades", verdict: null, standing: "open" },
      ]);
    }
    expect(await scene.gaia.plan("run")).toMatchObject({ ok: true, status: "finished" });
  });

  it("has each finding fixed by the agent that it names, and tested, once", async () => {
    const scene = await open(planOf(WRITE), { hades: ["finds"] });
    const report = await scene.gaia.plan("run");
    expect(report).toMatchObject({ ok: true, status: "finished" });
    const rounds = who(scene).filter((agent) => agent !== "aether" && agent !== "demeter");
    expect(rounds).toEqual(["hephaestus", "hades", "poseidon", "hephaestus", "artemis", "hades"]);
    const textOf = (agent: string) => scene.prompts.findLast((each) => each.agent === agent)?.text ?? "";
    expect(textOf("poseidon")).toMatch(/critical: ci\.yml:1: it leaks the key/);
    expect(textOf("poseidon")).not.toContain("the lock is never freed");
    expect(textOf("hephaestus")).toMatch(/high: a\.txt:3: the lock is never freed/);
    expect(textOf("hephaestus")).not.toContain("the key");
    expect(textOf("artemis")).toMatch(/Write a test for each[^]*Print the log[^]*Take the lock twice/);
    const { conversation } = (await scene.composition.runtime.conversations.of(ROOT))!;
    expect(await conversation.parts.workRecord.debtOf("unit")).toEqual(["a.txt:9: it is slow (hades)"]);
  });

  it("has the whole plan proven after its fix round: what that broke of an earlier wave is not finished", async () => {
    // Each turn writes its number: those of the two tasks, and then that of the fix.
    const first = task(1, "Write a.txt", "hephaestus", "grep -q [12] a.txt");
    const second = task(2, "Write a.txt anew", "hephaestus", "test -s a.txt").replace("wave: 1", "wave: 2");
    const scene = await open(planOf(first, second), { hades: ["REJECT"] });
    const report = await scene.gaia.plan("run", { commit: "Add a.txt" });
    expect(report).toMatchObject({ ok: false, status: "decision", open: [] });
    expect(report["why"]).toContain(
      "What was done does not hold any more: task 1: `grep -q [12] a.txt` fails",
    );
    expect(report["tasks"]).toEqual([
      "1 done, failed, hephaestus: written",
      expect.stringMatching(/^2 done, (?:proven|passes), hephaestus: written$/),
    ]);
    expect(who(scene).filter((agent) => agent === "hephaestus")).toHaveLength(3);
    expect(await git(scene.composition.host.directory, "log", "--oneline")).not.toContain("Add a.txt");
  });
});
