import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { silentLogger } from "../../src/lib/error.ts";
import { createSeal, type Seal } from "../../src/lib/seal.ts";
import { findPlanProblems } from "../../src/plan/problems.ts";
import { createWorkspace, type Workspace } from "../../src/record/workspace.ts";
import { createFakeClock } from "../support/fake-clock.ts";
import { readCases } from "../support/cases.ts";
import { openFolder } from "../support/directory.ts";

const TASK =
  "- [ ] 1. Write it\n  - wave: 1\n  - agent: hephaestus\n  - files: src/a.ts\n  - verify: npm test\n";
const BODY = `## Goal\n\nLimits.\n\n## Context\n\nOld.\n\n## Tasks\n\n${TASK}\n## Done When\n\n- [ ] npm test passes\n`;
const AGENTS = new Map([
  ["hephaestus", { mutates: true }],
  ["aether", { mutates: false }],
]);
let directory: string;
let workspace: Workspace;

const open = (where = directory, given: { seal?: Seal } = {}): Workspace =>
  createWorkspace({ directory: where, clock: createFakeClock(0), logger: silentLogger, ...given });
beforeEach(async () => {
  directory = await openFolder();
  workspace = open();
  await workspace.createWorkUnit({ slug: "limits", title: "Limits" });
  await workspace.updatePlan({ markdown: BODY });
});

const standing = async (): Promise<unknown> => {
  const plan = await workspace.planStanding();
  return plan.ok ? plan.standing : plan.error;
};
const approvals = (): string => join(directory, ".gaia/.local/approvals.json");
const path = (): string => join(directory, ".gaia/limits/plan.md");

describe("an approval", () => {
  it("is of the plan as it reads, through ticks, status and notes", async () => {
    expect(await standing()).toBe("unapproved");
    await workspace.approvePlan({ base: "abc" });
    expect(await standing()).toBe("approved");
    await workspace.updatePlan({ tick: [1], status: "in-progress" });
    await workspace.updatePlan({ section: "Context", markdown: "The API was renamed." });
    await expect(workspace.planStanding()).resolves.toMatchObject({ standing: "approved", base: "abc" });
  });

  it("does not cover another plan", async () => {
    await workspace.approvePlan({ base: null });
    await writeFile(path(), (await readFile(path(), "utf8")).replace("src/a.ts", "src/b.ts"));
    expect(await standing()).toBe("changed");
    await workspace.approvePlan({ base: null });
    expect(await standing()).toBe("approved");
  });

  it("is nothing that a text can give", async () => {
    await writeFile(path(), (await readFile(path(), "utf8")).replace("Status: draft", "Status: approved"));
    expect(await standing()).toBe("unapproved");
    await workspace.approvePlan({ base: null });
    await writeFile(approvals(), "{ broken");
    expect(await standing()).toBe("unapproved");
  });

  it("is the user's own, for this project: a repository can bring none along", async () => {
    await workspace.approvePlan({ base: null });
    const real = JSON.parse(await readFile(approvals(), "utf8")) as Record<string, { digest: string }>;
    const forged = { limits: { digest: real["limits"]?.digest, base: null } };
    for (const entry of [forged, { limits: { ...forged.limits, seal: "" } }, { limits: true }]) {
      await writeFile(approvals(), JSON.stringify(entry));
      expect(await standing()).toBe("unapproved");
    }
    // Of another plan, with another base, or copied elsewhere.
    for (const change of [{ digest: "0" }, { base: "abc" }]) {
      await writeFile(approvals(), JSON.stringify({ limits: { ...real["limits"], ...change } }));
      expect(await standing()).toBe("unapproved");
    }
    await writeFile(approvals(), JSON.stringify(real));
    expect(await standing()).toBe("approved");
    const copy = await openFolder();
    await cp(directory, copy, { recursive: true });
    expect(await open(copy).planStanding()).toMatchObject({ standing: "unapproved" });
  });

  it("outlives the process with the user's key, and without one holds until it ends", async () => {
    const sealedBy = (key: () => string): Workspace => open(directory, { seal: createSeal(key) });
    await sealedBy(() => "key").approvePlan({ base: null });
    const again = await sealedBy(() => "key").planStanding();
    const other = await sealedBy(() => "another").planStanding();
    expect([again, other]).toMatchObject([{ standing: "approved" }, { standing: "unapproved" }]);
    const unreadable = (): string => {
      throw new Error("no key");
    };
    await sealedBy(unreadable).approvePlan({ base: null });
    expect(await sealedBy(unreadable).planStanding()).toMatchObject({ standing: "approved" });
  });
});

describe("the problems of a plan", () => {
  const find = (text: string, isStrict = true) => findPlanProblems(text, { agents: AGENTS, isStrict });

  it("are none in a complete one", () => {
    expect(find(`# T\n\n${BODY}`)).toEqual({ faults: [], gaps: [] });
    const reads = BODY.replace("hephaestus", "aether").replace("  - files: src/a.ts\n", "");
    expect(find(reads)).toEqual({ faults: [], gaps: [] });
    expect(find(BODY.replace(/ {2}- wave:.*\n/, ""))).toEqual({ faults: [], gaps: [] });
  });

  const gaps = readCases<[name: string, text: string, gap: string]>("record/approvals.gaps");
  it.each(gaps)("are gaps: %s", (_name, text, gap) => {
    expect(find(text)).toEqual({ faults: [], gaps: [gap] });
  });

  it.each(readCases<[string, string[]]>("record/approvals.faults"))("are faults with %s", (agent, faults) => {
    const text = BODY.replace("hephaestus", agent);
    expect(findPlanProblems(text, { agents: AGENTS, disabled: ["hades"] })).toEqual({ faults, gaps: [] });
    expect(find(text.replace("- [ ] 1.", "- [x] 1.")).faults).toEqual([]);
  });
});

it.each([
  ["complete when all of it is done", [1], "complete"],
  ["as it was when something is open", [], "draft"],
])("an archived unit: is %s", async (_name, tick, status) => {
  await workspace.updatePlan({ tick });
  const archived = await workspace.archiveWorkUnit();
  const path = archived.ok ? archived.archived_path : archived.error;
  expect(await readFile(join(directory, path, "plan.md"), "utf8")).toContain(`> Status: ${status}`);
});

it("a spec begins as its template, grows by sections, and is a draft again after each change", async () => {
  await workspace.updateSpec({ section: "Context", markdown: "Too many requests." });
  await workspace.updateSpec({ status: "approved" });
  const spec = async (): Promise<string> => readFile(join(directory, ".gaia/limits/spec.md"), "utf8");
  expect(await spec()).toMatch(
    /^# Limits\n[^]*Status: approved[^]*## Context\n\nToo many requests\.\n\n## Functional/,
  );
  await workspace.updateSpec({ section: "Edge Cases", markdown: "- none" });
  expect(await spec()).toContain("> Status: draft");
  await expect(workspace.readWorkUnit()).resolves.toMatchObject({ content: { spec_md: await spec() } });
  await expect(workspace.updateSpec({ section: "Nonsense", markdown: "x" })).resolves.toMatchObject({
    error: expect.stringContaining('The spec has no section "Nonsense".'),
  });
});
