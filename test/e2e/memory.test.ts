import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { recordOf } from "../../src/lib/json.ts";
import { messagesOf, toolResults, type RecordedRequest } from "../../src/scripted-model/request.ts";
import { call, result, say } from "../../src/scripted-model/turn.ts";
import { normaliseRequest } from "../support/compare.ts";
import { entryTexts, learnt } from "../support/entries.ts";
import { openProject, type Project } from "../support/project.ts";
import { notesOf, type } from "./collaboration-scenes.ts";
import { httpError, lastText } from "../support/scripted-model.ts";
import { readCases } from "../support/cases.ts";

const open: Project[] = [];
afterEach(async () => {
  for (const project of open.splice(0)) await project.close();
});

async function start(files: Record<string, string> = {}, gaia: object = {}): Promise<Project> {
  const project = await openProject({ files, gaia });
  open.push(project);
  return project;
}

const DECISIONS = [
  "# Decisions",
  "",
  "| Date | Question | Choice | Rationale | Impact |",
  "| --- | --- | --- | --- | --- |",
  "| 2025-08-21 | jose or jsonwebtoken? | jose | ESM native, smaller bundle | src/auth |",
  "",
].join("\n");
/** Of an old one it is told how old it is. */
const TODAY = new Date().toISOString().slice(0, 10);
const LEARNINGS = learnt(`- **correction** use pnpm, npm breaks the lockfile — auth, ${TODAY}`);
const PLAN = readCases<string>("e2e/memory.plan").join("\n");
const ACTIVE = {
  ".gaia/rate-limit/plan.md": PLAN,
  ".gaia/rate-limit/decisions.md": DECISIONS,
  ".gaia/rate-limit/log.md": "# Log\n",
  ".gaia/.local/active.json": '{"work_unit":"rate-limit"}\n',
};

const requestOf = (project: Project, index: number): RecordedRequest => {
  const request = project.model.requestsOf("gaia")[index];
  if (request === undefined) throw new Error(`GAIA made no request ${index}`);
  return request;
};
/** What the user wrote and the memory added; the collaboration lines at the end are another matter. */
const userText = (project: Project, index: number): string =>
  lastText(requestOf(project, index), "user").replace(
    /\n(?:If this needs a plan|<gaia-collaboration)[^]*$/,
    "",
  );

describe("recall", () => {
  it("finds an archived decision, and GAIA knew it before she asked", async () => {
    const project = await start({ ".gaia/archive/2025-08-30.auth/decisions.md": DECISIONS });
    project.model.script("gaia", call("recall_gaia", { query: "why did we use jose?" }), say("Because ESM."));
    await project.prompt("gaia", "Why did we use jose?");
    const [found] = toolResults(requestOf(project, 1));
    expect(found).toMatchObject({
      ok: true,
      results: [
        {
          kind: "decision",
          text: expect.stringContaining("ESM native, smaller bundle"),
          unit: "auth",
          date: "2025-08-21",
          at: ".gaia/archive/2025-08-30.auth/decisions.md:5",
        },
      ],
    });
    expect(userText(project, 0)).toContain("jose or jsonwebtoken? → jose");
  });

  it("/gaia-why answers from the record and the history without a model, and asks one where both are silent", async () => {
    const project = await start({ ".gaia/auth/decisions.md": DECISIONS, "src/auth/index.ts": "one\n" });
    project.model.always("gaia", say("Shown."));
    const { sessionId } = await project.prompt("gaia", "Hello");
    await type(project, sessionId, "gaia-why", "src/auth");
    const shown = (await notesOf(project, sessionId)).join("\n");
    expect(shown).toContain("jose or jsonwebtoken? → jose · ESM native, smaller bundle");
    expect(shown).toContain("(.gaia/auth/decisions.md:5)");
    expect(shown).toMatch(/Commits:\n- \d{4}-\d\d-\d\d [0-9a-f]+ Start/);
    expect(lastText(requestOf(project, 1), "user")).not.toContain("Commits:");
    expect(lastText(requestOf(project, 1), "user")).toContain("say only: Shown.");
    await type(project, sessionId, "gaia-why", "zebraStripes");
    expect(lastText(requestOf(project, 2), "user")).toContain(
      "Nothing was found in the record and the history",
    );
  });

  it("is a tool of demeter as well, and of nobody else's", async () => {
    const project = await start();
    project.model.script(
      "gaia",
      call("delegate_gaia", { agent: "demeter", goal: "look" }),
      call("delegate_gaia", { agent: "minerva", goal: "look" }),
      say("Done."),
    );
    project.model.script(
      "demeter",
      call("recall_gaia", { query: "zebra" }),
      say("Nothing."),
      say("Nothing."),
    );
    project.model.always("minerva", say("Nothing."));
    await project.prompt("gaia", "Look");
    const demeter = project.model.requestsOf("demeter")[1];
    expect(demeter && toolResults(demeter)[0]).toMatchObject({ ok: true, results: [] });
    expect(project.model.requestsOf("minerva")[0]?.raw).not.toContain("recall_gaia");
  });
});

describe("learnings", () => {
  it("stand at the end of the message that they matter for, once in a session, and never in the system prompt", async () => {
    const project = await start(LEARNINGS);
    project.model.always("gaia", say("Yes."));
    const { sessionId } = await project.prompt("gaia", "Install the packages with pnpm");
    await project.prompt("gaia", "And once more with pnpm", { session: sessionId });
    expect(userText(project, 0)).toMatch(
      /^Install the packages with pnpm\n<gaia-memory>[^]*- correction: use pnpm, npm breaks the lockfile \(auth, \d{4}-\d\d-\d\d\)\n<\/gaia-memory>/,
    );
    expect(userText(project, 1)).not.toContain("gaia-memory");
    expect(lastText(requestOf(project, 0), "system")).not.toContain("lockfile");
    const [first, second] = [0, 1].map((index) => messagesOf(requestOf(project, index).body));
    expect(second?.slice(0, first?.length)).toEqual(first);
  });

  it("change nothing in a request that they do not matter for", async () => {
    const requests: string[] = [];
    for (const files of [LEARNINGS, {}]) {
      const project = await start(files);
      project.model.script("gaia", say("Hello."));
      await project.prompt("gaia", "Write a haiku about the autumn rain");
      requests.push(normaliseRequest(requestOf(project, 0), project.directory));
    }
    expect(requests[0]).toBe(requests[1]);
  });

  it("can be switched off", async () => {
    const project = await start(LEARNINGS, { gaiaContext: { useLearnings: false } });
    project.model.script("gaia", say("Yes."));
    await project.prompt("gaia", "Install the packages with pnpm");
    expect(userText(project, 0)).toBe("Install the packages with pnpm");
  });
});

it("a learning of one session, accepted in its file, holds from the next message on, and changes a brief in another clone", async () => {
  const project = await start({ "ledger.txt": "" });
  const bullets = ["constraint: the ledger counts in cents, never in euros"];
  project.model.script("gaia", call("plan_gaia", { op: "append_learnings", bullets }), say("Noted."));
  project.model.always("gaia", say("Yes."));
  const { sessionId } = await project.prompt("gaia", "Remember how the ledger counts");
  const folder = join(project.directory, ".gaia/knowledge");
  const [name = ""] = await readdir(folder);
  const path = join(folder, name);
  const text = await readFile(path, "utf8");
  await project.prompt("gaia", "How does the ledger count, in euros?", { session: sessionId });
  expect(project.model.requestsOf("gaia").at(-1)?.raw).not.toContain("- constraint: the ledger");
  await writeFile(path, text.replace("status: proposed", "status: accepted"));
  await project.prompt("gaia", "How does the ledger count, in cents?", { session: sessionId });
  expect(lastText(requestOf(project, 3), "user")).toContain("- constraint: the ledger counts in cents");
  await project.git("add", "-A");
  await project.git("commit", "-qm", "What we learnt");

  const clone = await start({ "other.txt": "" });
  await clone.git("fetch", "-q", project.directory, "HEAD");
  await clone.git("reset", "-q", "--hard", "FETCH_HEAD");
  clone.model.script(
    "gaia",
    call("delegate_gaia", { agent: "hephaestus", goal: "book in the ledger" }),
    say("Done."),
  );
  clone.model.always(
    "hephaestus",
    result({ checks_run: [], diff_summary: "x", files_modified: [], revision_ids: [], notes: "" }),
  );
  await clone.prompt("gaia", "Book it");
  const [brief] = clone.model.requestsOf("hephaestus");
  expect(brief && lastText(brief, "user")).toContain("the ledger counts in cents, never in euros");
});

describe("continuity", () => {
  it("tells a new session where the open work unit stands, in its first message only", async () => {
    const project = await start(ACTIVE);
    project.model.always("gaia", say("Yes."));
    const { sessionId } = await project.prompt("gaia", "Good morning");
    await project.prompt("gaia", "And on", { session: sessionId });
    expect(userText(project, 0)).toContain(
      "Active work unit: rate-limit (Rate limiting) · in-progress · 1 of 2 tasks done · wave 2",
    );
    expect(userText(project, 0)).toContain("- 2. Test the limiter (artemis, wave 2)");
    expect(userText(project, 0)).toContain("jose or jsonwebtoken? → jose");
    expect(userText(project, 1)).toBe("And on");
  });

  it("keeps the open tasks through a compaction, and the system prompt as it was", async () => {
    const project = await start({ ...ACTIVE, "GAIA.md": "Small steps." });
    project.model.always("gaia", say("Yes."));
    const stale = "<gaia-resume>\nActive work unit: another\n</gaia-resume>";
    project.model.always("native", say(`They greeted each other.\n${stale}`));
    const { sessionId } = await project.prompt("gaia", "Good morning");
    const [before] = messagesOf(requestOf(project, 0).body);
    await project.call("POST", `/session/${sessionId}/summarize`, {
      providerID: "scripted",
      modelID: "main",
    });
    await project.idle(sessionId);
    await project.prompt("gaia", "Where were we?", { session: sessionId });
    const request = project.model.requestsOf("gaia").at(-1);
    if (request === undefined) throw new Error("no request after the compaction");
    expect(request.raw).not.toContain("Good morning");
    expect(request.raw).toContain("They greeted each other.");
    expect(request.raw).not.toContain("Active work unit: another");
    expect(request.raw.match(/2\. Test the limiter \(artemis, wave 2\)/g)).toHaveLength(1);
    expect(messagesOf(request.body)[0]).toEqual(before);
  });
});

describe("a compaction that fails", () => {
  it("is made up for with the next prompt, and leaves answers as the model gave them", async () => {
    const project = await start(ACTIVE);
    project.model.always("gaia", say("Yes."));
    project.model.script("native", httpError(400, "no summary today"), say("They greeted."));
    const { sessionId } = await project.prompt("gaia", "Good morning");
    const body = { providerID: "scripted", modelID: "main" };
    await project.call("POST", `/session/${sessionId}/summarize`, body).catch(() => null);
    await project.idle(sessionId);
    // OpenCode makes up for the compaction first, and ends the turn with it.
    await project.prompt("gaia", "And now?", { session: sessionId });
    const outcome = await project.prompt("gaia", "And then?", { session: sessionId });
    expect(outcome.text).toBe("Yes.");
    expect(project.model.requestsOf("gaia").at(-1)?.raw).toContain("2. Test the limiter");
  });
});

describe("assumptions", () => {
  const recon = { repo_map: "", answer: "It.", plan: [], risk_list: [], suggested_agents: [] };
  const delegate = call("delegate_gaia", { agent: "minerva", goal: "look" });
  const ask = call("question", {
    questions: [{ header: "Assumptions", question: "whatever", options: [] }],
  });
  const script = (project: Project): void => {
    project.model.script(
      "minerva",
      result(recon, { assumptions: [{ text: "sessions use JWT", confidence: 0.9 }] }),
      result(recon, { assumptions: [{ text: "the store is SQLite", confidence: 0.5 }] }),
    );
  };
  const resultsOf = (project: Project, index: number) =>
    recordOf(toolResults(requestOf(project, index))[0])["assumptions"];

  it("come up when one is unsure, and what the user says about each is a decision", async () => {
    const project = await start();
    const unit = call("plan_gaia", { op: "create_work_unit", slug: "unit", title: "A unit" });
    project.model.script("gaia", unit, delegate, delegate, ask, say("Done."));
    script(project);
    const { question, reply } = project;
    const session = await project.start("gaia", "Look");
    const asked = await question();
    expect(asked.questions.map((each) => each.question)).toEqual([
      "Assumed by minerva: the store is SQLite. Does that hold?",
      "Assumed by minerva: sessions use JWT. Does that hold?",
    ]);
    await reply(asked, [["No, Postgres"], ["It holds"]]);
    await project.idle(session);
    expect(resultsOf(project, 2)).toBeUndefined();
    expect(resultsOf(project, 3)).toContain('call question with header "Assumptions"');
    expect(String(toolResults(requestOf(project, 4))[0])).toContain("the store is SQLite (No, Postgres)");
    const decisions = await project.until("the decisions", async () => {
      const text = await project.read(".gaia/unit/decisions.md");
      return text.includes("sessions use JWT") && text;
    });
    expect(decisions).toContain("| Assumed by minerva: sessions use JWT. Does that hold? | It holds |");
    expect(decisions).toContain(
      "| Assumed by minerva: the store is SQLite. Does that hold? | No, Postgres |",
    );
  });

  it("are asked with whatever the user is asked, and stand in the status until then", async () => {
    const project = await start();
    const library = {
      header: "Library",
      question: "jose or jsonwebtoken?",
      options: [{ label: "jose", description: "" }],
    };
    project.model.script("gaia", delegate, call("question", { questions: [library] }), say("Done."));
    script(project);
    const session = await project.start("gaia", "Look");
    const asked = await project.question();
    expect(asked.questions.map((each) => each.question)).toEqual([
      "jose or jsonwebtoken?",
      "Assumed by minerva: sessions use JWT. Does that hold?",
    ]);
    type(project, session, "gaia-status").catch(() => null); // Its turn comes when the question is answered.
    await project.until("the status", async () =>
      (await notesOf(project, session))
        .join()
        .includes("assumed, not confirmed by you: sessions use JWT (minerva, 0.9)"),
    );
    await project.reply(asked, [["jose"], ["No, cookies"]]);
    await project.idle(session);
    expect(lastText(requestOf(project, 2), "tool")).toContain("sessions use JWT (No, cookies)");
  });

  it("are told to a user who let go, and hold nobody up", async () => {
    const project = await start({}, { mode: "autopilot" });
    project.model.script("gaia", delegate, delegate, say("Done."));
    script(project);
    const { sessionId } = await project.prompt("gaia", "Look");
    await project.idle(sessionId);
    expect(resultsOf(project, 2)).toContain("name it in your report");
    await project.until("the note", async () =>
      JSON.stringify(await project.messages(sessionId)).includes("- the store is SQLite (minerva, 0.5)"),
    );
  });
});

describe("capture", () => {
  it("proposes nothing from the words of a sentence", async () => {
    const project = await start();
    project.model.always("gaia", say("Yes."));
    await project.prompt("gaia", "No, use zod instead of io-ts for schemas");
    await project.prompt("gaia", "Which schemas do we have, zod or io-ts?");
    expect(await entryTexts(project.directory)).toBe("");
    expect(userText(project, 1)).toBe("Which schemas do we have, zod or io-ts?");
  });

  it("proposes what fixed a failing command", async () => {
    const project = await start({
      "check.sh": "test -f fixed.txt || { echo 'error: not fixed'; exit 3; }\n",
    });
    const check = call("bash", { command: "sh check.sh", description: "Checks" });
    project.autoAnswer(() => "once");
    project.model.script("gaia", call("delegate_gaia", { agent: "hephaestus", goal: "fix" }), say("Done."));
    project.model.script(
      "hephaestus",
      check,
      call("write", { filePath: `${project.directory}/fixed.txt`, content: "yes" }),
      check,
      result({ checks_run: [], diff_summary: "x", files_modified: [], revision_ids: [], notes: "" }),
    );
    project.model.always("hephaestus", say("{}"));
    await project.prompt("gaia", "Fix it");
    const proposed = await project.until("the proposal", async () => entryTexts(project.directory));
    expect(proposed).toMatch(/^kind: insight$[^]*^about: \["fixed\.txt"\]$[^]*^status: proposed$/m);
    expect(proposed).toContain(
      `\`sh check.sh\` failed with "error: not fixed" and passed after changes to fixed.txt.`,
    );
  });
});

it("what people wrote in the record otherwise stays as it is and is told once, with its line", async () => {
  const other = "# Decisions\n\n| Question | Answer |\n| --- | --- |\n| Which? | zod |\n";
  const project = await start({
    ...ACTIVE,
    ".gaia/rate-limit/decisions.md": other,
  });
  const row = "| 2026-01-01 | a? | b | c | d |";
  const append = call("plan_gaia", {
    op: "append_decisions",
    slug: "rate-limit",
    content: { markdown: row },
  });
  project.model.script("gaia", call("recall_gaia", { query: "plain one" }), append, say("Done."));
  const { sessionId } = await project.prompt("gaia", "Remember that");
  expect(toolResults(requestOf(project, 2))).toMatchObject([
    {
      error: ".gaia/rate-limit/decisions.md:3: the columns are Question, Answer.",
      hint: expect.stringContaining("The header must be | Date |"),
    },
  ]);
  expect(toolResults(requestOf(project, 1))).toMatchObject([{ ok: true, results: [] }]);
  await project.idle(sessionId);
  expect(await project.read(".gaia/rate-limit/decisions.md")).toBe(other);
});
