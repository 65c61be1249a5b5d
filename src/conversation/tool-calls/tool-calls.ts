import { resolve } from "node:path";
import type { IncomingCall } from "../../host/hook-events.ts";
import type { Host, HostEvent } from "../../host/port.ts";
import type { ToolEffect, ToolOutcome } from "../../host/tool-call.ts";
import { readSource } from "../../lib/read-source.ts";
import { changesOf, describeCall, type FileCalls, firstRefusal, GATES, type JudgedCall } from "./gates.ts";
import type { SandboxRole } from "../../sandbox/decide.ts";
import type { Dialogs } from "../approvals/dialogs.ts";
import type { Found } from "../conversations.ts";
import type { SupervisionInput } from "../supervision.ts";
import type { ContainedCalls } from "./contained-calls.ts";
import { type ToolPlace, readToolFact, renderTarget, type RunningCall, withSeen } from "./tool-fact.ts";
import type { Deed, DeniedBy } from "../../delegation/deeds.ts";
import { excerpt } from "../../lib/excerpt.ts";
import type { Redactor } from "../../lib/redaction.ts";

type Activity = Extract<HostEvent, { type: "tool.activity" }>;

type ToolCallsInput = CallDeedsInput &
  Pick<
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
  > & {
    readonly place: Pick<Host, "directory" | "project" | "worktree">;
    decideSandbox: ContainedCalls["decide"];
    allowedBy: Dialogs["allowedBy"];
    /** Notes whether the last change that this child wanted was refused, because a check-in is due. */
    holdUp(sessionId: string, isHeldUp: boolean): void;
  };

const NOT_RUN = /rejected permission|specified a rule|dismissed|abort/i;

export type ToolCalls = ReturnType<typeof createToolCalls>;

/** The tool calls of GAIA's sessions: which may run, and what they did. */
export function createToolCalls(input: ToolCallsInput) {
  const { conversations, sessions, redact, orchestrator } = input;
  const deeds = createCallDeeds(input);
  const running = new Map<string, RunningCall>();
  /** Ends of calls that may change something, for what is known by the history to be people's. */
  const watched = new Map<string, (ran: boolean) => Promise<void>>();
  const unfollow = async (callId: string, ran: boolean): Promise<void> => {
    const end = watched.get(callId);
    watched.delete(callId);
    await end?.(ran);
  };
  const follow = async (callId: string, isApart: boolean): Promise<void> => {
    await unfollow(callId, false);
    watched.set(callId, input.knowledge.begins(isApart));
  };

  const contentBefore = async (effect: ToolEffect, place: ToolPlace): Promise<string | null> => {
    const [edit] = effect.kind === "edit" ? effect.edits : [];
    if (edit?.before !== null) return null;
    const file = await readSource(resolve(place.directory, edit.path), input.clock);
    return file.state === "read" ? Buffer.from(file.bytes).toString("utf8") : null;
  };

  const conclude = async (
    call: RunningCall,
    outcome: ToolOutcome | null,
    isStopped = false,
    ran = true,
  ): Promise<string> => {
    // A history that cannot be looked at hides nothing of what the call did to the files.
    const over = unfollow(call.callId, ran);
    const found = await conversations.of(call.sessionId);
    try {
      return found === null ? "" : await report(found, call, outcome, isStopped);
    } finally {
      await over;
    }
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
          isApproved: call.isAsked && (await input.allowedBy(call.callId)) === "human",
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
    const [file] = fact.files ?? (isApart ? fact.told : undefined) ?? [];
    found.conversation.show({
      kind: "tool",
      agent,
      tool,
      target: renderTarget(call.target, call.place, redact),
      failed: fact.failed,
      ...(file === undefined ? {} : { added: file.added, removed: file.removed }),
      ...(fact.command === undefined ? {} : { exitCode: fact.command.exitCode }),
    });
    return changes.told;
  };

  const roleFor = (agent: string): SandboxRole => {
    if (!input.isOurs(agent)) return "guest";
    if (input.roleOf(agent) === "checker") return "checker";
    return input.readers.includes(agent) ? "reader" : "editor";
  };

  const judge = async (call: IncomingCall, agent: string, found: Found): Promise<JudgedCall> => {
    const { tool, effect, sessionId } = call;
    const { parts, tree } = found.conversation;
    const workplace = parts.worktrees.of(sessionId);
    const examination = await (workplace?.examine ?? input.examine)(tool, effect);
    const examined = describeCall(call, agent, roleFor(agent), examination, input.roleOf(agent));
    return {
      examined,
      place: workplace?.place ?? input.place,
      isApart: workplace !== null && workplace.to !== tree.place.worktree,
      sandbox: effect.kind === "command" ? await input.decideSandbox(examined, found, sessionId) : null,
      ...changesOf(examined),
    };
  };

  const take = (callId: string): RunningCall | undefined => {
    const call = running.get(callId);
    running.delete(callId);
    return call;
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
      let judging: Promise<JudgedCall> | null = null;
      const judged = async (): Promise<JudgedCall> => (judging ??= judge(call, agent, found));
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
        denied({ examined, place }, isHeldUp) {
          const { effect, target } = call;
          if (isHeldUp) input.holdUp(sessionId, true);
          deeds.refused({ ...examined, callId, sessionId, effect, target }, place);
        },
      });
      if (refusal !== null) return refusal;
      const { examined, place, isApart, sandbox, changes, mutating } = await judged();
      const { effect, target } = call;
      if (changes) input.holdUp(sessionId, false);
      const before = await contentBefore(effect, place);
      // A command waits for its dialog, and its user meanwhile; it begins with its shell.
      const isWatched = mutating && effect.kind !== "command" && isOurs;
      const { ownWork } = conversation.parts;
      if (!isApart) await ownWork.begins(callId, examined.examination, isWatched, effect.kind !== "edit");
      if (examined.examination.effect !== "read") await follow(callId, isApart);
      const isAsked = sandbox?.kind === "ask";
      const about = { callId, sessionId, mutating, isAsked, effect, target, before, place, isApart };
      running.set(callId, { ...examined, ...about });
      conversation.each((part) => part.callBegins?.(call));
      return null;
    },
    async starts(callId: string): Promise<void> {
      const call = running.get(callId);
      const found = call === undefined ? null : await conversations.of(call.sessionId);
      if (call === undefined || found === null) return;
      // Its dialog may have stood open for hours, and its user may have committed meanwhile.
      if (watched.has(callId)) await follow(callId, call.isApart);
      if (!input.isOurs(call.agent) || call.isApart) return;
      // Checks write as well: snapshots, caches that nobody ignores.
      const isWatched = call.examination.effect !== "read";
      await found.conversation.parts.ownWork.begins(callId, call.examination, isWatched, true);
    },
    /** @returns what the model has to know of it beyond the result; empty mostly */
    async finished(callId: string, outcome: ToolOutcome): Promise<string> {
      const call = take(callId);
      if (call === undefined) return "";
      deeds.done(call);
      return conclude(call, outcome);
    },
    /** The plugin's own tool refused this call before it did anything: it counts in no budget. */
    refused(callId: string): void {
      take(callId);
      void unfollow(callId, false);
    },
    /** A session's turn is over, and with it every call that nothing was heard of any more. */
    settle(sessionId: string): void {
      for (const [callId, call] of running) {
        if (call.sessionId !== sessionId) continue;
        take(callId);
        conclude(call, null, true).catch(() => undefined); // Without a conversation there is nobody to tell.
      }
    },
    /** Lets go of the calls of a session that is gone: they hold the texts of whole files, and will never end. */
    forget(sessionId: string): void {
      for (const [callId, call] of running) {
        if (call.sessionId !== sessionId) continue;
        take(callId);
        void unfollow(callId, true);
        const rootId = sessions.peek(sessionId)?.rootId ?? sessionId;
        void conversations.peek(rootId)?.parts.ownWork.forget(callId);
      }
    },
    /** Takes note of calls that failed: OpenCode has no hook for those. */
    observe({ callId, status, error = "" }: Activity): void {
      const call = status === "error" ? running.get(callId) : undefined;
      if (call === undefined) return;
      // Before its dialog was answered, its user may have done what they like.
      const wasRejected = input.wasRejected(callId);
      take(callId);
      if (call.effect.kind === "question") {
        conversations.peek(call.sessionId)?.dispatch({ type: "question-dismissed", requestId: callId });
      }
      const isStopped = deeds.failed(call, error) || NOT_RUN.test(error);
      conclude(call, null, isStopped, !wasRejected).catch(() => undefined); // Without a conversation there is nobody to tell.
    },
  };
}

/** OpenCode's words for a call that was not allowed, in its dialog or by its rules. */
const DENIED = /rejected permission|(specified a rule)/i;
/** The plugin's own words behind a rejection that it gave itself, and where it gave it because nobody is there. */
const BY_PLUGIN = /feedback: Refused(.*nobody is here)?/s;

/** What comes of it stands behind its name, in a line that is bounded. */
const MAX_TARGET = 60;

type Known = Pick<RunningCall, "callId" | "sessionId" | "effect" | "examination" | "isRecord" | "target">;

interface CallDeedsInput {
  readonly redact: Redactor;
  readonly isOneShot: boolean;
  wasRejected(callId: string): boolean;
  note(sessionId: string, deed: Deed): void;
}

export function createCallDeeds({ redact, isOneShot, wasRejected, note }: CallDeedsInput) {
  // A look is no deed, nor is a line of the record.
  const isDeed = (call: Known): boolean =>
    (call.effect.kind === "edit" || call.effect.kind === "command") &&
    call.examination.effect !== "read" &&
    !call.isRecord;
  const denied = (call: Known, place: ToolPlace, by: DeniedBy): void => {
    if (!isDeed(call)) return;
    const target = excerpt(renderTarget(call.target, place, redact), MAX_TARGET);
    const what = call.effect.kind === "edit" ? `the edit of ${target}` : `\`${target}\``;
    note(call.sessionId, { kind: "denied", what, by });
  };
  const deniedBy = (callId: string, error: string): DeniedBy | null => {
    const own = BY_PLUGIN.exec(error);
    if (own !== null) return own[1] === undefined ? "plugin" : "nobody";
    const told = DENIED.exec(error);
    if (told?.[1] !== undefined) return "rule";
    if (told === null && !wasRejected(callId)) return null;
    return isOneShot ? "nobody" : "user";
  };
  return {
    done(call: Known): void {
      if (isDeed(call)) note(call.sessionId, { kind: "done" });
    },
    refused(call: Known, place: ToolPlace): void {
      denied(call, place, "plugin");
    },
    /** @param error OpenCode's words @returns whether it was not allowed to run */
    failed(call: Known & Pick<RunningCall, "place">, error: string): boolean {
      const by = deniedBy(call.callId, error);
      if (by !== null) denied(call, call.place, by);
      return by !== null;
    },
  };
}
