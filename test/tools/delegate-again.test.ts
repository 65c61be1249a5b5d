import { expect, it } from "vitest";
import { toOpenCodeTool } from "../../src/host/opencode/tools.ts";
import { recordOf, type JsonRecord } from "../../src/lib/json.ts";
import { silentLogger } from "../../src/lib/logger.ts";
import { createEndCall, listTools } from "../../src/tools/registry.ts";
import { compose, ROOT } from "../support/composition.ts";
import { turn } from "../support/fake-host.ts";

it("goes on in a session once GAIA was given how its last background task ended", async () => {
  const { runtime, host } = await compose();
  const { signal: abort } = new AbortController();
  let calls = 0;
  const use = async (name: string, args: object): Promise<JsonRecord> => {
    const found = listTools(runtime).find((each) => each.name === name);
    if (found === undefined) throw new Error(`${name} is in no list`);
    const tool = toOpenCodeTool(found, silentLogger, createEndCall(runtime));
    const ids = { sessionID: ROOT, messageID: "msg_1", callID: `call_${(calls += 1)}`, agent: "gaia" };
    const output = await tool.execute(args, { ...ids, abort } as never);
    return recordOf(JSON.parse(typeof output === "string" ? output : output.output));
  };
  host.script(turn("It adds."), turn("It adds."), turn("It divides."), turn("It divides."));
  const look = { agent: "minerva", goal: "Look" };
  const begun = await use("delegate_gaia", { ...look, background: true });
  const [taskId, session] = [begun["task_id"], begun["session_id"]];
  await expect
    .poll(() => runtime.engine.tasks.get(String(taskId))?.outcome?.status)
    .toEqual(expect.any(String));
  const again = { ...look, goal: "Look again", session_id: session };
  expect(JSON.stringify(await use("delegate_gaia", again))).toContain(`how task ${String(taskId)} ended`);
  await use("collect_results", { task_id: taskId });
  expect(await use("delegate_gaia", again)).toMatchObject({ session_id: session, agent: "minerva" });
});
