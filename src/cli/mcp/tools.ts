import * as z from "zod/mini";
import { loadPanelKey, panelKeyPath } from "../../conversation/display/panel-key.ts";
import { waiting, type Knowledge } from "../../record/knowledge.ts";
import { systemClock } from "../../lib/async.ts";
import { createError, silentLogger } from "../../lib/error.ts";
import { excerpt, head, tail } from "../../lib/text.ts";
import type { Redactor } from "../../lib/redaction.ts";
import { createSeal } from "../../lib/seal.ts";
import { ALL_KINDS, RECALL_KINDS } from "../../record/recall/entry.ts";
import { createRecall, type Recall } from "../../record/memory.ts";
import { type WorkspaceResult, createWorkspace, type Workspace } from "../../record/workspace.ts";
import { NOTHING_TO_CHECK, verifyProject } from "../check.ts";
import { openProjectKnowledge } from "../knowledge.ts";

/** The project that a server was started for, and no other. Its files are read when they are asked for. */
export interface McpProject {
  readonly directory: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly workspace: Workspace;
  readonly knowledge: Knowledge;
  readonly recall: Recall;
  readonly redact: Redactor;
}

export async function openMcpProject(from: string, environment: NodeJS.ProcessEnv): Promise<McpProject> {
  const { directory, knowledge, redact } = await openProjectKnowledge(from, environment);
  // What is committed from here on may be anyone's.
  knowledge.doubt();
  const seal = createSeal(() => loadPanelKey(panelKeyPath(environment)));
  const workspace = createWorkspace({ directory, clock: systemClock, logger: silentLogger, redact, seal });
  const recall = createRecall(workspace, silentLogger, knowledge);
  return { directory, environment, workspace, knowledge, recall, redact };
}

let isRunning = false;

/** Runs the Definition of Done as `opencode-gaia check` does, one run at a time. */
async function runDodChecks(
  { directory, environment }: McpProject,
  scope: string | undefined,
  signal: AbortSignal,
): Promise<object> {
  if (isRunning)
    throw createError("mcp", "The checks run already.", { hint: "Ask again when that run has ended." });
  isRunning = true;
  try {
    const verification = await verifyProject(directory, environment, scope, signal);
    if (verification.kind === "broken")
      throw createError("mcp", `Nothing was checked. ${verification.problem}`);
    if (verification.kind === "none")
      return { passed: false, results: [], artifacts: [], notes: [NOTHING_TO_CHECK] };
    const { passed, checks, artifacts, notes } = verification.report;
    return { passed, results: checks.map(({ signature: _own, ...check }) => check), artifacts, notes };
  } finally {
    isRunning = false;
  }
}

interface McpCall {
  readonly project: McpProject;
  readonly client: string;
  /** Over when the client takes the call back, or goes away. */
  readonly signal: AbortSignal;
}

/** Something that another program may ask for; nothing here approves, accepts, or changes a plan. */
interface McpTool<Input extends z.ZodMiniObject = z.ZodMiniObject> {
  readonly name: string;
  readonly description: string;
  readonly input: Input;
  readonly isSlow?: boolean;
  /** @returns what the client is told, as plain data @throws GaiaError for what the client can put right */
  run(args: z.infer<Input>, call: McpCall): Promise<object>;
}

/** Characters of a document; of a log the end says most. */
const MAX_DOCUMENT = 60_000;
const MAX_TEXT = 1_500;

const text = (most: number) => z.string().check(z.minLength(1), z.maxLength(most));
const named = { input: z.object({ unit: z.optional(text(100)) }) };

/** Gives `run` the arguments that `input` says. */
function tool<Input extends z.ZodMiniObject>(spec: McpTool<Input>): McpTool {
  return spec;
}

function need<T>(result: WorkspaceResult<T>, hint?: string): T {
  if (result.ok) return result;
  throw createError("mcp", result.error, { hint: hint ?? result.hint });
}

/** Everything that a client may ask for, in the order in which it is listed. */
export const MCP_TOOLS: readonly McpTool[] = [
  tool({
    name: "knowledge_propose",
    description:
      "Proposes something that everyone here should know. It counts once a person has accepted it.",
    input: z.object({
      body: text(8_000),
      reason: text(400),
      id: z.optional(text(64)),
      type: z.optional(text(32)),
      supersedes: z.optional(z.array(text(64)).check(z.maxLength(20))),
    }),
    async run({ type: kind, ...draft }, { project, client }) {
      const { id } = await project.knowledge.propose({ ...draft, kind, by: `${client} (MCP)` });
      return { id, status: "proposed", next: "A person decides: opencode-gaia knowledge." };
    },
  }),
  tool({
    name: "governance_status",
    description: "How many entries of knowledge there are by status, and how many wait for a person.",
    input: z.object({}),
    async run(_args, { project }) {
      const entries = await project.knowledge.all();
      const counts: Record<string, number> = {};
      for (const { standing } of entries) counts[standing] = (counts[standing] ?? 0) + 1;
      return { counts, waiting: waiting(entries).length };
    },
  }),
  tool({
    name: "memory_query",
    description:
      "Searches what people accepted as known, and the record in .gaia: decisions, logs, plans, archived units too.",
    input: z.object({
      query: text(500),
      kinds: z.optional(z.array(z.enum(RECALL_KINDS)).check(z.maxLength(4))),
      limit: z.optional(z.int().check(z.minimum(1), z.maximum(50))),
    }),
    async run({ query, kinds = [], limit: most = 8 }, { project }) {
      const wanted = kinds.length === 0 ? ALL_KINDS : new Set(kinds);
      const hits = await project.recall.search(query, wanted);
      const results = hits.slice(0, most).map(({ entry, score }) => ({
        kind: entry.learning ?? entry.kind,
        text: excerpt(entry.text, MAX_TEXT),
        unit: entry.unit,
        date: entry.date,
        at: `${entry.path}:${entry.line}`,
        score: Math.round(score * 10) / 10,
      }));
      return { results };
    },
  }),
  tool({
    name: "unit_status",
    description: "The work units of this project; of one its plan's status and tasks.",
    ...named,
    async run({ unit: slug }, { project: { workspace } }) {
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
  }),
  tool({
    name: "read_unit",
    description: "Plan and log of a work unit; by default of the active one. Of a long log its end.",
    ...named,
    async run({ unit: slug }, { project }) {
      const read = await project.workspace.readWorkUnit(slug === undefined ? {} : { slug });
      const { slug: unit, status, content } = need(read, "unit_status lists the units.");
      const [plan, log] = [head(content.plan_md, MAX_DOCUMENT), tail(content.log_md, MAX_DOCUMENT)];
      return { unit, status, plan, log };
    },
  }),
  tool({
    name: "run_dod_checks",
    description:
      "Runs the checks of this project's Definition of Done that its user trusts, and tells how they ended.",
    input: z.object({ scope: z.optional(text(64)) }),
    isSlow: true,
    run: async ({ scope }, { project, signal }) => runDodChecks(project, scope, signal),
  }),
];
