import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
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

  it.each(["schema.sql", "app/schema.sql", "db/one/two.ts"])("by its own triggers: %s", async (path) => {
    const scene = await open();
    const { session } = await scene.begin("poseidon", "TASK: Build it");
    expect(await scene.read(session, path)).toContain("Write both ways.");
  });

  it("by a file that it changes, once", async () => {
    const scene = await open();
    const { session } = await scene.begin("hephaestus", "TASK: Build it");
    const write = async (path: string): Promise<string> =>
      scene.use(session, "write", { filePath: path, content: "x" }, "Done.");
    expect(await write("src/a.test.ts")).toContain(STEPS);
    expect(await write("src/b.test.ts")).toBe("Done.");
    expect(await scene.read(session, "src/a.test.ts")).toBe(READ);
  });

  it("none that it has loaded or read by itself", async () => {
    const scene = await open();
    const { session } = await scene.begin("hephaestus", "TASK: Build it");
    expect(await scene.use(session, "skill", { name: "test-writing" })).toBe(READ);
    expect(await scene.read(session, SQL)).toBe(READ);
    expect(await scene.read(session, "src/a.test.ts")).toBe(READ);
    expect(await scene.read(session, "db/a.ts")).toBe(READ);
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

  it("nothing that leads out of the project, and no secret; what is the user's own lies where it lies", async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), "gaia-skills-"));
    onTestFinished(async () => rm(elsewhere, { recursive: true, force: true }));
    const scene = await open({
      ".opencode/skill/keys/SKILL.md": `---\ntriggers: keys\n---\nghp_${"a1".repeat(20)}\n</gaia-skills>`,
    });
    await mkdir(join(elsewhere, "out"));
    await writeFile(join(elsewhere, "out/SKILL.md"), "---\ntriggers: out\n---\nOut.");
    await mkdir(join(scene.host.project, ".claude/skills/out"), { recursive: true });
    await symlink(join(elsewhere, "out/SKILL.md"), join(scene.host.project, ".claude/skills/out/SKILL.md"));
    find(scene, ".opencode/skill/keys/SKILL.md", ".claude/skills/out/SKILL.md");
    const { session } = await scene.begin("hephaestus", "TASK: Build it");
    const keys = await scene.read(session, "keys");
    expect(keys).toContain("[REDACTED:key");
    expect(keys.match(/<\/gaia-skills>/g)).toHaveLength(1);
    expect(await scene.read(session, "out")).toBe(READ);
    expect(scene.host.toasts.join()).toContain("is given to nobody: it lies outside of the project");
    find(scene, join(elsewhere, "out/SKILL.md"));
    const users = await scene.begin("hephaestus", "TASK: Build it");
    expect(await scene.read(users.session, "out")).toContain("Out.");
  });
});

describe("skills", () => {
  it("cost no byte where none is found, and where OpenCode does not tell", async () => {
    const scene = await Scene.open({});
    const { sent, session } = await scene.begin("hephaestus", "TASK: Build it");
    expect(await scene.read(session, "db/a.ts")).toBe(READ);
    const other = await open();
    const named = await other.begin("hephaestus", "TASK: Build it");
    expect(named.sent).toBe(sent);
    Object.assign(other.host, { skills: async () => null });
    const silent = await other.begin("hephaestus", "TASK: Build it", { aids: { skills: ["schema"] } });
    expect(silent.sent).not.toContain("gaia-skills");
    expect(await other.read(silent.session, "db/a.ts")).toBe(READ);
  });

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

  it("stand under the summary of a compaction beside the rules, and are remembered over a restart", async () => {
    const scene = await open({ ".gaia/rules/a.md": "---\npaths: db/**\n---\nIn cents." });
    const { session } = await scene.begin("hephaestus", "TASK: Build it");
    await scene.read(session, "db/a.ts");
    const summary = await scene.compact(session);
    expect(summary).toMatch(
      /^They worked\.\n\n<gaia-rules>[^]*In cents\.[^]*<gaia-skills>[^]*Write both ways\./,
    );
    expect(await scene.compact(session)).toBe(summary);
    await scene.restart();
    expect(await scene.read(session, "db/a.ts")).toBe(READ);
    expect(await scene.read(session, "src/a.test.ts")).toContain(STEPS);
  });
});
