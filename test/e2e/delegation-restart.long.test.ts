import { afterEach, expect, it } from "vitest";
import { PARTS_KEY } from "../../src/conversation/display/metadata-keys.ts";
import { recordOf, textOf, type JsonRecord } from "../../src/lib/json.ts";
import { call, result, say } from "../../src/scripted-model/turn.ts";
import { startOpenCode, type OpenCodeServer } from "../support/opencode.ts";
import { openProject, type Project } from "../support/project.ts";
import { assertNothingLeft } from "../support/server-log.ts";
import { callAll, lastText } from "../support/scripted-model.ts";

const FOUND = { repo_map: "src: code", answer: "It.", plan: [], risk_list: [], suggested_agents: [] };

let server: OpenCodeServer;
let project: Project;
afterEach(async () => {
  await project.close();
  await server.close();
});

it("collects after OpenCode was killed: the finished result is rebuilt, of the rest it says what is known", async () => {
  server = await startOpenCode();
  project = await openProject({ server });
  const delegate = (agent: string): ReturnType<typeof call> =>
    call("delegate_gaia", { agent, goal: "look", background: true, work_unit: "unit" });
  project.model.script("gaia", callAll(delegate("minerva"), delegate("apollo")), say("waiting"));
  project.model.always("gaia", say("thank you"));
  project.model.script("minerva", result(FOUND));
  project.model.script("apollo", { text: "half a sentence", trouble: "stall" });
  const session = await project.start("gaia", "Go");
  await project.model.request("apollo");
  await project.model.request("gaia", 3); // Woken by minerva's end.
  await project.idle(session);
  const rows = (await project.outcome(session)).tools.map(({ output }) => recordOf(JSON.parse(output)));
  await project.until("the note that it was given minerva's result", async () => {
    const { metadata } = recordOf(await project.call("GET", `/session/${session}`));
    return textOf(JSON.stringify(recordOf(metadata)[PARTS_KEY]))?.includes('"restart":{');
  });
  const taskIds = rows.map((row) => textOf(row["task_id"]) ?? "");

  server = await server.restart();
  const before = project;
  project = await openProject({ server, resume: before });
  project.model.script(
    "gaia",
    call("collect_results", {}),
    call("collect_results", { task_ids: [...taskIds, "task_0123456789_1", "nonsense"], until: "all" }),
    call("collect_results", {}),
    say("over"),
  );
  const asked = project.model.requestsOf("gaia").length;
  const { tools } = await project.prompt("gaia", "What became of it?", { session });
  const told = await project.model.request("gaia", asked + 1);
  expect(lastText(told, "user")).toMatch(/<gaia-open>[^]*- apollo \(task_\w+\) "look": interrupted/);
  expect(lastText(told, "user")).toContain("offer to go on");
  // What she was woken with is not open any more.
  expect(lastText(told, "user")).not.toContain("minerva");
  const resultsOf = (at: number): JsonRecord[] =>
    recordOf(JSON.parse(tools.at(at)?.output ?? ""))["results"] as JsonRecord[];
  expect(resultsOf(-3)).toEqual([expect.objectContaining({ task_id: taskIds[1], status: "failed" })]);
  expect(tools.at(-1)?.output).toContain("No background task is open.");
  const results = resultsOf(-2);
  expect(results[0]).toMatchObject({
    task_id: taskIds[0],
    status: "completed",
    parsed_json: { data: FOUND },
  });
  expect(recordOf(tools.at(-2)?.metadata)["tasks"]).toContainEqual(
    expect.objectContaining({
      model_used: "scripted/main",
      tokens: { input: 1_000, output: 100, cached: 0 },
    }),
  );
  expect(results[1]).toMatchObject({
    status: "failed",
    agent: "apollo",
    message: expect.stringContaining("stopped while this ran"),
  });
  expect(results[2]?.["message"]).toContain("Nothing is known");
  expect(results[3]?.["message"]).toContain("no task id");
  await assertNothingLeft(project, 0, server.root);
});
