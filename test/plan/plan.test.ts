import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { gaiaUnify } from "../../src/commands/close-unit.ts";
import { compose, ROOT, type Composition } from "../support/composition.ts";
import { entryTexts } from "../support/entries.ts";
import { sessionOf } from "../support/fake-host.ts";
import { planCalls, type PlanCalls } from "../support/plan-calls.ts";
import { typed } from "../support/typed.ts";

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
const file = async (path: string): Promise<string> =>
  readFile(join(composition.host.directory, ".gaia", path), "utf8");
const create = async (slug: string, session = ROOT): Promise<void> => {
  expect(await gaia.plan("create_work_unit", { slug, title: slug }, session)).toMatchObject({ ok: true });
  expect(await gaia.plan("update_plan", { content: { markdown: BODY } }, session)).toMatchObject({
    ok: true,
  });
};
const refused = (error: string) => ({ ok: false, error: expect.stringContaining(error) });
const approve = async (): Promise<object> => gaia.plan("request_approval", { kind: "plan" });

/** The user writes: nothing is asked after a no before that. */
const speak = async (): Promise<void> =>
  (await composition.conversation()).dispatch({ type: "user-message", text: "Go on." });

const CHILD = "ses_child";
/** A session of the historian's, in GAIA's conversation. */
const historian = (): void => {
  const session = {
    ...sessionOf(CHILD),
    parentId: ROOT,
    metadata: { "gaia.child": { agent: "demeter", tasks: 1 } },
  };
  composition.host.stored.set(CHILD, session);
  composition.runtime.sessions.observe({ type: "session.created", session });
};

describe("a specialist", () => {
  it("only proposes learnings, as GAIA does, also by the tool", async () => {
    await open("autopilot");
    await create("one");
    historian();
    const bullets = ["pattern: one at a time"];
    expect(await gaia.plan("append_learnings", { bullets }, CHILD)).toMatchObject({ ok: true });
    expect(await entryTexts(composition.host.directory)).toContain("one at a time");
    expect(await gaia.plan("append_learnings", {}, CHILD)).toMatchObject({ ok: false });
    await gaia.plan("append_learnings", { bullets: ["pattern: two at most"] });
    expect(await entryTexts(composition.host.directory)).toContain("two at most");
    expect(await composition.runtime.knowledge.accepted()).toEqual([]);
  });
});

describe("a task that is done in each of its files", () => {
  const planFor = (files: string): string =>
    `## Goal\n\nTidy.\n\n## Tasks\n\n- [ ] 1. Tidy up\n  - agent: hephaestus\n  - files: ${files}\n  - each: file\n  - verify: true\n`;
  const write = async (path: string): Promise<void> => {
    await mkdir(join(composition.host.directory, path, ".."), { recursive: true });
    await writeFile(join(composition.host.directory, path), "");
  };

  it.each(["src/**/*.ts", "src", "src/", "src/a.ts, src/{b,in/c}.ts", "{src,lib}/**"])(
    "is written as several, with the files that %j stands for, none with secrets",
    async (files) => {
      await open("autopilot");
      for (const path of ["src/a.ts", "src/b.ts", "src/in/c.ts", "src/.env", "src/node_modules/x/y.ts"])
        await write(path);
      const made = await gaia.plan("create_work_unit", {
        slug: "one",
        title: "One",
        content: { markdown: planFor(files) },
      });
      expect(made).toMatchObject({ ok: true, tasks_total: 2, divided: "Task 1 is now tasks 1, 2." });
      const plan = await file("one/plan.md");
      expect(plan).toContain("- [ ] 1. Tidy up (1 of 2)\n  - agent: hephaestus\n  - files: src/a.ts\n");
      expect(plan).toContain(
        "- [ ] 2. Tidy up (2 of 2)\n  - agent: hephaestus\n  - files: src/b.ts, src/in/c.ts\n",
      );
      expect(await gaia.plan("update_plan", { tick: ["1"] })).toMatchObject({ ok: true, tasks_done: 1 });
      // Written again as GAIA wrote it, it is the same plan.
      expect(await gaia.plan("update_plan", { content: { markdown: planFor(files) } })).toMatchObject({
        tasks_done: 1,
      });
    },
  );

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

it("a wave by the number that the plan gives it is not closed over a tick that does not hold", async () => {
  await open("autopilot");
  await gaia.plan("create_work_unit", { slug: "one", title: "one" });
  const markdown = BODY.replace("wave: w1", "wave: 1").replace("verify: true", "verify: test -e none");
  await gaia.plan("update_plan", { content: { markdown } });
  await approve();
  await gaia.plan("open_wave", { wave_id: "w1" });
  await gaia.plan("update_plan", { tick: ["1"] });
  expect(await gaia.plan("complete_wave", { wave_id: "w1" })).toMatchObject({
    ok: false,
    error: expect.stringMatching(/^The wave stays open: what is ticked does not hold \(task 1: /),
  });
});

describe("a unit", () => {
  it("is not archived while a wave of it is open, here or in another conversation", async () => {
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

  it("that was never unified is archived when the user says so, who sees what is missing", async () => {
    await open("supervised");
    await create("one");
    await approve();
    gaia.asked.length = 0;
    gaia.answer = "no";
    expect(await gaia.plan("archive_work_unit")).toMatchObject({
      ok: false,
      error: expect.stringMatching(/^one stays open: task 1 open.*The user said no\.$/),
    });
    expect(gaia.asked).toEqual([
      expect.stringMatching(/archive of one, without \/gaia-unify, \d not proven$/),
    ]);
    // A rule of theirs is no word of theirs.
    await speak();
    gaia.answer = null;
    expect(await gaia.plan("archive_work_unit")).toMatchObject({ ok: false });
    await speak();
    gaia.answer = "yes";
    expect(await gaia.plan("archive_work_unit")).toMatchObject({ ok: true });
  });

  it("is asked about by titles without the marks of markdown, whatever a model wrote", async () => {
    await open("supervised");
    await create("one");
    await approve();
    gaia.asked.length = 0;
    gaia.answer = "no";
    await gaia.plan("open_wave", { wave_id: "x1", title: "**First** [part](https://a.b)" });
    await speak();
    await gaia.plan("request_approval", { kind: "verification", title: "feat: **x**" });
    expect(gaia.asked).toEqual([
      expect.stringContaining("wave x1 of one, First part (https://a.b)"),
      expect.stringContaining("verification of one, feat: x"),
    ]);
  });

  it("that was unified is archived without another question", async () => {
    await open("supervised");
    await create("one");
    await approve();
    gaia.asked.length = 0;
    const conversation = await composition.conversation();
    await gaiaUnify("", typed({ conversation, runtime: composition.runtime }));
    conversation.parts.planning.end();
    expect(await gaia.plan("archive_work_unit")).toMatchObject({ ok: true });
    expect(gaia.asked).toEqual([]);
  });

  it("is not kept open by a conversation that is gone", async () => {
    await open("autopilot");
    await create("one", OTHER);
    await gaia.plan("request_approval", { kind: "plan" }, OTHER);
    expect(await gaia.plan("open_wave", { wave_id: "w1" }, OTHER)).toMatchObject({ ok: true });
    expect(await gaia.plan("archive_work_unit", { slug: "one" })).toMatchObject({ ok: false });
    composition.host.stored.delete(OTHER);
    expect(await gaia.plan("archive_work_unit", { slug: "one" })).toMatchObject({ ok: true });
  });
});

describe("two conversations", () => {
  beforeEach(async () => open("supervised"));

  it("each write to their own unit, whichever is the active one", async () => {
    await create("one");
    await create("two", OTHER);
    expect(await gaia.plan("update_plan", { tick: ["1"] })).toMatchObject({ path: ".gaia/one/plan.md" });
    await gaia.plan("append_log", { content: { markdown: "- from the first" } });
    await gaia.plan("append_decisions", { content: { markdown: "| Which? | this | why | all |" } });
    await gaia.plan("append_learnings", { bullets: ["pattern: one at a time"] });
    expect(await gaia.plan("verify")).toMatchObject({ ok: false });
    expect(await file("two/plan.md")).toContain("- [ ] 1. Write");
    expect(await file("two/log.md")).not.toContain("from the first");
    expect(await file("one/log.md")).toContain("from the first");
    expect(await file("one/decisions.md")).toContain("| Which? | this | why | all |");
    expect(await composition.runtime.knowledge.all()).toMatchObject([
      { body: "one at a time", source: "one", status: "proposed" },
    ]);
    // Leaving a unit takes nothing from the other conversation.
    expect(await gaia.plan("set_active")).toMatchObject({ ok: true, slug: null });
    expect(await gaia.plan("list_work_units")).toMatchObject({ active: "two" });
    expect((await composition.conversation()).state.workUnit).toBeNull();
  });

  it("one of which is about no unit writes to none, and is told what it could take up", async () => {
    await create("one");
    for (const [op, args] of [
      ["update_plan", { tick: ["1"] }],
      ["append_log", { content: { markdown: "x" } }],
      ["append_decisions", { content: { markdown: "| a | b |" } }],
      ["write_spec", { content: { markdown: "x" } }],
      ["open_wave", { wave_id: "w1" }],
      ["complete_wave", { wave_id: "w1" }],
      ["request_approval", { kind: "plan" }],
      ["archive_work_unit", {}],
    ] as const) {
      expect(await gaia.plan(op, args, OTHER), op).toEqual({
        ok: false,
        error: "This conversation is about no work unit.",
        hint: "Pass slug, or read_work_unit to go on with the one that was active last (one).",
      });
    }
    await gaia.plan("append_learnings", { bullets: ["pattern: of nobody"] }, OTHER);
    expect(await composition.runtime.knowledge.all()).toMatchObject([{ body: "of nobody", source: "" }]);
    expect(await gaia.plan("read_work_unit", {}, OTHER)).toMatchObject({ ok: true, slug: "one" });
    expect(await gaia.plan("append_log", { content: { markdown: "- taken up" } }, OTHER)).toMatchObject({
      ok: true,
    });
  });
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
      ["update_plan", { status: "complete" }],
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

  it("says when a change ends its approval", async () => {
    await approve();
    const same = await gaia.plan("update_plan", { content: { markdown: BODY }, tick: ["1"] });
    expect(same).not.toHaveProperty("approval_ended");
    const changed = await gaia.plan("update_plan", { section: "Goal", content: { markdown: "No limits." } });
    expect(changed).toMatchObject({ ok: true, approval_ended: expect.stringContaining("request_approval") });
    expect(
      await gaia.plan("update_plan", { section: "Goal", content: { markdown: "None." } }),
    ).not.toHaveProperty("approval_ended");
  });
});

describe("a plan to which the user said no", () => {
  beforeEach(async () => {
    await open("supervised");
    await create("one");
    gaia.answer = "no";
    expect(await approve()).toMatchObject({ ok: false, error: "The user said no." });
    gaia.answer = "yes";
  });

  it.each<[string, object]>([
    ["ticked", { tick: ["1"] }],
    ["ticked in its text", { content: { markdown: BODY.replace("[ ] 1.", "[x] 1.") } }],
    ["begun", { status: "in-progress" }],
    ["completed", { status: "complete" }],
    ["ticked with other words", { section: "Goal", content: { markdown: "Few limits." }, tick: ["1"] }],
  ])("is not %s, in autopilot as little", async (_how, change) => {
    const before = await file("one/plan.md");
    for (const mode of ["supervised", "autopilot"] as const) {
      (await composition.conversation()).dispatch({ type: "command", change: { knob: "mode", value: mode } });
      expect(await gaia.plan("update_plan", change)).toMatchObject(refused("The user said no to this plan"));
    }
    expect(await file("one/plan.md")).toBe(before);
    expect(await gaia.plan("open_wave", { wave_id: "w1" })).toMatchObject({ ok: false });
    expect(await approve()).toMatchObject(refused("said no to this plan as it reads"));
  });

  it("stays refused when it is reworded, and counts again after a yes", async () => {
    expect(
      await gaia.plan("update_plan", { section: "Goal", content: { markdown: "Few limits." } }),
    ).toMatchObject({ ok: true });
    expect(await gaia.plan("update_plan", { tick: ["1"] })).toMatchObject({ ok: false });
    expect(await approve()).toMatchObject(refused("Nothing is asked now"));
    await speak();
    expect(await approve()).toMatchObject({ ok: true, by: "user" });
    expect(await gaia.plan("update_plan", { tick: ["1"], status: "in-progress" })).toMatchObject({
      ok: true,
    });
  });
});

describe("a yes", () => {
  it("is for the plan that was shown, not for what stands there when it comes", async () => {
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
});
