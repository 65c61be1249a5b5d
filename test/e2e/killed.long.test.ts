import { chmod, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { PARTS_KEY } from "../../src/conversation/display/metadata-keys.ts";
import { recordOf, type JsonRecord } from "../../src/lib/json.ts";
import { parseRow } from "../../src/lib/markdown.ts";
import { call, result, say } from "../../src/scripted-model/turn.ts";
import { startOpenCode, type OpenCodeServer } from "../support/opencode.ts";
import { openProject, type Project, callAll, lastText } from "../support/project.ts";
import { assertNothingLeft } from "../support/server-log.ts";
import {
  delegate,
  done,
  follow,
  has,
  lastUser,
  LONG_MS,
  plan,
  RECON,
  recorded,
  resultsOf,
  stateOf,
  type,
  UNIT,
  write,
  planOf,
} from "./scenes.ts";

vi.setConfig({ testTimeout: LONG_MS, hookTimeout: LONG_MS });

/** What is under way in a project when OpenCode is killed, and what holds after that. */
interface Scene {
  readonly gaia?: object;
  /** @returns the conversation */
  begin(project: Project): Promise<string>;
  /** With OpenCode gone. */
  left?(project: Project): Promise<void>;
  /** With another OpenCode. */
  goOn(project: Project, session: string): Promise<void>;
}

const AUTOPILOT = { mode: "autopilot", startup: { askAtTaskStart: false } };
const COMMIT = plan("commit", { commit: "Made" });

/** GAIA commits, and a hook of git's takes long. */
const committing = (hook: string, commits: string): Scene => ({
  gaia: AUTOPILOT,
  async begin(project) {
    await project.write(".git/info/exclude", "reached.log\n");
    await project.write(`.git/hooks/${hook}`, "#!/bin/sh\necho > reached.log\nsleep 600\n");
    await chmod(join(project.directory, ".git/hooks", hook), 0o755);
    project.model.script("hephaestus", write(project, "a.txt"), done);
    project.model.script("gaia", UNIT, delegate(), COMMIT);
    const session = await project.start("gaia", "Build it");
    await project.until("the hook", () => has(project, "reached.log"));
    return session;
  },
  async left(project) {
    expect(await project.git("log", "--format=%s")).toBe(commits);
    await rm(join(project.directory, ".git/hooks", hook));
    // What git itself leaves behind when it is killed, a person takes away.
    await rm(join(project.directory, ".git/index.lock"), { force: true });
  },
  async goOn(project, session) {
    project.model.script("gaia", COMMIT, say("Done."));
    const outcome = await follow(project, "Go on", session);
    expect(resultsOf(outcome, "plan_gaia").at(-1)).toMatchObject({ ok: true });
    expect(await project.git("log", "--format=%s")).toBe("Made\nStart\n");
    expect(await project.read("a.txt")).toBe("a.txt\n");
    expect(await project.git("status", "--short", "--", ":!.gaia")).toBe("");
  },
});

/** The user speaks with hephaestus, and has gone back to GAIA or waits for the answer. */
const talking = (isOver: boolean): Scene => ({
  gaia: AUTOPILOT,
  async begin(project) {
    project.model.always("gaia", say("I see."));
    const { sessionId: root } = await project.prompt("gaia", "Hello");
    await type(project, root, "talk", "hephaestus");
    const all = (await project.call("GET", "/session")) as { id: string; title: string }[];
    const session = all.find(({ title }) => title.startsWith("hephaestus › with you"))?.id ?? "";
    project.model.always("hephaestus", say("Handed back."));
    const end = isOver ? say("Written.") : async () => new Promise<never>(() => undefined);
    project.model.script("hephaestus", write(project, "c.txt"), end);
    await project.start("gaia", "Write c, bitte", { session });
    await project.model.request("hephaestus", 2);
    if (!isOver) return root;
    await project.idle(session);
    await type(project, session, "back");
    return root;
  },
  async goOn(project, session) {
    const tell = async (): Promise<string> => {
      if (isOver) await project.prompt("gaia", "Go on", { session });
      else await type(project, session, "back");
      return lastUser(project);
    };
    const told = await tell();
    expect(told).toContain("The user said: “Write c, bitte”");
    expect(told).toContain("Changed there: c.txt +1 −0");
    expect(told).not.toContain("user's own");
    expect(await tell()).not.toContain("Write c, bitte");
  },
});

const delegations: Scene = {
  async begin(project) {
    const begun = (agent: string) =>
      call("delegate_gaia", { agent, goal: "look", background: true, work_unit: "unit" });
    project.model.script(
      "gaia",
      callAll(begun("minerva"), begun("apollo"), begun("hephaestus")),
      say("waiting"),
    );
    project.model.always("gaia", say("thank you"));
    project.model.script("minerva", result(RECON));
    project.model.script("apollo", { text: "half a sentence", trouble: "stall" });
    project.model.script("hephaestus", write(project, "late.txt"));
    const session = await project.start("gaia", "Go");
    await project.model.request("apollo");
    await project.permission(({ permission }) => permission === "edit");
    await project.model.request("gaia", 3); // Woken by minerva's end.
    await project.idle(session);
    await project.until("the note that GAIA was given minerva's result", async () =>
      JSON.stringify(await stateOf(project, session, PARTS_KEY)).includes("delegations"),
    );
    return session;
  },
  async goOn(project, session) {
    expect(await project.call("GET", "/permission")).toEqual([]);
    const begun = resultsOf(await project.outcome(session), "delegate_gaia");
    const taskIds = begun.map((row) => String(row["task_id"]));
    project.model.script(
      "gaia",
      call("collect_results", {}),
      call("collect_results", { task_ids: [...taskIds, "task_0123456789_1", "nonsense"], until: "all" }),
      call("collect_results", {}),
      say("over"),
    );
    const asked = project.model.requestsOf("gaia").length;
    const { tools } = await project.prompt("gaia", "What became of it?", { session });
    const told = lastText(await project.model.request("gaia", asked + 1), "user");
    expect(told).toMatch(/<gaia-open>[^]*- apollo \(task_\w+\) "look": interrupted/);
    expect(told).toContain("offer to go on");
    // What GAIA was woken with is not open any more.
    expect(told).not.toContain("minerva");
    const resultsAt = (at: number): JsonRecord[] =>
      recordOf(JSON.parse(tools.at(at)?.output ?? ""))["results"] as JsonRecord[];
    expect(resultsAt(-3).map((row) => [row["task_id"], row["status"]])).toEqual([
      [taskIds[1], "failed"],
      [taskIds[2], "failed"],
    ]);
    expect(tools.at(-1)?.output).toContain("No background task is open.");
    const stopped = (agent: string) => ({
      agent,
      status: "failed",
      message: expect.stringContaining("stopped while this ran"),
    });
    expect(resultsAt(-2)).toMatchObject([
      { task_id: taskIds[0], status: "completed", parsed_json: { data: RECON } },
      stopped("apollo"),
      stopped("hephaestus"),
      { message: expect.stringContaining("Nothing is known") },
      { message: expect.stringContaining("no task id") },
    ]);
    expect(recordOf(tools.at(-2)?.metadata)["tasks"]).toContainEqual(
      expect.objectContaining({
        model_used: "scripted/main",
        tokens: { input: 1_000, output: 100, cached: 0 },
      }),
    );
    expect(has(project, "late.txt")).toBe(false);
  },
};

const rowsOf = async (project: Project): Promise<string[][]> => {
  const text = await project.read(".gaia/unit/decisions.md").catch(() => "");
  return text
    .split("\n")
    .filter((line) => line.startsWith("| 2"))
    .map(parseRow);
};

const decisions: Scene = {
  async begin(project) {
    const options = [{ label: "jose", description: "" }];
    const question = { question: "jose or jsonwebtoken?", header: "Library", options };
    project.model.script(
      "gaia",
      delegate(),
      UNIT,
      call("question", { questions: [question] }),
      plan("open_wave", { wave_id: "w1", title: "Tokens" }),
      say("Begun."),
      say("Live."),
    );
    project.model.script("hephaestus", write(project, "a.txt"), done);
    const session = await project.start("gaia", "Build it");
    const edit = await project.permission(({ permission }) => permission === "edit");
    await project.answer(edit, "reject", "tabs");
    await project.reply(await project.question(), [["jose"]]);
    const wave = await project.permission(({ permission }) => permission.startsWith("gaia_approval: wave"));
    await project.answer(wave, "once");
    await project.idle(session);
    await type(project, session, "autopilot");
    await project.until("three rows", async () => (await rowsOf(project)).length === 3);
    return session;
  },
  async left(project) {
    expect(await project.read(".gaia/unit/log.md")).toMatch(/^- .{16} · Approve wave w1 .*`wave:per_\w+`$/mu);
    const said = (await rowsOf(project)).map(([, ...row]) => row.slice(0, 3).join(" · "));
    expect(said).toEqual([
      "May write run? · rejected · tabs",
      "jose or jsonwebtoken? · jose · ",
      expect.stringMatching(/mode.*autopilot/i),
    ]);
    expect(project.model.requestsOf("demeter")).toEqual([]);
    // The session's summary stands there already, without a model or a command.
    const summary = await project.read(".gaia/unit/sessions.md");
    expect(summary).toContain("- Asked: Build it\n");
    expect(summary).toContain("- Decided: jose or jsonwebtoken? → jose\n");
  },
  async goOn(project, session) {
    // The historian adds reasons, and no rows.
    const markdown = (await rowsOf(project))
      .map(([date, question, choice, why, impact]) => [date, question, choice, why || "x", impact || "all"])
      .map((row) => `| ${row.join(" | ")} |`)
      .join("\n");
    project.model.script("gaia", call("delegate_gaia", { agent: "demeter", goal: "harvest" }), say("Done."));
    project.model.script(
      "demeter",
      plan("append_decisions", { slug: "unit", content: { markdown } }),
      recorded,
    );
    await project.prompt("gaia", "Write it down", { session });
    const rows = await rowsOf(project);
    expect(rows.map(([, , , why]) => why)).toEqual(["tabs", "x", "x"]);
    expect(rows.every(([, , , , impact]) => impact !== "")).toBe(true);
    const sessions = await project.until("the summary to go on", async () => {
      const text = await project.read(".gaia/unit/sessions.md");
      return (
        /Asked: Build it\n- Asked: Write it down\n- Done: hephaestus failed, demeter\n/.test(text) && text
      );
    });
    expect(sessions.match(/^## .*— Session /gm)).toHaveLength(1);
  },
};

const MARKDOWN = planOf(
  "Limits.",
  [{ text: "Limit it", wave: "w1", files: "src/limit.ts", verify: "test -f src/limit.ts" }],
  "`test -f src/limit.ts`",
);
const approvedPlan: Scene = {
  async begin(project) {
    project.model.script(
      "gaia",
      plan("create_work_unit", { slug: "limits", title: "Rate limits", content: { markdown: MARKDOWN } }),
      plan("request_approval", { kind: "plan" }),
      plan("set_active"),
      say("Planned."),
    );
    project.autoAnswer(({ permission }) => (permission.startsWith("gaia_approval") ? "once" : null));
    return (await project.prompt("gaia", "Plan it")).sessionId;
  },
  async goOn(project) {
    project.autoAnswer(({ permission }) => (permission.startsWith("gaia_approval: wave") ? "once" : null));
    project.model.script(
      "gaia",
      plan("open_wave", { wave_id: "w1" }),
      delegate("w1"),
      plan("update_plan", { tick: ["1"] }),
      plan("complete_wave", { wave_id: "w1" }),
      say("Done."),
    );
    project.model.script("hephaestus", write(project, "src/limit.ts"), done);
    await type(project, await project.session(), "gaia-work", "limits");
    const text = lastText(project.model.requestsOf("gaia").at(-5)!, "user");
    expect(text).toContain("starts the approved plan of limits (Rate limits)");
    expect(text).toContain("Wave w1\n- 1. Limit it (hephaestus; src/limit.ts; verify:");
    expect(has(project, "src/limit.ts")).toBe(true);
    const written = await project.read(".gaia/limits/plan.md");
    expect(written).toContain("> Status: in-progress");
    expect(written).toContain("- [x] 1. Limit it");
  },
};

/** Those that hang come last: nothing of theirs ends for its time before the kill. */
const SCENES: Readonly<Record<string, Scene>> = {
  "the user's decisions stand there without the historian": decisions,
  "an approved plan is carried out by /gaia-work in a fresh session": approvedPlan,
  "a talk that was handed back is told to GAIA once": talking(true),
  "a commit that git has made is not made again": committing("post-commit", "Made\nStart\n"),
  "a commit that git has not made yet is made once": committing("pre-commit", "Start\n"),
  "delegations are collected: what ended is rebuilt, of the rest it is said what is known": delegations,
  "a talk that nobody has answered comes back to GAIA once": talking(false),
};

describe("after kill -9 of OpenCode in the middle of all of this", () => {
  let server: OpenCodeServer;
  const open = new Map<Scene, { readonly project: Project; readonly session: string }>();
  beforeAll(async () => {
    server = await startOpenCode();
    for (const scene of Object.values(SCENES)) {
      const project = await openProject({ server, gaia: scene.gaia ?? {} });
      open.set(scene, { project, session: await scene.begin(project) });
    }
    server = await server.restart();
  });
  afterAll(async () => server.close());

  it.each(Object.entries(SCENES))("%s", async (_what, scene) => {
    const { project: before, session } = open.get(scene)!;
    await scene.left?.(before);
    const project = await openProject({ server, resume: before });
    await scene.goOn(project, session);
    await expect(assertNothingLeft(project, 0, server.root)).resolves.toBeUndefined();
    await project.close();
  });
});
