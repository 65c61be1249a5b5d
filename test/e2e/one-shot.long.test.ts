import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { toolResults } from "../../src/scripted-model/request.ts";
import { result, say } from "../../src/scripted-model/turn.ts";
import { marked, processesWith } from "../checks/project.ts";
import { openProject, type Project } from "../support/project.ts";
import { runOpenCode } from "../support/run.ts";
import { HEPHAESTUS_DONE, plan, write } from "./collaboration-scenes.ts";
import { reviewed } from "./gates-scenes.ts";

let project: Project;
afterEach(async () => project.close());

const PLAN = [
  "## Tasks",
  "- [ ] 1. Write a.txt",
  "  - agent: hephaestus",
  "  - files: a.txt",
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
    project.model.always("hades", reviewed("hades", { verdict: "BLOCKED", reason: "there is no key" }));
    project.model.always("aether", reviewed("aether"));
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

  it("is not reviewed where a reviewer never gives a verdict, and nothing is committed", async () => {
    project = await openProject({ gaia: { mode: "autopilot" } });
    project.model.script(
      "gaia",
      UNIT,
      plan("run", { commit: "Add a.txt" }),
      say("All is done and approved."),
    );
    project.model.script("hephaestus", write(project, "a.txt"), result(HEPHAESTUS_DONE));
    project.model.always("hades", say("APPROVE: I see nothing wrong.\n\n**Verdict: APPROVED**"));
    project.model.always("aether", reviewed("aether"));
    project.model.always("demeter", say("Nothing to add."));
    const { exitCode, stderr, events } = await runOpenCode(project, "gaia", "Build it and commit it");
    expect(events.at(-1)).toMatchObject({
      outcome: "not reviewed",
      exit_code: 2,
      why: "hades: its answer named no verdict, even when asked.",
    });
    expect(exitCode).toBe(2);
    expect(stderr).toContain("carried out no further: Not reviewed by hades");
    expect(project.model.requestsOf("hades")).toHaveLength(2);
    expect(await project.git("log", "--oneline")).not.toContain("Add a.txt");
    expect(existsSync(join(project.directory, "a.txt"))).toBe(true);
  });

  it("is blocked where nothing more is heard of the model, in the middle of a call", async () => {
    project = await openProject({ gaia: { delegation: { stallSeconds: 1 } } });
    project.model.always("gaia", { ...plan("status"), trouble: "half-call" });
    const { exitCode, events, stderr } = await runOpenCode(project, "gaia", "Build it");
    const why = "nothing was heard of its model for 5 s";
    expect(events.at(-1)).toMatchObject({ outcome: "blocked", exit_code: 2, why });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`GAIA stopped: ${why}.`);
  });

  it.each(["SIGTERM", "SIGKILL"] as const)(
    "is told where %s ends it, which ends the check that runs as well",
    async (signal) => {
      const { sleep, mark } = marked();
      project = await openProject({
        gaia: {
          mode: "autopilot",
          sandbox: "off",
          definitionOfDone: { checks: [{ id: "slow", command: "sh slow.sh" }] },
        },
        files: { "slow.sh": `${sleep}\n` },
      });
      project.model.script("gaia", UNIT, plan("run"));
      const isRunning = async (): Promise<boolean> => (await processesWith(`sleep ${mark}`)).length > 0;
      const end = await runOpenCode(project, "gaia", "Build it", "default", undefined, async () => {
        await project.until("the check", isRunning);
        return signal;
      });
      expect(end).toMatchObject({ exitCode: null, signal });
      await project.until("its end", async () => !(await isRunning()));
      expect(end.stderr.includes(`GAIA: stopped: ${signal} · unit · `)).toBe(signal !== "SIGKILL");
      expect(end.stderr.includes("Go on: opencode run --session ses_")).toBe(signal !== "SIGKILL");
    },
  );

  it("prints nothing of what a model wrote to a call that a gate refuses, and names what was refused first", async () => {
    project = await openProject({ gaia: { mode: "locked" } });
    const unit = plan("create_work_unit", { slug: "unit", title: "Unit" });
    const markdown = ["## Goal", "Long words.", ...PLAN].join("\n\n");
    project.model.script(
      "gaia",
      unit,
      plan("update_plan", { content: { markdown } }),
      plan("run"),
      say("Locked."),
    );
    const { exitCode, stdout, stderr } = await runOpenCode(project, "gaia", "Build it", "default");
    const shown = stdout + stderr;
    expect(shown).not.toMatch(/"op"|Long words|"?markdown|_work_unit \{/);
    const why = "Work unit unit is not begun: the session is locked, nothing may be changed";
    expect(shown).toContain(`✗ ${why}`);
    expect(shown).toContain(`GAIA: blocked: ${why} · `);
    expect(exitCode).toBe(2);
    const [, second] = project.model.requestsOf("gaia");
    const [told] = second === undefined ? [] : toolResults(second);
    expect(told).toMatchObject({
      ok: false,
      error: expect.stringContaining("Refused plan_gaia: the session"),
    });
    expect(existsSync(join(project.directory, ".gaia/unit"))).toBe(false);
  });
});
