import { askApproval } from "../conversation/approvals/ask-approval.ts";
import { ANCHORED_EDITS, AST, LANGUAGE_SERVERS, SKILL_SERVERS } from "../extras/announced.ts";
import { prepareAst } from "../extras/ast/tool.ts";
import { prepareSkillCall, type SkillNeeds } from "../extras/skill-servers/call.ts";
import {
  defineFileTool,
  type EndCall,
  type FileTool,
  type ToolDefinition,
  defineTool,
} from "../host/tool.ts";
import { NO_OUTCOME } from "../host/tool-call.ts";
import { recordOf, textOf } from "../lib/json.ts";
import { isRefusal, refuse, renderAsOperation } from "../lib/error.ts";
import type { Runtime } from "../runtime.ts";
import { fileToolNames, TELL, PLAN, RECALL } from "./announced.ts";
import { createCollectTool } from "./collect.ts";
import { createDelegateTool } from "./delegate.ts";
import { pathIn } from "../lib/path-in.ts";
import type { PlanArgs } from "../plan/operations/args.ts";
import { operate } from "../plan/operations/operations.ts";
import { bounded } from "../lib/async.ts";
import { excerpt } from "../lib/text.ts";
import { ALL_KINDS, type RecallKind, idOfEntry, type RecallEntry } from "../record/recall/entry.ts";

/** Whom `skill_mcp` asks about a server. */
function skillNeedsOf(runtime: Runtime): SkillNeeds {
  const { conversations, supervision } = runtime;
  return {
    ...runtime,
    uses: async (sessionId, skill) =>
      (await conversations.of(sessionId))?.conversation.parts.bearings.uses(sessionId, skill) === true,
    async approve(sessionId, title, call) {
      const found = await conversations.of(sessionId);
      if (found === null) return refuse("This session is not one of GAIA's.");
      const { conversation } = found;
      const approval = { kind: "server", workUnit: conversation.state.workUnit ?? "", title } as const;
      const answer = await askApproval(conversation, supervision.dialogs, approval, call);
      return isRefusal(answer) ? answer : null;
    },
  };
}

/** `tell_gaia` (SPEC 5): what a specialist tells another one of its wave. It touches no file. */
function createTellTool({ conversations, extrasOf }: Runtime): FileTool {
  return defineFileTool({
    ...TELL,
    async prepare(said, { sessionId }) {
      const words = { ...said, sessionId };
      const found = await conversations.of(sessionId);
      if (found === null) return refuse("Nobody works beside you.");
      const { messages } = extrasOf(found.conversation);
      return (
        messages.whyNot(words) ?? {
          effect: { kind: "read", paths: [], patterns: [], addresses: [] },
          async run() {
            const sent = messages.send(words);
            if (typeof sent !== "string") throw new Error(`${sent.reason} ${sent.hint}`.trim());
            return { title: said.to, text: sent, files: [] };
          },
        }
      );
    },
  });
}

export function listTools(runtime: Runtime): ToolDefinition[] {
  return [createDelegateTool, createCollectTool, createPlanTool, createRecallTool].map((create) =>
    create(runtime),
  );
}

/** The tools for specialists that are on; their words stand in `announced.ts`. */
export function listFileTools(runtime: Runtime): FileTool[] {
  const needs = skillNeedsOf(runtime);
  const on = fileToolNames(runtime.config);
  return [
    defineFileTool({ ...AST.tool, prepare: async (...call) => prepareAst(...call, runtime) }),
    defineFileTool({ ...ANCHORED_EDITS.tool, prepare: runtime.anchors.prepare }),
    defineFileTool({ ...LANGUAGE_SERVERS.tool, prepare: runtime.code.prepare }),
    defineFileTool({ ...SKILL_SERVERS.tool, prepare: async (...call) => prepareSkillCall(needs, ...call) }),
    createTellTool(runtime),
  ].filter(({ name }) => on.includes(name));
}

/** Ends a call of one of these tools for state and user. @returns what GAIA has to be told with the result */
export function createEndCall({ supervision, conversations }: Runtime): EndCall {
  return async (tool, args, { callId, sessionId }, result) => {
    await supervision.calls.finished(callId, NO_OUTCOME);
    const found = await conversations.of(sessionId);
    if (found === null || found.session.specialist !== null) return [];
    const { conversation } = found;
    conversation.parts.report.ended(tool, args, result);
    await conversation.outbox.flushInCall();
    const op = tool === PLAN.name ? textOf(recordOf(args)["op"]) : undefined;
    const hint = op === undefined ? [] : await conversation.parts.questions.handshakeHint(op);
    return [...conversation.takeLines(), ...hint];
  };
}

/** `plan_gaia` (SPEC 5): the only way by which models write workflow files. */
export function createPlanTool(runtime: Runtime): ToolDefinition {
  const { project, directory } = runtime.host;
  return defineTool({
    ...PLAN,
    renderRefusal: renderAsOperation,
    async execute({ content, ...parsed }, call) {
      const input = { ...parsed, ...content } as PlanArgs;
      // A folder is named from where the model works, which may be below the project.
      const dir = input.dir === undefined ? null : await pathIn(project, directory, input.dir);
      const result = await operate(runtime, dir === null ? input : { ...input, dir }, call);
      return { title: `${input.op} ${input.slug ?? ""}`.trim(), result };
    },
  });
}

const DEFAULT_LIMIT = 8;
/** A hundred thousand entries are read in less. */
const PATIENCE_MS = 15_000;
const MAX_TEXT = 300;
/** No agent reads on in the file of these; and one that was asked for by its id is told whole. */
const MAX_LEARNING = 1_500;
const MAX_WHOLE = 4_000;
/** Hits this far below the best one share only a word with the query. */
const WORTH_SHOWING = 0.15;

/** `recall_gaia` (SPEC 10): finds what the record says, archived work units included. */
export function createRecallTool({ memory, clock }: Runtime): ToolDefinition {
  return defineTool({
    ...RECALL,
    renderRefusal: renderAsOperation,
    async execute({ query, id, kinds, limit = DEFAULT_LIMIT }) {
      if (id !== undefined) {
        const entry = await bounded(memory.recall.get(id), PATIENCE_MS, clock, "The record");
        const unknown = refuse(`Nothing has the id ${JSON.stringify(excerpt(id, 80))}.`, "Search by query.");
        if (entry === null) return { title: id, result: unknown };
        return { title: id, result: { ok: true, results: [renderHit({ entry }, memory.redact, MAX_WHOLE)] } };
      }
      if (query === undefined)
        return { title: "nothing asked", result: { ok: true, results: [], hint: "Pass query or id." } };
      const wanted: ReadonlySet<RecallKind> =
        kinds === undefined || kinds.length === 0 ? ALL_KINDS : new Set(kinds);
      const search = memory.recall.search(query, wanted);
      const hits = await bounded(search, PATIENCE_MS, clock, "The record");
      const best = hits[0]?.score ?? 0;
      const shown = hits.filter(({ score }) => score >= best * WORTH_SHOWING).slice(0, limit);
      const results = shown.map((hit) => renderHit(hit, memory.redact, MAX_TEXT));
      const hint = results.length === 0 ? { hint: "Nothing is recorded on this; try other keywords." } : {};
      return {
        title: `${results.length} found: ${excerpt(query, 40)}`,
        result: { ok: true, results, ...hint },
      };
    },
  });
}

function renderHit(
  { entry, score }: { readonly entry: RecallEntry; readonly score?: number },
  redact: (text: string) => string,
  most: number,
): object {
  const { kind, learning, text, unit, date, path, line } = entry;
  const id = idOfEntry(entry);
  return {
    kind: learning ?? kind,
    ...(id === null ? {} : { id }),
    text: excerpt(redact(text), kind === "learning" ? Math.max(most, MAX_LEARNING) : most),
    unit,
    date,
    at: `${path}:${line}`,
    ...(score === undefined ? {} : { score: Math.round(score * 10) / 10 }),
  };
}
