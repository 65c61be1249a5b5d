import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { recordOf } from "../../src/lib/json.ts";
import { toolResults } from "../../src/scripted-model/request.ts";
import { call, result, say } from "../../src/scripted-model/turn.ts";
import { openProject, type Project, callAll, lastText } from "../support/project.ts";
import {
  ATTACKED,
  delegate,
  done,
  lastUser,
  notesOf,
  plan,
  planOf,
  RECON,
  to,
  type,
  wordsOf,
  write,
} from "./scenes.ts";

let project: Project;
afterEach(async () => project.close());

const issue = (name: string) => ({
  issue: name,
  severity: "high",
  testable_scenario: "-",
  suggested_fix_agent: "hephaestus",
  where: "src/b.ts:1",
});
const REJECTED = result(
  { ...ATTACKED, vulnerabilities: ["one", "two", "three", "four"].map(issue) },
  { outcome: { verdict: "REJECT", reason: "src/b.ts is named and not there" } },
);

const WRITE = { text: "Write the limiter in src/limit.ts", wave: "w1", files: "src/limit.ts" };
const VERIFIED = { ...WRITE, verify: "test -f src/limit.ts" };
const bodyOf = (...tasks: Parameters<typeof planOf>[1]): string =>
  planOf("Requests are limited.", tasks, "`test -f src/limit.ts`");
const BODY = bodyOf(VERIFIED);
/** Two tasks of one wave change one file. */
const COLLIDING = bodyOf(VERIFIED, {
  text: "Change src/api.ts to use it",
  wave: "w1",
  files: "src/api.ts, src/limit.ts",
  verify: "true",
});
const QUESTION = call("question", {
  questions: [
    {
      question: "Per user or per address?",
      header: "Limits",
      options: [{ label: "Per user", description: "" }],
    },
  ],
});
const APPROVAL = plan("request_approval", { kind: "plan" });

/** What GAIA was told of the calls that she made, one entry for each request after the first. */
const told = (): unknown[] => project.model.requestsOf("gaia").map((request) => toolResults(request).at(-1));
const reviews = () => told().flatMap((each) => recordOf(each)["plan_review"] ?? []);

function scriptPlanning(): void {
  project.model.script(
    "gaia",
    callAll(to("minerva"), to("apollo")),
    QUESTION,
    plan("create_work_unit", { slug: "limits", title: "Rate limits" }),
    APPROVAL,
    plan("update_plan", { content: { markdown: bodyOf(WRITE) } }),
    APPROVAL,
    plan("update_plan", { content: { markdown: COLLIDING } }),
    APPROVAL,
    plan("update_plan", { content: { markdown: BODY }, replace: true }),
    APPROVAL,
    to("hades"),
    plan("update_plan", { content: { markdown: BODY } }),
    to("hades"),
    to("hades"),
    APPROVAL,
  );
  project.model.always("minerva", result(RECON));
  project.model.always("apollo", say("{}"));
}

async function openPlanning(): Promise<string> {
  const session = await project.session();
  type(project, session, "gaia-plan", "rate limits for the API").catch(() => null);
  await project.reply(await project.question(), [["Per user"]]);
  return session;
}
const approval = async () => project.permission(({ permission }) => permission.startsWith("gaia_approval"));

describe("/gaia-plan", () => {
  it("leads from recon to the user's approval, past nothing that is missing, in two reviews at most", async () => {
    project = await openProject();
    scriptPlanning();
    project.model.script("gaia", say("Planned: one task. /gaia-work begins it."));
    project.model.script("hades", REJECTED, REJECTED);
    const session = await openPlanning();
    const asked = await approval();
    // The user sees what they are asked about before they answer.
    const shown = (await notesOf(project, session)).join("\n");
    expect(shown).toContain("Plan of limits: Rate limits");
    expect(shown).toContain("Requests are limited.");
    expect(shown).toContain("Shown by: 1 `test -f src/limit.ts`");
    expect(shown).toContain("- 1. Write the limiter in src/limit.ts (hephaestus, wave w1; src/limit.ts)");
    await project.answer(asked, "once");
    await project.idle(session);

    const [first] = project.model.requestsOf("gaia");
    expect(first && lastText(first, "user")).toContain("Plan this and change nothing");
    expect(first && lastText(first, "user")).toContain("rate limits for the API");
    const refusals = told()
      .map(wordsOf)
      .filter((words) => words.startsWith("Refused"));
    expect(refusals).toEqual([
      expect.stringContaining("## Goal is empty"),
      expect.stringContaining("the plan is not complete (no verify: task 1)"),
      expect.stringContaining("hades has not reviewed the plan yet"),
      expect.stringContaining("hades has not reviewed the plan yet"),
      expect.stringContaining("hades has reviewed this plan 2 times"),
    ]);
    expect(reviews()).toEqual([
      { round: 1, of: 2, verdict: "REJECT", next: expect.stringContaining("once more") },
      { round: 2, of: 2, verdict: "REJECT", next: expect.stringContaining("the last review") },
    ]);
    const prompts = project.model.requestsOf("hades").map((request) => lastText(request, "user"));
    expect(prompts).toHaveLength(2);
    expect(prompts[1]).toContain("review 2 of at most 2");
    const rejected = told().find((each) => recordOf(each)["plan_review"] !== undefined);
    expect(JSON.stringify(rejected)).toContain("three");
    expect(JSON.stringify(rejected)).not.toContain("four");

    expect(await project.read(".gaia/limits/plan.md")).toContain("> Status: approved");
    const decisions = await project.read(".gaia/limits/decisions.md");
    expect(decisions).toContain("| Per user or per address? | Per user |");
    expect(decisions).not.toContain("approved");
    expect(await project.read(".gaia/limits/log.md")).toContain(" · Approve the plan · `");

    // What was refused until now goes on in the same conversation, once the user asks for it.
    expect(project.model.requestsOf("hephaestus")).toEqual([]);
    project.autoAnswer(({ permission }) => (permission.startsWith("gaia_approval: wave") ? "once" : null));
    project.model.script("gaia", plan("open_wave", { wave_id: "w1" }), delegate("w1"), say("Done."));
    project.model.script("hephaestus", write(project, "src/limit.ts"), done);
    await type(project, session, "gaia-work");
    expect(existsSync(join(project.directory, "src/limit.ts"))).toBe(true);
  }, 150_000);
});

describe("/gaia-spec", () => {
  it("writes the spec by phases, has the user approve it, and changes nothing else", async () => {
    project = await openProject();
    project.model.script(
      "gaia",
      plan("create_work_unit", { slug: "limits", title: "Rate limits" }),
      plan("write_spec", { section: "Context", content: { markdown: "Too many requests." } }),
      plan("write_spec", {
        section: "Acceptance Criteria",
        content: { markdown: "- Given 100 requests, when one more, then 429" },
      }),
      delegate(),
      plan("request_approval", { kind: "spec" }),
      say("Approved; /gaia-plan plans it."),
    );
    project.autoAnswer(({ permission }) => (permission.startsWith("gaia_approval: spec") ? "once" : null));
    const session = await project.session();
    await type(project, session, "gaia-spec", "rate limits");
    const spec = await project.read(".gaia/limits/spec.md");
    expect(spec).toMatch(/^# Rate limits\n[^]*> Status: approved[^]*## Context\n\nToo many requests\.\n/);
    expect(spec).toContain("- Given 100 requests, when one more, then 429");
    expect(told().some((each) => /this is specified/.test(wordsOf(each)))).toBe(true);
    expect(project.model.requestsOf("hephaestus")).toEqual([]);
    expect(await project.read(".gaia/limits/plan.md")).toContain("> Status: draft");
    project.model.script("gaia", delegate(), say("Planned."));
    await type(project, session, "gaia-plan");
    expect(lastUser(project)).toContain("the approved spec of the open unit limits");
    expect(told().some((each) => /this is planned and not approved/.test(wordsOf(each)))).toBe(true);
  });
});

describe("/gaia-work", () => {
  it("refuses what it cannot begin before any model is asked", async () => {
    project = await openProject();
    project.autoAnswer(({ permission }) => (permission.startsWith("gaia_approval") ? "once" : null));
    project.model.always("gaia", say("Not started."));
    const session = await project.session();
    await type(project, session, "gaia-plan");
    expect(lastUser(project)).toContain("No work unit is open: /gaia-plan <request> plans one");
    project.model.script(
      "gaia",
      plan("create_work_unit", { slug: "limits", title: "Rate limits", content: { markdown: BODY } }),
      APPROVAL,
      plan("set_active"),
    );
    await project.prompt("gaia", "Plan it");
    const body = await project.read(".gaia/limits/plan.md");
    await project.write(".gaia/draft/plan.md", `# Draft\n\n> Status: approved\n\n${BODY}`);
    await project.write(".gaia/limits/plan.md", body.replace("Requests are limited", "Requests are free"));
    for (const [slug, reason] of [
      ["draft", "You have not approved the plan of draft"],
      ["limits", "The plan of limits has changed since you approved it"],
      ["nothing", 'There is no work unit "nothing"'],
      ["", "No work unit is active"],
    ] as const) {
      await type(project, session, "gaia-work", slug);
      expect(lastUser(project)).toContain("Nothing was done");
      expect(lastUser(project)).toContain(reason);
    }
    await type(project, session, "locked");
    await project.write(".gaia/limits/plan.md", body);
    await type(project, session, "gaia-work", "limits");
    expect(lastUser(project)).toContain("GAIA is locked");
    expect(await project.read(".gaia/limits/plan.md")).toContain("> Status: approved");
  });
});
