import { waiting } from "../../knowledge/judge.ts";
import { systemClock } from "../../lib/clock.ts";
import { createError } from "../../lib/error.ts";
import { excerpt, head, tail } from "../../lib/excerpt.ts";
import { tellConfidence } from "../../memory/learnings/confidence.ts";
import { ALL_KINDS, RECALL_KINDS, type RecallKind } from "../../memory/recall/entry.ts";
import type { KnownQuestion } from "../../memory/known-query.ts";
import type { Draft } from "../../knowledge/write.ts";
import type { WorkspaceResult } from "../../workspace/result.ts";
import { runDodChecks } from "./checks.ts";
import type { Argument } from "./arguments.ts";
import type { McpCall, McpTool } from "./tool.ts";

/** Characters of a document; of a log the end says most. */
const MAX_DOCUMENT = 60_000;
const MAX_TEXT = 1_500;

const text = (maxLength: number): Argument => ({ type: "string", maxLength });
const words: Argument = text(500);
const limit: Argument = { type: "integer", minimum: 1, maximum: 50 };
const named = { properties: { unit: text(100) } };
interface Asked {
  readonly query: string;
  readonly kinds?: readonly RecallKind[];
  readonly limit?: number;
}
interface Named {
  readonly unit?: string;
}

/** @param hint in place of the workspace's own @throws GaiaError with what a workspace refused */
function need<T>(result: WorkspaceResult<T>, hint?: string): T {
  if (result.ok) return result;
  throw createError("mcp", result.error, { hint: hint ?? result.hint });
}

async function readUnit({ unit: slug }: Named, { project }: McpCall) {
  return slug === undefined
    ? need(await project.workspace.readWorkUnit({}), "Pass unit: unit_status lists them.")
    : need(await project.workspace.readWorkUnit({ slug }));
}

function sayConfidence(confidence: string): object {
  return confidence === "" ? {} : { confidence };
}

/** Everything that a client may ask for, in the order in which it is listed. */
export const MCP_TOOLS: readonly McpTool[] = [
  {
    name: "knowledge_query",
    description: "What the people of this project have accepted as known about something, the best first.",
    properties: { query: words, limit, threshold: { type: "number", minimum: 0, maximum: 1 } },
    required: ["query"],
    async run(question: KnownQuestion, { project }: McpCall) {
      const { answers, isWhole } = await project.askKnown(question);
      const results = answers.map((each) => ({ ...each, text: excerpt(each.text, MAX_TEXT) }));
      return isWhole ? { results } : { results, incomplete: "Not all of it is read yet. Ask again." };
    },
  },
  {
    name: "knowledge_propose",
    description:
      "Proposes something that everyone here should know. It counts once a person has accepted it.",
    properties: {
      body: text(8_000),
      reason: text(400),
      id: text(64),
      type: text(32),
      scope: { type: "string", maxLength: 7, enum: ["project", "user"] },
      supersedes: { type: "array", maxItems: 20, items: text(64) },
    },
    required: ["body", "reason"],
    async run(draft: Omit<Draft, "by">, { project, client }: McpCall) {
      const { id, duplicates } = await project.knowledge.propose({ ...draft, by: `${client} (MCP)` });
      return { id, status: "proposed", duplicates, next: "A person decides: opencode-gaia knowledge." };
    },
  },
  {
    name: "governance_status",
    description: "How many entries of knowledge there are by status, and how many wait for a person.",
    properties: {},
    async run(_args: object, { project }: McpCall) {
      const entries = await project.knowledge.all();
      const counts: Record<string, number> = {};
      for (const { standing } of entries) counts[standing] = (counts[standing] ?? 0) + 1;
      return { counts, waiting: waiting(entries).length };
    },
  },
  {
    name: "memory_query",
    description: "Searches the record in .gaia: learnings, decisions, logs, plans, archived units included.",
    properties: {
      query: words,
      kinds: { type: "array", maxItems: 4, items: { type: "string", maxLength: 8, enum: RECALL_KINDS } },
      limit,
    },
    required: ["query"],
    async run({ query, kinds = [], limit: most = 8 }: Asked, { project }: McpCall) {
      const wanted = kinds.length === 0 ? ALL_KINDS : new Set(kinds);
      const hits = await project.recall.search(query, { kinds: wanted, prefix: true });
      const tell = await tellConfidence(project.workspace, systemClock.now());
      const results = hits.slice(0, most).map(({ entry, score }) => ({
        kind: entry.kind,
        ...(entry.kind === "learning" ? sayConfidence(tell(entry)) : {}),
        text: excerpt(entry.text, MAX_TEXT),
        unit: entry.unit,
        date: entry.date,
        at: `${entry.path}:${entry.line}`,
        score: Math.round(score * 10) / 10,
      }));
      return { results };
    },
  },
  {
    name: "unit_status",
    description: "The work units of this project; of one its plan's status and tasks.",
    ...named,
    async run({ unit: slug }: Named, { project: { workspace } }: McpCall) {
      if (slug === undefined) {
        const { active, units, archived } = need(await workspace.listWorkUnits());
        return { active, units, archived: archived.slice(-50) };
      }
      const { title, status, tasks } = need(await workspace.readWorkUnit({ slug }));
      return {
        unit: slug,
        title,
        status,
        tasks: tasks.map((task) => ({
          number: task.number,
          text: excerpt(task.text, 300),
          agent: task.agent,
          wave: task.wave,
          ticked: task.done,
        })),
      };
    },
  },
  {
    name: "read_plan",
    description: "The plan of a work unit; by default of the active one.",
    ...named,
    async run(named: Named, call: McpCall) {
      const read = await readUnit(named, call);
      return { unit: read.slug, status: read.status, markdown: head(read.content.plan_md, MAX_DOCUMENT) };
    },
  },
  {
    name: "read_log",
    description: "The log of a work unit; by default of the active one. Of a long one its end.",
    ...named,
    async run(named: Named, call: McpCall) {
      const read = await readUnit(named, call);
      return { unit: read.slug, markdown: tail(read.content.log_md, MAX_DOCUMENT) };
    },
  },
  {
    name: "run_dod_checks",
    description:
      "Runs the checks of this project's Definition of Done that its user trusts, and tells how they ended.",
    properties: { scope: text(64) },
    isSlow: true,
    run: async ({ scope }: { readonly scope?: string }, { project, signal }: McpCall) =>
      runDodChecks(project, scope, signal),
  },
];
