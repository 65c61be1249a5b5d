import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recordOf, textOf } from "../../src/lib/json.ts";
import { say } from "../../src/scripted-model/turn.ts";
import { canContain } from "../support/bubblewrap.ts";
import { callAll, openProject, type Outcome, type Project } from "../support/project.ts";
import { bash, type } from "./scenes.ts";

let project: Project;
beforeAll(async () => {
  project = await openProject({
    files: { "a.txt": "one\n" },
    config: { permission: { bash: "ask" } },
  });
  project.model.always("title", say("A title"));
});
afterAll(async () => project.close());

/** The user calls an agent by its name: OpenCode runs it in a child session of its own. */
async function callByName(session: string, agent: string, speaker: string): Promise<Outcome> {
  await project.call("POST", `/session/${session}/message`, {
    agent: speaker,
    parts: [{ type: "subtask", agent, description: "by name", prompt: "Try it" }],
  });
  const child = textOf(recordOf((await project.children(session)).at(-1))["id"]) ?? "";
  return project.outcome(child);
}

describe("a specialist whom the user calls by name in a native conversation", () => {
  it.runIf(canContain)(
    "is held to what its role may do, and the user is asked for each command",
    async () => {
      project.model.always("native", say("I see."));
      project.model.script("minerva", callAll(bash("ls"), bash("touch by-minerva")), say("Tried."));
      project.model.script(
        "aether",
        callAll(bash("touch by-aether"), bash("git push --force")),
        say("Tried."),
      );
      const session = await project.session();
      const asked: string[] = [];
      project.autoAnswer(({ patterns }) => {
        asked.push(...patterns);
        return "once";
      });
      const reader = await callByName(session, "minerva", "build");
      expect(reader.tools.map(({ status }) => status)).toEqual(["completed", "completed"]);
      expect(reader.tools[1]?.output).toMatch(/\[GAIA: .*read-only/);
      const checker = await callByName(session, "aether", "build");
      project.autoAnswer(() => null);
      expect(checker.tools.map(({ status }) => status)).toEqual(["completed", "error"]);
      expect(checker.tools[0]?.output).toContain("by-aether");
      expect(checker.tools[1]?.error).toContain("refused in every mode");
      expect(asked.toSorted()).toEqual(["ls", "touch by-aether", "touch by-minerva"]);
      for (const file of ["by-minerva", "by-aether"])
        expect(existsSync(join(project.directory, file))).toBe(false);
    },
  );

  it("leaves requests to the user, and the session without a mark of GAIA's", async () => {
    project.model.always("native", say("I see."));
    project.model.script("hephaestus", bash("touch by-hephaestus"), say("Done."));
    const session = await project.session();
    const done = callByName(session, "hephaestus", "build");
    const request = await project.permission();
    await project.answer(request, "once");
    expect((await done).tools[0]?.status).toBe("completed");
    const [child] = await project.children(session);
    expect(child?.["metadata"] ?? {}).toEqual({});
  });
});

describe("a fork", () => {
  const fork = async (session: string): Promise<string> =>
    String(recordOf(await project.call("POST", `/session/${session}/fork`, {}))["id"]);

  it.runIf(canContain)(
    "of a session with a specialist called by name keeps to what the role may do, and to asking",
    async () => {
      const session = await project.session();
      project.model.script("minerva", say("Seen."), bash("touch in-guests-fork"), say("Tried."));
      await project.prompt("minerva", "Look", { session });
      const copy = await fork(session);
      const allowed = async (agent: string): Promise<Outcome> => {
        const done = project.prompt(agent, "Write it", { session: copy });
        await project.answer(await project.permission(), "once");
        return done;
      };
      const reader = await allowed("minerva");
      expect(reader.tools[0]?.output).toMatch(/\[GAIA: .*read-only/);
      project.model.script("hephaestus", bash("touch by-forked-guest"), say("Done."));
      expect((await allowed("hephaestus")).tools.at(-1)?.status).toBe("completed");
      project.model.script("minerva", bash("touch by-forked-reader"), say("Tried."));
      const last = await allowed("minerva");
      expect(last.tools.at(-1)?.output).toMatch(/\[GAIA: .*read-only/);
      expect(
        ["in-guests-fork", "by-forked-guest", "by-forked-reader"].map((name) =>
          existsSync(join(project.directory, name)),
        ),
      ).toEqual([false, true, false]);
      const found = recordOf(await project.call("GET", `/session/${copy}`));
      expect(found["metadata"] ?? {}).toEqual({});
    },
  );
});

it.runIf(canContain)("a native subtask in a conversation of GAIA's is under its mode", async () => {
  project.model.always("gaia", say("I see."));
  project.model.always("native", say("I see."));
  const session = await project.session();
  await type(project, session, "locked");
  project.model.script("native", bash("touch by-general"), say("Tried."));
  const called = callByName(session, "general", "gaia");
  // The project's own rule asks for every command of this agent's.
  await project.answer(await project.permission(), "once");
  expect((await called).tools[0]?.output).toMatch(/read-only/i);
  expect(existsSync(join(project.directory, "by-general"))).toBe(false);
});
