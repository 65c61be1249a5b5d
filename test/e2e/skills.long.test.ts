import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call, type Turn } from "../../src/scripted-model/turn.ts";
import { type Asked, openProject, type Project } from "../support/project.ts";
import { canContain } from "../support/bubblewrap.ts";
import { delegated, toldTo, write } from "./scenes.ts";

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

it("skills by what the work touches are found by OpenCode, and given whole with the first file that is read or changed, once", async () => {
  await delegated(project, "hephaestus", [
    read("src/a.js"),
    read("a.test.js"),
    read("b.test.js"),
    write(project, "new/schema.sql", "-- one\n"),
    read("db/schema.sql"),
  ]);
  const [plain, first, second, written, again] = toldTo(project, "hephaestus").map((text) =>
    JSON.stringify(text),
  );
  expect(plain).not.toContain("gaia-skills");
  expect(first).toContain(`## test-writing (.opencode/skills/test-writing/SKILL.md)\\n${STEPS}`);
  expect(second).not.toContain("gaia-skills");
  expect(written).toContain("## schema (.claude/skills/schema/SKILL.md)\\nWrite both ways.");
  expect(again).not.toContain("gaia-skills");
});

describe("the MCP server of a skill", () => {
  // In the project, since what is contained has a temporary folder of its own, and this repository may lie in one.
  const SERVER = ".opencode/skills/web/server.mjs";
  const MAY = canContain ? "contained, writes this project, no network" : "not contained";
  const skill = (name: string, more: string, ...args: string[]): string =>
    `---\nname: ${name}\ndescription: how pages are looked at\ntriggers: "*.${name}"\nmcp:\n  ${name}:\n    command: ${JSON.stringify(process.execPath)}\n    args: ${JSON.stringify([SERVER, ...args])}\n${more}---\nLook first.\n`;
  const use = (args: object): Turn => call("skill_mcp", { server: "web", ...args });
  let served: Project;
  let asked: Asked[] = [];
  let mayStart = false;
  beforeAll(async () => {
    served = await openProject({
      files: {
        [SERVER]: readFileSync("test/e2e/fixtures/skill-server.mjs", "utf8"),
        ".opencode/skills/web/SKILL.md": skill("web", ""),
        ".opencode/skills/far/SKILL.md": skill("far", "    network: true\n"),
        ".opencode/skills/down/SKILL.md": skill("down", "", "broken"),
        "a.web": "page\n",
      },
      gaia: { skillServers: "on" },
    });
    served.autoAnswer((request) => {
      asked.push(request);
      return mayStart || !request.permission.includes("start the MCP server") ? "once" : "reject";
    });
  });
  afterAll(async () => served.close());

  /** What the calls of a specialist gave, which does these. */
  const work = async (...turns: Turn[]): Promise<string[]> => {
    asked = [];
    const { tools } = await delegated(served, "hephaestus", turns);
    return tools.map(({ output, error }) => output + error);
  };
  const readPage = (): Turn => call("read", { filePath: `${served.directory}/a.web` });

  it("is not there for a task that does not work by the skill, and not started without a yes", async () => {
    const [unknown, other, page, refused] = await work(use({ server: "wob" }), use({}), readPage(), use({}));
    expect(unknown).toContain('No skill has an MCP server "wob"');
    expect(other).toContain("web is an MCP server of the skill web, by which this task does not work");
    expect(page).toMatch(/Look first\.\s+MCP servers of this skill, by skill_mcp [^\n]* web\./);
    expect(refused).toContain("The user said no. The MCP server web is not started. Go on without it.");
    expect(asked).toHaveLength(1);
    const said = `gaia_approval: start the MCP server web of the skill web (${MAY}): ${process.execPath} ${SERVER}`;
    expect(asked[0]?.permission).toBe(said);
    expect(existsSync(join(served.directory, "pids.txt"))).toBe(false);
  });

  it.runIf(canContain)("reaches its project, and what its skill asks for, and nothing else", async () => {
    mayStart = true;
    const beyond = join(homedir(), `.beyond-${process.pid}`);
    const port = Number(new URL(served.model.url).port);
    const reach = (server: string): Turn => use({ server, tool: "reach", arguments: { file: beyond, port } });
    const answers = await work(
      call("skill", { name: "web" }),
      call("skill", { name: "far" }),
      reach("web"),
      reach("far"),
    );
    expect(answers.slice(2)).toEqual([
      "file not written, network not reached",
      "file not written, network reached",
    ]);
    expect(asked.map(({ permission }) => permission)).toContainEqual(
      expect.stringContaining("of the skill far (contained, writes this project, with the network)"),
    );
    expect(existsSync(beyond)).toBe(false);
  });
});
