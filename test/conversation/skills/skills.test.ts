import { isAbsolute, join } from "node:path";
import { describe, expect, it } from "vitest";
import { READ, Scene } from "../rules/scene.ts";

const TESTS = ".opencode/skills/test-writing/SKILL.md";
const SQL = ".claude/skills/schema/SKILL.md";
const STEPS = "1. Name the behaviour.\n2. See it fail.";

/** A project with two skills: one of the configuration's, one that says itself what it is for. */
async function open(more: Record<string, string> = {}, options: object = {}): Promise<Scene> {
  const files: Record<string, string> = {
    [TESTS]: `---\nname: test-writing\ndescription: how tests are written here\n---\n${STEPS}`,
    [SQL]:
      "---\nname: schema\ndescription: how the schema changes\ntriggers: [schema.sql, db/**]\n---\nWrite both ways.",
    ...more,
  };
  const skills = [{ files: "**/*.test.ts", skill: "test-writing" }];
  const scene = await Scene.open(files, { skills, ...options });
  find(scene, ...Object.keys(files).filter((path) => path.endsWith("SKILL.md")));
  return scene;
}

/** What OpenCode lists from now on. */
function find(scene: Scene, ...paths: string[]): void {
  const { host } = scene;
  host.found = paths.map((path) => ({
    name: path.split("/").at(-2) ?? "",
    about: `about ${path.split("/").at(-2) ?? ""}`,
    location: isAbsolute(path) ? path : join(host.project, path),
  }));
  host.found.push({ name: "customize-opencode", about: "its own", location: "<built-in>" });
}

describe("a specialist is given", () => {
  it("the whole skill with the file that it is for, once in a session", async () => {
    const scene = await open();
    const { session } = await scene.begin("hephaestus", "TASK: Build it");
    expect(await scene.read(session, "src/a.ts")).toBe(READ);
    const told = await scene.read(session, "src/a.test.ts");
    expect(told.startsWith(`${READ}\n\n<gaia-skills>\n`)).toBe(true);
    expect(told).toContain(`## test-writing (${TESTS})\n${STEPS}\n</gaia-skills>`);
    expect(told).not.toContain("description:");
    expect(await scene.read(session, "src/a.test.ts")).toBe(READ);
    expect(await scene.read(session, "src/b.test.ts")).toBe(READ);
    const other = await scene.begin("artemis", "TASK: Test it");
    expect(await scene.read(other.session, "src/b.test.ts")).toContain(STEPS);
  });

  it("those that its task names, behind the task, and not again when it goes on", async () => {
    const scene = await open();
    const aids = { skills: ["schema", "nobody-has-it"] };
    const { sent, session } = await scene.begin("hephaestus", "TASK: Build it", { aids });
    expect(sent).toMatch(/TASK: Build it[^]*## schema \(\.claude\/skills\/schema\/SKILL\.md\)\\nWrite both/);
    expect(await scene.read(session, "db/a.ts")).toBe(READ);
    const again = await scene.begin("hephaestus", "TASK: more", { aids, resume: session });
    expect(again.sent).not.toContain("gaia-skills");
  });
});

describe("skills", () => {
  it("reach a specialist only as far as its toolbox goes", async () => {
    const scene = await open({}, { agents: { artemis: { toolbox: { skills: ["test-*"] } } } });
    const { session } = await scene.begin("artemis", "TASK: Test it");
    expect(await scene.read(session, "db/a.ts")).toBe(READ);
    expect(await scene.read(session, "src/a.test.ts")).toContain(STEPS);
  });

  it("that the configuration names and nobody finds are told once", async () => {
    const scene = await open({}, { skills: [{ files: ["a.ts"], skill: "nowhere" }] });
    const { session } = await scene.begin("hephaestus", "TASK: Build it");
    await scene.read(session, "a.ts");
    await scene.begin("hephaestus", "TASK: Build it");
    expect(scene.host.toasts.join()).toContain("names nowhere, which OpenCode does not find");
    expect(scene.host.toasts.filter((text) => text.includes("nowhere"))).toHaveLength(1);
  });
});
