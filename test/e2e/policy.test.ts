import { existsSync } from "node:fs";
import { mkdir, symlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { call, result, say, type Turn } from "../../src/scripted-model/turn.ts";
import { canContain } from "../support/bubblewrap.ts";
import { writeIn } from "../support/directory.ts";
import { openProject, type Asked, type Outcome, type Project } from "../support/project.ts";
import { childOf, HEPHAESTUS_DONE, mode, typeMeanwhile } from "./collaboration-scenes.ts";

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
  bash: { turn: () => call("bash", { command: "touch d.txt", description: "touch" }), proof: "d.txt" },
  ast_gaia: {
    turn: () => call("ast_gaia", { pattern: "old($A)", lang: "ts", rewrite: "fresh($A)", dry_run: false }),
    proof: "e.ts",
  },
  fixture_mark: { turn: () => call("fixture_mark", {}), proof: "mark.txt" },
};

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

/** GAIA delegates to an agent, which makes one call; the child's transcript. */
async function delegated(agent: string, turn: Turn): Promise<Outcome> {
  project.model.script("gaia", call("delegate_gaia", { agent, goal: "change it" }), say("Done."));
  project.model.script(agent, turn, result(HEPHAESTUS_DONE));
  if (agent !== "hephaestus") project.model.always(agent, result(HEPHAESTUS_DONE));
  const { sessionId } = await project.prompt("gaia", "Change it");
  return childOf(project, sessionId);
}

const bash = (command: string): Turn => call("bash", { command, description: "run" });

const changed = async (proof: string): Promise<boolean> => {
  if (proof === "a.txt") return (await project.read(proof)) !== "old\n";
  if (proof === "e.ts") return (await project.read(proof)) === "fresh(1);\n";
  return existsSync(join(project.directory, proof));
};

describe("locked mode", () => {
  // A delegation to an editor is refused while locked, so the mode is set while one is at work.
  share("supervised");

  it.each(Object.entries(CHANGES))("denies %s before it runs and says why", async (tool, change) => {
    const { agent = "hephaestus", turn, proof } = change;
    const session = await project.session();
    project.model.script("gaia", call("delegate_gaia", { agent, goal: "change it" }));
    project.model.always("gaia", say("Locked meanwhile."));
    const lockThenChange = async (): Promise<Turn> => {
      await typeMeanwhile(project, session, "locked", (state) => mode(state) === "locked");
      return turn(project.directory);
    };
    project.model.script(agent, lockThenChange);
    project.model.always(agent, result(HEPHAESTUS_DONE));
    await project.prompt("gaia", "Change it", { session });
    const [row] = (await childOf(project, session)).tools;
    // A command runs in a sandbox that changes nothing, where there is one.
    if (tool === "bash" && canContain) expect(row?.output).toMatch(/\[GAIA: .*read-only/);
    else expect(row?.error).toContain("the session is locked");
    expect(row).toMatchObject({ tool });
    expect(await changed(proof)).toBe(false);
  });
});

describe("supervised mode", () => {
  share("supervised");

  it.each(Object.entries(CHANGES))(
    "asks for %s, and leaves it undone without a yes",
    async (_tool, change) => {
      const asked: Asked[] = [];
      project.autoAnswer((request) => {
        asked.push(request);
        return "reject";
      });
      await delegated(change.agent ?? "hephaestus", change.turn(project.directory));
      expect(asked).toHaveLength(1);
      expect(await changed(change.proof)).toBe(false);
    },
  );

  it.each(Object.entries(CHANGES))("does %s after the user's yes", async (tool, change) => {
    project.autoAnswer(() => "once");
    const { tools } = await delegated(change.agent ?? "hephaestus", change.turn(project.directory));
    expect(tools[0]).toMatchObject({ tool, status: "completed" });
    expect(await changed(change.proof)).toBe(true);
  });

  it("lets reading and read-only commands pass without asking", async () => {
    project.autoAnswer(() => null);
    const { tools } = await delegated(
      "hephaestus",
      call("bash", { command: "git status", description: "see" }),
    );
    expect(tools[0]).toMatchObject({ tool: "bash", status: "completed" });
  });
});

describe("autopilot", () => {
  share("autopilot");

  const { fixture_mark: _mark, ...inside } = CHANGES;
  it.each(Object.entries(inside))("does %s with nobody there", async (tool, change) => {
    const { tools } = await delegated(change.agent ?? "hephaestus", change.turn(project.directory));
    expect(tools[0]).toMatchObject({ tool, status: "completed" });
    expect(await changed(change.proof)).toBe(true);
  });

  /** Has hephaestus make these calls, of which the user is asked for one, and refuses; the transcript of the child. */
  async function refused(permission: string, word: string, ...turns: readonly Turn[]): Promise<Outcome> {
    project.model.script("gaia", call("delegate_gaia", { agent: "hephaestus", goal: "try" }), say("Done."));
    project.model.script("hephaestus", ...turns, result(HEPHAESTUS_DONE));
    const session = await project.start("gaia", "Try it");
    const isIt = (asked: Asked) => asked.permission === permission && JSON.stringify(asked).includes(word);
    const request = await project.permission(isIt);
    // What the plugin answers, it has answered by then.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(await project.call("GET", "/permission")).toContainEqual(
      expect.objectContaining({ id: request.id }),
    );
    await project.answer(request, "reject");
    await project.idle(session);
    return childOf(project, session);
  }

  it.each<[string, string, string, Turn, string]>([
    ["a tool of which nothing is known", "fixture_mark", "", call("fixture_mark", {}), "mark.txt"],
    ["what throws work away", "bash", "clean", bash("git clean -fdx > cleaned.txt"), "cleaned.txt"],
    ["an ignored file's end", "bash", "kept.log", bash("rm kept.log && touch gone.txt"), "gone.txt"],
    ["the network", "bash", "network", bash("GAIA_SANDBOX=network touch beyond.txt"), "beyond.txt"],
  ])("asks for %s", async (_, permission, word, turn, proof) => {
    const { tools } = await refused(permission, word, turn);
    expect(tools[0]?.status).toBe("error");
    expect(await changed(proof)).toBe(false);
  });
});

// The repository has no remote, so that even a push that ran would do nothing.
const FORCE_PUSH = { command: "git push --force", description: "push" };

describe("what no mode allows", () => {
  afterEach(async () => project.close());

  it.each(["supervised", "autopilot", "locked"])("denies a dangerous command in %s mode", async (how) => {
    await open(how);
    project.autoAnswer(() => "once");
    project.model.script(
      "gaia",
      call("bash", FORCE_PUSH),
      call("delegate_gaia", { agent: "aether", goal: "push" }),
      say("No."),
    );
    project.model.script(
      "aether",
      call("bash", FORCE_PUSH),
      result(
        { checks_run: [], failures: [], fixes: [], release_ready: false },
        { outcome: { verdict: "BLOCKED", reason: "Refused." } },
      ),
    );
    const { sessionId, tools } = await project.prompt("gaia", "Push it");
    const child = await childOf(project, sessionId);
    for (const row of [tools[0], child.tools[0]]) {
      expect(row).toMatchObject({ tool: "bash", status: "error" });
      expect(row?.error).toContain("Refused");
    }
    expect(child.tools[0]?.error).toContain("refused in every mode");
    expect(project.events.map(({ type }) => type)).not.toContain("permission.asked");
  });

  it("keeps files with secrets from being read, but not from other agents", async () => {
    project = await openProject({
      files: { ".env.example": "KEY=" },
      prepare: async (directory) => writeIn(directory, ".env", "KEY=1"),
    });
    const read = (name: string) => call("read", { filePath: join(project.directory, name) });
    project.model.script(
      "gaia",
      read(".env"),
      call("grep", { pattern: "KEY", path: join(project.directory, ".env") }),
      call("bash", { command: "cat .env", description: "see" }),
      read(".env.example"),
      say("Seen."),
    );
    const { tools } = await project.prompt("gaia", "Look");
    expect(tools.map(({ status }) => status)).toEqual(["error", "error", "completed", "completed"]);
    for (const row of tools.slice(0, 2)) expect(row.error).toContain("may hold secrets");
    // The sandbox, where there is one, holds an empty file in its place.
    if (canContain) expect(tools[2]?.output).not.toContain("KEY");

    project.model.script("native", read(".env"), say("Seen."));
    project.autoAnswer(() => "once");
    const native = await project.prompt("build", "Look");
    expect(native.tools[0]).toMatchObject({ status: "completed" });
  });

  it("leaves build alone in the same project, whatever GAIA's mode is", async () => {
    await open("locked");
    project.model.script(
      "native",
      call("write", { filePath: join(project.directory, "b.txt"), content: "b" }),
      say("Done."),
    );
    const { tools } = await project.prompt("build", "Write it");
    expect(tools[0]).toMatchObject({ tool: "write", status: "completed" });
    expect(await changed("b.txt")).toBe(true);
  });
});
