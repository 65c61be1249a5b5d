import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi, type MockInstance } from "vitest";
import type { JsonRecord } from "../../src/lib/json.ts";
import { git } from "../support/directory.ts";
import {
  FILE,
  openLanes,
  text,
  type Given,
  type LanesOptions,
  type LanesScene,
  type Work,
} from "./lanes-scene.ts";

const which = ({ folder }: Given): number => Number(/\/unit\/1\.(\d)(?:\/|$)/u.exec(folder)?.[1] ?? 0);
const byNumber = (one: number, other: number): number => one - other;
const OWN = `files: \`${FILE}\``;
const open = async (work: Work, options: LanesOptions = {}): Promise<LanesScene> =>
  openLanes(work, {
    names: ["top"],
    lines: ["candidates: 2", OWN],
    ...options,
    config: { lanes: "off", ...options.config },
  });
const bundles = async ({ top }: LanesScene): Promise<string[]> =>
  (await readdir(join(top, ".gaia/.local/lanes"))).filter((name) => name.endsWith("bundle")).toSorted();
const notes = ({ notes: told }: JsonRecord): string => (told as string[]).join("\n");
const LANDED = text({ 5: "top;" });
const finished = { ok: true, status: "finished", open: [] };
/** The second does what is asked for; the first does not. */
const second: Work = async (given) => given.edit(FILE, "line 5;", which(given) === 2 ? "top;" : "other;");
/** Both do it, each in its own way, and neither in more lines. */
const both: Work = async (given) => given.edit(FILE, "line 5;", `top ${"ab"[which(given) - 1]};`);

describe("candidates of a task", () => {
  it("work each alone; the one that passes lands, another stays in a bundle, or as it is where it cannot be taken down", async () => {
    const scene = await open(
      async (given, each) => {
        await second(given, each);
        // What one of them says of itself holds up nothing.
        if (which(given) === 1) return { ok: false, errors: ["no idea"] };
        if (which(given) === 2) return;
        // As generators of projects do.
        const own = join(given.folder, "app");
        await mkdir(own);
        await git(own, "init", "-q");
        await writeFile(join(own, "index.js"), "\n");
        await git(own, "add", "-A");
        await git(own, "commit", "-q", "-m", "Initial commit");
      },
      { lines: ["candidates: 3", OWN, "approach: by hand", "approach: by machine"] },
    );
    const report = await scene.gaia.plan("run");
    expect(report).toMatchObject({ ...finished, tasks: [expect.stringMatching(/^1 done/u)] });
    expect(scene.given.map(which).toSorted(byNumber)).toEqual([1, 2, 3]);
    expect(await scene.read()).toBe(LANDED);
    expect(await bundles(scene)).toEqual(["unit-1.1.bundle", "unit-1.2.bundle"]);
    const told = notes(report);
    expect(told).toMatch(/candidate 2 hephaestus · passes 1 · 1 file · \+1 −1\n/u);
    expect(told).toMatch(/\ncandidate 1 hephaestus · no idea · /u);
    expect(told).toMatch(
      /candidate 3 hephaestus · .*unit\/1\.3\/app is a repository with commits of its own/u,
    );
    expect(told).toMatch(/unit\/1\.3, not chosen, stays: .*take it out/u);
    const left = scene.given.find((given) => which(given) === 3)?.folder ?? "";
    expect(await readFile(join(left, FILE), "utf8")).toBe(text({ 5: "other;" }));
    const [one, two] = scene.given.toSorted((a, b) => which(a) - which(b)).map(({ prompt }) => prompt);
    expect(one).toContain("Approach: by hand");
    expect(two).toContain("Approach: by machine");
    expect(`${one}${two}`).not.toMatch(/candidate|by hand[^]*by hand|beside you/u);
    const { parts, tasks } = await scene.conversation();
    expect(parts.worktrees.describe()).toMatch(/^in worktrees, not landed: \S+\/1\.3$/u);
    // Each counts as a delegation of the unit, for budgets and bounds.
    const tries = tasks().filter(({ callId }) => /::1\.\d\.\d+$/u.test(callId));
    expect(tries.map(({ workUnit }) => workUnit)).toEqual(["unit", "unit", "unit"]);
  });

  it("are judged by the checks of before: who changes a test, or what the plan does not give to the task, does not pass", async () => {
    const test = "test/top.test.sh";
    const content = `grep -q top '${FILE}'\n`;
    const scripts = (check: string): string => JSON.stringify({ name: "x", scripts: { test: check } });
    const scene = await open(
      async (given, each) => {
        if (which(given) === 1) {
          await writeFile(join(given.folder, test), "exit 0\n");
          return second(given, each);
        }
        if (which(given) === 3) return writeFile(join(given.folder, "package.json"), scripts("true"));
        await given.edit(FILE, "line 5;", "top;\nand more;");
      },
      {
        verify: () => "npm test",
        files: { [test]: content, "package.json": scripts(`sh ${test}`) },
        lines: ["candidates: 3", OWN],
      },
    );
    const report = await scene.gaia.plan("run");
    expect(report).toMatchObject(finished);
    expect(await scene.read()).toBe(text({ 5: "top;\nand more;" }));
    expect(await scene.read(test)).toBe(content);
    expect(await scene.read("package.json")).toBe(scripts(`sh ${test}`));
    expect(notes(report)).toMatch(/candidate 1 .*it changes test\/top\.test\.sh/u);
    expect(notes(report)).toMatch(/candidate 3 hephaestus · .*it changes package\.json/u);
    expect(await bundles(scene)).toEqual(["unit-1.1.bundle", "unit-1.2.bundle", "unit-1.3.bundle"]);
  });

  it("of which none passes: nothing lands, and none is begun again", async () => {
    const scene = await open(async (given) =>
      given.edit(FILE, "line 5;", which(given) === 1 ? "a;\nb;" : "a;"),
    );
    for (let round = 0; round < 2; round += 1) {
      const report = await scene.gaia.plan("run");
      expect(report).toMatchObject({ ok: false, status: "decision", open: [1] });
      expect(report["why"]).toMatch(
        /^BLOCKED: no candidate of task 1 passes: candidate 2 .*fails.* \| candidate 1 .*unit\/1\.1 in .*unit\/1\.2 in /u,
      );
      expect(await scene.read()).toBe(text());
    }
    expect(scene.given.map(which).toSorted(byNumber)).toEqual([1, 2]);
  });

  it("that nothing tells apart are chosen from by the user: no answer takes none", async () => {
    const scene = await open(both, { mode: "supervised" });
    const told = vi.spyOn(scene.composition.host.sessions, "note");
    const isPick = (permission: string): boolean => permission.includes("candidate of unit");
    const refuse = (words?: string) => (permission: string) =>
      isPick(permission) ? (words === undefined ? "no" : { words }) : "yes";
    scene.gaia.answerTo = refuse();
    for (const words of [undefined, "no, take 1", "7"]) {
      scene.gaia.answerTo = refuse(words);
      const report = await scene.gaia.plan("run");
      expect(report).toMatchObject({ ok: false, status: "user", open: [1] });
      expect(String(report["why"])).toMatch(/Nobody chose .*\. Nothing landed/u);
      expect(await scene.read()).toBe(text());
    }
    const shown = scene.gaia.asked.find(isPick);
    expect(shown).toMatch(/, 1 for task 1 \(recommended\); for another that passes \(2\) say no/u);
    scene.gaia.answerTo = refuse(" 2 ");
    const report = await scene.gaia.plan("run");
    expect(report).toMatchObject(finished);
    expect(await scene.read()).toBe(text({ 5: "top b;" }));
    expect(scene.given).toHaveLength(2);
    expect(JSON.stringify(told.mock.calls)).toContain("Candidates of task 1, the best first");
  });

  it("that fail a check of the project do not pass, even if all of them fail it", async () => {
    const checks = [{ id: "build", command: `! grep -q top '${FILE}'` }];
    const scene = await open(both, { config: { definitionOfDone: { checks } } });
    const report = await scene.gaia.plan("run");
    expect(report).toMatchObject({ ok: false, status: "decision", open: [1] });
    expect(report["why"]).toMatch(
      /candidate 1 hephaestus · `! grep -q top .*candidate 2 hephaestus · `! grep -q top /u,
    );
    expect(await scene.read()).toBe(text());
  });

  it("land once: one whose landing a crash has cut off is taken for the task's after a restart", async () => {
    const scene = await open(both);
    const { parts } = await scene.conversation();
    parts.runs.adopt = () => {
      throw new Error("killed");
    };
    expect(await scene.gaia.plan("run")).toMatchObject({ ok: false, open: [1] });
    const landed = await scene.read();
    expect(landed).not.toBe(text());
    await scene.restart();
    expect(await scene.gaia.plan("run")).toMatchObject({
      ...finished,
      tasks: [expect.stringMatching(/^1 done/u)],
    });
    expect(await scene.read()).toBe(landed);
    expect(scene.given).toHaveLength(2);
    expect(await bundles(scene)).toEqual(["unit-1.1.bundle", "unit-1.2.bundle"]);
  });

  it("are not begun twice: a restart finds who has handed over, and who was interrupted", async () => {
    let end: MockInstance | undefined;
    const scene = await open(
      async (given, each) => {
        const { parts } = await each.conversation();
        end ??= vi.spyOn(parts.runs, "end");
        if (which(given) === 1) return second(given, each);
        // The other one ends first.
        await vi.waitFor(() => expect(end).toHaveBeenCalled(), 20_000);
        parts.runs.underWay()?.control.abort();
        return undefined;
      },
      { mode: "supervised" },
    );
    expect(await scene.gaia.plan("run")).toMatchObject({ ok: false, status: "stopped" });
    expect(await scene.read()).toBe(text());
    await scene.restart();
    scene.work = second;
    expect(await scene.gaia.plan("run")).toMatchObject(finished);
    expect(await bundles(scene)).toEqual(["unit-1.1.bundle", "unit-1.2.bundle"]);
    expect(scene.gaia.asked.filter((each) => each.includes("candidate"))).toHaveLength(1);
    expect(scene.given.map(which).toSorted(byNumber)).toEqual([1, 2, 2]);
    expect(scene.given.at(-1)?.prompt).toContain("You had begun this");
    expect(await scene.read()).toBe(LANDED);
  });
});
