import { describeError } from "../../../src/lib/error.ts";
import { recordOf, type JsonRecord } from "../../../src/lib/json.ts";
import { Rejected } from "./permissions.ts";
import { runTool } from "./tools.ts";
import {
  callHook,
  publish,
  sleep,
  stillRuns,
  type Loop,
  type Message,
  type ModelMove,
  type Session,
  type World,
} from "./world.ts";

/** How long a model thinks, and how long OpenCode tidies up after its last word, in milliseconds. */
const MODEL_MS = 900;
const SNAPSHOT_MS = 30;
/** OpenCode's own tries with a provider that is busy. */
const RETRIES = 5;
const BUSY = { name: "APIError", data: { message: "Overloaded", statusCode: 529, isRetryable: true } };
const ABORTED = { name: "MessageAbortedError", data: { message: "Aborted" } };

/** Has the session's loop go on, or begins one. @returns when it is over, its last answer */
export async function runLoop(world: World, session: Session): Promise<Message | null> {
  if (session.loop !== null) return session.loop.over;
  let end: (last: Message | null) => void = () => undefined;
  const over = new Promise<Message | null>((resolve) => {
    end = resolve;
  });
  const loop: Loop = { isAborted: false, stops: new Set(), over };
  session.loop = loop;
  const { process } = world;
  setStatus(world, session, { type: "busy" });
  const last = await takeSteps(world, session, loop);
  if (process !== world.process) return over;
  session.loop = null;
  setStatus(world, session, { type: "idle" });
  publish(world, "session.idle", { sessionID: session.id });
  if (loop.isAborted) {
    setStatus(world, session, { type: "idle" });
    publish(world, "session.idle", { sessionID: session.id });
  }
  end(last);
  return over;
}

/** Stops the loop of a session, as Esc does. */
export function abortLoop(session: Session): void {
  const { loop } = session;
  if (loop === null) return;
  loop.isAborted = true;
  for (const stop of loop.stops) stop();
}

function setStatus(world: World, session: Session, status: JsonRecord): void {
  session.status = status;
  publish(world, "session.status", { sessionID: session.id, status });
}

async function takeSteps(world: World, session: Session, loop: Loop): Promise<Message | null> {
  let last: Message | null = null;
  while (!loop.isAborted) {
    await stillRuns(session, loop);
    const asked = session.messages.findLastIndex(({ info }) => info["role"] === "user");
    const answer = session.messages.at(-1);
    const isAnswered = answer !== undefined && asked < session.messages.length - 1;
    if (isAnswered && answer.info["finish"] !== "tool-calls") break;
    const user = session.messages[asked];
    if (user === undefined) break;
    const { message, isOver } = await step(world, session, loop, user);
    last = message ?? last;
    if (isOver) break;
  }
  return last;
}

interface Step {
  readonly message: Message | null;
  readonly isOver: boolean;
}

async function step(world: World, session: Session, loop: Loop, user: Message): Promise<Step> {
  const { agent, model } = user.info;
  const info: JsonRecord = {
    id: world.id("msg"),
    sessionID: session.id,
    role: "assistant",
    agent,
    ...recordOf(model),
    parentID: user.info["id"],
    time: { created: Date.now() },
    tokens: { input: 10, output: 5, reasoning: 0, cache: { read: 0, write: 0 } },
    cost: 0.01,
  };
  const message: Message = { info, parts: [] };
  session.messages.push(message);
  const tell = (): void => {
    publish(world, "message.updated", { info });
  };
  const finish = (): void => {
    info["time"] = { ...recordOf(info["time"]), completed: Date.now() };
    tell();
  };
  const failed = (error: JsonRecord): Step => {
    info["error"] = error;
    publish(world, "session.error", { sessionID: session.id, error });
    finish();
    return { message, isOver: true };
  };
  tell();
  await callHook(
    world,
    "experimental.chat.system.transform",
    { sessionID: session.id, model },
    { system: ["You are"] },
  );
  const refusal = await refuseRequest(world, session, info);
  await stillRuns(session, loop);
  // What a hook throws here ends the loop with its words.
  if (refusal !== null) return failed({ name: "UnknownError", data: { message: refusal } });
  session.requests += 1;
  world.oracle.requested(session);
  const move = world.players.model(session);
  world.trace(`${session.id} ${String(agent)} ${JSON.stringify(move)}`);
  const isThere = await think(world, session, loop, move);
  // Aborted in a back-off there is neither an error nor a text.
  if (isThere === "gone") return { message: null, isOver: true };
  if (loop.isAborted) return failed(ABORTED);
  if (move.does === "fail") return failed(move.error);
  if (move.does === "busy" && move.times > RETRIES) return failed(BUSY);
  if (move.does === "call") {
    const results = await Promise.all(move.calls.map(async (call) => runTool(world, session, message, call)));
    await stillRuns(session, loop);
    if (loop.isAborted) return failed(ABORTED);
    info["finish"] = "tool-calls";
    finish();
    const isBlocked = results.some((error) => error instanceof Rejected && error.feedback === undefined);
    return { message, isOver: isBlocked };
  }
  const text = move.does === "say" ? move.text : "Hm.";
  const part: JsonRecord = {
    id: world.id("prt"),
    sessionID: session.id,
    messageID: info["id"],
    type: "text",
    text: "",
  };
  publish(world, "message.part.updated", { part });
  const output = { text };
  await callHook(
    world,
    "experimental.text.complete",
    { sessionID: session.id, messageID: info["id"], partID: part["id"] },
    output,
  );
  await stillRuns(session, loop);
  Object.assign(part, { text: output.text, time: { start: 0, end: world.time.elapsed() } });
  message.parts.push(part);
  publish(world, "message.part.updated", { part });
  info["finish"] = "stop";
  tell();
  await sleep(world, SNAPSHOT_MS, loop);
  finish();
  return { message, isOver: false };
}

async function refuseRequest(world: World, session: Session, info: JsonRecord): Promise<string | null> {
  const model = { capabilities: { reasoning: false }, api: { npm: "" } };
  const input = { sessionID: session.id, agent: info["agent"], model };
  try {
    await callHook(world, "chat.params", input, { options: {} });
    return null;
  } catch (error) {
    return describeError(error);
  }
}

/** The time until the provider has answered, OpenCode's own tries included. */
async function think(world: World, session: Session, loop: Loop, move: ModelMove): Promise<"there" | "gone"> {
  if (move.does === "hang") {
    await new Promise<void>((resolve) => {
      loop.stops.add(resolve);
    });
  }
  await sleep(world, move.does === "slow" ? move.ms : MODEL_MS, loop);
  if (move.does !== "busy") return "there";
  for (let attempt = 1; attempt <= Math.min(move.times, RETRIES); attempt += 1) {
    const wait = Math.min(2_000 * 2 ** (attempt - 1), 30_000);
    const next = Date.now() + wait;
    setStatus(world, session, { type: "retry", attempt, message: "Overloaded", next });
    await sleep(world, wait, loop);
    if (loop.isAborted) return "gone";
  }
  setStatus(world, session, { type: "busy" });
  return "there";
}
