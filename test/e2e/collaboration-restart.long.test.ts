import { afterEach, describe, expect, it } from "vitest";
import { result, say } from "../../src/scripted-model/turn.ts";
import { SNAPSHOT_KEY } from "../../src/conversation/display/metadata-keys.ts";
import { recordOf } from "../../src/lib/json.ts";
import { startOpenCode } from "../support/opencode.ts";
import { reopen } from "../support/reopen.ts";
import { openProject, type Project } from "../support/project.ts";
import { lastText } from "../support/scripted-model.ts";
import {
  childOf,
  delegate,
  HEPHAESTUS_DONE,
  plan,
  stateOf,
  type,
  UNIT,
  untilState,
  write,
} from "./collaboration-scenes.ts";

let project: Project;
afterEach(async () => project.close());

describe("a restart of OpenCode", () => {
  it("keeps the settings and the wave's name, and forgets its approval", async () => {
    const server = await startOpenCode();
    const first = await openProject({ server });
    first.autoAnswer(({ permission }) => (permission.startsWith("gaia_approval: wave w1") ? "once" : null));
    first.model.script("gaia", UNIT, plan("open_wave", { wave_id: "w1" }), say("Open."), say("Live."));
    const { sessionId } = await first.prompt("gaia", "Begin");
    await type(first, sessionId, "live");
    await untilState(first, sessionId, "approval and knob", ({ wave, knobs }) => {
      const isApproved = (wave as { approved?: boolean } | null)?.approved === true;
      return isApproved && (knobs as { visibility: string }).visibility === "live";
    });
    const again = await server.restart();
    project = await openProject({ server: again, resume: first });
    project.model.script("gaia", delegate("w1"), say("Done."));
    project.model.script("hephaestus", write(project, "a.txt"), result(HEPHAESTUS_DONE));
    await project.start("gaia", "Go on", { session: sessionId });
    const request = await project.permission();
    expect(request.permission).toBe("edit");
    expect(
      lastText(project.model.requestsOf("hephaestus")[0] ?? project.model.requests[0]!, "user"),
    ).toContain('visibility="live"');
    await project.answer(request, "once");
    await project.idle(sessionId);
    expect((await childOf(project, sessionId)).tools[0]).toMatchObject({
      tool: "write",
      status: "completed",
    });
    await again.kill();
  }, 120_000);

  it("keeps the mode that the user has set, and takes none that came with a session from elsewhere", async () => {
    project = await openProject();
    project.model.always("gaia", say("Hello."));
    const { sessionId: own } = await project.prompt("gaia", "Hello");
    const { sessionId: foreign } = await project.prompt("gaia", "Hello");
    await type(project, own, "autopilot");
    const modeOf = async (session: string): Promise<unknown> =>
      recordOf((await stateOf(project, session))["knobs"])["mode"];
    await project.until("autopilot", async () => (await modeOf(own)) === "autopilot");
    project = await reopen(project);
    // As `opencode import` leaves one: with all that stood in its metadata.
    const state = await stateOf(project, foreign);
    const knobs = { ...recordOf(state["knobs"]), mode: "autopilot" };
    const { metadata } = recordOf(await project.call("GET", `/session/${foreign}`));
    await project.call("PATCH", `/session/${foreign}`, {
      metadata: { ...recordOf(metadata), [SNAPSHOT_KEY]: { ...state, knobs } },
    });
    for (const session of [own, foreign]) await project.prompt("gaia", "Go on", { session });
    await project.until("what holds", async () => (await modeOf(foreign)) === "supervised");
    expect(await modeOf(own)).toBe("autopilot");
    const toasts = project.events.filter((event) => event.type === "tui.toast.show");
    expect(JSON.stringify(toasts)).toContain("was not set on this machine, so it is supervised");
  });
});
