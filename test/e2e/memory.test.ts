import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { recordOf } from "../../src/lib/json.ts";
import { messagesOf, toolResults, type RecordedRequest } from "../../src/scripted-model/request.ts";
import { call, result, say } from "../../src/scripted-model/turn.ts";
import { learnt } from "../support/entries.ts";
import { openProject, type Project, httpError, lastText } from "../support/project.ts";
import { readCases } from "../support/cases.ts";
import { lastUser, notesOf, RECON, to, type, UNIT } from "./scenes.ts";

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

it("recall finds an archived decision, and GAIA knew it before she asked; /gaia-why answers from record and history without a model, and asks one where both are silent", async () => {
  const project = await start({
    ".gaia/archive/2025-08-30.auth/decisions.md": DECISIONS,
    "src/auth/index.ts": "one\n",
  });
  project.model.script("gaia", call("recall_gaia", { query: "why did we use jose?" }), say("Because ESM."));
  project.model.always("gaia", say("Shown."));
  const { sessionId } = await project.prompt("gaia", "Why did we use jose?");
  const at = ".gaia/archive/2025-08-30.auth/decisions.md:5";
  const text = expect.stringContaining("ESM native, smaller bundle") as string;
  expect(toolResults(requestOf(project, 1))).toMatchObject([
    { ok: true, results: [{ kind: "decision", text, unit: "auth", date: "2025-08-21", at }] },
  ]);
  expect(userText(project, 0)).toContain("jose or jsonwebtoken? → jose");

  await type(project, sessionId, "gaia-why", "src/auth");
  const shown = (await notesOf(project, sessionId)).join("\n");
  expect(shown).toContain("jose or jsonwebtoken? → jose · ESM native, smaller bundle");
  expect(shown).toContain(`(${at})`);
  expect(shown).toMatch(/Commits:\n- \d{4}-\d\d-\d\d [0-9a-f]+ Start/);
  expect(lastUser(project)).not.toContain("Commits:");
  expect(lastUser(project)).toContain("say only: Shown.");
  await type(project, sessionId, "gaia-why", "zebraStripes");
  expect(lastUser(project)).toContain("Nothing was found in the record and the history");
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
    // And nothing in a message that they do not matter for.
    await project.prompt("gaia", "Write a haiku about the autumn rain");
    expect(userText(project, 2)).toBe("Write a haiku about the autumn rain");
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

it("a new session is told where the open work unit stands, in its first message only; a compaction keeps the open tasks, and is made up for where it failed", async () => {
  const project = await start({ ...ACTIVE, "GAIA.md": "Small steps." });
  project.model.always("gaia", say("Yes."));
  const { sessionId } = await project.prompt("gaia", "Good morning");
  await project.prompt("gaia", "And on", { session: sessionId });
  expect(userText(project, 0)).toContain(
    "Active work unit: rate-limit (Rate limiting) · in-progress · 1 of 2 tasks done · wave 2",
  );
  expect(userText(project, 0)).toContain("- 2. Test the limiter (artemis, wave 2)");
  expect(userText(project, 0)).toContain("jose or jsonwebtoken? → jose");
  expect(userText(project, 1)).toBe("And on");

  const stale = "<gaia-resume>\nActive work unit: another\n</gaia-resume>";
  const summarize = async (session: string): Promise<void> => {
    const body = { providerID: "scripted", modelID: "main" };
    await project.call("POST", `/session/${session}/summarize`, body).catch(() => null);
    await project.idle(session);
  };
  project.model.script("native", say(`They greeted each other.\n${stale}`));
  await summarize(sessionId);
  await project.prompt("gaia", "Where were we?", { session: sessionId });
  const request = project.model.requestsOf("gaia").at(-1)!;
  expect(request.raw).not.toContain("Good morning");
  expect(request.raw).toContain("They greeted each other.");
  expect(request.raw).not.toContain("Active work unit: another");
  expect(request.raw.match(/2\. Test the limiter \(artemis, wave 2\)/g)).toHaveLength(1);
  // The system prompt is as it was.
  expect(messagesOf(request.body)[0]).toEqual(messagesOf(requestOf(project, 0).body)[0]);

  project.model.script("native", httpError(400, "no summary today"), say("They greeted."));
  const { sessionId: session } = await project.prompt("gaia", "Good evening");
  await summarize(session);
  // OpenCode makes up for the compaction first, and ends the turn with it.
  await project.prompt("gaia", "And now?", { session });
  expect((await project.prompt("gaia", "And then?", { session })).text).toBe("Yes.");
  expect(project.model.requestsOf("gaia").at(-1)?.raw).toContain("2. Test the limiter");
});

it("assumptions come up when one is unsure, and what the user says about each is a decision", async () => {
  const project = await start();
  const assumed = (text: string, confidence: number) =>
    result(RECON, { assumptions: [{ text, confidence }] });
  project.model.script("minerva", assumed("sessions use JWT", 0.9), assumed("the store is SQLite", 0.5));
  const question = { header: "Assumptions", question: "whatever", options: [] };
  const ask = call("question", { questions: [question] });
  project.model.script("gaia", UNIT, to("minerva"), to("minerva"), ask, say("Done."));
  const session = await project.start("gaia", "Look");
  const asked = await project.question();
  expect(asked.questions.map((each) => each.question)).toEqual([
    "Assumed by minerva: the store is SQLite. Does that hold?",
    "Assumed by minerva: sessions use JWT. Does that hold?",
  ]);
  await project.reply(asked, [["No, Postgres"], ["It holds"]]);
  await project.idle(session);
  const resultAt = (index: number) => recordOf(toolResults(requestOf(project, index))[0])["assumptions"];
  expect(resultAt(2)).toBeUndefined();
  expect(resultAt(3)).toContain('call question with header "Assumptions"');
  expect(String(toolResults(requestOf(project, 4))[0])).toContain("the store is SQLite (No, Postgres)");
  const decisions = await project.until("the decisions", async () => {
    const text = await project.read(".gaia/unit/decisions.md");
    return text.includes("sessions use JWT") && text;
  });
  expect(decisions).toContain("| Assumed by minerva: sessions use JWT. Does that hold? | It holds |");
  expect(decisions).toContain("| Assumed by minerva: the store is SQLite. Does that hold? | No, Postgres |");
});

it("assumptions of work on autopilot are told, and hold nobody up", async () => {
  const project = await start({}, { mode: "autopilot" });
  const assumptions = [{ text: "the store is SQLite", confidence: 0.5 }];
  project.model.script("gaia", to("minerva"), say("Done."));
  project.model.script("minerva", result(RECON, { assumptions }));
  const { sessionId } = await project.prompt("gaia", "Look");
  expect(recordOf(toolResults(requestOf(project, 1))[0])["assumptions"]).toContain("name it in your report");
  await project.until("the note", async () =>
    (await notesOf(project, sessionId)).join("\n").includes("- the store is SQLite (minerva, 0.5)"),
  );
});
