import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { recordOf } from "../../src/lib/json.ts";
import { call, result, say, type Turn } from "../../src/scripted-model/turn.ts";
import { canContain } from "../support/bubblewrap.ts";
import { type Asked, openProject, type Project, type ProjectOptions } from "../support/project.ts";
import { sharedServer } from "../support/shared-server.ts";
import { childOf, has, HEPHAESTUS_DONE } from "./collaboration-scenes.ts";

const CHECKED = { checks_run: [], failures: [], fixes: [], release_ready: false };
let project: Project;
let asked: Asked[] = [];

/** One project for all tests of a block: each has a session of its own. */
function share(mode: string, options: ProjectOptions = {}): void {
  beforeAll(async () => {
    project = await openProject({ ...options, gaia: { mode, ...recordOf(options.gaia) } });
  });
  beforeEach(() => answerWith(null));
  afterAll(async () => project.close());
}

/** Without an answer the turn ends only if no request is left to a person: the plugin answers the others itself. */
function answerWith(answer: "once" | "always" | "reject" | null): void {
  asked = [];
  project.autoAnswer((request) => {
    if (answer !== null) asked.push(request);
    return answer;
  });
}

/** GAIA delegates to an agent, which runs these commands; the calls of the child. */
async function run(agent: string, ...commands: readonly string[]) {
  const bash = (command: string): Turn => call("bash", { command, description: "try" });
  project.model.script("gaia", call("delegate_gaia", { agent, goal: "try" }), say("Done."));
  project.model.script(agent, ...commands.map(bash));
  project.model.always(agent, result(agent === "aether" ? CHECKED : HEPHAESTUS_DONE));
  const { sessionId } = await project.prompt("gaia", "Try it");
  return (await childOf(project, sessionId)).tools;
}

describe.runIf(canContain)("in supervised mode", () => {
  share("supervised", {
    files: {
      "f.txt": "kept\n",
      "package.json": JSON.stringify({ scripts: { fmt: "echo formatted" } }),
      "x.mjs": 'import { writeFileSync } from "node:fs"; writeFileSync("ran.txt", "x");\n',
    },
    gaia: { policy: { allow: ["npm run fmt"] } },
  });

  it("a command without a program, for which OpenCode asks nobody, empties nothing", async () => {
    await project.write("notes.txt", "the user's\n");
    const tools = await run("hephaestus", "> notes.txt", "cd . > f.txt", "A=$(> notes.txt)");
    expect(tools.slice(0, 3).map(({ status }) => status)).toEqual(["error", "error", "error"]);
    for (const { error } of tools.slice(0, 3)) expect(error).toContain("Refused");
    expect([await project.read("notes.txt"), await project.read("f.txt")]).toEqual([
      "the user's\n",
      "kept\n",
    ]);
  });

  it("a pattern of the user's allows its command, and not the line around it", async () => {
    const [alone] = await run("hephaestus", "npm run fmt");
    expect(alone?.output).toContain("formatted");
    answerWith("reject");
    const [line] = await run("hephaestus", "npm run fmt; node x.mjs");
    expect(line?.status).toBe("error");
    expect(asked.map(({ patterns }) => patterns.join("\n")).join("\n")).toContain("node x.mjs");
    expect(has(project, "ran.txt")).toBe(false);
  });

  it("what a person let pass for good runs without another question, alone", async () => {
    answerWith("always");
    const tools = await run("hephaestus", "mkdir a", "mkdir b", "mkdir c > c.txt");
    expect(tools.map(({ status }) => status)).toEqual(["completed", "completed", "error"]);
    expect([has(project, "a"), has(project, "b"), has(project, "c.txt")]).toEqual([true, true, false]);
    expect(asked).toHaveLength(1);
  });
});

describe.runIf(canContain)("in autopilot", () => {
  share("autopilot", { files: { "a.txt": "old\n" } });

  it("an agent that only reads runs any command, and changes nothing by it", async () => {
    const tools = await run("minerva", "touch a", `node -e 'require("fs").writeFileSync("b", "x")'`);
    for (const { output } of tools.slice(0, 2)) expect(output).toMatch(/\[GAIA: .*read-only/u);
    expect([has(project, "a"), has(project, "b")]).toEqual([false, false]);
  });

  it("a checker leaves files that git holds as they were, and is told", async () => {
    const [tool] = await run("aether", "echo formatted > a.txt");
    expect(tool?.status).toBe("completed");
    expect(tool?.output).toContain("a.txt");
    expect(await project.read("a.txt")).toBe("old\n");
  });

  it("an editor commits nothing by hand, and is told who does", async () => {
    const before = await project.git("rev-parse", "HEAD");
    const [edit, commit] = await run("hephaestus", "echo new > a.txt", "git commit -am x");
    expect(edit?.status).toBe("completed");
    expect(commit?.output).toContain("plan_gaia commit");
    expect([await project.read("a.txt"), await project.git("rev-parse", "HEAD")]).toEqual(["new\n", before]);
  });

  it.each(["once", "reject"] as const)(
    "an editor has what it asks for, and only that, when a person said %s",
    async (answer) => {
      let reached = 0;
      const server = createServer((_request, response) => {
        reached += 1;
        response.end("reached");
      });
      await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      const get = `node -e 'fetch(process.argv[1]).then(r => r.text()).then(console.log)' ${url}`;
      const outside = join(sharedServer().root, `asked-${Date.now()}`);
      answerWith(answer);
      const [without, tool] = await run(
        "hephaestus",
        get,
        `GAIA_SANDBOX=network ${get}`,
        `GAIA_SANDBOX=network echo x > ${outside}-1`,
        `GAIA_SANDBOX=off echo x > ${outside}-2`,
      );
      server.close();
      expect(without?.output).not.toContain("reached");
      expect(asked.map(({ patterns }) => patterns.join("\n")).join("\n")).toContain("GAIA_SANDBOX=network");
      expect(reached).toBe(answer === "once" ? 1 : 0);
      expect(tool?.status).toBe(answer === "once" ? "completed" : "error");
      expect([existsSync(`${outside}-1`), existsSync(`${outside}-2`)]).toEqual([false, answer === "once"]);
    },
  );

  it("an edit of a file that is not UTF-8 is refused, and its bytes stay", async () => {
    const bytes = Buffer.from("caf\u00e9 one\n", "latin1");
    const path = join(project.directory, "latin.txt");
    await writeFile(path, bytes);
    project.model.script("gaia", call("delegate_gaia", { agent: "hephaestus", goal: "try" }), say("Done."));
    project.model.script(
      "hephaestus",
      call("read", { filePath: path }),
      call("edit", { filePath: path, oldString: "one", newString: "two" }),
      result(HEPHAESTUS_DONE),
    );
    const { sessionId } = await project.prompt("gaia", "Try it");
    const [, edit] = (await childOf(project, sessionId)).tools;
    expect(edit).toMatchObject({
      status: "error",
      error: expect.stringContaining("latin.txt is not UTF-8") as unknown,
    });
    expect((await readFile(path)).equals(bytes)).toBe(true);
  });
});

describe.runIf(canContain)("in locked mode", () => {
  share("locked");

  it("every command runs read-only, and none asks for more", async () => {
    const tools = await run("minerva", "ls", "touch a", "GAIA_SANDBOX=off touch b");
    expect(tools[0]?.status).toBe("completed");
    expect(tools[1]?.output).toMatch(/read-only/u);
    expect(tools[2]).toMatchObject({ status: "error" });
    expect(tools[2]?.error).toContain("locked");
    expect([has(project, "a"), has(project, "b")]).toEqual([false, false]);
  });
});
