import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { recordOf, textOf, type JsonRecord } from "../../src/lib/json.ts";
import { messagesOf, type RecordedRequest } from "../../src/scripted-model/request.ts";
import { call, result, say, type Turn } from "../../src/scripted-model/turn.ts";
import { openProject, type Outcome, type Project } from "../support/project.ts";
import { notesOf, type } from "./collaboration-scenes.ts";
import { assertNothingLeft, logPosition } from "../support/server-log.ts";
import { callAll, lastText } from "../support/scripted-model.ts";

const FOUND = { answer: "In src.", repo_map: "src: code", plan: [], risk_list: [], suggested_agents: [] };
const look = (rest: JsonRecord = {}): Turn =>
  call("delegate_gaia", { agent: "minerva", goal: "look", ...rest });

/** The results of all delegations of a session so far, newest last, with what only the user can see of them. */
function results(outcome: Outcome): JsonRecord[] {
  const rows = outcome.tools.filter(({ tool }) => tool === "delegate_gaia" || tool === "collect_results");
  return rows.map((row) => ({ ...row.metadata, ...recordOf(JSON.parse(row.output)) }));
}

function systemAndUser(request: RecordedRequest | undefined): string {
  return JSON.stringify(messagesOf(request?.body ?? {}));
}

describe("a delegation in the real OpenCode", () => {
  let project: Project;
  let position = 0;
  beforeAll(async () => {
    position = await logPosition();
    project = await openProject();
  });
  afterEach(async () => assertNothingLeft(project, position));
  afterAll(async () => project.close());

  const ask = async (...turns: Turn[]): Promise<Outcome> => {
    project.model.script("gaia", ...turns, say("over"));
    return project.prompt("gaia", "Go");
  };

  it("hands the contract over, with what it cost", async () => {
    project.model.script("minerva", result(FOUND, {}));
    const outcome = await ask(look());
    expect(outcome.text).toBe("over");
    expect(results(outcome)[0]).toMatchObject({
      status: "completed",
      agent: "minerva",
      model_used: "scripted/main",
      tokens: { input: 1_000, output: 100 },
    });
    const given = outcome.tools[0]?.output ?? "";
    expect(Object.keys(recordOf(JSON.parse(given))).join(" ")).toBe(
      "task_id session_id agent status parsed_json",
    );
    expect(recordOf(JSON.parse(given))["parsed_json"]).toEqual({ ok: true, data: FOUND });
  });

  it("takes what stands for nothing as absent, and answers a made-up session with those that there are", async () => {
    const nothing = { work_unit: "", wave_id: null, lane: "None", context_aids: { skills: [], files: [""] } };
    for (const session of ["", null, "none", "my-session", "ses_nobody"])
      project.model.script("gaia", look({ session_id: session, goal: `look ${session}`, ...nothing }));
    project.model.script("gaia", look({ lane: "soonish", goal: "other" }), say("over"));
    for (let at = 0; at < 3; at += 1) project.model.script("minerva", result(FOUND, {}));
    const outcome = await project.prompt("gaia", "Go");
    const given = outcome.tools.map(({ output }) => recordOf(JSON.parse(output)));
    expect(given.slice(0, 3).map(({ status }) => status)).toEqual(["completed", "completed", "completed"]);
    const [first] = given.map(({ session_id: id }) => textOf(id) ?? "");
    for (const [at, name] of [
      [3, "my-session"],
      [4, "ses_nobody"],
    ] as const) {
      const message = String(given[at]?.["message"]);
      expect(given[at]).toMatchObject({ status: "failed" });
      expect(message).toContain(
        `No specialist of this conversation has the session "${name}". Leave session_id out`,
      );
      expect(message).toContain(`or pass one of ${first} (minerva`);
      expect(message).not.toContain("server error");
    }
    expect(String(given[5]?.["message"])).toMatch(/lane: one of trivial, quick-fix, bug/);
  });

  it("runs two delegations of one answer at the same time", async () => {
    const from = project.model.requests.length;
    const asked = async (agent: string): Promise<void> => {
      await project.until(`${agent} to be asked`, () =>
        project.model.requests.slice(from).some((request) => request.agent === agent),
      );
    };
    // Neither is answered before the other is asked.
    project.model.script("minerva", async () => {
      await asked("apollo");
      return result(FOUND);
    });
    project.model.script(
      "apollo",
      async () => {
        await asked("minerva");
        return say("no contract");
      },
      say("none"),
    );
    const outcome = await ask(callAll(look(), call("delegate_gaia", { agent: "apollo", goal: "x" })));
    expect(results(outcome)).toHaveLength(2);
  });

  it("shows a resumed specialist its earlier turns", async () => {
    project.model.script("minerva", result({ ...FOUND, repo_map: "first findings" }));
    const first = await ask(look());
    const sessionId = textOf(results(first)[0]?.["session_id"]) ?? "";
    project.model.script("gaia", look({ goal: "look further", session_id: sessionId }), say("over"));
    project.model.script("minerva", result(FOUND));
    const second = await project.prompt("gaia", "Further", { session: first.sessionId });
    expect(results(second)[1]).toMatchObject({ status: "completed", session_id: sessionId });
    expect(results(second)[1]?.["task_id"]).not.toBe(results(second)[0]?.["task_id"]);
    const request = systemAndUser(project.model.requestsOf("minerva").at(-1));
    expect(request).toContain("first findings");
    expect(request).toContain("look further");
    expect(results(second)[1]).toMatchObject({ tokens: { input: 1_000, output: 100 } });
  });

  it("repairs an answer that does not fit once", async () => {
    const { repo_map: _left, ...incomplete } = FOUND;
    project.model.script("minerva", result(incomplete), result(FOUND));
    const outcome = await ask(look());
    expect(results(outcome)[0]).toMatchObject({ status: "completed", parsed_json: { data: FOUND } });
    expect(systemAndUser(project.model.requestsOf("minerva").at(-1))).toContain("data.repo_map");
    expect(results(outcome)[0]).toMatchObject({ tokens: { input: 2_000, output: 200 } });
  });

  it("hands a question on that stands in its contract, and lets one who cannot go on hand over no data", async () => {
    const questions = ["Which of the two databases is meant?"];
    project.model.script("minerva", say(questions[0] ?? ""), result(FOUND, { questions }));
    const outcome = await ask(look());
    expect(results(outcome)[0]).toMatchObject({ status: "completed", parsed_json: { questions } });
    const repair = JSON.stringify(messagesOf(project.model.requestsOf("minerva").at(-1)?.body ?? {}));
    expect(repair).toContain("set ok to false and say in errors what is missing");
    const said = { ok: false, data: {}, errors: ["Which database?"] };
    project.model.script("minerva", say("I cannot go on without an answer."), say(JSON.stringify(said)));
    expect(results(await ask(look()))[0]).toMatchObject({ status: "completed", parsed_json: said });
  });

  it("goes on with what there is when the repair fails too", async () => {
    project.model.script("minerva", say("I forgot the contract"), say("and again"));
    const outcome = await ask(look());
    expect(outcome.text).toBe("over");
    expect(results(outcome)[0]).toMatchObject({
      status: "partial",
      raw_text: "and again",
    });
    expect(results(outcome)[0]?.["parse_error"]).toContain("no JSON object");
    // Which model needs it is counted.
    project.model.script("gaia", say("Status shown."));
    await type(project, outcome.sessionId, "gaia-status");
    expect((await notesOf(project, outcome.sessionId)).join("\n")).toContain(
      "answers: scripted/main: 1 of 1 answer needed a repair (minerva 1), 1 of 1 answer fitted no contract",
    );
  });

  it.each([
    ["an unknown agent", { agent: "zeus", goal: "x" }, "minerva"],
    ["an unknown session", { agent: "minerva", goal: "x", session_id: "ses_nobody" }, "session_id"],
    ["no goal", { agent: "minerva" }, "goal"],
    [
      "arguments of another tool",
      { agent: "minerva", description: "x", prompt: "x" },
      "prompt: Unknown argument: expected one of agent, goal, task, background",
    ],
    ["a wrong type", { agent: "minerva", goal: "x", background: "perhaps" }, "background"],
  ])("answers %s with advice, not with an exception", async (_name, args, advice) => {
    const outcome = await ask(call("delegate_gaia", args));
    expect(outcome.tools[0]).toMatchObject({ status: "completed" });
    expect(results(outcome)[0]?.["status"]).toBe("failed");
    expect(results(outcome)[0]?.["message"]).toContain(advice);
    expect(outcome.text).toBe("over");
  });

  it.each(["Minerva", "@minerva", " MINERVA "])("knows whom %j means", async (agent) => {
    project.model.script("minerva", result(FOUND));
    const outcome = await ask(call("delegate_gaia", { agent, goal: "look" }));
    expect(results(outcome)[0]).toMatchObject({ status: "completed", agent: "minerva" });
  });

  it.each(["minevra", "the-minerva", "minerva agent"])(
    "does not guess at %j, but proposes",
    async (agent) => {
      const outcome = await ask(call("delegate_gaia", { agent, goal: "look" }));
      expect(results(outcome)[0]).toMatchObject({ status: "failed" });
      expect(results(outcome)[0]?.["message"]).toContain('did you mean "minerva"?');
    },
  );

  it("lets a model read why its call could not be, where the arguments are no JSON", async () => {
    const broken = (name: string): Turn => ({
      calls: [{ name, args: null, raw: '{"agent": "minerva", "pro' }],
    });
    const from = project.model.requests.length;
    project.model.script("gaia", broken("delegate_gaia"), look(), say("over"));
    project.model.script("minerva", broken("read"), result(FOUND));
    const outcome = await project.prompt("gaia", "Go");
    expect(outcome.text).toBe("over");
    for (const agent of ["gaia", "minerva"]) {
      const [, second] = project.model.requests.slice(from).filter((request) => request.agent === agent);
      const told = lastText(second!, "tool");
      expect(told).toContain("JSON");
      expect(told).not.toContain("unavailable tool");
    }
  });

  it.each([
    ["that it has", "read", { filePath: "package.json" }],
    ["that it has not", "plan_gaia", { op: "read_work_unit" }],
  ])("goes on after four of the same call at once, of a tool %s", async (_which, name, args) => {
    const four = [1, 2, 3, 4].map(() => call(name, args));
    project.model.script("minerva", callAll(...four), result(FOUND));
    expect(results(await ask(look()))[0]).toMatchObject({
      status: "completed",
      parsed_json: { data: FOUND },
    });
  });

  it("completes when its child leaves a todo open", async () => {
    const own = await openProject({ files: { ".gaia/agents/lister.md": LISTER } });
    const todos = [{ content: "never done", status: "in_progress", priority: "high" }];
    own.model.script("gaia", call("delegate_gaia", { agent: "lister", goal: "x" }), say("over"));
    own.model.script("lister", call("todowrite", { todos }), say("left one open"));
    const outcome = await own.prompt("gaia", "Go");
    expect(results(outcome)[0]).toMatchObject({ status: "completed", raw_text: "left one open" });
    expect(own.model.requestsOf("lister")).toHaveLength(2);
    await own.close();
  });
});

const LISTER =
  "---\ndescription: a test\npermission: { todowrite: allow }\n---\nYou are LISTER, a specialist.";

describe("configured otherwise", () => {
  let project: Project;
  afterEach(async () => project.close());

  it("runs on the session's model when none of an agent's own is there, and says so once", async () => {
    project = await openProject({ models: ["picked"] });
    project.model.script("gaia", callAll(look(), look()), say("over"));
    project.model.always("minerva", result(FOUND));
    const outcome = await project.prompt("gaia", "Go", { model: "picked" });
    expect(results(outcome).map((found) => found["model_used"])).toEqual([
      "scripted/picked",
      "scripted/picked",
    ]);
    const toasts = project.events.filter(({ type }) => type === "tui.toast.show");
    expect(toasts.filter(({ properties }) => String(properties["message"]).includes("minerva"))).toHaveLength(
      1,
    );
  });

  it("chooses among the models that are connected by what the work asks for", async () => {
    const prices = [
      ["dear", 60],
      ["maker", 12],
      ["looker", 4],
      ["older", 15],
    ] as const;
    const models = prices.map(([name, output]) => ({
      name,
      reasoning: name !== "looker",
      tool_call: true,
      release_date: name === "older" ? "2024-01-01" : "2026-01-01",
      cost: { input: 1, output },
      limit: { context: 200_000, output: 8_000 },
    }));
    project = await openProject({ models: ["picked", ...models] });
    project.model.script(
      "gaia",
      callAll(look(), call("delegate_gaia", { agent: "eleuthia", goal: "build" })),
      say("over"),
    );
    project.model.always("minerva", result(FOUND));
    project.model.always("eleuthia", result({}));
    const outcome = await project.prompt("gaia", "Go", { model: "picked" });
    expect(results(outcome).map((found) => found["model_used"])).toEqual([
      "scripted/looker",
      "scripted/maker",
    ]);
    const asked = project.model.requestsOf("gaia").map(({ body }) => body["model"]);
    expect(new Set(asked)).toEqual(new Set(["picked"]));
  });

  it("shows on the tool row who works on what, and leaves the finished row alone", async () => {
    project = await openProject({ files: { "a.txt": "content" } });
    project.model.script("gaia", look(), say("over"));
    const read = call("read", { filePath: `${project.directory}/a.txt` });
    project.model.script("minerva", read, { ...result(FOUND), delayMs: 2_500 });
    const outcome = await project.prompt("gaia", "Go");
    const rows = project.events
      .filter(({ type }) => type === "message.part.updated")
      .map(({ properties }) => recordOf(properties["part"]))
      .filter((part) => part["tool"] === "delegate_gaia")
      .map((part) => recordOf(part["state"]));
    const titles = rows.map((state) => textOf(state["title"]) ?? "");
    const progress = /^minerva · read.* · \d+s$/;
    expect(titles.filter((title) => progress.test(title)).length).toBeGreaterThan(0);
    // The TUI shows a plugin tool's input; the model reads that input later, so it must be itself again.
    const shown = rows.map((state) => textOf(recordOf(state["input"])["progress"]) ?? "");
    expect(shown.filter((text) => progress.test(text))).not.toHaveLength(0);
    expect(rows.at(-1)?.["input"]).toEqual({ agent: "minerva", goal: "look" });
    expect(outcome.tools[0]).toMatchObject({ status: "completed", title: "minerva › look" });
    expect(titles.at(-1)).toBe("minerva › look");
  });
});
