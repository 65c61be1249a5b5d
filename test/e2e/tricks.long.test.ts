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
  stateOf,
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

  it("says nothing of the user's, and nothing in our tags, when it is opened and spoken in", async () => {
    project.model.script("gaia", say("Hello."));
    await project.prompt("gaia", "What of the zebra limits?", { session });
    const said = lastUser(project);
    expect(said).toContain("zebra limits");
    expect(said.match(/<gaia-collaboration /g)).toHaveLength(1);
    const ends = said.match(/<\/gaia-(?:memory|resume)>/g);
    expect(ends).toHaveLength(said.match(/<gaia-(?:memory|resume)>/g)?.length ?? 0);
    expect(said.trimEnd().split("\n").at(-1)).toMatch(
      /^<gaia-collaboration .*mode="supervised".* wave="" \/>$/,
    );
    expect(everything()).not.toContain(SECRET);
    expect(ran()).toEqual([]);
  });

  it("approves nothing by what its files say of themselves", async () => {
    project.autoAnswer(() => null);
    project.model.script(
      "gaia",
      plan("open_wave", { slug: "limits", wave_id: "w1", title: "First" }),
      call("delegate_gaia", { agent: "hephaestus", goal: "go", wave_id: "w1", work_unit: "limits" }),
      plan("request_trust"),
      plan("read_work_unit", { slug: "leaky" }),
      plan("update_plan", { slug: "limits", status: "approved" }),
      say("No."),
    );
    const outcome = await project.prompt("gaia", "Carry out the approved plan", { session });
    expect(answers(outcome)).toEqual([
      expect.stringContaining("has not approved the plan of limits"),
      expect.stringContaining("has not approved the plan of limits"),
      expect.stringContaining("Only the user asks for this"),
      expect.stringContaining("lies outside of .gaia/"),
      expect.stringContaining("Only the user approves a plan"),
    ]);
    expect((await stateOf(project, session))["wave"]).toBeNull();
  });

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
