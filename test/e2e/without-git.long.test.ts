import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { call, say } from "../../src/scripted-model/turn.ts";
import { openProject, type Project } from "../support/project.ts";
import { runOpenCode } from "../support/run.ts";
import { done, notesOf, plan, planOf, reviewed, to, write } from "./scenes.ts";

let project: Project;
afterEach(async () => project.close());

const PLAN = planOf("Count.", [{ text: "Count in a.txt", files: "a.txt", verify: "grep -q 1 a.txt" }]);
const EDITS = "sed -i s/one/1/ a.txt; printf 'y\\n' >> b.txt; echo new > c.txt";

it("a commit that was asked for in a project without git is left for the user, and refused to nobody", async () => {
  project = await openProject({
    gaia: { mode: "autopilot" },
    prepare: async (directory) => rm(join(directory, ".git"), { recursive: true }),
  });
  project.model.script("hephaestus", write(project, "a.txt"), done);
  project.model.script("gaia", to("hephaestus"), plan("commit", { commit: "Add it" }), say("Done."));
  const { stderr, exitCode } = await runOpenCode(project, "gaia", "Write it and commit it", "default");
  expect(stderr).toContain("Left for you: not committed: the project is under no version control");
  expect(stderr).toMatch(/^GAIA: done/m);
  expect(exitCode).toBe(0);
});

it("a project without git has its check-in, its review, its report and undo last", async () => {
  project = await openProject({
    files: { "a.txt": "one\n", "b.txt": "x\n" },
    gaia: { mode: "autopilot" },
    prepare: async (directory) => rm(join(directory, ".git"), { recursive: true }),
  });
  const session = await project.session();
  project.model.script("hephaestus", call("bash", { command: EDITS, description: "Count" }), done);
  // They answer in words, and again where they are asked for a contract.
  for (const reviewer of ["hades", "aether"] as const) project.model.always(reviewer, reviewed(reviewer));
  project.model.always("demeter", say("Noted."));
  const unit = plan("create_work_unit", { slug: "unit", title: "Unit", content: { markdown: PLAN } });
  project.model.script("gaia", unit, plan("run", { commit: "Count" }), say("Done."));
  await project.prompt("gaia", "Count", { session });

  const notes = (await notesOf(project, session)).join("\n");
  expect(notes).toContain("Changed: 3 files (+3 −1) · a.txt +1 −1 · ");
  expect(notes).toContain("Left for you: not committed: the project is under no version control");
  expect(notes).not.toMatch(/ok: false|not done|cannot be told/);
  const brief = project.model.requestsOf("hades")[0]?.raw ?? "";
  for (const line of ["- b.txt (modified, +1 −0)", "- a.txt (modified, +1 −1)", "- c.txt (added, +1 −0)"])
    expect(brief).toContain(line);

  project.model.script("gaia", say("Undone."));
  await project.prompt("gaia", "undo last", { session });
  expect([await project.read("a.txt"), await project.read("b.txt")]).toEqual(["one\n", "x\n"]);
  await expect(project.read("c.txt")).rejects.toThrow("ENOENT");
});
