import type { Conversation } from "../conversation/conversation.ts";
import { isRunId, type Runs } from "../conversation/runs/runs.ts";
import { rebuildTask } from "../delegation/rebuild.ts";
import {
  countFitting,
  meteringOf,
  renderGiven,
  renderResult,
  type DelegationResult,
} from "../delegation/result.ts";
import { isEnded } from "../delegation/task.ts";
import { defineTool, type ToolDefinition } from "../host/tool.ts";
import { deferred, unlessAborted } from "../lib/async.ts";
import { isRefusal, refuse, renderAsTask, type Refusal } from "../lib/error.ts";
import type { Runtime } from "../runtime.ts";
import { COLLECT } from "./announced.ts";

/** How long a call waits when it does not say, in milliseconds. */
const DEFAULT_WAIT_MS = 120_000;
/** The longest that one call waits, in milliseconds; after that "still running" is the answer. */
const MAX_WAIT_MS = 600_000;
/** How long what was cancelled may take to be gone, in milliseconds. */
const CANCEL_MS = 15_000;

/** `collect_results` (SPEC 5): waits for background tasks on events, hands out results, or cancels. */
export function createCollectTool(runtime: Runtime): ToolDefinition {
  const { conversations, engine } = runtime;
  return defineTool({
    ...COLLECT,
    renderRefusal: renderAsTask,
    async execute(args, call) {
      const { sessionId: parentId } = call;
      const named = [...(args.task_ids ?? []), ...(args.task_id === undefined ? [] : [args.task_id])];
      const conversation = (await conversations.of(parentId))?.conversation ?? null;
      const { delegations, runs } = conversation?.parts ?? {};
      const open = engine.tasks.ofParent(parentId).flatMap(({ id, background }) => (background ? id : []));
      const uncollected = [...open, ...(runs?.background().keys() ?? [])].filter(
        (id) => delegations?.wasCollected(id) !== true,
      );
      const earlier = named.length > 0 ? [] : ((await conversation?.parts.restart.leftTasks()) ?? []);
      const taskIds =
        named.length > 0 ? [...new Set(named)] : [...earlier.map(({ id }) => id), ...uncollected];
      const awaited = { ids: taskIds, parentId, runs };
      if (taskIds.length === 0)
        return { title: "nothing to collect", result: refuse("No background task is open.") };
      const { abort } = call;
      if (args.cancel === true) {
        const run = runs?.underWay();
        if (taskIds.includes(run?.id ?? "")) run?.control.abort();
        // A fork knows the ids of its original's tasks from the transcript.
        for (const id of taskIds)
          if (engine.tasks.get(id)?.parentId === parentId)
            engine.cancel(id, "Cancelled by the orchestrator.");
        // Until they are really gone, so that "cancelled" is true when it is said.
        await waitFor(runtime, awaited, "all", CANCEL_MS, abort);
      } else {
        const waitMs = args.wait_ms ?? DEFAULT_WAIT_MS;
        // Who writes meanwhile is answered at once; what is waited for goes on.
        const patience = new AbortController();
        const endWait = conversation?.parts.turns.waitFor(() => patience.abort());
        const stop = AbortSignal.any([abort, patience.signal]);
        await waitFor(runtime, awaited, args.until ?? "any", waitMs, stop);
        endWait?.();
      }
      const collected = await Promise.all(
        taskIds.map(async (taskId) =>
          isRunId(taskId)
            ? (reportOf(taskId, runs) as DelegationResult | Refusal)
            : resultOf(runtime, conversation, parentId, taskId, args.include_raw === true),
        ),
      );
      const surfaced = await Promise.all(
        collected.map(async (result) => (await conversation?.parts.questions.withResult(result)) ?? result),
      );
      const results = surfaced.map((result) => (isRefusal(result) ? renderAsTask(result) : result));
      const given = results.map(renderGiven);
      const handedOut = results.slice(0, countFitting(given));
      const left = taskIds.slice(handedOut.length);
      // By what is handed out, not by the task's state now: one that has just ended was rendered as running. OpenCode
      // throws away what a call returns that the user has stopped.
      // A refusal names no session, for it is about none of this conversation.
      const ends = taskIds.filter((_, index) => {
        const result = handedOut[index];
        return (
          result?.status !== "running" && result !== undefined && ("session_id" in result || "unit" in result)
        );
      });
      if (!abort.aborted) delegations?.handOut(ends, call.callId);
      const [only] = given;
      const ended = results.filter(({ status }) => status !== "running").length;
      return {
        title: `${ended} of ${results.length} finished`,
        result:
          args.task_id !== undefined && results.length === 1 && only !== undefined
            ? only
            : {
                results: given.slice(0, handedOut.length),
                ...(left.length > 0 ? { collect_next: left } : {}),
              },
        metadata: { tasks: results.map(meteringOf) },
      };
    },
  });
}

function reportOf(id: string, runs: Runs | undefined): object {
  const run = runs?.background().get(id);
  if (run?.ended === null) return { task_id: id, status: "running" };
  return run?.ended.report ?? refuse(`"${id}" is not at work.`, "plan_gaia run goes on where it stopped.");
}

interface Awaited {
  readonly ids: readonly string[];
  readonly parentId: string;
  readonly runs: Runs | undefined;
}

/** Waits on events for one or each of them, the time or a stop. Those of other processes or conversations count as ended. */
async function waitFor(
  { engine, clock }: Runtime,
  { ids, parentId, runs }: Awaited,
  until: "any" | "all",
  waitMs: number,
  abort: AbortSignal,
): Promise<void> {
  const hasEnded = (id: string): boolean => {
    if (isRunId(id)) return runs?.background().get(id)?.ended !== null;
    const task = engine.tasks.get(id);
    return task === undefined || task.parentId !== parentId || isEnded(task);
  };
  const isOver = (): boolean => (until === "all" ? ids.every(hasEnded) : ids.some(hasEnded));
  if (isOver() || waitMs <= 0 || abort.aborted) return;
  const { promise, resolve: stop } = deferred();
  const look = (): void => {
    if (isOver()) stop();
  };
  const cancelTimer = clock.after(Math.min(waitMs, MAX_WAIT_MS), stop);
  const unsubscribe = engine.tasks.subscribe(look);
  void runs?.underWay()?.ended.then(look);
  await unlessAborted(promise, abort);
  cancelTimer();
  unsubscribe();
}

/** Of one that ended with OpenCode before it could land; null for what stands in the project's tree. */
async function whereItStays(conversation: Conversation | null, sessionId: string): Promise<string | null> {
  if (conversation === null || (await conversation.parts.worktrees.settle(sessionId)) !== null) return null;
  const own = conversation.parts.worktrees.of(sessionId);
  return own === null || own.to === conversation.tree.place.worktree
    ? null
    : `It has not landed: it stays in ${own.to} until its session is resumed, or plan_gaia run.`;
}

async function resultOf(
  { engine, agents, host }: Runtime,
  conversation: Conversation | null,
  parentId: string,
  taskId: string,
  includeRaw: boolean,
): Promise<DelegationResult | Refusal> {
  const task = engine.tasks.get(taskId);
  if (task === undefined) {
    const rebuilt = await rebuildTask(host, parentId, taskId, (name) => agents.specialists.get(name));
    if (isRefusal(rebuilt)) return rebuilt;
    const worktree = await whereItStays(conversation, rebuilt.sessionId);
    const result = renderResult(rebuilt, 0);
    return worktree === null ? result : { ...result, worktree };
  }
  if (task.parentId !== parentId) return refuse(`Task "${taskId}" belongs to another conversation.`);
  const result = engine.result(taskId) ?? refuse(`The result of "${taskId}" is gone.`);
  if (!includeRaw || isRefusal(result) || result.raw_text !== null) return result;
  const messages = await host.sessions.messages(task.sessionId);
  const last = messages.findLast((message) => message.role === "assistant" && message.turn.text !== "");
  return { ...result, raw_text: last?.turn.text ?? null };
}
