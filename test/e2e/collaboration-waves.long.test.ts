import { afterEach, describe, expect, it } from "vitest";
import { call, say } from "../../src/scripted-model/turn.ts";
import { inCacheOrder } from "../support/cache-order.ts";
import { openProject, type Outcome, type Project } from "../support/project.ts";
import { childOf, delegate, done, has, plan, type, UNIT, write } from "./scenes.ts";

let project: Project;
afterEach(async () => project.close());

const planResults = ({ tools }: Outcome): Record<string, unknown>[] =>
  tools
    .filter(({ tool }) => tool === "plan_gaia")
    .map(({ output }) => JSON.parse(output) as Record<string, unknown>);
describe("a wave in supervised mode", () => {
  it("is asked for once, asks for nothing inside, and for everything after", async () => {
    project = await openProject();
    const asked: string[] = [];
    project.autoAnswer(({ permission }) => {
      asked.push(permission);
      return permission.startsWith("gaia_approval: wave w1") ? "once" : null;
    });
    const openW1 = plan("open_wave", { wave_id: "w1", title: "First" });
    project.model.script("gaia", UNIT, openW1, delegate("w1"), say("Done."));
    project.model.script(
      "hephaestus",
      write(project, "a.txt"),
      call("bash", { command: "touch b.txt", description: "t" }),
      done,
    );
    const { sessionId } = await project.prompt("gaia", "Build it");
    expect([has(project, "a.txt"), has(project, "b.txt")]).toEqual([true, true]);
    const { tools } = await childOf(project, sessionId);
    expect(tools.map(({ status }) => status)).toEqual(["completed", "completed"]);

    // What names the wave that is over does not begin; work outside of waves waits for the user again.
    const complete = plan("complete_wave", { wave_id: "w1" });
    project.model.script(
      "gaia",
      complete,
      delegate("w1"),
      openW1,
      plan("set_active"),
      delegate(),
      say("Done."),
    );
    project.model.script("hephaestus", write(project, "c.txt"), done);
    await project.start("gaia", "Go on", { session: sessionId });
    const request = await project.permission();
    expect(request.permission).toBe("edit");
    expect(has(project, "c.txt")).toBe(false);
    await project.answer(request, "once");
    await project.idle(sessionId);
    expect(has(project, "c.txt")).toBe(true);
    const outcome = await project.outcome(sessionId);
    expect(planResults(outcome).map(({ ok }) => ok)).toEqual([true, true, true, false, true]);
    expect(planResults(outcome)[3]).toMatchObject({
      error: "Refused: wave w1 of unit is complete, and no name of a wave is used twice.",
    });
    expect(JSON.parse(outcome.tools[4]?.output ?? "")).toMatchObject({
      status: "failed",
      message: expect.stringContaining("wave w1 of unit is over. No wave is open here."),
    });
    expect(asked.filter((permission) => permission.startsWith("gaia_approval: wave w1"))).toHaveLength(1);
    expect(await project.read(".gaia/unit/log.md")).toMatch(
      /— Approvals\n\n- .{16} · Approve wave w1 \(First\) · `/u,
    );
    expect(await project.read(".gaia/unit/decisions.md")).not.toContain("approved");
  });
});

describe("what the model is sent", () => {
  it("only ever grows: neither commands nor notes rewrite a message, tools or system prompt", async () => {
    project = await openProject({ gaia: { mode: "autopilot", checkinCadence: "batch" } });
    project.model.script("gaia", delegate(), say("A check-in is due."), say("Locked."), say("Yes."));
    project.model.script("hephaestus", write(project, "a.txt"), done);
    const { sessionId } = await project.prompt("gaia", "One");
    await type(project, sessionId, "locked");
    await project.prompt("gaia", "Two", { session: sessionId });
    for (const agent of ["gaia", "hephaestus"]) {
      const sent = project.model.requestsOf(agent).map((request) => inCacheOrder(request).toString("utf8"));
      expect(sent.length).toBeGreaterThan(1);
      for (const [index, text] of sent.slice(1).entries())
        expect(text.startsWith(sent[index] ?? "")).toBe(true);
    }
    expect(project.model.requestsOf("gaia").at(-1)?.raw).not.toContain("/next goes on ·");
  });
});
