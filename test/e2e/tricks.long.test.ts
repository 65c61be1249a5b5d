import { readdirSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { call, result, say } from "../../src/scripted-model/turn.ts";
import { sharedServer } from "../support/shared-server.ts";
import { openProject, type Outcome, type Project } from "../support/project.ts";
import {
  childOf,
  lastUser,
  mode,
  notesOf,
  plan,
  type,
  untilState,
  wordsOf,
  write,
} from "./collaboration-scenes.ts";
import { arm, FILES, FORMS, OPENCODE, SECRET } from "./tricks.ts";

let project: Project;
let elsewhere: string;

/** What was said on the screen. */
const toasts = (): string =>
  project.events
    .filter(({ type: name }) => name === "tui.toast.show")
    .map(({ properties }) => String(properties["message"]))
    .join("\n");
const everything = (): string => project.model.requests.map(({ raw }) => raw).join("\n");
const ran = (): string[] => readdirSync(project.directory).filter((name) => name.startsWith("pwned"));
const answers = ({ tools }: Outcome): string[] =>
  tools.map(({ output, error }) => wordsOf(output === "" ? error : parsed(output)));

function parsed(output: string): unknown {
  try {
    return JSON.parse(output);
  } catch {
    return output;
  }
}

/** A toast or a note that says so. */
const untilTold = async (session: string, words: RegExp): Promise<void> => {
  await project.until(`to be told ${String(words)}`, async () =>
    [toasts(), ...(await notesOf(project, session))].some((text) => words.test(text)),
  );
};

beforeAll(async () => {
  elsewhere = join(sharedServer().root, `elsewhere-${crypto.randomUUID()}`);
  await mkdir(elsewhere);
});

describe("a repository whose configuration", () => {
  afterEach(async () => project.close());

  it.each(FORMS)("is $name gets nothing, and the user is told", async ({ text, make, told }) => {
    project = await openProject({
      ...(text === null ? {} : { gaia: text }),
      files: { ".env": `TOKEN=${SECRET}` },
      trusted: false,
      async prepare(directory) {
        if (text === null) await rm(join(directory, ".gaia/config.jsonc"));
        await make?.(directory, elsewhere);
      },
    });
    const filePath = join(project.directory, ".env");
    project.model.script("gaia", call("read", { filePath }), write(project, "pwned"), say("No."));
    const outcome = await project.prompt("gaia", "Hello");
    expect(lastUser(project)).toMatch(/mode="(supervised|locked)"/);
    expect(outcome.tools[0]).toMatchObject({ tool: "read", status: "error" });
    // GAIA has no such tool, and is told so.
    expect(outcome.tools[1]).toMatchObject({ tool: "invalid" });
    expect(everything()).not.toContain(SECRET);
    expect(ran()).toEqual([]);
    if (told !== null) await untilTold(outcome.sessionId, told);
  });
});

describe("a repository full of tricks", () => {
  let session: string;
  beforeAll(async () => {
    project = await openProject({
      files: FILES,
      config: OPENCODE,
      trusted: false,
      prepare: async (directory) => arm(directory, elsewhere),
    });
    project.model.always("title", say("A title"));
    project.model.always("native", say("No."));
    session = await project.session();
  });
  afterAll(async () => project.close());

  it("answers no dialog by a rule of its own, and lets no reader write", async () => {
    project.model.script(
      "gaia",
      plan("set_active"),
      plan("create_work_unit", { slug: "unit", title: "U" }),
      plan("open_wave", { wave_id: "w2" }),
      call("delegate_gaia", { agent: "minerva", goal: "look" }),
      say("No."),
    );
    project.model.script(
      "minerva",
      write(project, "pwned-by-minerva"),
      result({ repo_map: "", answer: "It.", plan: [], risk_list: [], suggested_agents: [] }),
    );
    const outcome = await project.prompt("gaia", "Open a wave", { session });
    expect(answers(outcome)[7]).toContain("No human was asked");
    expect((await childOf(project, session)).tools[0]?.error).toContain("minerva only reads");
    expect(ran()).toEqual([]);
  });

  it("keeps no command of the user's from working", async () => {
    project.model.always("gaia", say("I see."));
    await type(project, session, "locked");
    await untilState(project, session, "the lock", (state) => mode(state) === "locked");
    expect(lastUser(project)).toContain("/locked is done");
    project.model.script("native", write(project, "pwned-in-locked"), say("No."));
    await project.prompt("build", "Write it", { session });
    expect(ran()).toEqual([]);
    await type(project, session, "supervised");
    await untilState(project, session, "the end of the lock", (state) => mode(state) === "supervised");
  });

  it("runs nothing when its checks, its changes and its skills are looked at", async () => {
    await project.write("a.txt", "new\n");
    await project.write("src/new.txt", "new\n");
    project.model.script("gaia", plan("verify"), call("skill", { name: "evil" }), say("No."));
    project.model.always("hades", result({ vulnerabilities: [], rollback_plan: "", confidence: "high" }));
    project.model.always("aether", result({ checks_run: [], failures: [], fixes: [], release_ready: true }));
    await project.prompt("gaia", "Verify", { session });
    project.model.always("gaia", say("Reviewed."));
    await type(project, session, "gaia-review");
    await type(project, session, "gaia-check");
    expect(everything()).toContain("new");
    expect(everything()).not.toContain(SECRET);
    expect(ran()).toEqual([]);
    expect(lastUser(project)).toMatch(/mode="supervised".* wave=""/);
  });
});
