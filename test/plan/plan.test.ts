import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { compose, ROOT, type Composition, planCalls, type PlanCalls } from "../support/composition.ts";
import { sessionOf } from "../support/fake-host.ts";
import { turnTo } from "./contracts.ts";

const OTHER = "ses_other";
const BODY = `## Goal

Limits.

## Tasks

- [ ] 1. Write src/a.ts
  - wave: w1
  - agent: hephaestus
  - files: src/a.ts
  - verify: true

## Done When

- [ ] it works
`;
let composition: Composition;
let gaia: PlanCalls;

const open = async (mode: string): Promise<void> => {
  composition = await compose({ mode });
  const { runtime, host } = composition;
  host.stored.set(OTHER, sessionOf(OTHER));
  runtime.sessions.observe({ type: "session.created", session: sessionOf(OTHER) });
  runtime.sessions.spoke(OTHER, "gaia", "a/one");
  gaia = planCalls(composition);
};
const file = async (path: string) => readFile(join(composition.host.directory, ".gaia", path), "utf8");
const create = async (slug: string, session = ROOT): Promise<void> => {
  expect(await gaia.plan("create_work_unit", { slug, title: slug }, session)).toMatchObject({ ok: true });
  expect(await gaia.plan("update_plan", { content: { markdown: BODY } }, session)).toMatchObject({
    ok: true,
  });
};
const refused = (error: string) => ({ ok: false, error: expect.stringContaining(error) });
const approve = async (): Promise<object> => gaia.plan("request_approval", { kind: "plan" });

describe("a task that is done in each of its files", () => {
  const planFor = (files: string): string =>
    `## Goal\n\nTidy.\n\n## Tasks\n\n- [ ] 1. Tidy up\n  - agent: hephaestus\n  - files: ${files}\n  - each: file\n  - verify: true\n`;
  const write = async (path: string): Promise<void> => {
    await mkdir(join(composition.host.directory, path, ".."), { recursive: true });
    await writeFile(join(composition.host.directory, path), "");
  };

  it("is written as several, with the files that it stands for, none with secrets", async () => {
    await open("autopilot");
    for (const path of ["src/a.ts", "src/b.ts", "src/in/c.ts", "src/.env", "src/node_modules/x/y.ts"])
      await write(path);
    const patterns = ["src/**/*.ts", "src", "src/", "src/a.ts, src/{b,in/c}.ts", "{src,lib}/**"];
    for (const [at, files] of patterns.entries()) {
      const content = { markdown: planFor(files) };
      const made = await gaia.plan("create_work_unit", { slug: `unit-${at}`, title: files, content });
      const divided = "Task 1 is now tasks 1, 2.";
      expect(made, files).toMatchObject({ ok: true, tasks_total: 2, divided });
      const plan = await file(`unit-${at}/plan.md`);
      expect(plan).toContain("- [ ] 1. Tidy up (1 of 2)\n  - agent: hephaestus\n  - files: src/a.ts\n");
      const others = "- [ ] 2. Tidy up (2 of 2)\n  - agent: hephaestus\n  - files: src/b.ts, src/in/c.ts\n";
      expect(plan).toContain(others);
      expect(await gaia.plan("update_plan", { tick: ["1"] })).toMatchObject({ ok: true, tasks_done: 1 });
      // Written again as GAIA wrote it, it is the same plan.
      expect(await gaia.plan("update_plan", { content }), files).toMatchObject({ tasks_done: 1 });
    }
  });

  it("is refused where its files are none or too many, and nothing is written", async () => {
    await open("autopilot");
    await Promise.all(Array.from({ length: 201 }, async (_, index) => write(`many/${index}.ts`)));
    for (const [files, error] of [
      ["none/*.ts", "Task 1 is to be divided by its files, and none/*.ts matches none."],
      ["../out/*", "Task 1 is to be divided by its files, and ../out/* matches none."],
      ["many/*.ts", "Task 1 is to be divided by its files, which are more than 200."],
    ] as const) {
      const given = { slug: "one", title: "One", content: { markdown: planFor(files) } };
      expect(await gaia.plan("create_work_unit", given)).toMatchObject({ ok: false, error });
    }
    await expect(file("one/plan.md")).rejects.toThrow("ENOENT");
  });
});

it("a unit is not archived while a wave of it is open, here or in another conversation", async () => {
  await open("autopilot");
  await create("one");
  await approve();
  expect(await gaia.plan("open_wave", { wave_id: "w1" })).toMatchObject({ ok: true });
  expect(await gaia.plan("archive_work_unit")).toMatchObject({
    ok: false,
    error: "Refused: wave w1 of one is open.",
    hint: "complete_wave w1 first.",
  });
  expect(await gaia.plan("archive_work_unit", { slug: "one" }, OTHER)).toMatchObject({
    ok: false,
    error: "Refused: wave w1 of one is open in another conversation (ses_root).",
  });
  expect(await gaia.plan("complete_wave", { wave_id: "w1" })).toMatchObject({ ok: true });
  expect(await gaia.plan("archive_work_unit")).toMatchObject({ ok: true });
});

describe.each(["supervised", "autopilot"])("a plan in %s", (mode) => {
  beforeEach(async () => {
    await open(mode);
    await create("one");
  });

  it("without a task is never put to anybody", async () => {
    const prose = "## Goal\n\nLimits.\n\n## Tasks\n\nWe write it, then we test it.\n";
    await gaia.plan("update_plan", { content: { markdown: prose }, replace: true });
    expect(await approve()).toMatchObject({
      ok: false,
      error: expect.stringContaining("holds no task"),
      hint: expect.stringContaining("- [ ] 1."),
    });
    expect(gaia.asked).toEqual([]);
  });

  it("that is not in the grammar is answered with every error, and nothing of it is written or done", async () => {
    const wrong = BODY.replace("- [ ] 1. Write", "* [ ] Write").replace(
      "files: src/a.ts",
      "files: src/a.ts (new)",
    );
    const told = "line 7: a task is `- [ ] 1. title`. Write: - [ ] 1. Write src/a.ts\nline 10: ";
    const before = await file("one/plan.md");
    expect(await gaia.plan("update_plan", { content: { markdown: wrong } })).toMatchObject({
      ok: false,
      error: expect.stringContaining(told),
    });
    expect(await file("one/plan.md")).toBe(before);
    // What a person wrote stays as it is, and holds everything up that the plan is for.
    const theirs = before.replace("- [ ] 1. Write", "* [ ] Write");
    await writeFile(join(composition.host.directory, ".gaia/one/plan.md"), theirs);
    for (const [op, more] of [
      ["request_approval", { kind: "plan" }],
      ["open_wave", { wave_id: "w1" }],
      ["run", {}],
      ["commit", { commit: "x" }],
      ["archive_work_unit", {}],
      ["update_plan", { tick: ["1"] }],
    ] as const)
      expect(JSON.stringify(await gaia.plan(op, { ...more, slug: "one" }))).toContain(
        "Write: - [ ] 1. Write",
      );
    expect(await gaia.plan("read_work_unit", {})).toMatchObject({
      tasks: [],
      problem: expect.stringContaining("Write: - [ ] 1. Write src/a.ts"),
    });
    expect(gaia.asked).toEqual([]);
    expect(await file("one/plan.md")).toBe(theirs);
  });
});

it("a plan to which the user said no is neither ticked nor begun, in autopilot as little", async () => {
  await open("supervised");
  await create("one");
  gaia.answer = "no";
  expect(await approve()).toMatchObject({ ok: false, error: "The user said no." });
  gaia.answer = "yes";
  const before = await file("one/plan.md");
  for (const mode of ["supervised", "autopilot"] as const) {
    turnTo(await composition.conversation(), mode);
    for (const change of [
      { tick: ["1"] },
      { content: { markdown: BODY.replace("[ ] 1.", "[x] 1.") } },
      { status: "in-progress" },
      { section: "Goal", content: { markdown: "Few limits." }, tick: ["1"] },
    ])
      expect(await gaia.plan("update_plan", change)).toMatchObject(refused("The user said no to this plan"));
  }
  expect(await file("one/plan.md")).toBe(before);
  expect(await gaia.plan("open_wave", { wave_id: "w1" })).toMatchObject({ ok: false });
  expect(await approve()).toMatchObject(refused("said no to this plan as it reads"));
});

it("a yes is for the plan that was shown, not for what stands there when it comes", async () => {
  await open("supervised");
  await create("one");
  const { workspace } = composition.runtime;
  const shown = await workspace.planStanding({ slug: "one" });
  if (!shown.ok) throw new Error(shown.error);
  await gaia.plan("update_plan", { section: "Goal", content: { markdown: "Something else." } });
  expect(await workspace.approvePlan({ slug: "one", base: null, shown: shown.plan_md })).toMatchObject(
    refused("changed while the user looked"),
  );
  expect(await workspace.planStanding({ slug: "one" })).toMatchObject({ standing: "unapproved" });
});
