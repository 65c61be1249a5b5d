import { existsSync } from "node:fs";
import { mkdir, symlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call, say, type Turn } from "../../src/scripted-model/turn.ts";
import { canContain } from "../support/bubblewrap.ts";
import { writeIn } from "../support/directory.ts";
import { openProject, type Asked, type Project } from "../support/project.ts";
import { bash, childOf, delegated, done, mode, reviewed, typeMeanwhile } from "./scenes.ts";

let project: Project;

const MCP = {
  fixture: { type: "local", command: [process.execPath, resolve("test/e2e/fixtures/mcp-server.mjs")] },
};
const GPT = "gpt-5-scripted";

/** What an editor can do to a project, each with the file that would show that it did. */
const CHANGES: Record<string, { agent?: string; turn: (directory: string) => Turn; proof: string }> = {
  edit: {
    turn: (directory) =>
      call("edit", { filePath: join(directory, "a.txt"), oldString: "old", newString: "new" }),
    proof: "a.txt",
  },
  write: {
    turn: (directory) => call("write", { filePath: join(directory, "b.txt"), content: "b\n" }),
    proof: "b.txt",
  },
  apply_patch: {
    agent: "artemis",
    turn: () => call("apply_patch", { patchText: "*** Begin Patch\n*** Add File: c.txt\n+c\n*** End Patch" }),
    proof: "c.txt",
  },
  bash: { turn: () => bash("touch d.txt"), proof: "d.txt" },
  ast_gaia: {
    turn: () => call("ast_gaia", { pattern: "old($A)", lang: "ts", rewrite: "fresh($A)", dry_run: false }),
    proof: "e.ts",
  },
  fixture_mark: { turn: () => call("fixture_mark", {}), proof: "mark.txt" },
};

// The repository has no remote, so that even a push that ran would do nothing.
const FORCE_PUSH = "git push --force";

/** As an installation of its own would. */
async function installAstGrep(directory: string): Promise<void> {
  await mkdir(join(directory, "node_modules"));
  await symlink(resolve("node_modules/@ast-grep"), join(directory, "node_modules/@ast-grep"));
}

async function open(mode: string): Promise<void> {
  project = await openProject({
    files: { "a.txt": "old\n", "e.ts": "old(1);\n", ".gitignore": "node_modules\n*.log\n", "kept.log": "x" },
    prepare: installAstGrep,
    models: [GPT],
    config: { mcp: MCP },
    gaia: {
      mode,
      ast: "on",
      specialistTools: ["fixture_*"],
      agents: { hephaestus: { model: "scripted/main" }, artemis: { model: `scripted/${GPT}` } },
    },
  });
}

/** One project for all tests of a block: each has a session and a file of its own. */
function share(mode: string): void {
  beforeAll(async () => open(mode));
  afterAll(async () => project.close());
}

/** The changes by the agent whose tools they are, as a specialist makes them in one task. */
function changesOf(names: readonly string[] = Object.keys(CHANGES)): [agent: string, names: string[]][] {
  const agents = ["hephaestus", "artemis"];
  return agents.map((agent) => [
    agent,
    names.filter((name) => (CHANGES[name]?.agent ?? "hephaestus") === agent),
  ]);
}
const turnsOf = (names: readonly string[]): Turn[] =>
  names.flatMap((name) => CHANGES[name]?.turn(project.directory) ?? []);

const changed = async (proof: string): Promise<boolean> => {
  if (proof === "a.txt") return (await project.read(proof)) !== "old\n";
  if (proof === "e.ts") return (await project.read(proof)) === "fresh(1);\n";
  return existsSync(join(project.directory, proof));
};

describe("locked mode", () => {
  // A delegation to an editor is refused while locked, so the mode is set while one is at work.
  share("supervised");

  it.each(changesOf())("denies %s every change before it runs, and says why", async (agent, names) => {
    const session = await project.session();
    project.model.script("gaia", call("delegate_gaia", { agent, goal: "change it" }));
    project.model.always("gaia", say("Locked meanwhile."));
    const [first, ...others] = turnsOf(names);
    const lockThenChange = async (): Promise<Turn> => {
      await typeMeanwhile(project, session, "locked", (state) => mode(state) === "locked");
      return first ?? say("Nothing.");
    };
    project.model.script(agent, lockThenChange, ...others);
    project.model.always(agent, done);
    await project.prompt("gaia", "Change it", { session });
    const { tools } = await childOf(project, session);
    expect(tools.map(({ tool }) => tool)).toEqual(names);
    for (const [at, name] of names.entries()) {
      // A command runs in a sandbox that changes nothing, where there is one.
      if (name === "bash" && canContain) expect(tools[at]?.output).toMatch(/\[GAIA: .*read-only/);
      else expect([name, tools[at]?.error]).toEqual([name, expect.stringContaining("the session is locked")]);
      expect([name, await changed(CHANGES[name]?.proof ?? "")]).toEqual([name, false]);
    }
  });
});

describe("supervised mode", () => {
  share("supervised");

  it.each(["edit", "bash"])("asks for %s, and leaves it undone without a yes", async (name) => {
    const asked: Asked[] = [];
    project.autoAnswer((request) => {
      asked.push(request);
      return "reject";
    });
    await delegated(project, "hephaestus", turnsOf([name]));
    expect(asked).toHaveLength(1);
    expect(await changed(CHANGES[name]?.proof ?? "")).toBe(false);
  });

  it.each(changesOf())("does what %s changes after the user's yes to each", async (agent, names) => {
    let asked = 0;
    project.autoAnswer(({ patterns }) => {
      if (patterns.includes("git status")) return null;
      asked += 1;
      return "once";
    });
    // What only reads passes without asking: nobody would answer it here.
    const { tools } = await delegated(project, agent, [...turnsOf(names), bash("git status")]);
    expect(tools.map(({ tool, status }) => [tool, status])).toEqual(
      [...names, "bash"].map((name) => [name, "completed"]),
    );
    expect(asked).toBe(names.length);
    for (const name of names) expect([name, await changed(CHANGES[name]?.proof ?? "")]).toEqual([name, true]);
  });
});

describe("autopilot", () => {
  share("autopilot");

  const inside = Object.keys(CHANGES).filter((name) => name !== "fixture_mark");
  it.each(changesOf(inside))("does what %s changes with nobody there", async (agent, names) => {
    const { tools } = await delegated(project, agent, turnsOf(names));
    expect(tools.map(({ tool, status }) => [tool, status])).toEqual(names.map((name) => [name, "completed"]));
    for (const name of names) expect([name, await changed(CHANGES[name]?.proof ?? "")]).toEqual([name, true]);
  });

  it.each<[string, string, string, Turn, string]>([
    ["a tool of which nothing is known", "fixture_mark", "", call("fixture_mark", {}), "mark.txt"],
    ["an ignored file's end", "bash", "kept.log", bash("rm kept.log && touch gone.txt"), "gone.txt"],
  ])("asks for %s", async (_, permission, word, turn, proof) => {
    project.model.script("gaia", call("delegate_gaia", { agent: "hephaestus", goal: "try" }), say("Done."));
    project.model.script("hephaestus", turn, done);
    const session = await project.start("gaia", "Try it");
    const request = await project.permission(
      (asked) => asked.permission === permission && JSON.stringify(asked).includes(word),
    );
    // What the plugin answers, it has answered by then.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(await project.call("GET", "/permission")).toContainEqual(
      expect.objectContaining({ id: request.id }),
    );
    await project.answer(request, "reject");
    await project.idle(session);
    expect((await childOf(project, session)).tools[0]?.status).toBe("error");
    expect(await changed(proof)).toBe(false);
  });

  it("denies a dangerous command, to GAIA and to a checker, and asks nobody", async () => {
    const from = project.events.length;
    project.model.script(
      "gaia",
      bash(FORCE_PUSH),
      call("delegate_gaia", { agent: "aether", goal: "push" }),
      say("No."),
    );
    const end = reviewed("aether", { verdict: "BLOCKED", reason: "Refused." });
    project.model.script("aether", bash(FORCE_PUSH), end);
    const { sessionId, tools } = await project.prompt("gaia", "Push it");
    const child = await childOf(project, sessionId);
    for (const row of [tools[0], child.tools[0]]) {
      expect(row).toMatchObject({ tool: "bash", status: "error" });
      expect(row?.error).toContain("Refused");
    }
    expect(child.tools[0]?.error).toContain("refused in every mode");
    expect(project.events.slice(from).map(({ type }) => type)).not.toContain("permission.asked");
  });
});

it("files with secrets are not read, and other agents in the same project are left alone, whatever GAIA's mode is", async () => {
  project = await openProject({
    gaia: { mode: "locked" },
    files: { ".env.example": "KEY=" },
    prepare: async (directory) => writeIn(directory, ".env", "KEY=1"),
  });
  const read = (name: string) => call("read", { filePath: join(project.directory, name) });
  project.model.script(
    "gaia",
    read(".env"),
    call("grep", { pattern: "KEY", path: join(project.directory, ".env") }),
    bash("cat .env"),
    read(".env.example"),
    say("Seen."),
  );
  const { tools } = await project.prompt("gaia", "Look");
  expect(tools.map(({ status }) => status)).toEqual(["error", "error", "completed", "completed"]);
  for (const row of tools.slice(0, 2)) expect(row.error).toContain("may hold secrets");
  // The sandbox, where there is one, holds an empty file in its place.
  if (canContain) expect(tools[2]?.output).not.toContain("KEY");

  project.model.script("native", read(".env"), ...turnsOf(["write"]), say("Seen."));
  project.autoAnswer(() => "once");
  const native = await project.prompt("build", "Look and write it");
  expect(native.tools.map(({ status }) => status)).toEqual(["completed", "completed"]);
  expect(await changed("b.txt")).toBe(true);
  await project.close();
});
