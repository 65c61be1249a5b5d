import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { recordOf } from "../../src/lib/json.ts";
import { messagesOf } from "../../src/scripted-model/request.ts";
import { call, result, say } from "../../src/scripted-model/turn.ts";
import { openProject, type Project } from "../support/project.ts";
import {
  childOf,
  delegate,
  has,
  HEPHAESTUS_DONE,
  lastUser,
  notesOf,
  plan,
  stateOf,
  type,
  UNIT,
  untilState,
  wordsOf,
  write,
} from "./collaboration-scenes.ts";
import { callAll, lastText } from "../support/scripted-model.ts";

let project: Project;
afterEach(async () => project.close());

const pause = (session: string, reason: string | null) =>
  untilState(
    project,
    session,
    `a pause: ${reason}`,
    ({ pause: now }) => ((now as { reason?: string } | null)?.reason ?? null) === reason,
  );

/** Pairs on one step: a first write goes through, a second one in the same delegation is held up. */
async function oneStep(): Promise<{ session: string; child: string }> {
  project = await openProject({ files: { "a.txt": "one\ntwo\n" } });
  project.autoAnswer(() => "once");
  const session = await project.session();
  project.model.script("gaia", say("Pairing."));
  await type(project, session, "pair");
  project.model.script("gaia", delegate(), say("Have a look: /next or feedback?"));
  project.model.script(
    "hephaestus",
    write(project, "a.txt", "one\n2\nthree\n"),
    write(project, "b.txt"),
    result({
      ...HEPHAESTUS_DONE,
      diff_summary: "Second line renumbered.",
      known_issues: ["b.txt is missing"],
    }),
  );
  const { tools } = await project.prompt("gaia", "Change it", { session });
  const output = JSON.parse(tools[0]?.output ?? "") as Record<string, string>;
  expect(output).toMatchObject({ status: "partial", checkin: expect.stringContaining("Check-in (step)") });
  return { session, child: output["session_id"] ?? "" };
}

describe("pair mode", () => {
  it("hands a background specialist that was stopped half-way over as partial, among others", async () => {
    project = await openProject();
    project.autoAnswer(() => "once");
    const session = await project.session();
    project.model.script("gaia", say("Pairing."));
    await type(project, session, "pair");
    const collect = call("collect_results", { until: "all" });
    project.model.script("gaia", delegate(undefined, { background: true }), collect, say("Have a look."));
    project.model.script(
      "hephaestus",
      write(project, "a.txt"),
      write(project, "b.txt"),
      result(HEPHAESTUS_DONE),
    );
    const { tools } = await project.prompt("gaia", "Change it", { session });
    expect(JSON.parse(tools.at(-1)?.output ?? "")).toMatchObject({
      results: [{ status: "partial", message: expect.stringContaining("Resume this session") }],
      checkin: expect.stringContaining("Check-in (step)"),
    });
  });

  it("stops after an edit and shows what really happened", async () => {
    const { session } = await oneStep();
    const { tools } = await childOf(project, session);
    expect(tools.map(({ status }) => status)).toEqual(["completed", "error"]);
    expect(tools[1]?.error).toContain("check-in due: return your contract now");
    expect(has(project, "b.txt")).toBe(false);
    const [note, ...more] = (await notesOf(project, session)).filter((text) => text.includes("Check-in"));
    expect(more).toEqual([]);
    expect(note).toContain("Check-in (step): 1 file (+2 −1), 0 commands");
    expect(note).toMatch(/- a\.txt \+2 −1\n +2 - two\n +2 \+ /);
    expect(note).toContain("Why: Second line renumbered.");
    expect(note).toContain("Risk: b.txt is missing");
    expect(
      project.model
        .requestsOf("gaia")
        .map(({ raw }) => raw)
        .join(""),
    ).not.toContain("/next goes on ·");
  });

  it("refuses GAIA another editor meanwhile, but not a reader", async () => {
    project = await openProject({ gaia: { interaction: "pair" } });
    project.autoAnswer(() => "once");
    const minerva = call("delegate_gaia", { agent: "minerva", goal: "look" });
    project.model.script("gaia", delegate(), delegate(), minerva, say("Have a look."));
    project.model.script("hephaestus", write(project, "a.txt"), result(HEPHAESTUS_DONE));
    project.model.always("minerva", say("Seen."));
    const { tools, sessionId } = await project.prompt("gaia", "Change it");
    const [, refused, seen] = tools.map(({ output }) => recordOf(JSON.parse(output)));
    expect([refused?.["status"], wordsOf(refused)]).toEqual([
      "failed",
      expect.stringContaining("check-in due. End your turn now"),
    ]);
    expect(seen?.["status"]).toBe("partial");
    await pause(sessionId, "batch");
  });

  it("goes on after /next", async () => {
    const { session, child } = await oneStep();
    project.model.script("gaia", delegate(undefined, { session_id: child }), say("Next check-in."));
    project.model.script("hephaestus", write(project, "b.txt"), result(HEPHAESTUS_DONE));
    await type(project, session, "next");
    expect(has(project, "b.txt")).toBe(true);
    await pause(session, "step");
  });

  it("is not answered by what the user says to another agent", async () => {
    const { session } = await oneStep();
    project.model.script("native", say("Green."));
    await project.prompt("build", "Which colour?", { session });
    await pause(session, "step");
    expect(JSON.stringify(await stateOf(project, session))).not.toContain("Which colour?");
  });

  it("takes feedback instead of /next and records it; undo last is done without a model", async () => {
    const { session } = await oneStep();
    project.model.script("gaia", say("Undone."), UNIT, say("Unit."));
    await project.prompt("gaia", "undo last", { session });
    expect(await project.read("a.txt")).toBe("one\ntwo\n");
    expect(project.model.requestsOf("hephaestus")).toHaveLength(3);
    expect(lastUser(project)).toContain('The plugin has carried out "undo last". Undone: a.txt');
    // A note is written when the turn is over.
    await project.until("the note", async () => (await notesOf(project, session)).includes("Undone: a.txt"));
    await project.prompt("gaia", "Begin the unit", { session });
    await project.until(
      "the record",
      async () =>
        existsSync(join(project.directory, ".gaia/unit/decisions.md")) &&
        (await project.read(".gaia/unit/decisions.md")).includes("| undo last |"),
    );
  });
});

describe("review this deeper", () => {
  it("leads to both reviewers at the next depth, which the next reviews have as well", async () => {
    const { session } = await oneStep();
    const review = (agent: string) => call("delegate_gaia", { agent, goal: "review a.txt, risk" });
    project.model.script("gaia", callAll(review("hades"), review("aether")), say("Reviewed."));
    const risks = { vulnerabilities: [], rollback_plan: "", minimal_patch: "", risk_level: "low" };
    project.model.script(
      "hades",
      call("read", { filePath: "a.txt" }),
      result(risks, { outcome: { verdict: "APPROVE" } }),
    );
    project.model.script(
      "aether",
      result(
        { checks_run: [], failures: [], fixes: [], release_ready: true },
        { outcome: { verdict: "APPROVE" } },
      ),
    );
    const { tools } = await project.prompt("gaia", "Review this deeper", { session });
    expect(JSON.stringify(project.model.requestsOf("gaia").at(-1))).toContain('review=\\"risk\\"');
    expect(project.model.requestsOf("gaia").map((request) => lastText(request, "user"))).toContainEqual(
      expect.stringContaining("Delegate it to hades and aether in parallel at depth risk: a.txt."),
    );
    expect(tools.slice(1).map(({ output }) => (JSON.parse(output) as { status: string }).status)).toEqual([
      "completed",
      "completed",
    ]);
    expect((await stateOf(project, session))["knobs"]).toMatchObject({ reviewDepth: "risk" });
  });
});

describe("pair_ramp", () => {
  it("asks after the warm-up whether to let go, and goes on as the answer says", async () => {
    project = await openProject({ gaia: { startup: { rampWarmupBatches: 1 } } });
    project.autoAnswer(() => "once");
    const session = await project.session();
    project.model.script("gaia", say("Ramp."));
    await type(project, session, "profile", "pair_ramp");
    const options = [{ label: "My own words", description: "" }];
    project.model.script(
      "gaia",
      delegate(),
      call("question", {
        questions: [{ question: "May I do whatever I like?", header: "Pair ramp", options }],
      }),
      delegate(),
      say("Done."),
    );
    project.model.script("hephaestus", write(project, "a.txt"), result(HEPHAESTUS_DONE));
    project.model.script("hephaestus", write(project, "b.txt"), result(HEPHAESTUS_DONE));
    await project.start("gaia", "Build it", { session });
    const question = await project.question();
    expect(question.questions[0]?.question).not.toContain("whatever I like");
    expect(question.questions[0]?.options.map(({ label }) => label)).toEqual([
      "Keep pairing",
      "Agentic + Check-ins",
      "Full Agentic",
    ]);
    await project.reply(question, [["Full Agentic"]]);
    await project.idle(session);
    expect(await stateOf(project, session)).toMatchObject({
      knobs: { profile: "agentic_full", mode: "autopilot" },
      pause: null,
    });
    expect(has(project, "b.txt")).toBe(true);
    const told = project.model
      .requestsOf("gaia")
      .map((request) => lastText(request, "tool"))
      .join("\n");
    expect(told).toContain('mode="autopilot"');
  });
});

describe("the handshake", () => {
  const mine = {
    question: "Autopilot, yes?",
    header: "Collaboration",
    options: [{ label: "Yes", description: "" }],
  };
  const ask = call("question", { questions: [mine] });

  it("asks in the plugin's words, the configured profile first, and takes the answer", async () => {
    project = await openProject({ gaia: { startup: { defaultProfile: "pair_ramp" } } });
    const beside = {
      question: "Which colour?",
      header: "Colour",
      options: [{ label: "Red", description: "" }],
    };
    const both = call("question", { questions: [beside, mine] });
    project.model.script("gaia", both, say("So be it."));
    const session = await project.start("gaia", "Build a thing");
    const { questions, ...question } = await project.question();
    expect(questions.map(({ question: text }) => text)[1]).toBe("Which colour?");
    expect(questions[0]?.options.map(({ label }) => label)).toEqual([
      "Pair Ramp (your default)",
      "Standard",
      "Pair Live",
      "Pair Batched",
      "Agentic + Check-ins",
      "Full Agentic",
    ]);
    await project.reply({ questions, ...question }, [["Pair Live"], ["Red"]]);
    await project.idle(session);
    expect(JSON.stringify(project.model.requestsOf("gaia").at(-1)?.body)).toContain("Red");
    await untilState(
      project,
      session,
      "the profile",
      ({ knobs }) => (knobs as { profile: string } | undefined)?.profile === "pair_live",
    );
    const messages = messagesOf(project.model.requestsOf("gaia").at(-1)?.body ?? {});
    expect(JSON.stringify(messages.at(-1))).toContain('profile=\\"pair_live\\"');

    // Settled: neither is GAIA reminded of it, nor is the user asked once more, but for what else she wants to know.
    const library = {
      question: "Which library?",
      header: "Library",
      options: [{ label: "a", description: "" }],
    };
    project.model.script("gaia", ask, call("question", { questions: [mine, library] }), say("Well."));
    await project.start("gaia", "Go on", { session });
    const again = await project.question();
    expect(lastUser(project)).not.toContain('header "Collaboration"');
    expect(lastText(project.model.requestsOf("gaia").at(-1)!, "tool")).toContain(
      "the user has said how to work together (pair_live, supervised)",
    );
    expect(again.questions.map(({ question }) => question)).toEqual(["Which library?"]);
    await project.reply(again, [["a"]]);
    await project.idle(session);
    expect((await stateOf(project, session))["knobs"]).toMatchObject({ mode: "supervised" });
  });

  it("keeps everything as it is when the user closes it", async () => {
    project = await openProject();
    project.model.script("gaia", ask);
    project.model.always("gaia", say("Fine."));
    const session = await project.start("gaia", "Build a thing");
    await project.reply(await project.question(), null);
    await project.idle(session);
    await project.prompt("gaia", "Go on", { session });
    expect((await stateOf(project, session))["knobs"]).toMatchObject({
      profile: "standard",
      mode: "supervised",
    });
    expect(lastUser(project)).not.toContain('header "Collaboration"');
  });

  it("is recalled when work begins without it, until the user was asked, and for new work again", async () => {
    project = await openProject({ gaia: { startup: { defaultProfile: "pair_batched" } } });
    project.model.script("gaia", UNIT, ask);
    const session = await project.start("gaia", "Build a thing");
    await project.reply(await project.question(), null);
    // A no: the turn ends, and nothing goes on before the user speaks.
    await project.idle(session);
    const results = () => project.outcome(session).then(({ tools }) => tools.map(({ output }) => output));
    expect((await results())[0]).toContain('call question with header \\"Collaboration\\"');
    await untilState(
      project,
      session,
      "the configured profile",
      ({ knobs, handshake }) =>
        handshake === "settled" && (knobs as { profile: string }).profile === "pair_batched",
    );

    expect(project.model.requestsOf("gaia")).toHaveLength(2);
    project.autoAnswer(() => "once");
    project.model.script("gaia", plan("open_wave", { wave_id: "w1" }), say("Begun."));
    await project.prompt("gaia", "Go on", { session });
    const [, , opened] = await results();
    expect(opened).not.toContain("Collaboration");
    // A unit that was not asked for before.
    const third = plan("create_work_unit", { slug: "third", title: "Third" });
    project.model.script("gaia", third, say("Begun."));
    await project.prompt("gaia", "And now build something else", { session });
    expect((await results()).at(-1)).toContain("Collaboration");
  });

  it.each([
    ["when the configuration names a mode", { mode: "autopilot" }, []],
    ["where nobody can answer", {}, [{ permission: "question", action: "deny", pattern: "*" }]],
    ["when it is switched off", { startup: { askAtTaskStart: false } }, []],
  ])("is left out %s", async (_when, gaia, permission) => {
    project = await openProject({ gaia });
    project.model.script("gaia", UNIT);
    project.model.always("gaia", say("Hello."));
    const created = (await project.call("POST", "/session", { permission })) as { id: string };
    await project.prompt("gaia", "Build a thing", { session: created.id });
    expect(lastUser(project)).toMatch(/^Build a thing\n<gaia-collaboration [^>]+ \/>$/);
    expect(project.model.requestsOf("gaia").at(-1)?.raw).not.toContain("Collaboration");
  });
});
