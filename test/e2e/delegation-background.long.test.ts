import { afterEach, beforeEach, expect, it } from "vitest";
import { recordOf, textOf } from "../../src/lib/json.ts";
import { messagesOf } from "../../src/scripted-model/request.ts";
import { call, result, say, type Turn } from "../../src/scripted-model/turn.ts";
import { openProject, type Project, type ProjectOptions, callAll, lastText } from "../support/project.ts";
import { assertNothingLeft, logPosition } from "../support/server-log.ts";

const FOUND = { repo_map: "src: code", answer: "It.", plan: [], risk_list: [], suggested_agents: [] };
const inBackground = (goal = "look") => call("delegate_gaia", { agent: "minerva", goal, background: true });
const hang: Turn = { trouble: "hang" };

let project: Project;
let position = 0;
beforeEach(async () => {
  position = await logPosition();
});
afterEach(async () => {
  await assertNothingLeft(project, position);
  await project.close();
});

async function open(options: ProjectOptions = {}): Promise<void> {
  project = await openProject(options);
}

/** Task ids of what `delegate_gaia` answered in a session, in the order of the calls. */
async function taskIds(sessionId: string): Promise<string[]> {
  const { tools } = await project.outcome(sessionId);
  const rows = tools.filter(({ tool, output }) => tool === "delegate_gaia" && output !== "");
  return rows.map(({ output }) => textOf(recordOf(JSON.parse(output))["task_id"]) ?? "");
}

async function hasEnded(sessionId: string): Promise<void> {
  await project.until(`session ${sessionId} to end its turn`, () =>
    project.events.some(
      ({ type, properties }) => type === "session.idle" && properties["sessionID"] === sessionId,
    ),
  );
}

it.each(["delegations", "what was delegated before"])(
  "what the user writes while GAIA waits is answered at once, and the end of %s comes by itself",
  async (what) => {
    await open();
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    project.model.always("minerva", async () => {
      await gate;
      return result(FOUND);
    });
    const delegated = callAll(
      call("delegate_gaia", { agent: "minerva", goal: "a" }),
      call("delegate_gaia", { agent: "minerva", goal: "b" }),
    );
    const collected = [
      callAll(inBackground("a"), inBackground("b")),
      call("collect_results", { until: "all" }),
    ];
    project.model.script("gaia", ...(what === "delegations" ? [delegated] : collected));
    project.model.script("gaia", say("Both are at work."), say("Thank you."));
    const session = await project.start("gaia", "Go");
    await project.model.request("minerva", 2);
    await project.start("gaia", "How far is it?", { session });
    await hasEnded(session);
    const asked = project.model.requestsOf("gaia").at(-1)!;
    expect(lastText(asked, "user")).toContain("How far is it?");
    expect(lastText(asked, "tool")).toContain('"status":"running"');
    if (what === "delegations") expect(lastText(asked, "tool")).toContain("The user has written");
    release();
    const woken = await project.until("the results", () =>
      project.model
        .requestsOf("gaia")
        .find((each) => lastText(each, "user").includes("Background tasks have ended")),
    );
    expect(lastText(woken, "user").match(/"status":"completed"/g)).toHaveLength(2);
    for (const id of await taskIds(session))
      expect(lastText(woken, "user").split(`"task_id":"${id}"`)).toHaveLength(2);
    await project.idle(session);
    expect(project.model.requestsOf("minerva")).toHaveLength(2);
    const woke = project.model
      .requestsOf("gaia")
      .filter((each) => lastText(each, "user").includes("Background tasks have ended"));
    expect(woke).toEqual([woken]);
  },
);

it("a stop by the user ends a specialist that GAIA waits for, leaves background work running, says so, and is final until the user speaks", async () => {
  await open();
  project.model.script("gaia", inBackground(), call("delegate_gaia", { agent: "minerva", goal: "look on" }));
  let release = (): void => undefined;
  project.model.script("minerva", async () => {
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    return result(FOUND);
  });
  project.model.script("minerva", hang);
  const session = await project.start("gaia", "Go");
  const awaited = await project.model.request("minerva", 2);
  await project.abort(session);
  await project.until("the specialist to stop", () => awaited.aborted);
  await project.until("a note about what still runs", async () =>
    JSON.stringify(await project.messages(session)).includes("Still running in the background: minerva"),
  );
  release();
  await hasEnded(project.model.requestsOf("minerva")[0]?.sessionId ?? "");
  project.model.script("gaia", say("here I am"), say("thank you"));
  await project.prompt("gaia", "Are you there?", { session });
  const woken = await project.model.request("gaia", 4);
  expect(lastText(woken, "user")).toContain('"status":"completed"');
  const third = project.model.requestsOf("gaia")[2];
  expect(JSON.stringify(messagesOf(third?.body ?? {}).at(-1))).toContain("Are you there?");
  await project.idle(session);
});
