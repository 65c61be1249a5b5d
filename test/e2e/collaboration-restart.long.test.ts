import { afterEach, describe, expect, it } from "vitest";
import { result, say } from "../../src/scripted-model/turn.ts";
import { startOpenCode } from "../support/opencode.ts";
import { openProject, type Project } from "../support/project.ts";
import { lastText } from "../support/scripted-model.ts";
import {
  childOf,
  delegate,
  HEPHAESTUS_DONE,
  plan,
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
});
