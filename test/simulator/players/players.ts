import { recordOf, textOf } from "../../../src/lib/json.ts";
import { abortLoop, runLoop } from "../opencode/loop.ts";
import { reply } from "../opencode/permissions.ts";
import { createSession, deleteSession, sendMessage, takeBack } from "../opencode/sessions.ts";
import {
  resultIn,
  callHook,
  type Players,
  type Request,
  type RequestAnswer,
  type Session,
  type World,
} from "../opencode/world.ts";
import type { Schedule, UserStep } from "../schedule.ts";
import { gaiaMove, type GaiaMemory } from "./gaia.ts";
import { call, specialistMove, wordsOf } from "./specialist.ts";

/** What the units of the conversations are called, by their order. */
export const UNITS = ["unit", "second"];

/** Even a model in a loop ends when nobody stops it: by then that is known. */
const MAX_LOOP = 150;

function isTired(session: Session): boolean {
  return session.requests > MAX_LOOP;
}

/** Whether the last call that was to collect all that is open was told that nothing is, and no fault can be why. */
function hasNothingLeft({ messages }: Session, { calls }: Schedule): boolean {
  if (calls.length > 0) return false;
  const last = messages
    .findLast(({ parts }) => parts.length > 0)
    ?.parts.find(({ tool }) => tool === "collect_results");
  const output = textOf(recordOf(last?.["state"])["output"]);
  return output !== undefined && !("results" in resultIn(output));
}

const DONE = "It is done. Next you can look at a.ts.";

/** Everyone but the plugin: the user and the models, as a schedule has them. */
export function createCast(schedule: Schedule, worldOf: () => World) {
  const gaia = schedule.conversations.map((conversation) => [...conversation.gaia]);
  const dialogs = [...schedule.dialogs];
  const questions = [...schedule.questions];
  const moves = new Map<string, number>();
  const children: string[] = [];
  /** The sessions of the conversations, by their order; who deletes one begins another. */
  const roots = new Map<number, Session>();
  /** All that there were, with the conversation that they belong to. */
  const conversationOf = new Map<string, number>();
  let isWrappingUp = false;
  const collections = new Map<number, number>();

  const memoryOf = (session: Session, conversation: number): GaiaMemory => {
    const results = session.messages.flatMap(({ parts }) =>
      parts
        .filter((part) => part["tool"] === "delegate_gaia")
        .map((part) => recordOf(part["state"])["output"]),
    );
    const read = results.map((output) => resultIn(textOf(output) ?? ""));
    const tasks = read
      .filter(({ status }) => status === "running")
      .map(({ task_id: id }) => textOf(id) ?? "");
    return {
      tasks,
      session: textOf(read.at(-1)?.["session_id"]) ?? null,
      unit: UNITS[conversation] ?? "",
      isAlone: schedule.conversations.length === 1,
    };
  };

  const model: Players["model"] = (session) => {
    if (session.parentId === null) {
      const conversation = conversationOf.get(session.id) ?? 0;
      if (isWrappingUp) {
        const times = (collections.get(conversation) ?? 0) + 1;
        collections.set(conversation, times);
        if (times > 3 || hasNothingLeft(session, schedule)) return { does: "say", text: DONE };
        return call("collect_results", { until: "all", wait_ms: 600_000 });
      }
      const [move] = gaia[conversation] ?? [];
      if (move?.does !== "loop" || isTired(session)) gaia[conversation]?.shift();
      if (move === undefined) return { does: "say", text: DONE };
      return gaiaMove(move, memoryOf(session, conversation), session.requests);
    }
    if (!children.includes(session.id)) children.push(session.id);
    const agent = session.agent ?? "";
    const given =
      schedule.specialists[children.indexOf(session.id) % Math.max(1, schedule.specialists.length)];
    const index = moves.get(session.id) ?? 0;
    const move = given?.[index];
    // One that loops stays with its move for ever.
    if (move?.does !== "loop" || isTired(session)) moves.set(session.id, index + 1);
    if (isWrappingUp || move === undefined) return { does: "say", text: wordsOf(agent, "ok") };
    return specialistMove(agent, move, session.requests);
  };

  const answer = (request: Request, given: RequestAnswer): void => {
    const world = worldOf();
    if (!world.requests.has(request.id)) return;
    if (request.kind === "permission" && given.kind !== "answers")
      world.oracle.answered(request.callId, given.kind, "user");
    world.trace(`user answers ${request.id}: ${JSON.stringify(given)}`);
    reply(world, request.id, given);
  };

  /** Answers a request after so many milliseconds. */
  const answerIn = (ms: number, request: Request, given: RequestAnswer): void =>
    void worldOf().time.after("user", ms, () => answer(request, given));

  const askedPermission = (request: Request): void => {
    const { after, reply, twice } = dialogs.shift() ?? { after: 500, reply: "once", twice: false };
    if (reply === "never" && !isWrappingUp) return;
    const given: RequestAnswer =
      reply === "reject" || reply === "words"
        ? { kind: "reject", words: reply === "words" ? "not like this" : null }
        : { kind: reply === "always" ? "always" : "once" };
    if (twice) answerIn(after + 2, request, given);
    answerIn(after + 1, request, given);
  };

  const askedQuestion = (request: Request): void => {
    const { after, reply } = questions.shift() ?? { after: 500, reply: "first" as const };
    if (reply === "never" && !isWrappingUp) return;
    const isRejected = reply === "reject";
    answerIn(after, request, isRejected ? { kind: "reject", words: null } : answersTo(request, reply));
  };

  const say = async (session: Session, text: string): Promise<void> => {
    const world = worldOf();
    if (world.hooks === null || !world.sessions.has(session.id)) return;
    try {
      await sendMessage(world, session, { agent: "gaia", parts: [{ type: "text", text }] }, "user");
    } catch {
      return; // A message that a hook has broken is noticed there.
    }
    if (world.sessions.has(session.id)) await runLoop(world, session);
  };

  const command = async (session: Session, name: string, words: string): Promise<void> => {
    const world = worldOf();
    const parts = [{ type: "text", text: `/${name} ${words}` }];
    const input = { command: name, sessionID: session.id, arguments: words };
    world.trace(`user types /${name} ${words}`);
    world.oracle.gates.typed(session);
    // It may be deleted while the plugin looks at the command: then OpenCode has nowhere to put a message.
    const isGone = (): boolean => !world.sessions.has(session.id);
    await callHook(world, "command.execute.before", input, { parts });
    if (isGone()) return;
    await sendMessage(world, session, { agent: "gaia", parts }, "user");
    if (isGone()) return;
    world.oracle.gates.commanded(session, name, words);
    await runLoop(world, session);
  };

  /** The session of a conversation, made where there is none. */
  const rootOf = (conversation: number): Session => {
    const world = worldOf();
    const known = roots.get(conversation);
    if (known !== undefined && world.sessions.has(known.id)) return known;
    const session = createSession(world, { parentId: null, agent: null, title: "", metadata: {} });
    conversationOf.set(session.id, conversation);
    roots.set(conversation, session);
    return session;
  };

  /** As the terminal does it: what runs is stopped first. */
  const takeBackLast = async (session: Session): Promise<void> => {
    const world = worldOf();
    const { process } = world;
    if (session.loop !== null) {
      const { over } = session.loop;
      world.oracle.gates.stopped(session);
      abortLoop(session);
      await over;
    }
    if (process !== world.process || !world.sessions.has(session.id)) return;
    const at = session.messages.findIndex(({ info }) => info["id"] === session.takenBackTo);
    const before = at === -1 ? session.messages : session.messages.slice(0, at);
    const last = before.findLast(({ info }) => info["role"] === "user")?.info["id"];
    if (typeof last !== "string") return;
    world.oracle.gates.tookBack(session);
    takeBack(world, session, last);
  };

  const act = (step: UserStep, conversation: number): void => {
    const world = worldOf();
    if (world.hooks === null) return;
    const session = rootOf(conversation);
    // It may have ended just now.
    if (worldOf().hooks === null) return;
    const { act: what } = step;
    world.trace(`user: ${JSON.stringify(what)}`);
    if (what.do === "say") void say(session, what.text);
    if (what.do === "command") void command(session, what.name, what.words).catch(() => undefined);
    if (what.do === "undo") void takeBackLast(session);
    if (what.do === "say" || what.do === "command" || what.do === "undo") return;
    const target = what.child === null ? session : world.sessions.get(children[what.child] ?? "");
    if (target === undefined) return;
    if (what.do === "esc") {
      if (target.loop !== null) world.oracle.gates.stopped(target);
      abortLoop(target);
    } else deleteSession(world, target.id);
  };

  return {
    model,
    /** Which unit a session works for. */
    unitOf: ({ id, parentId }: Session): string => UNITS[conversationOf.get(parentId ?? id) ?? 0] ?? "",
    asked(request: Request): void {
      if (request.kind === "permission") askedPermission(request);
      else askedQuestion(request);
    },
    /** The user begins. */
    begin(): void {
      for (const [index, { user }] of schedule.conversations.entries()) {
        let at = 0;
        for (const step of user) {
          at += step.after;
          worldOf().time.after("user", at, () => act(step, index));
        }
      }
    },
    /** From now on everyone wants to come to an end: dialogs are answered, models do what they are asked. */
    wrapUp(): void {
      isWrappingUp = true;
      const world = worldOf();
      for (const request of world.requests.values())
        answer(request, request.kind === "permission" ? { kind: "once" } : answersTo(request, "first"));
    },
    /** The user presses Esc where GAIA's model does not answer. */
    stop(): void {
      for (const root of roots.values()) {
        if (root.loop === null) continue;
        worldOf().oracle.gates.stopped(root);
        abortLoop(root);
      }
    },
    /** The user has GAIA collect everything that is open. */
    async collectAll(): Promise<void> {
      collections.clear();
      await Promise.all([...roots.values()].map(async (root) => say(root, "Collect what is open.")));
    },
  };
}

function answersTo({ shown }: Request, which: "first" | "last" | "own words" | "never"): RequestAnswer {
  const questions = (shown["questions"] ?? []) as { options?: { label: string }[] }[];
  const answers = questions.map(({ options = [] }) => {
    const label = which === "own words" ? "Something else" : options.at(which === "last" ? -1 : 0)?.label;
    return [label ?? "Yes"];
  });
  return { kind: "answers", answers };
}
