import type { AddressInfo } from "node:net";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { recordOf } from "../../src/lib/json.ts";
import { call } from "../../src/scripted-model/turn.ts";
import { marked, processesWith } from "../checks/project.ts";
import { canContain } from "../support/bubblewrap.ts";
import { writeIn } from "../support/directory.ts";
import { type Asked, openProject, type Project, type ProjectOptions } from "../support/project.ts";
import { sharedServer } from "../support/shared-server.ts";
import { bash, delegated, has } from "./scenes.ts";

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
const run = async (agent: string, ...commands: readonly string[]) =>
  (await delegated(project, agent, commands.map(bash))).tools;

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
  share("autopilot", {
    files: { "a.txt": "old\n", ".husky/pre-commit": "npm test\n", ".gitignore": ".env\n" },
    prepare: async (directory) => writeIn(directory, ".env", "API_KEY=sesame-7431\n"),
  });

  it("an agent that only reads runs any command, and changes nothing by it", async () => {
    // Where nothing contains it, this program of git's writes.
    await project.git("config", "diff.evil.textconv", "sh -c 'touch hidden; cat \"$1\"' -");
    await project.write(".git/info/attributes", "*.txt diff=evil\n");
    const writes = `node -e 'require("fs").writeFileSync("b", "x")'`;
    const tools = await run("minerva", "touch a", writes, "git log -p -- a.txt");
    for (const { output } of tools.slice(0, 2)) expect(output).toMatch(/\[GAIA: .*read-only/u);
    expect(tools[2]?.status).toBe("completed");
    expect(["a", "b", "hidden"].map((name) => has(project, name))).toEqual([false, false, false]);
    await project.git("log", "-p", "--", "a.txt");
    expect(has(project, "hidden")).toBe(true);
  });

  it("a checker leaves files that git holds as they were, and is told", async () => {
    const [tool] = await run("aether", "echo formatted > a.txt");
    expect(tool?.status).toBe("completed");
    expect(tool?.output).toContain("a.txt");
    expect(await project.read("a.txt")).toBe("old\n");
  });

  it("an editor's commands run unasked, write in the project and nowhere else, commit nothing, show no secrets, and end with their call", async () => {
    const outside = join(sharedServer().root, `outside-${Date.now()}`);
    const { sleep, mark } = marked();
    const read = (name: string) => `node -e 'console.log(require("fs").readFileSync(${name}, "utf8"))'`;
    const commands = {
      late: `(${sleep}; echo late > late.txt) >/dev/null 2>&1 & echo started`,
      status: "echo two > b.txt && git status --short && cat a.txt",
      commit:
        'node -e \'require("child_process").execFileSync("git", ["commit", "-qm", "Two", "--allow-empty"])\'',
      leak: `echo leak > ${outside}`,
      git: "echo '[core]' > .git/con\"\"fig; rm -rf .git; echo after > after.txt",
      fetch:
        "node -e 'fetch(process.argv[1]).catch(e => { console.log(e.cause.code); process.exit(3) })' http://192.0.2.1/",
      filter: "grep Seccomp: /proc/self/status",
      settings: `node -e 'require("fs").mkdirSync(".open" + "code")'`,
      // What shows secrets or changes hooks, however it names them.
      cat: "cat .env",
      program: read('".e" + "nv"'),
      search: "grep -r sesame .",
      hook: `node -e 'require("fs").appendFileSync(".hus" + "ky/pre-commit", "evil")'`,
    };
    const tools = await run("hephaestus", ...Object.values(commands));
    const names = Object.keys(commands);
    const said = (name: keyof typeof commands): string => tools[names.indexOf(name)]?.output ?? "";
    expect(tools.slice(-4).map(({ status }) => status)).toEqual(Array(4).fill("completed"));
    expect(tools.map(({ input }) => recordOf(input)["command"])).toEqual(Object.values(commands));
    expect(await processesWith(mark)).toEqual([]);
    expect(said("status")).toContain("old");
    expect(await project.read("b.txt")).toBe("two\n");
    expect(await project.git("log", "--format=%s")).toBe("Start\n");
    expect(said("commit")).toContain(".git is read-only; plan_gaia commit records the work");
    expect(existsSync(outside)).toBe(false);
    expect(said("fetch")).toContain("ENETUNREACH");
    expect(said("fetch")).toContain("GAIA_SANDBOX=network");
    expect(said("filter")).toContain("Seccomp:\t2");
    expect(await project.git("status", "--short")).not.toContain("fatal");
    // The files that only the user makes.
    expect(has(project, ".opencode")).toBe(false);
    expect(said("settings")).toContain("set aside");
    expect(JSON.stringify(tools.map(({ output }) => output))).not.toContain("sesame-7431");
    expect(said("hook")).toMatch(/\[GAIA: .*guards and secrets are read-only/u);
    expect(await project.read(".husky/pre-commit")).toBe("npm test\n");
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
    const { tools } = await delegated(project, "hephaestus", [
      call("read", { filePath: path }),
      call("edit", { filePath: path, oldString: "one", newString: "two" }),
    ]);
    const [, edit] = tools;
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
