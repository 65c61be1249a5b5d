import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { recordOf } from "../../src/lib/json.ts";
import { call, result, say, type Turn } from "../../src/scripted-model/turn.ts";
import { writeIn } from "../support/directory.ts";
import { openProject, type Project, type ProjectOptions } from "../support/project.ts";
import { canContain } from "../support/bubblewrap.ts";
import { sharedServer } from "../support/shared-server.ts";
import { childOf, delegate, HEPHAESTUS_DONE, mode, type, untilState } from "./collaboration-scenes.ts";

const bash = (command: string): Turn => call("bash", { command, description: "try" });

let project: Project;
afterEach(async () => project.close());

async function autopilot(options: ProjectOptions = {}): Promise<string> {
  project = await openProject(options);
  const session = await project.session();
  project.model.script("gaia", say("Autopilot."));
  await type(project, session, "autopilot");
  await untilState(project, session, "autopilot", (state) => mode(state) === "autopilot");
  return session;
}

/** Hephaestus runs these commands in one delegation. */
async function runAll(session: string, ...commands: readonly string[]) {
  project.model.script("gaia", delegate(), say("Done."));
  project.model.script("hephaestus", ...commands.map(bash), result(HEPHAESTUS_DONE));
  await project.prompt("gaia", "Do it", { session });
  return (await childOf(project, session, (await project.children(session)).length - 1)).tools;
}

describe.runIf(canContain)("commands in autopilot, in bubblewrap", () => {
  it("run unasked, write in the project and nowhere else, show no secrets, and end with their call", async () => {
    const session = await autopilot({
      files: { "a.txt": "one\n", ".husky/pre-commit": "npm test\n", ".gitignore": ".env\n" },
      prepare: async (directory) => writeIn(directory, ".env", "API_KEY=sesame-7431\n"),
    });
    const outside = join(sharedServer().root, `outside-${Date.now()}`);
    const read = (name: string) => `node -e 'console.log(require("fs").readFileSync(${name}, "utf8"))'`;
    const commands = [
      "(sleep 2; echo late > late.txt) >/dev/null 2>&1 & echo started",
      "echo two > b.txt && git status --short && cat a.txt",
      'node -e \'require("child_process").execFileSync("git", ["commit", "-qm", "Two", "--allow-empty"])\'',
      `echo leak > ${outside}`,
      "echo '[core]' > .git/con\"\"fig; rm -rf .git; echo after > after.txt",
      "node -e 'fetch(process.argv[1]).catch(e => { console.log(e.cause.code); process.exit(3) })' http://192.0.2.1/",
      "grep Seccomp: /proc/self/status",
      `node -e 'require("fs").mkdirSync(".open" + "code")'`,
      `node -e 'require("fs").writeFileSync("told.txt", "x")'`,
    ];
    // What shows secrets or changes hooks, however it names them.
    const named = [
      "cat .env",
      read('".e" + "nv"'),
      "grep -r sesame .",
      `node -e 'require("fs").appendFileSync(".hus" + "ky/pre-commit", "evil")'`,
    ];
    const tools = await runAll(session, ...commands, ...named);
    expect(tools.map(({ input }) => recordOf(input)["command"])).toEqual([...commands, ...named]);
    const [, status, committed, , , fetched, seccomp, made, told] = tools;
    expect(status?.output).toContain("one");
    expect(await project.read("b.txt")).toBe("two\n");
    expect(await project.git("log", "--format=%s", "-1")).not.toContain("Two");
    expect(committed?.output).toContain(".git is read-only; plan_gaia commit records the work");
    expect(existsSync(outside)).toBe(false);
    expect(fetched?.output).toContain("ENETUNREACH");
    expect(fetched?.output).toContain("GAIA_SANDBOX=network");
    expect(seccomp?.output).toContain("Seccomp:\t2");
    expect(await project.git("status", "--short")).not.toContain("fatal");
    // The files that only the user makes.
    expect(existsSync(join(project.directory, ".opencode"))).toBe(false);
    expect(made?.output).toContain("set aside");
    // Of what this does nothing can be told.
    expect(told?.status).toBe("completed");
    expect(await project.read("told.txt")).toBe("x");
    const shown = tools.slice(commands.length);
    expect(shown.map(({ status: how }) => how)).toEqual(named.map(() => "completed"));
    expect(JSON.stringify(tools.map(({ output }) => output))).not.toContain("sesame-7431");
    expect(shown[3]?.output).toMatch(/\[GAIA: .*guards and secrets are read-only/u);
    expect(await project.read(".husky/pre-commit")).toBe("npm test\n");
    await pause(3_000);
    expect(existsSync(join(project.directory, "late.txt"))).toBe(false);
  });

  it("get more only from the user, who reads in the dialog what is asked for", async () => {
    const server = createServer((_request, response) => response.end("reached"));
    await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const get = `node -e 'fetch(process.argv[1]).then(r => r.text()).then(console.log)' ${url}`;
    const outside = join(sharedServer().root, `asked-${Date.now()}`);
    const session = await autopilot();
    const asked: string[] = [];
    project.autoAnswer(({ permission, patterns }) => {
      asked.push(...patterns);
      const isRequest = patterns.some((pattern) => pattern.includes("GAIA_SANDBOX="));
      return isRequest || permission === "external_directory" ? "once" : null;
    });
    const tools = await runAll(
      session,
      get,
      `GAIA_SANDBOX=network ${get}`,
      `GAIA_SANDBOX=network echo x > ${outside}-1`,
      `GAIA_SANDBOX=off echo x > ${outside}-2`,
    );
    server.close();
    expect(tools[0]?.output).not.toContain("reached");
    expect(tools[1]?.output).toContain("reached");
    expect(asked.join("\n")).toContain("GAIA_SANDBOX=network node -e");
    expect(existsSync(`${outside}-1`)).toBe(false);
    expect(existsSync(`${outside}-2`)).toBe(true);
  });
});

describe.runIf(canContain)("an agent that only reads, in bubblewrap", () => {
  it("changes nothing by what the examination takes for reading", async () => {
    project = await openProject({ files: { "a.txt": "one\n" } });
    await project.git("config", "diff.evil.textconv", "sh -c 'touch hidden; cat \"$1\"' -");
    await writeFile(join(project.directory, ".git/info/attributes"), "*.txt diff=evil\n");
    project.model.script("gaia", bash("git log -p -- a.txt"), say("Seen."));
    const { tools } = await project.prompt("gaia", "Look");
    expect(tools[0]?.status).toBe("completed");
    expect(existsSync(join(project.directory, "hidden"))).toBe(false);
    // The very same does change something where nothing contains it.
    await project.git("log", "-p", "--", "a.txt");
    expect(existsSync(join(project.directory, "hidden"))).toBe(true);
  });
});
