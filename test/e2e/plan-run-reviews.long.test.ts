import { afterEach, describe, expect, it, vi } from "vitest";
import { SEVERITIES } from "../../src/contracts/fields.ts";
import { toolResults, type RecordedRequest } from "../../src/scripted-model/request.ts";
import { result, say, type Turn } from "../../src/scripted-model/turn.ts";
import { openProject, type Project } from "../support/project.ts";
import { lastText } from "../support/scripted-model.ts";
import { HEPHAESTUS_DONE, notesOf, plan, UNIT, write } from "./collaboration-scenes.ts";
import { ATTACKED, check, follow, LONG_MS, resultsOf, reviewed } from "./gates-scenes.ts";

let project: Project;
afterEach(async () => project.close());
vi.setConfig({ testTimeout: LONG_MS });

const markdown = `## Goal

A file.

## Tasks

- [ ] 1. Write a.txt
  - agent: hephaestus
  - files: a.txt
  - verify: test -s a.txt
`;
const RECORDED = result({ log_entry: "x", decisions: [], learnings: [], plan_updates: [] });
const planned = [
  UNIT,
  plan("update_plan", { content: { markdown } }),
  plan("request_approval", { kind: "plan" }),
];
const run = plan("run", { commit: "Add a.txt" });

/** Writes once whatever each of its sessions is asked for. */
const worker =
  (name: string, end: Turn) =>
  (request: RecordedRequest): Turn =>
    toolResults(request).length > 0 ? end : write(project, name);

async function open(mode: string): Promise<string[]> {
  const definitionOfDone = { checks: [check("whole", "test -s a.txt")] };
  project = await openProject({ gaia: { mode, definitionOfDone } });
  await project.git("config", "user.name", "A");
  await project.git("config", "user.email", "a@example.com");
  const dialogs: string[] = [];
  project.autoAnswer(({ permission }) => {
    dialogs.push(permission);
    return "once";
  });
  project.model.always("demeter", RECORDED);
  project.model.always("hephaestus", worker("a.txt", result(HEPHAESTUS_DONE)));
  return dialogs;
}

describe("a run whose reviewer gives no verdict", () => {
  it("asks the user in supervised mode, who goes on without it, and commits", async () => {
    const dialogs = await open("supervised");
    project.model.script("gaia", ...planned, run, say("Committed without a review."));
    project.model.always("hades", say("**Verdict: APPROVED**"));
    const outcome = await follow(project, "Build it");
    expect(dialogs).toContainEqual(expect.stringMatching(/verification.*not reviewed by hades/i));
    const report = resultsOf(outcome, "plan_gaia").at(-1);
    expect(report, JSON.stringify(report)).toMatchObject({ ok: true, status: "finished" });
    expect(report?.["notes"]).toContainEqual(
      expect.stringMatching(/^Not reviewed by hades: .* The user went on without it\.$/),
    );
    expect(await project.git("log", "--oneline")).toContain("Add a.txt");
    const notes = (await notesOf(project, outcome.sessionId)).join("\n");
    expect(notes).toContain("Review: not reviewed by hades (you went on without it)");
  });
});

describe("a run whose reviewer rejects", () => {
  it("routes findings of every severity to every editor, has each scenario tested, commits, and names what nobody fixed", async () => {
    await open("autopilot");
    project.model.script("gaia", ...planned, run, say("Done."));
    // No other can be named: the contract has these alone.
    const named = ["hephaestus", "poseidon", "artemis"];
    const found = named.flatMap((agent) =>
      SEVERITIES.map((severity) => ({
        issue: `${severity} for ${agent}`,
        where: "a.txt:1",
        severity,
        testable_scenario: `${severity} scenario of ${agent}`,
        suggested_fix_agent: agent,
      })),
    );
    project.model.script(
      "hades",
      result(
        { ...ATTACKED, vulnerabilities: found },
        { outcome: { verdict: "REJECT", reason: "all of it" } },
      ),
      reviewed("hades"),
    );
    const approved = { outcome: { verdict: "APPROVE" } };
    const tests = { checks_run: [], tests_added: [], coverage_notes: "", pass_status: "pass" };
    project.model.always("artemis", worker("key.test", result(tests, approved)));
    const config = { config_changes: [], checks_run: [], migrations: [], deploy_notes: "" };
    project.model.always("poseidon", worker("ci.yml", result(config)));
    const outcome = await follow(project, "Build it");
    const report = resultsOf(outcome, "plan_gaia").at(-1);
    const told = JSON.stringify(report);
    const given = (agent: string): string =>
      project.model
        .requestsOf(agent)
        .map((request) => lastText(request, "user"))
        .find((text) => text.includes(`critical: a.txt:1: critical for ${agent}`)) ?? "";
    for (const agent of named)
      for (const severity of ["critical", "high"])
        expect(given(agent), `${agent} ${severity} ${told}`).toContain(
          `${severity}: a.txt:1: ${severity} for ${agent}`,
        );
    const tester = given("artemis");
    for (const agent of named.filter((name) => name !== "artemis"))
      for (const severity of ["critical", "high"])
        expect(tester).toContain(`${severity} scenario of ${agent}`);
    expect(tester).not.toMatch(/- (?:low|medium) scenario of (?:hephaestus|poseidon)/);
    const notes = (await notesOf(project, outcome.sessionId)).join("\n");
    expect(report, told).toMatchObject({ ok: true, status: "finished" });
    // What is no reason to reject is sent to nobody, and named at the end.
    expect(notes).toMatch(/Not fixed: .*a\.txt:1: low for hephaestus \(hades\)/);
    expect(await project.git("show", "--stat", "--format=", "HEAD")).toMatch(
      /a\.txt[^]*ci\.yml[^]*key\.test/,
    );
  });
});
