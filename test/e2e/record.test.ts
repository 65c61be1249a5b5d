import { entryTexts } from "../support/entries.ts";
import { readdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { call, result, say } from "../../src/scripted-model/turn.ts";
import { openProject, type Project, callAll } from "../support/project.ts";
import { childOf, delegate, done, plan, resultsOf, UNIT, write } from "./scenes.ts";

let project: Project;
afterEach(async () => project.close());

it("plan_gaia works with the repository's record when started in a package, unless that has its own", async () => {
  const definitionOfDone = { checks: [{ id: "here", command: "test -f top.txt" }] };
  project = await openProject({
    files: {
      "top.txt": "",
      ".gaia/config.jsonc": JSON.stringify({ definitionOfDone }),
      "packages/a/a.txt": "",
      "packages/b/.gaia/config.jsonc": '{ "root": true }',
    },
  });
  const { directory, model } = project;
  for (const [name, record] of [
    ["a", ".gaia"],
    ["b", "packages/b/.gaia"],
  ] as const) {
    const folder = join(directory, "packages", name);
    const inside = await openProject({ resume: { ...project, directory: folder, model } });
    model.script(
      "gaia",
      plan("create_work_unit", { slug: `in-${name}`, title: "x" }),
      plan("verify"),
      say("x"),
    );
    const outcome = await inside.prompt("gaia", "Begin");
    expect(await project.read(`${record}/in-${name}/plan.md`)).toContain("# x");
    const proof = '"passed":true';
    expect(JSON.stringify(resultsOf(outcome, "plan_gaia")[1]).includes(proof)).toBe(name === "a");
    await inside.call("POST", "/instance/dispose").catch(() => null);
  }
  expect(await readdir(join(directory, "packages/a"))).toEqual(["a.txt"]);
  expect((await readdir(join(directory, ".gaia"))).toSorted()).toEqual([".local", "config.jsonc", "in-a"]);
});

it("the historian edits the record without asking and nothing else, makes, chooses and closes no unit; what she returns is written by the plugin, once", async () => {
  project = await openProject({ files: { "a.txt": "one\n", "src/a.js": "a" } });
  project.autoAnswer(({ permission }) => (permission.startsWith("gaia_approval") ? "once" : null));
  const outside = join(dirname(project.directory), `elsewhere-${Date.now()}.md`);
  await symlink(outside, join(project.directory, ".gaia/link.md"));
  const body = "## Goal\nIt.\n\n## Tasks\n- [ ] 1. Write it\n- [ ] 2. Test it\n";
  project.model.script(
    "gaia",
    UNIT,
    plan("update_plan", { content: { markdown: body }, status: "in-progress" }),
    plan("open_wave", { wave_id: "w1" }),
    delegate("w1"),
    call("delegate_gaia", { agent: "demeter", goal: "record it" }),
    say("Done."),
  );
  project.model.always("gaia", say("Done."));
  project.model.script("hephaestus", write(project, "a.txt", "two\n"), done);
  const own = [".gaia/notes.md"];
  const others = ["src/a.js", ".gaia/link.md", ".gaia/config.jsonc", ".gaia/agents/demeter-2.md"];
  project.model.script(
    "demeter",
    callAll(
      plan("create_work_unit", { slug: "other", title: "Other" }),
      plan("set_active", {}),
      plan("archive_work_unit", {}),
      ...[".gaia/other/plan.md", ...own, ...others].map((path) => write(project, path, "changed")),
    ),
    result({
      log_entry: "hephaestus wrote a.txt.",
      decisions: [{ type: "question", question: "tabs?", answer: "no", impact: "style" }],
      learnings: ["pattern: two lines are enough"],
      plan_updates: ["tick 1"],
      session_summary: "x",
    }),
  );
  const { sessionId } = await project.prompt("gaia", "Build it");
  const { tools } = await childOf(project, sessionId, 1);
  expect(tools.slice(0, 4).map(({ output, error }) => `${output}${error}`)).toEqual([
    expect.stringContaining("create_work_unit is GAIA's alone"),
    expect.stringContaining("set_active is GAIA's alone"),
    expect.stringContaining("archive_work_unit is GAIA's alone"),
    expect.stringContaining("makes and closes no work unit"),
  ]);
  expect(tools.slice(4).map(({ status }) => status)).toEqual(["completed", ...others.map(() => "error")]);
  expect(await project.read(".gaia/notes.md")).toBe("changed");
  expect(await project.read("src/a.js")).toBe("a");
  expect(await project.git("status", "--porcelain", "-uall", "--", ":!.gaia/unit", ":!.gaia/knowledge")).toBe(
    " M a.txt\n?? .gaia/link.md\n?? .gaia/notes.md\n",
  );
  expect(await readdir(join(project.directory, ".gaia"))).not.toContain("other");
  const log = await project.until("the record", async () => {
    const text = await project.read(".gaia/unit/log.md");
    return text.includes("Recorded by demeter") && text;
  });
  expect(log).toMatch(
    /Recorded by demeter \(task_\w+\)\n\nhephaestus wrote a\.txt\.\n\n- hephaestus, completed: change it · a\.txt \+1 −1 · /,
  );
  expect(await project.read(".gaia/unit/plan.md")).toContain("- [x] 1. Write it\n- [ ] 2. Test it");
  expect(await project.read(".gaia/unit/decisions.md")).toContain("| tabs? | no |  | style |");
  expect(await entryTexts(project.directory)).toContain("two lines are enough");
  expect(await entryTexts(project.directory)).not.toContain("status: accepted");
});
