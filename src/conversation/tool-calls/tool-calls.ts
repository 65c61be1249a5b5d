import { resolve } from "node:path";
import type { IncomingCall } from "../../host/hook-events.ts";
import type { Host, HostEvent } from "../../host/port.ts";
import type { ToolOutcome } from "../../host/tool-call.ts";
import { readSource } from "../../lib/read-source.ts";
import { describeCall, type FileCalls, firstRefusal, GATES } from "./gates.ts";
import type { SandboxRole } from "../../sandbox/decide.ts";
import type { Dialogs } from "../approvals/dialogs.ts";
import type { Conversation } from "../conversation.ts";
import type { Found } from "../conversations.ts";
import type { SupervisionInput } from "../supervision.ts";
import type { ContainedCalls } from "./contained-calls.ts";
import { readToolFact, renderTarget, type RunningCall, withSeen } from "./tool-fact.ts";
import { isChange } from "../collaboration/decide-call.ts";
import type { Deed, DeniedBy } from "../../delegation/deeds.ts";
import { excerpt } from "../../lib/text.ts";

type Activity = Extract<HostEvent, { type: "tool.activity" }>;

type ToolCallsInput = Pick<
  SupervisionInput,
  | "clock"
  | "bounds"
  | "conversations"
  | "sessions"
  | "knowledge"
  | "examine"
  | "orchestrator"
  | "isOurs"
  | "roleOf"
  | "readers"
  | "redact"
> & {
  readonly place: Pick<Host, "directory" | "project" | "worktree">;
  readonly isOneShot: boolean;
  decideSandbox: ContainedCalls["decide"];
  allowedBy: Dialogs["allowedBy"];
  deniedBy: Dialogs["deniedBy"];
  /** Notes what became of a call of a session. */
  note(sessionId: string, deed: Deed): void;
};

/** What comes of it stands behind its name, in a line that is bounded. */
const MAX_TARGET = 60;
const MAX_SHOWN_TARGET = 80;

const MAX_WORDS = 300;
/** How OpenCode words a rejection for which the user gave a reason. */
const FEEDBACK = " with the following feedback: ";

/** The user's words behind a no; OpenCode tells them only to the agent, as the error of the call. Empty for none. */
function rejectionWords(error: string): string {
  const [head = "", ...said] = error.split(FEEDBACK);
  return head.includes("rejected permission ") ? said.join(FEEDBACK).trim() : "";
}

export type ToolCalls = ReturnType<typeof createToolCalls>;

/** The tool calls of GAIA's sessions: which may run, and what they did. */
export function createToolCalls(input: ToolCallsInput) {
  const { conversations, sessions, redact, orchestrator } = input;
  const nobody: DeniedBy = input.isOneShot ? "nobody" : "user";
  const running = new Map<string, RunningCall>();
  const take = (callId: string): RunningCall | undefined => {
    const call = running.get(callId);
    running.delete(callId);
    return call;
  };
  const takeAllOf = (sessionId: string): RunningCall[] => {
    const own = [...running.values()].filter((call) => call.sessionId === sessionId);
    for (const call of own) running.delete(call.callId);
    return own;
  };

  const conversationOf = ({ sessionId }: RunningCall): Conversation | undefined =>
    conversations.peek(sessions.peek(sessionId)?.rootId ?? sessionId);
  /** Nobody will hear of its end: what changes from now on is not its work. */
  const letGo = (call: RunningCall): void => void conversationOf(call)?.parts.ownWork.forget(call.callId);

  // A look is no deed, nor is a line of the record.
  const isDeed = (call: RunningCall): boolean =>
    (call.effect.kind === "edit" || call.effect.kind === "command") &&
    call.examination.effect !== "read" &&
    !call.isRecord;
  const denied = (call: RunningCall, by: DeniedBy, words = ""): void => {
    if (!isDeed(call)) return;
    const target = excerpt(renderTarget(call.target, call.place, redact), MAX_TARGET);
    const what = call.effect.kind === "edit" ? `the edit of ${target}` : `\`${target}\``;
    const said = by === "user" ? excerpt(redact(words), MAX_WORDS) : "";
    input.note(call.sessionId, { kind: "denied", what, by, words: said });
  };

  const contentBefore = async (
    effect: RunningCall["effect"],
    place: RunningCall["place"],
  ): Promise<string | null> => {
    const [edit] = effect.kind === "edit" ? effect.edits : [];
    if (edit?.before !== null) return null;
    const file = await readSource(resolve(place.directory, edit.path), input.clock);
    return file.state === "read" ? Buffer.from(file.bytes).toString("utf8") : null;
  };

  const conclude = async (
    call: RunningCall,
    outcome: ToolOutcome | null,
    isStopped = false,
  ): Promise<string> => {
    const found = await conversations.of(call.sessionId);
    return found === null ? "" : report(found, call, outcome, isStopped);
  };

  const report = async (
    found: Found,
    call: RunningCall,
    outcome: ToolOutcome | null,
    isStopped: boolean,
  ): Promise<string> => {
    const { sessionId, tool, agent, place, isApart } = call;
    const told =
      outcome === null
        ? { sessionId, tool, mutating: call.mutating, failed: true }
        : readToolFact(call, outcome, place, redact);
    // What is done in a worktree becomes the project's when it lands.
    const changes = isApart
      ? { files: [], shared: [], told: "", isKnown: true }
      : await found.conversation.parts.ownWork.ends({
          callId: call.callId,
          examination: call.examination,
          what: told.command?.command ?? tool,
          isApproved: call.sandbox?.kind === "ask" && (await input.allowedBy(call.callId)) === "human",
          isCheck: call.isCommand && call.role === "checker",
          told: told.files ?? [],
        });
    if (!input.isOurs(agent)) return changes.told;
    const fact = { ...withSeen(told, changes.files, isApart), isUnseen: !changes.isKnown };
    // What a call that failed has changed is changed all the same.
    const others = [...changes.shared, ...(told.failed ? changes.files : [])];
    if (others.length > 0) found.conversation.dispatch({ type: "files-changed", files: others });
    if (isStopped) return changes.told;
    found.conversation.dispatch({ type: "tool-finished", fact });
    // The root's own calls stand in its transcript already.
    if (found.session.specialist === null) return changes.told;
    const [file] = (fact.files && told.files) ?? fact.files ?? (isApart ? fact.told : undefined) ?? [];
    const exit = fact.command?.exitCode ?? null;
    const said = [
      agent,
      "·",
      tool,
      // The end of the line says how it went, so a long target is cut and not the line.
      excerpt(renderTarget(call.target, call.place, redact), MAX_SHOWN_TARGET),
      file !== undefined && file.added + file.removed > 0 ? `+${file.added} −${file.removed}` : "",
      exit === null ? "" : `→ exit ${exit}`,
      fact.failed ? "failed" : "",
    ];
    found.conversation.show({ kind: "tool", line: said.filter(Boolean).join(" ") });
    return changes.told;
  };

  const roleFor = (agent: string): SandboxRole => {
    if (!input.isOurs(agent)) return "guest";
    if (input.roleOf(agent) === "checker") return "checker";
    return input.readers.includes(agent) ? "reader" : "editor";
  };

  const judge = async (call: IncomingCall, agent: string, found: Found): Promise<RunningCall> => {
    const { tool, effect, target, callId, sessionId } = call;
    const { parts, tree, heedOthers } = found.conversation;
    if (effect.kind !== "read") await heedOthers();
    const workplace = parts.worktrees.of(sessionId);
    const examination = await (workplace?.examine ?? input.examine)(tool, effect);
    const place = workplace?.place ?? input.place;
    const examined = describeCall(call, agent, roleFor(agent), examination, input.roleOf(agent));
    const changes = isChange(examined);
    return {
      ...examined,
      callId,
      sessionId,
      effect,
      target,
      changes,
      mutating: changes && !examined.isRecord,
      place,
      before: await contentBefore(effect, place),
      isApart: workplace !== null && workplace.to !== tree.place.worktree,
      sandbox: effect.kind === "command" ? await input.decideSandbox(examined, found, sessionId) : null,
    };
  };

  return {
    get: (callId: string): RunningCall | undefined => running.get(callId),
    /** Why the call must not run; null when it may and counts as running, and for sessions that are not GAIA's. */
    async refuse(call: IncomingCall, files: FileCalls): Promise<string | null> {
      const found = await conversations.of(call.sessionId);
      if (found === null) return null;
      const { conversation, session } = found;
      const { callId, sessionId } = call;
      const agent = session.specialist ?? sessions.speaker(sessionId)?.agent ?? orchestrator;
      const isOurs = input.isOurs(agent);
      const role = input.roleOf(agent);
      conversation.dispatch({ type: "tick" });
      let judging: Promise<RunningCall> | null = null;
      const judged = async (): Promise<RunningCall> => (judging ??= judge(call, agent, found));
      const refusal = await firstRefusal(GATES, call, {
        conversation,
        session,
        agent,
        role,
        isOurs,
        isReader: input.readers.includes(agent),
        host: input.place,
        bounds: input.bounds,
        files,
        judged,
        denied(refused, isHeldUp) {
          if (isHeldUp) input.note(sessionId, { kind: "held-up" });
          denied(refused, "plugin");
        },
      });
      if (refusal !== null) return refusal;
      const known = await judged();
      const { examination, effect, isApart } = known;
      if (known.changes) input.note(sessionId, { kind: "passed" });
      // A command waits for its dialog, and its user meanwhile; it begins with its shell.
      const isWatched = known.mutating && effect.kind !== "command" && isOurs;
      const { ownWork } = conversation.parts;
      if (!isApart) await ownWork.begins(callId, examination, isWatched, effect.kind !== "edit");
      // Another plugin's tool, or that of a server, runs wherever it likes, and so does what OpenCode starts after an edit.
      const isLoose = effect.kind === "other" && examination.effect !== "read";
      if (isLoose || examination.escapes) input.knowledge.doubt();
      running.set(callId, known);
      conversation.each((part) => part.callBegins?.(call));
      return null;
    },
    async starts(callId: string): Promise<void> {
      const call = running.get(callId);
      const found = call === undefined ? null : await conversations.of(call.sessionId);
      if (call === undefined || found === null) return;
      const { agent, isApart, examination } = call;
      if (!input.isOurs(agent) || isApart) return;
      // Checks write as well: snapshots, caches that nobody ignores.
      await found.conversation.parts.ownWork.begins(callId, examination, examination.effect !== "read", true);
    },
    /** @returns what the model has to know of it beyond the result; empty mostly */
    async finished(callId: string, outcome: ToolOutcome): Promise<string> {
      const call = take(callId);
      if (call === undefined) return "";
      if (isDeed(call)) input.note(call.sessionId, { kind: "done" });
      return conclude(call, outcome);
    },
    /** The plugin's own tool refused this call before it did anything: it counts in no budget. */
    refused(callId: string): void {
      const call = take(callId);
      if (call !== undefined) letGo(call);
    },
    /** A session's turn is over, and with it every call that nothing was heard of any more. */
    settle(sessionId: string): void {
      for (const call of takeAllOf(sessionId)) conclude(call, null, true).catch(() => undefined); // Without a conversation there is nobody to tell.
    },
    /** Lets go of the calls of a session that is gone: they hold the texts of whole files, and will never end. */
    forget(sessionId: string): void {
      for (const call of takeAllOf(sessionId)) letGo(call);
    },
    /** Takes note of calls that failed: OpenCode has no hook for those. */
    observe({ callId, status, error = "" }: Activity): void {
      const call = status === "error" ? take(callId) : undefined;
      if (call === undefined) return;
      const conversation = conversationOf(call);
      const answered = input.deniedBy(callId);
      // OpenCode's words where no event told of it.
      const isRejected = error.includes("rejected permission");
      const reason = (answered ?? "user") === "user" ? rejectionWords(error) : "";
      if (call.effect.kind === "question")
        conversation?.dispatch({ type: "question-dismissed", requestId: callId });
      if (reason !== "") conversation?.dispatch({ type: "rejection-explained", reason });
      const unasked = error.includes("specified a rule") ? "rule" : isRejected ? nobody : null;
      const by = answered ?? unasked;
      if (by !== null) denied(call, by, reason);
      const isStopped = by !== null || error.includes("dismissed") || error.includes("abort");
      conclude(call, null, isStopped).catch(() => undefined); // Without a conversation there is nobody to tell.
    },
  };
}
