import { learnt } from "../support/entries.ts";
import { afterEach, expect, it, vi } from "vitest";
import { GAIA } from "../../src/agents/gaia.ts";
import { type RecordedRequest } from "../../src/scripted-model/request.ts";
import { call, say } from "../../src/scripted-model/turn.ts";
import { openProject, type Project, callAll, lastText } from "../support/project.ts";
import { LONG_MS, plan } from "./scenes.ts";

let project: Project;
afterEach(async () => project.close());
vi.setConfig({ testTimeout: LONG_MS });

/** One of each role; the historian is given nothing by hand. */
const NAMES: readonly string[] = ["minerva", "apollo", "hephaestus", "artemis", "hades", "aether"];
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
const SETTINGS = {
  mode: "autopilot",
  definitionOfDone: { checks: [{ id: "ledger", command: PLANTED.check }] },
};

const open = async (gaia: object = {}): Promise<void> => {
  project = await openProject({ files: FILES, gaia: { ...SETTINGS, ...gaia } });
  project.autoAnswer(() => "once");
};
const briefOf = (request: RecordedRequest | undefined): string =>
  request === undefined ? "" : lastText(request, "user");
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
