import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { messagesOf, toolResults, type RecordedRequest } from "../../src/scripted-model/request.ts";
import { call, result, say } from "../../src/scripted-model/turn.ts";
import { entryTexts, learnt } from "../support/entries.ts";
import { openProject, type Project } from "../support/project.ts";
import { lastText } from "../support/scripted-model.ts";
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
