import type { DeniedBy } from "../../delegation/deeds.ts";
import type { GaiaSession } from "../../delegation/gaia-sessions.ts";
import type { HostEvent, Host, ToolCall } from "../../host/port.ts";
import { bounded, type Clock, deferred, createLines, unlessAborted, within } from "../../lib/async.ts";
import { describeError, logFailure } from "../../lib/error.ts";
import { excerpt } from "../../lib/text.ts";
import { matchesWildcard } from "../../lib/path-pattern.ts";
import { examination } from "../../policy/examination.ts";
import {
  type CallDecision,
  decideCall,
  type ExaminedCall,
  isCovered,
  refusalText,
} from "../collaboration/decide-call.ts";
import { type ApprovalRequest, askedFor, PERMISSION } from "../collaboration/approval-kinds.ts";
import type { Conversation } from "../conversation.ts";
import type { Found } from "../conversations.ts";
import type { SupervisionInput } from "../supervision.ts";
import { type RunningCall, renderTarget } from "../tool-calls/tool-fact.ts";

type Asked = Extract<HostEvent, { type: "permission.asked" }>;
type Replied = Extract<HostEvent, { type: "permission.replied" }>;

/** How long OpenCode's event may be behind the answer that it tells of, in milliseconds. */
const EVENT_LIMIT_MS = 2_000;
const WITHDRAWN = "The call that asked for it has ended.";
const MAX_KNOWN = 500;

/** A request without a known call cannot be examined, and so is never answered as harmless. */
const UNKNOWN: Pick<RunningCall, Exclude<keyof ExaminedCall, "tool"> | "sandbox"> = {
  agent: "",
  role: "guest",
  examination: examination("unknown", ""),
  isCommand: false,
  isRecord: false,
  sandbox: null,
};

/** OpenCode's permission dialogs in GAIA's sessions: who answers them, and what the answers mean. */
export type Dialogs = ReturnType<typeof createDialogs>;

type DialogsInput = Pick<
  SupervisionInput,
  "host" | "clock" | "conversations" | "sessions" | "defaults" | "orchestrator" | "redact"
> & {
  call(callId: string): RunningCall | undefined;
};

type AnsweredBy = "human" | "plugin" | null;

/** One request of OpenCode's, and whose yes it got; null for a no. */
interface Request extends ReturnType<typeof deferred<AnsweredBy>> {
  readonly event: Asked;
  isOpen: boolean;
  /** The plugin's own answer. */
  given: "once" | "reject" | null;
}

export function createDialogs(input: DialogsInput) {
  const { host, clock, conversations, sessions, defaults, orchestrator, redact } = input;
  const inLine = createLines();
  const approvals = new Map<string, { approval: ApprovalRequest } & ReturnType<typeof deferred<true>>>();
  const requests = new Map<string, Request>();
  const denied = new Map<string, DeniedBy>();
  const withdrawn = new Map<string, true>();
  /** Commands that a person has let pass for good; OpenCode asks about them no more. */
  const forGood = new Set<string>();
  const inRoot = createRaiseInRoot(host, clock, async (requestId, refusal) => answer(requestId, { refusal }));

  const asked = async (event: Asked): Promise<boolean> => {
    const found = await conversations.of(event.sessionId);
    if (found === null) return false;
    const { conversation, session } = found;
    const { requestId, sessionId, permission, callId } = event;
    const call = callId === null ? undefined : input.call(callId);
    const expected = callId === null ? undefined : approvals.get(callId);
    conversation.dispatch({ type: "tick" });
    const approval = expected === undefined ? {} : { approval: expected.approval };
    conversation.dispatch({
      type: "permission-asked",
      requestId,
      sessionId,
      tool: call?.tool ?? permission,
      ...approval,
    });
    // The dialog holds up the call, so this is a safe moment for what the user should see first.
    if (expected !== undefined) await conversation.outbox.flushInCall();
    if (callId !== null && withdrawn.has(callId)) return answer(requestId, { refusal: WITHDRAWN });
    const decision = decideFor(event, call, found, expected !== undefined);
    if (decision.kind === "ask")
      return expected === undefined && !isTheirs(conversation, session) && leave(event, call, found);
    return answer(requestId, decision.kind === "allow" ? { once: true } : { refusal: refusalText(decision) });
  };

  /** In the root session the user may talk to an agent of another kind: its requests are theirs to answer. */
  const isTheirs = ({ rootId }: Conversation, { specialist }: GaiaSession): boolean =>
    specialist === null && (sessions.speaker(rootId)?.agent ?? orchestrator) !== orchestrator;

  /** Where nobody can answer, the call is refused with what it would need; else the user is told what they are asked for. */
  const leave = async (
    event: Asked,
    call: RunningCall | undefined,
    { conversation, session }: Found,
  ): Promise<boolean> => {
    const { requestId } = event;
    const { effect = "unknown", reason = "" } = call?.examination ?? {};
    const what =
      call?.effect.kind === "edit"
        ? `the edit of ${excerpt(renderTarget(call.target, call.place, redact), 120)}`
        : call?.effect.kind === "command"
          ? `\`${excerpt(redact(call.effect.command), 80)}\` ${whyAsked(call)}`
          : reason || "a call that is not known";
    const { no } = conversation.parts.turns.now();
    const isAlone = (await conversation.canAsk()) === false;
    if (!isAlone && no === null) {
      if (session.specialist !== null)
        inRoot.raise(event, `${session.specialist} asks for ${what}`, conversation);
      if (effect === "project" || effect === "read" || reason === "") return false;
      // Not waited for: what happens to the dialog must not stand behind it.
      void host.toast("warning", `${call?.agent ?? "GAIA"} asks for ${excerpt(what, 200)}.`);
      return false;
    }
    conversation.leave(what);
    const why = isAlone ? "nobody is here to be asked" : `nothing is asked now: ${no ?? ""}`;
    const refusal = `Refused: ${what}, and ${why}. It is left for the user; go on without it.`;
    return answer(requestId, { refusal }, isAlone ? "nobody" : "plugin");
  };

  const decideFor = (
    event: Asked,
    known: RunningCall | undefined,
    { conversation, session }: Found,
    isApproval: boolean,
  ): CallDecision => {
    const { state, parts } = conversation;
    const { enforceWaveId } = defaults.wavePolicy;
    if (session.isGuest || isTheirs(conversation, session)) return { kind: "ask" }; // SPEC 9: no session of GAIA's.
    const { permission, kind, sessionId } = event;
    const call = known ?? { ...UNKNOWN, tool: permission };
    return decideCall(state, call, {
      by: "host",
      kind,
      sessionId,
      isCovered: isCovered(state, { ...parts.delegations.placeOf(sessionId, session), enforceWaveId }),
      isApproval,
      // Its shell decides anew, when it begins.
      sandbox: kind === "command" ? call.sandbox : null,
    });
  };

  const answer = async (
    requestId: string,
    reply: { once: true } | { refusal: string },
    by: DeniedBy = "plugin",
  ): Promise<boolean> => {
    const request = requests.get(requestId);
    if (request !== undefined) request.given = "once" in reply ? "once" : "reject";
    const callId = request?.event.callId ?? null;
    if ("refusal" in reply && callId !== null) remember(denied, callId, by);
    try {
      await host.answerPermission(requestId, reply);
      return true;
    } catch (error) {
      if (request !== undefined) request.given = null;
      host.logger.log("debug", "dialogs", `The request is left to the user: ${describeError(error)}`);
      return false;
    }
  };

  /** At once: the call goes on or fails as soon as the answer is given. */
  const noteReply = ({ requestId, reply }: Replied): void => {
    const request = requests.get(requestId);
    if (request === undefined) return;
    const { event, given, resolve } = request;
    request.isOpen = false;
    const by = given === reply ? "plugin" : "human";
    if (reply === "always" && by === "human" && event.kind === "command")
      for (const pattern of event.always) forGood.add(pattern);
    resolve(reply === "reject" ? null : by);
    if (reply === "reject" && event.callId !== null && !denied.has(event.callId))
      remember(denied, event.callId, host.oneShot === null ? "user" : "nobody");
  };

  const replied = async ({ requestId, sessionId, reply: given }: Replied): Promise<void> => {
    const request = requests.get(requestId);
    inRoot.replied(requestId, given !== "reject");
    const reply = given === "reject" || given === "always" ? given : "once";
    const found = await conversations.of(sessionId);
    if (found === null) return;
    // `opencode run` says no by itself where nobody is there; that is no word of the user's.
    const isNobodys = reply === "reject" && (await found.conversation.canAsk()) === false;
    // The user may have been quicker than the plugin.
    const by = request?.given === reply || isNobodys ? "plugin" : "human";
    found.conversation.dispatch({ type: "permission-replied", requestId, reply, by });
    approvals.get(request?.event.callId ?? "")?.resolve(true);
  };

  const passesForGood = (call: RunningCall | undefined): boolean => {
    const { commands = [] } = call?.examination ?? {};
    const isForGood = (command: string): boolean =>
      [...forGood].some((pattern) => matchesWildcard(command, pattern));
    return commands.length > 0 && commands.every(isForGood);
  };

  return {
    observe(event: Asked | Replied): void {
      if (inRoot.takes(event)) return;
      if (event.type === "permission.replied") noteReply(event);
      else
        remember(requests, event.requestId, { event, isOpen: true, given: null, ...deferred<AnsweredBy>() });
      // One session's events in their order: an answer must not overtake its question.
      const job = inLine(event.sessionId, async () => {
        if (event.type === "permission.replied") return replied(event);
        const isAnswered = await asked(event);
        return host.oneShot?.settled(event, isAnswered);
      });
      job.catch((error: unknown) => {
        if (event.type === "permission.asked") host.oneShot?.settled(event, false);
        host.logger.log("warn", "dialogs", describeError(error));
      });
    },
    /**
     * Raises a dialog of the plugin's own.
     * @returns the answer, and whether it is a human's and has reached the state; undefined for a call that is stopped meanwhile
     */
    async raise(call: ToolCall, approval: ApprovalRequest) {
      const { callId, abort } = call;
      const expected = deferred<true>();
      approvals.set(callId, { approval, ...expected });
      const asked = call.ask({ permission: `${PERMISSION}: ${askedFor(approval)}`, pattern: "*" });
      const given = await unlessAborted(asked, abort);
      if (given === undefined) {
        approvals.delete(callId);
        // OpenCode leaves the dialog of a call that was stopped where it is, and may not have raised it yet.
        remember(withdrawn, callId, true);
        for (const [requestId, { event, isOpen }] of requests)
          if (isOpen && event.callId === callId) void answer(requestId, { refusal: WITHDRAWN });
        return undefined;
      }
      // A rule answered and no human, or OpenCode said nothing: neither is an approval.
      const isHeard = (await within(expected.promise, EVENT_LIMIT_MS, clock)) === true;
      approvals.delete(callId);
      return { ...given, isHeard };
    },
    /** Who said yes to this command, in a dialog of its own or in one for good. Waits for an answer that OpenCode is still telling of. */
    async allowedBy(callId: string): Promise<AnsweredBy> {
      const isIts = ({ event }: Request): boolean => event.callId === callId && event.kind === "command";
      const request = [...requests.values()].findLast(isIts);
      if (request === undefined) return passesForGood(input.call(callId)) ? "human" : null;
      // Without a word of OpenCode's it counts as the plugin's own yes, which allows less.
      return bounded(request.promise, EVENT_LIMIT_MS, clock, "the answer to a command").catch(() => "plugin");
    },
    forget(sessionId: string): void {
      for (const [requestId, { event }] of requests)
        if (event.sessionId === sessionId) requests.delete(requestId);
    },
    /** Who said no to this call; null for nobody. */
    deniedBy: (callId: string): DeniedBy | null => denied.get(callId) ?? null,
  };
}

function whyAsked({ examination: { asks, deletes } }: ExaminedCall): string {
  if (asks === "network") return "with the network";
  if (asks === "off") return "outside of the sandbox";
  return deletes === null ? "" : `, which deletes ${excerpt(deletes, 80)}, and nothing else holds it`;
}

/** What nobody says to be over is dropped in time. */
function remember<V>(known: Map<string, V>, key: string, value: V): void {
  known.set(key, value);
  const [oldest] = known.keys();
  if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest);
}

/** How long a specialist's request waits before it is raised where every client shows it, in milliseconds. */
const UNSEEN_MS = 20_000;
const MAX_TITLE = 200;
const NOT_SHOWN = "Refused: no client shows this request. It is left for the user; go on without it.";

interface Raised {
  readonly rootId: string;
  readonly permission: string;
  /** Empty until OpenCode tells of it. */
  rootRequest: string;
}

/** Brings specialists' requests to the root session, for clients that show nothing of children: one answer serves both. */
function createRaiseInRoot(
  host: Pick<Host, "client" | "askInSession" | "answerPermission" | "logger" | "sessions">,
  clock: Clock,
  refuse: (requestId: string, refusal: string) => Promise<unknown>,
) {
  const open = new Map<string, Raised>();
  const inRoot = new Set<string>();

  const ask = async (event: Asked, request: Raised, title: string, to: Conversation): Promise<void> => {
    const { requestId, patterns, metadata } = event;
    const look = await host.sessions.look(event.sessionId).catch(() => null);
    // The events of Esc and of a call that ended can be missed.
    if (look?.requests?.includes(requestId) === false) open.delete(requestId);
    if (!open.has(requestId)) return;
    const { permission } = request;
    const asking = host.askInSession(to.rootId, { permission, pattern: patterns.join(", "), metadata });
    // Nobody waits for background work; a client of a server may yet show it.
    if (asking === null && host.client === "any") return;
    const given = await asking;
    if (!open.delete(requestId)) return;
    // A rule can answer as well as a person, and then OpenCode tells of no request.
    if (given === null || request.rootRequest === "") {
      to.leave(title);
      await refuse(requestId, NOT_SHOWN);
    } else
      await host.answerPermission(
        requestId,
        given.approved ? { once: true } : { refusal: given.feedback ?? "" },
      );
  };
  const attempt = (work: Promise<unknown>): void => {
    work.catch(logFailure(host.logger, "warn", "dialogs"));
  };

  return {
    raise(event: Asked, title: string, conversation: Conversation): void {
      if (host.client === "terminal") return;
      const permission = excerpt(`${PERMISSION}: ${title}`, MAX_TITLE);
      const request = { rootId: conversation.rootId, permission, rootRequest: "" };
      open.set(event.requestId, request);
      const begin = (): void => attempt(ask(event, request, title, conversation));
      if (host.client === "editor") begin();
      else clock.after(UNSEEN_MS, begin);
    },
    /** Whether an event is of a request that stands for another: it means nothing of its own. */
    takes(event: Asked | Replied): boolean {
      if (event.type === "permission.replied") return inRoot.delete(event.requestId);
      const request = [...open.values()].find(
        ({ rootId, permission, rootRequest }) =>
          rootId === event.sessionId && permission === event.permission && rootRequest === "",
      );
      if (request === undefined) return false;
      request.rootRequest = event.requestId;
      inRoot.add(event.requestId);
      return true;
    },
    replied(requestId: string, isYes: boolean): void {
      const { rootRequest = "" } = open.get(requestId) ?? {};
      if (!open.delete(requestId) || rootRequest === "") return;
      attempt(
        isYes ? host.answerPermission(rootRequest, { once: true }) : refuse(rootRequest, "Answered already."),
      );
    },
  };
}
