import { openWebhook } from "../support/webhook.ts";
import { afterEach, describe, expect, it } from "vitest";
import { toolResults } from "../../src/scripted-model/request.ts";
import { call, say } from "../../src/scripted-model/turn.ts";
import { marked, processesWith } from "../checks/project.ts";
import { openProject, type Project } from "../support/project.ts";
import { runOpenCode } from "../support/run.ts";
import { delegate, done, has, plan, reviewed, UNIT, write, planOf } from "./scenes.ts";

let project: Project;
afterEach(async () => project.close());

const PLAN = planOf("Write.", [{ text: "Write a.txt", files: "a.txt", verify: "test -f a.txt" }]);
const PLANNED = plan("create_work_unit", { slug: "unit", title: "Unit", content: { markdown: PLAN } });

describe("the end of opencode run", () => {
  it("answers for the user in opencode run, which would refuse, and asks no question there", async () => {
    const { url, told, close } = await openWebhook();
    project = await openProject({
      gaia: { mode: "autopilot", notify: { webhook: url } },
      files: { ".gaia/rules/style.md": "---\nwhat\n---\nShort sentences.\n" },
    });
    project.model.script("gaia", delegate(), say("Done."));
    project.model.script("hephaestus", write(project, "a.txt"), done);
    const { exitCode, stderr, events } = await runOpenCode(project, "gaia", "Build it");
    expect(exitCode).toBe(0);
    expect(has(project, "a.txt")).toBe(true);
    // How it goes, without OpenCode's line that the edit was refused; at the end an object for a program.
    expect(stderr).toMatch(/● hephaestus › \w[^]*✓ hephaestus › /);
    expect(stderr).not.toContain("auto-rejecting");
    expect(stderr).toMatch(/Rules of this project:\n.*style\.md:2/);
    expect(events.at(-1)).toMatchObject({ type: "gaia", outcome: "done", exit_code: 0, delegations: 1 });
    expect(project.model.requestsOf("gaia")[0]?.raw).not.toContain('header \\"Collaboration\\"');
    // OpenCode ends with the turn: what waits half a second elsewhere is sent before.
    expect(told).toMatchObject([{ event: "finished" }]);
    await close();
  });

  it("refuses in opencode run what the user would be asked for, goes on, and has it listed", async () => {
    project = await openProject({ gaia: { mode: "autopilot" }, files: { "mine.txt": "x" } });
    project.model.script("gaia", delegate(), say("Done."));
    const clean = call("bash", { command: "git clean -fdx", description: "clean" });
    project.model.script("hephaestus", clean, write(project, "a.txt"), done);
    const { exitCode, events } = await runOpenCode(project, "gaia", "Build it");
    expect(exitCode).toBe(3);
    expect(events.at(-1)).toMatchObject({
      outcome: "refused",
      left: [expect.stringContaining("git clean"), "1 file to commit: a.txt"],
    });
    expect(has(project, "mine.txt") && has(project, "a.txt")).toBe(true);
    expect(project.model.requestsOf("hephaestus")[1]?.raw).toContain("nobody is here to be asked");
    expect(project.model.requestsOf("gaia").at(-1)?.raw).toContain("Left for you");
  });

  it("stops at no cadence of the user's, for nobody could go on", async () => {
    project = await openProject({ gaia: { mode: "autopilot", checkinCadence: "wave" } });
    const tasks = ["a.txt", "b.txt"].map((files, at) => ({
      text: `Write ${files}`,
      wave: String(at + 1),
      files,
      verify: `test -s ${files}`,
    }));
    project.model.script(
      "gaia",
      plan("create_work_unit", { slug: "unit", title: "Unit", content: { markdown: planOf("Two.", tasks) } }),
      plan("run"),
      say("Built."),
    );
    project.model.script("hephaestus", write(project, "a.txt"), done, write(project, "b.txt"), done);
    for (const agent of ["hades", "aether"] as const) project.model.always(agent, reviewed(agent));
    project.model.always("demeter", say("Nothing to add."));
    const { exitCode, events } = await runOpenCode(project, "gaia", "Build it");
    expect(events.at(-1)).toMatchObject({ outcome: "done" });
    expect(exitCode).toBe(0);
    expect(has(project, "b.txt")).toBe(true);
  });

  it("is the reviewer's BLOCKED, not what OpenCode says to a note that comes when it is going", async () => {
    project = await openProject({ gaia: { mode: "autopilot" } });
    project.model.script("gaia", PLANNED, plan("run"), say("It is blocked."));
    project.model.script("hephaestus", write(project, "a.txt"), done);
    project.model.always("hades", reviewed("hades", { verdict: "BLOCKED", reason: "there is no key" }));
    project.model.always("aether", reviewed("aether"));
    // The record is written beside the review.
    project.model.always("demeter", say("Nothing to add."));
    const { exitCode, stderr, events } = await runOpenCode(project, "gaia", "Build it");
    expect(events.at(-1)).toMatchObject({
      outcome: "blocked",
      why: "blocked: hades: there is no key. Next: say how to go on",
    });
    expect(exitCode).toBe(2);
    expect(stderr).toContain("Check-in (blocked): hades: there is no key. Next: say how to go on. · 1 file");
    expect(stderr).not.toMatch(/Agent not found|do not try/);
  });

  it("is not reviewed where a reviewer never gives a verdict, and nothing is committed", async () => {
    project = await openProject({ gaia: { mode: "autopilot" } });
    project.model.script(
      "gaia",
      PLANNED,
      plan("run", { commit: "Add a.txt" }),
      say("All is done and approved."),
    );
    project.model.script("hephaestus", write(project, "a.txt"), done);
    project.model.always("hades", say("APPROVE: I see nothing wrong.\n\n**Verdict: APPROVED**"));
    project.model.always("aether", reviewed("aether"));
    project.model.always("demeter", say("Nothing to add."));
    const { exitCode, stderr, events } = await runOpenCode(project, "gaia", "Build it and commit it");
    expect(events.at(-1)).toMatchObject({
      outcome: "not reviewed",
      exit_code: 2,
      why: "hades: its answer does not fit, even when asked again: no JSON object was found",
    });
    expect(exitCode).toBe(2);
    // Its own line says it; the verdict is the event.
    expect(stderr.match(/hades.*(?:contract|its answer does not fit)/g)).toHaveLength(1);
    expect(project.model.requestsOf("hades")).toHaveLength(2);
    expect(await project.git("log", "--oneline")).not.toContain("Add a.txt");
    expect(has(project, "a.txt")).toBe(true);
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
      project.model.script("gaia", PLANNED, plan("run"));
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
    const markdown = PLAN.replace("Write.", "Long words.");
    project.model.script(
      "gaia",
      UNIT,
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
    expect(has(project, ".gaia/unit")).toBe(false);
  });
});
