import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { recordOf, type JsonRecord } from "../../src/lib/json.ts";
import { messagesOf, type RecordedRequest } from "../../src/scripted-model/request.ts";
import { call, result, say, type Turn } from "../../src/scripted-model/turn.ts";
import { openProject, type Outcome, type Project, callAll } from "../support/project.ts";
import { assertNothingLeft, logPosition } from "../support/server-log.ts";
import { notesOf, type } from "./scenes.ts";

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

  it("repairs an answer that does not fit once", async () => {
    const { repo_map: _left, ...incomplete } = FOUND;
    project.model.script("minerva", result(incomplete), result(FOUND));
    const outcome = await ask(look());
    expect(results(outcome)[0]).toMatchObject({ status: "completed", parsed_json: { data: FOUND } });
    expect(systemAndUser(project.model.requestsOf("minerva").at(-1))).toContain("data.repo_map");
    expect(results(outcome)[0]).toMatchObject({ tokens: { input: 2_000, output: 200 } });
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

  it("answers wrong arguments with advice, not with an exception", async () => {
    const wrong: [args: JsonRecord, advice: string][] = [
      [{ agent: "zeus", goal: "x" }, "minerva"],
      [{ agent: "minerva", goal: "x", session_id: "ses_nobody" }, "session_id"],
      [{ agent: "minerva" }, "goal"],
      [
        { agent: "minerva", description: "x", prompt: "x" },
        "prompt: Unknown argument: expected one of agent, goal, task, background",
      ],
      [{ agent: "minerva", goal: "x", background: "perhaps" }, "background"],
    ];
    const outcome = await ask(callAll(...wrong.map(([args]) => call("delegate_gaia", args))));
    expect(outcome.tools.map(({ status }) => status)).toEqual(wrong.map(() => "completed"));
    for (const [at, [, advice]] of wrong.entries())
      expect(results(outcome)[at]).toMatchObject({
        status: "failed",
        message: expect.stringContaining(advice) as unknown,
      });
    expect(outcome.text).toBe("over");
  });
});
