import { learnt } from "../support/entries.ts";
import { afterEach, expect, it, vi } from "vitest";
import { GAIA } from "../../src/agents/gaia.ts";
import { SPECIALISTS } from "../../src/agents/registry.ts";
import { contentText, messagesOf, type RecordedRequest } from "../../src/scripted-model/request.ts";
import { call, result, say } from "../../src/scripted-model/turn.ts";
import { openProject, type Project } from "../support/project.ts";
import { callAll, lastText } from "../support/scripted-model.ts";
import { HEPHAESTUS_DONE, notesOf, plan, type } from "./collaboration-scenes.ts";
import { follow, LONG_MS, reviewed } from "./gates-scenes.ts";
import { reports } from "./lanes-scenes.ts";

let project: Project;
afterEach(async () => project.close());
vi.setConfig({ testTimeout: LONG_MS });

const NAMES: readonly string[] = SPECIALISTS.map(({ name }) => name).filter((name) => name !== "demeter");
const TODAY = new Date().toISOString().slice(0, 10);
/** Each must reach whoever works on the ledger. */
const PLANTED = {
  instruction: "The vendor folder is never touched.",
  constraint: "Every price is in cents.",
  check: "node check-ledger.mjs",
  goal: "The ledger balances.",
  criterion: "Given two entries, when one is booked, then the other is as well.",
  guardrail: "No entry of the ledger is ever deleted.",
  scope: "Currencies are not converted.",
  learning: "book ledger entries in one transaction",
  decision: "Round ledger amounts how? → half even",
  recon: "src/ledger.ts: books entries",
  note: "the ledger is kept in memory for now",
  issue: "the ledger loses entries on a crash",
  found: "ledger.ts:3: the amount may be negative",
};
const UNRELATED = ["prefer tabs in makefiles", "Which font for the website? → a serif one"];
const FILLER = `${"Words about tables. ".repeat(18)}\n`.repeat(20);
const SPEC = `# Ledger

> Status: approved

## Context

${FILLER}
## Data Model

The table is called postings.

## Acceptance Criteria

- ${PLANTED.criterion}

## Out Of Scope

- ${PLANTED.scope}
`;
const PLAN = `# Ledger

> Status: in-progress

## Goal

${PLANTED.goal}

## Tasks

- [ ] 1. Book the ledger in one.txt
  - agent: hephaestus
  - files: one.txt
  - verify: test -s one.txt
- [ ] 2. Book the ledger in two.txt
  - agent: hephaestus
  - files: two.txt
  - verify: test -s two.txt

## Done When

- \`test -s one.txt\`

## Guardrails

- ${PLANTED.guardrail}
`;
const LOG = `# Log

## ${TODAY} — Recon by minerva: look at the ledger

- repo map: ${PLANTED.recon}

## ${TODAY} — Noted by hephaestus: Begin the ledger

- notes: ${PLANTED.note}
- known issues: ${PLANTED.issue}

## ${TODAY} — Noted in reviews, not fixed

- ${PLANTED.found} (hades) · \`note-0123456789\`
`;
const table = (row: string): string =>
  `# Decisions\n\n| Date | Question | Choice | Rationale | Impact |\n| --- | --- | --- | --- | --- |\n${row}\n`;
const FILES = {
  "GAIA.md": `# GAIA\n\n${PLANTED.instruction}\n`,
  "check-ledger.mjs": "",
  ".gaia/gaia-init.md": `# GAIA Init\n\n## Product Intent\n\nBooks.\n\n## Non-Negotiables\n\n- ${PLANTED.constraint}\n`,
  ...learnt(
    `- **constraint** ${PLANTED.learning} — old, ${TODAY}\n- **preference** ${UNRELATED[0]} — old, ${TODAY}\n`,
  ),
  ".gaia/ledger/plan.md": PLAN,
  ".gaia/ledger/spec.md": SPEC,
  ".gaia/ledger/log.md": LOG,
  ".gaia/ledger/decisions.md": table("| 2026-01-01 | Round ledger amounts how? | half even | | src |"),
  ".gaia/site/decisions.md": table("| 2026-01-01 | Which font for the website? | a serif one | | site |"),
};
const PROPOSED = "---\nkind: insight\nstatus: proposed\n---\n\nledgers are books\n";
const SETTINGS = {
  mode: "autopilot",
  definitionOfDone: { checks: [{ id: "ledger", command: PLANTED.check }] },
};

const open = async (gaia: object = {}): Promise<void> => {
  project = await openProject({ files: FILES, gaia: { ...SETTINGS, ...gaia } });
  await project.git("config", "user.name", "T");
  await project.git("config", "user.email", "t@example.com");
  project.autoAnswer(() => "once");
};
const briefOf = (request: RecordedRequest | undefined): string =>
  request === undefined ? "" : lastText(request, "user");
const resultsIn = (request: RecordedRequest): string[] =>
  messagesOf(request.body).flatMap(({ role, content }) => (role === "tool" ? [contentText(content)] : []));
const missingIn = (brief: string): string[] =>
  Object.entries(PLANTED).flatMap(([name, text]) => (brief.includes(text) ? [] : [name]));

it("reaches every specialist by hand, whole and within its bounds, with what fits and nothing else", async () => {
  await open();
  for (const name of NAMES) project.model.always(name, say("Done."));
  const tasks = NAMES.map((agent) =>
    call("delegate_gaia", { agent, goal: "Book both entries of the ledger", work_unit: "ledger" }),
  );
  project.model.script(GAIA, plan("set_active", { slug: "ledger" }), callAll(...tasks), say("Done."));
  await project.prompt(GAIA, "Do it");
  const briefs = new Map(NAMES.map((name) => [name, briefOf(project.model.requestsOf(name)[0])]));
  expect(Object.fromEntries([...briefs].map(([name, brief]) => [name, missingIn(brief)]))).toEqual(
    Object.fromEntries(NAMES.map((name) => [name, []])),
  );
  for (const brief of briefs.values()) {
    for (const text of UNRELATED) expect(brief).not.toContain(text);
    expect(brief).toContain("Not shown here, read it there: Context (.gaia/ledger/spec.md)");
    expect(brief).toContain("The table is called postings.");
    expect(Buffer.byteLength(brief)).toBeLessThan(16_000);
  }
  // What is known comes first, with the same bytes for all; for one who judges, what was made comes after the task.
  const shared = (name: string): string => briefs.get(name)?.split("# Noted by")[0] ?? "";
  for (const name of NAMES)
    expect(shared(name).startsWith(shared("aether").split("\n\nvcs_type")[0]!)).toBe(true);
  const [minerva = "", apollo = ""] = ["minerva", "apollo"].map(
    (name) => briefs.get(name)?.split("TASK:")[0],
  );
  expect(minerva).toBe(apollo);
  const order = ["goal", "criterion", "note", "issue"].map((name) =>
    (briefs.get("hades") ?? "").indexOf(PLANTED[name as keyof typeof PLANTED]),
  );
  expect(order).toEqual(order.toSorted((one, other) => one - other));
  expect(briefs.get("hades")).toMatch(/TASK: [^]*# Noted by those who worked on it[^]*Judge in this order/);
});

it("reaches the workers of a run in worktrees, where what it points to can be read; its reviewer hears what they note", async () => {
  await open({ lanes: "always" });
  await project.write(".gaia/knowledge/books.md", PROPOSED);
  const noted = { ...HEPHAESTUS_DONE, known_issues: ["two.txt has no header"], notes: ["kept both apart"] };
  project.model.always("hephaestus", (request) => {
    const results = resultsIn(request);
    const brief = briefOf(request);
    const name = /TASK: Book the ledger in (\w+\.txt)/.exec(brief)?.[1] ?? "";
    const path = /read it there: [^\n]* \((\/[^\n]*spec\.md)\)/.exec(brief)?.[1] ?? "none";
    if (results.length === 0) return call("read", { filePath: path });
    if (results.length === 1)
      return call("bash", { command: `echo booked > ${name}`, description: "Write it" });
    return result(noted);
  });
  for (const name of ["hades", "aether"] as const) project.model.always(name, reviewed(name));
  project.model.always(
    "demeter",
    result({ log_entry: "Booked.", decisions: [], learnings: [], plan_updates: [] }),
  );
  project.model.script(GAIA, plan("run", { slug: "ledger" }), say("Done."));
  const outcome = await follow(project, "Run it");
  expect(reports(outcome)).toEqual([expect.objectContaining({ ok: true, status: "finished" })]);
  const requests = project.model.requestsOf("hephaestus");
  const firsts = requests.filter((request) => resultsIn(request).length === 0).map(briefOf);
  expect(firsts).toHaveLength(2);
  expect(firsts.map(missingIn)).toEqual([[], []]);
  expect(new Set(firsts.map((brief) => brief.split("vcs_type")[0])).size).toBe(1);
  const read = requests.flatMap(resultsIn);
  expect(read.filter((text) => text.includes("Words about tables.")).length).toBeGreaterThanOrEqual(2);
  expect(await project.read("one.txt")).toBe("booked\n");
  const review = briefOf(project.model.requestsOf("hades")[0]);
  expect(missingIn(review).filter((name) => name !== "learning")).toEqual([]);
  expect(review).toContain("- known issues: two.txt has no header");
  const log = await project.read(".gaia/ledger/log.md");
  expect(log).toContain("- known issues: two.txt has no header");
  // The historian is told all of it, as it was said and seen.
  const historian = briefOf(project.model.requestsOf("demeter")[0]);
  for (const name of ["goal", "criterion", "decision", "recon", "note", "issue", "found"] as const)
    expect(historian).toContain(PLANTED[name]);
  expect(historian).toMatch(
    /- hephaestus, completed: Book the ledger in two\.txt · `echo booked > two\.txt` exit 0/,
  );
  expect(historian).toContain("- known issues: two.txt has no header");
  // What is left broken, and what waits for a yes, is left for the user.
  const notes = (await notesOf(project, outcome.sessionId)).join("\n");
  expect(notes).toMatch(/Left for you: [^\n]*two\.txt has no header[^\n]*1 proposal waits: ctrl\+x k/);
  project.model.script(GAIA, say("Status shown."));
  await type(project, outcome.sessionId, "gaia-status");
  expect((await notesOf(project, outcome.sessionId)).join("\n")).toContain("- 1 proposal waits: ctrl+x k");
});
