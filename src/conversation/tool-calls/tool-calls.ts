import { resolve } from "node:path";
import { decideCall, isChange, refusalText } from "../collaboration/decide-call.ts";
import type { GaiaSessions } from "../../delegation/gaia-sessions.ts";
import type { HostEvent } from "../../host/port.ts";
import type { Clock } from "../../lib/clock.ts";
import { recordOf, textOf } from "../../lib/json.ts";
import { readSource } from "../../lib/read-source.ts";
import type { Redactor } from "../../lib/redaction.ts";
import { createBlockedCalls } from "../blocked-calls/blocked-calls.ts";
import { describeCall, onlyReads } from "./describe-call.ts";
import type { ExamineCall } from "../../policy/load-policy.ts";
import type { Conversations } from "../conversations.ts";
import { readToolFact, targetOf, type RunningCall, type ToolResult } from "./tool-fact.ts";

type Activity = Extract<HostEvent, { type: "tool.activity" }>;

/** A call that waits to run, as OpenCode's hook shows it. */
export interface IncomingCall {
  readonly callId: string;
  readonly sessionId: string;
  readonly tool: string;
  readonly args: unknown;
}

/** The tool calls of GAIA's sessions: which may run, and what they did. */
export interface ToolCalls {
  get(callId: string): RunningCall | undefined;
  /** Why the call must not run; null when it may, and for sessions that are not GAIA's. */
  refuse(call: IncomingCall): Promise<string | null>;
  finished(callId: string, result: ToolResult): Promise<void>;
  /** Takes note of calls that failed: OpenCode has no hook for those. */
  observe(event: Activity): void;
  /** Whether the last change that this child wanted was refused, because a check-in is due. */
  isHeldUp(sessionId: string): boolean;
}

/** What the tool calls need. */
export interface ToolCallsInput {
  readonly clock: Clock;
  readonly directory: string;
  readonly conversations: Conversations;
  readonly sessions: GaiaSessions;
  readonly examine: ExamineCall;
  readonly redact: Redactor;
  readonly orchestrator: string;
  readonly historian: string;
  /** Agents that may only read, the orchestrator among them. */
  readonly readers: readonly string[];
  /** Whether OpenCode holds this agent to the table of read-only commands. */
  isListed(agent: string): boolean;
  /** Everybody whom work can be delegated to, and those of them that change nothing. */
  readonly specialists: readonly string[];
  readonly harmless: readonly string[];
  wasRejected(callId: string): boolean;
  /** Ends the turn of a root session. */
  stop(rootId: string): void;
}

/** OpenCode's words for a call that was stopped before it did anything. */
const NOT_RUN = /rejected permission|specified a rule|dismissed|abort/i;

export function createToolCalls(input: ToolCallsInput): ToolCalls {
  const { conversations, sessions, directory, redact, orchestrator } = input;
  const running = new Map<string, RunningCall>();
  const heldUp = new Set<string>();
  const refuseEndless = createBlockedCalls(input.stop);

  const contentBefore = async (tool: string, args: unknown): Promise<string | null> => {
    const path = textOf(recordOf(args)["filePath"]);
    if (tool !== "write" || path === undefined) return null;
    const file = await readSource(resolve(directory, path), input.clock);
    return file.state === "read" ? Buffer.from(file.bytes).toString("utf8") : null;
  };

  const conclude = async (call: RunningCall, result: ToolResult | null): Promise<void> => {
    const found = await conversations.of(call.sessionId);
    if (found === null) return;
    const { sessionId, tool, mutating, agent } = call;
    const fact =
      result === null
        ? { sessionId, tool, mutating, failed: true }
        : readToolFact(call, result, directory, redact);
    found.conversation.dispatch({ type: "tool-finished", fact });
    // The root's own calls stand in its transcript already.
    if (found.session.specialist === null) return;
    const [file] = fact.files ?? [];
    found.conversation.show({
      kind: "tool",
      agent,
      tool,
      target: targetOf(call, directory, redact),
      failed: fact.failed,
      ...(file === undefined ? {} : { added: file.added, removed: file.removed }),
      ...(fact.command === undefined ? {} : { exitCode: fact.command.exitCode }),
    });
  };

  return {
    get: (callId) => running.get(callId),
    async refuse(call) {
      const found = await conversations.of(call.sessionId);
      if (found === null) return null;
      const { conversation, session } = found;
      const { tool, args, callId, sessionId } = call;
      const agent = session.specialist ?? sessions.speaker(sessionId)?.agent ?? orchestrator;
      conversation.dispatch({ type: "tick" });
      const endless = session.specialist === null ? refuseEndless(conversation) : null;
      if (endless !== null) return endless;
      const examined = describeCall({ tool, args, agent }, await input.examine(tool, args), input.historian);
      const { delegateTo } = examined;
      // Who is called by a name that nobody has, or that is disabled, the tool itself can tell.
      const isNobody = delegateTo !== undefined && !input.specialists.includes(delegateTo);
      const decision = decideCall(conversation.state, examined, {
        by: "guard",
        onlyReads: onlyReads(examined, input.readers),
        isListed: input.isListed(agent),
        harmless: isNobody ? [...input.harmless, delegateTo] : input.harmless,
      });
      const changes = isChange(examined);
      if (decision.kind === "refuse") {
        if (conversation.state.pause !== null && changes) heldUp.add(sessionId);
        return refusalText(decision, tool);
      }
      if (changes) heldUp.delete(sessionId);
      const mutating = changes && examined.isRecord !== true;
      const before = await contentBefore(tool, args);
      running.set(callId, { ...examined, callId, sessionId, mutating, args, before });
      return null;
    },
    async finished(callId, result) {
      const call = running.get(callId);
      running.delete(callId);
      if (call !== undefined) await conclude(call, result);
    },
    observe({ callId, status, error = "" }) {
      const call = status === "error" ? running.get(callId) : undefined;
      if (call === undefined) return;
      running.delete(callId);
      if (call.tool === "question") {
        conversations.peek(call.sessionId)?.dispatch({ type: "question-dismissed", requestId: callId });
      }
      if (input.wasRejected(callId) || NOT_RUN.test(error)) return;
      conclude(call, null).catch(() => undefined); // Without a conversation there is nobody to tell.
    },
    isHeldUp: (sessionId) => heldUp.has(sessionId),
  };
}
