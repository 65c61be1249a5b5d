import { expect, it } from "vitest";
import { recordOf } from "../../src/lib/json.ts";
import { call, result, say } from "../../src/scripted-model/turn.ts";
import { callAll, lastText, openProject } from "../support/project.ts";
import { assertNothingLeft, logPosition } from "../support/server-log.ts";

const FOUND = { answer: "In src.", repo_map: "src: code", plan: [], risk_list: [], suggested_agents: [] };
const look = (rest: object = {}) => call("delegate_gaia", { agent: "minerva", goal: "look", ...rest });

it("a delegation in the real OpenCode repairs an answer that does not fit, hands the contract over with what it cost, and resumes no session that there is not", async () => {
  const position = await logPosition();
  const project = await openProject();
  const { repo_map: _left, ...incomplete } = FOUND;
  project.model.script("minerva", result(incomplete), result(FOUND));
  project.model.script("gaia", callAll(look(), look({ session_id: "ses_nobody" })), say("over"));
  const { text, tools } = await project.prompt("gaia", "Go");
  expect(text).toBe("over");
  const [given, refused] = tools.map(({ output }) => recordOf(JSON.parse(output)));
  expect(Object.keys(given ?? {}).join(" ")).toBe("task_id session_id agent status parsed_json");
  expect(given).toMatchObject({ status: "completed", parsed_json: { ok: true, data: FOUND } });
  const cost = { model_used: "scripted/main", tokens: { input: 2_000, output: 200 } };
  expect(tools[0]?.metadata).toMatchObject(cost);
  const [, repair] = project.model.requestsOf("minerva");
  expect(repair && lastText(repair, "user")).toContain("data.repo_map");
  expect(refused).toMatchObject({ status: "failed", message: expect.stringContaining("session_id") });
  await assertNothingLeft(project, position);
  await project.close();
});
