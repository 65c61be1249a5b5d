import { afterEach, expect, it } from "vitest";
import { call, result, say } from "../../src/scripted-model/turn.ts";
import { startOpenCode, type OpenCodeServer } from "../support/opencode.ts";
import { openProject, type Project } from "../support/project.ts";
import { HEPHAESTUS_DONE, UNIT } from "./collaboration-scenes.ts";

let server: OpenCodeServer;
let project: Project;
afterEach(async () => {
  await project.close();
  await server.close();
});

const delegate = call("delegate_gaia", { agent: "hephaestus", goal: "look", lane: "quick-fix" });

it("what a session did without a unit is kept over a kill, once, and stands in the unit as soon as there is one", async () => {
  server = await startOpenCode();
  project = await openProject({ server, gaia: { mode: "autopilot", startup: { askAtTaskStart: false } } });
  const local = async (): Promise<string> => project.read(".gaia/.local/sessions.md").catch(() => "");
  project.model.always("hephaestus", result(HEPHAESTUS_DONE));
  project.model.script("gaia", delegate, async () => new Promise<never>(() => undefined));
  const session = await project.start("gaia", "Have a look, bitte");
  await project.until("the summary", async () => (await local()).includes("hephaestus"));
  // The turn that never ends is begun: the model's script goes on over the restart.
  await project.until("GAIA's second turn", () => project.model.requestsOf("gaia").length === 2);
  server = await server.restart();
  project = await openProject({ server, resume: project });
  project.model.script("gaia", delegate, say("Seen."));
  await project.prompt("gaia", "Again", { session });
  const text = await project.until("both", async () => {
    const now = await local();
    return now.includes("hephaestus ×2") && now;
  });
  expect(text.match(/^## /gm)).toHaveLength(1);
  expect(text).toContain("- Asked: Have a look, bitte\n- Asked: Again\n");
  expect(await project.git("status", "--porcelain", "-uall")).toBe("");
  project.model.script("gaia", UNIT, say("Begun."));
  await project.prompt("gaia", "Make it a unit", { session });
  await project.until("the unit's", async () =>
    (await project.read(".gaia/unit/sessions.md").catch(() => "")).includes("hephaestus ×2"),
  );
  await project.until("one place", async () => !(await local()).includes("hephaestus"));
}, 150_000);
