import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { toolResults } from "../../src/scripted-model/request.ts";
import { call, result, say } from "../../src/scripted-model/turn.ts";
import { marked, processesWith } from "../checks/project.ts";
import { openProject, type Project } from "../support/project.ts";
import { runOpenCode } from "../support/run.ts";
import { delegate, HEPHAESTUS_DONE, plan, write } from "./collaboration-scenes.ts";
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

  it("is a failure where the model says nothing at all", async () => {
    project = await openProject();
    project.model.always("gaia", say(""));
    const { exitCode, stderr, events } = await runOpenCode(project, "gaia", "Build it");
    expect(events.at(-1)).toMatchObject({ outcome: "failed", why: "the model gave an empty answer" });
    expect(exitCode).toBe(1);
    expect(stderr).toContain("the model gave an empty answer");
  });

  it("comes after a wait for the provider, of which it tells until when", async () => {
    project = await openProject();
    const busy = { status: 503, message: "Overloaded", headers: { "retry-after": "1" } };
    project.model.script("gaia", busy, say("Here I am."));
    const { exitCode, stderr, events } = await runOpenCode(project, "gaia", "Build it");
    expect(stderr).toMatch(/^↻ goes on at \d\d:\d\d:\d\d: \w/m);
    expect(events.at(-1)).toMatchObject({ outcome: "done", exit_code: 0 });
    expect(exitCode).toBe(0);
  });

  it("is blocked, by its exit code too, where each answer breaks off", async () => {
    project = await openProject();
    project.model.always("gaia", say("I begin and", { trouble: "cut" }));
    const { exitCode, events } = await runOpenCode(project, "gaia", "Build it");
    expect(events.at(-1)).toMatchObject({
      outcome: "blocked",
      exit_code: 2,
      why: expect.stringContaining("nothing came of 4 model turns in a row"),
    });
    expect(exitCode).toBe(2);
    expect(project.model.requestsOf("gaia")).toHaveLength(4);
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

  it("is blocked where even the compacted context is too large, which OpenCode would compact for ever", async () => {
    project = await openProject();
    const message =
      "This model's maximum context length is 200000 tokens. Your messages resulted in 300000 tokens.";
    project.model.always("gaia", { status: 400, message });
    project.model.always("native", say("A summary."));
    const { exitCode, events } = await runOpenCode(project, "gaia", "Build it");
    const why = expect.stringContaining("the context is too large for the model");
    expect(events.at(-1)).toMatchObject({ type: "gaia", outcome: "blocked", why });
    expect(exitCode).toBe(2);
    expect(project.model.requestsOf("gaia").length).toBeLessThanOrEqual(3);
  });

  it("is what the provider says in words, whatever shape the body of its answer has", async () => {
    project = await openProject();
    const body = JSON.stringify([{ error: { code: 403, message: "The API is off.", status: "DENIED" } }]);
    project.model.always("gaia", { status: 403, body });
    const { exitCode, events } = await runOpenCode(project, "gaia", "Build it");
    expect(events.at(-1)).toMatchObject({ outcome: "failed", why: "Forbidden: The API is off." });
    expect(exitCode).toBe(1);
  });

  it("is refused where nobody was there to allow what a specialist claims to have done", async () => {
    project = await openProject({ gaia: { mode: "supervised" } });
    project.model.script("gaia", delegate(), say("It is done."));
    project.model.script("hephaestus", write(project, "a.txt"));
    project.model.always("hephaestus", result(HEPHAESTUS_DONE));
    const { exitCode, events, stderr } = await runOpenCode(project, "gaia", "Build it");
    expect(stderr).toMatch(/^✗ hephaestus .* a\.txt, and nothing was done$/m);
    expect(events.at(-1)).toMatchObject({ outcome: "refused" });
    expect(exitCode).toBe(3);
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

  it("names who was at work where a signal ends it, and the conversation to go on with", async () => {
    project = await openProject({ gaia: { mode: "autopilot" } });
    project.model.script("gaia", UNIT, plan("run"));
    project.model.script("hephaestus", { text: "half a sentence", trouble: "stall" });
    const end = await runOpenCode(project, "gaia", "Build it", "default", undefined, async () => {
      await project.until("the specialist", () => project.model.requestsOf("hephaestus").length > 0);
      return "SIGINT";
    });
    expect(end.stderr).toMatch(
      /^GAIA: stopped: SIGINT · unit · 0 delegations .*\nAt work: hephaestus › Write a\.txt\nGo on: /m,
    );
    const [, session = ""] = /--session (ses_\w+) --agent gaia "go on"$/m.exec(end.stderr) ?? [];
    expect(await project.messages(session)).not.toEqual([]);
  });

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

  it("says why a specialist failed, and prints nothing that steers a terminal, whoever wrote it", async () => {
    project = await openProject({ gaia: { mode: "autopilot" } });
    const evil = "Look \u001B[2J\u001B]0;owned\u0007\u202Ehere";
    project.model.script("gaia", call("delegate_gaia", { agent: "minerva", goal: evil }));
    project.model.script(
      "gaia",
      plan("create_work_unit", { slug: "a\u001B[31m", title: evil }),
      say("Over."),
    );
    project.model.always("minerva", { status: 401, message: "Bad \u009B31mkey\b" });
    const { exitCode, stdout, stderr } = await runOpenCode(project, "gaia", "Look", "default");
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^GAIA: failed: minerva: Bad \S*key · /m);
    // OpenCode's own colours stand alone; what GAIA prints has none.
    expect(stdout + stderr).toMatch(/✗ minerva › Look here · .* · Bad key\n/);
    // oxlint-disable-next-line no-control-regex
    expect(stdout + stderr).not.toMatch(/\u001B(?:\[(?:2J|31m)|\])|\u009B|\u0007|\u202E/);
  });

  it("prints what a slash command answers, a mistyped one as well", async () => {
    project = await openProject();
    project.model.always("gaia", say("Status shown."));
    const [status, mistyped] = await Promise.all([
      runOpenCode(project, "gaia", "", "default", "gaia-status"),
      runOpenCode(project, "gaia", "standrad", "default", "profile"),
    ]);
    expect(status.stderr).toMatch(/^- mode supervised: /m);
    expect(mistyped.stderr).toContain('✗ /profile: "standrad" is not one of them');
  });
});
