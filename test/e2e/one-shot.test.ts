import { afterEach, describe, expect, it } from "vitest";
import { result, say } from "../../src/scripted-model/turn.ts";
import { openProject, type Project } from "../support/project.ts";
import { runOpenCode } from "../support/run.ts";
import { delegate, HEPHAESTUS_DONE, plan, write } from "./collaboration-scenes.ts";

let project: Project;
afterEach(async () => project.close());

const PLAN = [
  "## Tasks",
  "- [ ] 1. Write a.txt",
  "  - agent: hephaestus",
  "  - files: a.txt (new)",
  "  - verify: test -f a.txt",
];
const UNIT = plan("create_work_unit", {
  slug: "unit",
  title: "Unit",
  content: { markdown: PLAN.join("\n") },
});

describe("the end of opencode run", () => {
  it("is the reviewer's BLOCKED, not what OpenCode says to a note that comes when it is going", async () => {
    project = await openProject({ gaia: { mode: "autopilot" } });
    project.model.script("gaia", UNIT, plan("run"), say("It is blocked."));
    project.model.script("hephaestus", write(project, "a.txt"), result(HEPHAESTUS_DONE));
    project.model.always("hades", say("BLOCKED: there is no key"));
    project.model.always("aether", say("APPROVE: fine."));
    // The record is written beside the review.
    project.model.always("demeter", say("Nothing to add."));
    const { exitCode, stderr, events } = await runOpenCode(project, "gaia", "Build it");
    expect(events.at(-1)).toMatchObject({
      outcome: "blocked",
      why: "blocked: hades: there is no key. Next: say how to go on.",
    });
    expect(exitCode).toBe(2);
    expect(stderr).toContain("Check-in (blocked): hades: there is no key. Next: say how to go on. · 1 file");
    expect(stderr).not.toMatch(/Agent not found|do not try/);
  });

  it("says why a specialist failed, and no hints to a model", async () => {
    project = await openProject({ gaia: { mode: "autopilot" } });
    project.model.script("gaia", delegate(), say("It failed."));
    project.model.always("hephaestus", { status: 401, message: "Bad key" });
    const { exitCode, events } = await runOpenCode(project, "gaia", "Build it");
    expect(events.at(-1)).toMatchObject({ outcome: "failed", why: "hephaestus: Bad key" });
    expect(exitCode).toBe(1);
  });
});
