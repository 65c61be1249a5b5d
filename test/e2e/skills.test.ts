import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { messagesOf } from "../../src/scripted-model/request.ts";
import { call, result, say, type Turn } from "../../src/scripted-model/turn.ts";
import { openProject, type Project } from "../support/project.ts";
import { lastText } from "../support/scripted-model.ts";
import { HEPHAESTUS_DONE } from "./collaboration-scenes.ts";
import { reviewed } from "./gates-scenes.ts";

const STEPS = "1. Name the behaviour. 2. See it fail.";

let project: Project;
beforeAll(async () => {
  project = await openProject({
    files: {
      ".opencode/skills/test-writing/SKILL.md": `---\nname: test-writing\ndescription: how tests are written here\n---\n${STEPS}\n`,
      ".claude/skills/schema/SKILL.md":
        "---\nname: schema\ndescription: how the schema changes\ntriggers: [schema.sql]\n---\nWrite both ways.\n",
      "a.test.js": "it();\n",
      "b.test.js": "it();\n",
      "src/a.js": "a\n",
      "db/schema.sql": "-- none\n",
    },
    gaia: { mode: "autopilot", skills: [{ files: "*.test.js", skill: "test-writing" }] },
  });
});
afterAll(async () => project.close());

const read = (path: string): Turn => call("read", { filePath: `${project.directory}/${path}` });

/** What the calls of an agent's last conversation gave it. */
function outputsOf(agent: string): string[] {
  return messagesOf(project.model.requestsOf(agent).at(-1)?.body ?? {})
    .filter(({ role }) => role === "tool")
    .map(({ content }) => JSON.stringify(content));
}

describe("skills by what the work touches", () => {
  it("are found by OpenCode, and given whole with the file, once, and by a line with an edit", async () => {
    project.model.script(
      "gaia",
      call("delegate_gaia", { agent: "hephaestus", prompt: "TASK: tests" }),
      say("Done."),
    );
    project.model.script(
      "hephaestus",
      read("src/a.js"),
      read("a.test.js"),
      read("b.test.js"),
      call("write", { filePath: `${project.directory}/new/schema.sql`, content: "-- one\n" }),
      read("db/schema.sql"),
      result(HEPHAESTUS_DONE),
    );
    await project.prompt("gaia", "Write the tests");
    const [plain, first, second, line, whole] = outputsOf("hephaestus");
    expect(plain).not.toContain("gaia-skills");
    expect(first).toContain(`## test-writing (.opencode/skills/test-writing/SKILL.md)\\n${STEPS}`);
    expect(second).not.toContain("gaia-skills");
    expect(line).toContain("For this file there is the skill schema (.claude/skills/schema/SKILL.md)");
    expect(line).not.toContain("Write both ways.");
    expect(whole).toContain("Write both ways.");
  });

  it("are nothing to a native agent, whose calls give what they gave", async () => {
    project.model.script("native", read("a.test.js"), say("Read."));
    await project.prompt("build", "Read it");
    expect(outputsOf("native")).toHaveLength(1);
    expect(outputsOf("native")[0]).not.toContain("gaia-skills");
  });

  it("that a plan names are passed on by its run; unknown ones are a gap that is told before it", async () => {
    const plan = (skill: string): string =>
      `## Goal\nOne.\n\n## Tasks\n### Wave 1: one\n- [ ] write it\n  - agent: hephaestus\n  - files: c.test.js\n  - verify: test -f c.test.js\n  - skills: ${skill}\n\n## Done When\n- it is there\n`;
    const run = (skill: string): Turn =>
      call("plan_gaia", { op: "run", slug: "one", title: "One", content: { markdown: plan(skill) } });
    project.model.script("gaia", run("test-writng"), run("test-writing"), say("Done."));
    project.model.script(
      "hephaestus",
      call("write", { filePath: `${project.directory}/c.test.js`, content: "it();\n" }),
      result(HEPHAESTUS_DONE),
    );
    for (const judge of ["aether", "hades"] as const) project.model.always(judge, reviewed(judge));
    project.model.always("demeter", say("Nothing to record."));
    const from = project.model.requestsOf("hephaestus").length;
    await project.prompt("gaia", "Carry it out");
    const [refused] = outputsOf("gaia");
    expect(refused).toMatch(/task 1: there is no skill[^]*test-writng[^]*did you mean[^]*test-writing/);
    const request = project.model.requestsOf("hephaestus")[from];
    expect(request && lastText(request, "user")).toMatch(
      /skills: test-writing\n[^]*TASK: write it[^]*## test-writing [^]*See it fail/,
    );
    expect(outputsOf("hephaestus").join()).not.toContain("gaia-skills");
  });
});
