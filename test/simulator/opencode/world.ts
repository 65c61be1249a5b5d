import type { Hooks } from "@opencode-ai/plugin";
import { parseJson, recordOf, type JsonRecord } from "../../../src/lib/json.ts";
import type { Oracle } from "../oracle/oracle.ts";
import type { EventFault } from "../schedule.ts";
import type { VirtualTime } from "../time.ts";
import type { Rule } from "./rules.ts";

export interface Message {
  readonly info: JsonRecord;
  parts: JsonRecord[];
}

/** A running loop of model requests. */
export interface Loop {
  /** Set once someone has stopped it. */
  isAborted: boolean;
  readonly stops: Set<() => void>;
  readonly over: Promise<Message | null>;
}

export interface Session {
  readonly id: string;
  readonly parentId: string | null;
  readonly agent: string | null;
  readonly title: string;
  metadata: JsonRecord;
  readonly messages: Message[];
  loop: Loop | null;
  status: JsonRecord;
  /** The message from which on the user has taken all back; null for none. */
  takenBackTo: string | null;
  /** Requests to a model so far. */
  requests: number;
}

/** A permission or question that waits for the user. */
export interface Request {
  readonly id: string;
  readonly sessionId: string;
  readonly callId: string;
  readonly kind: "permission" | "question";
  readonly shown: JsonRecord;
  settle(answer: RequestAnswer): void;
}

export type RequestAnswer =
  | { readonly kind: "once" | "always" }
  | { readonly kind: "reject"; readonly words: string | null }
  | { readonly kind: "answers"; readonly answers: string[][] };

export interface ToolCallMove {
  readonly tool: string;
  readonly args: JsonRecord;
}

/** What a model does with one request. */
export type ModelMove =
  | { readonly does: "say"; readonly text: string }
  | { readonly does: "call"; readonly calls: readonly ToolCallMove[] }
  | { readonly does: "fail"; readonly error: JsonRecord }
  | { readonly does: "busy"; readonly times: number }
  | { readonly does: "slow"; readonly ms: number }
  | { readonly does: "hang" };

/** Who is played by the schedule. */
export interface Players {
  model(session: Session): ModelMove;
  /** A dialog or a question has appeared on the screen. */
  asked(request: Request): void;
}

/** One OpenCode and its project, with everything that outlives its process. */
export interface World {
  readonly time: VirtualTime;
  readonly directory: string;
  readonly sessions: Map<string, Session>;
  readonly requests: Map<string, Request>;
  readonly players: Players;
  readonly oracle: Oracle;
  /** Counts the processes; what an earlier one still waits for never comes. */
  process: number;
  /** The plugin in the running process; null while none runs. */
  hooks: Hooks | null;
  /** What the plugin made of the configuration, and what the user has answered with "always". */
  config: JsonRecord;
  always: Rule[];
  readonly eventFaults: Map<number, EventFault>;
  eventCount: number;
  callCount: number;
  /** After which events the process ends. */
  onEvent(count: number): void;
  id(kind: string): string;
  trace(line: string): void;
}

/** A copy of plain data, as it goes over the wire: what is undefined does not, and half of all data is copied. */
export function copy<Data>(data: Data): Data {
  return clone(data) as Data;
}

function clone(data: unknown): unknown {
  if (typeof data !== "object" || data === null) return data;
  if (Array.isArray(data)) return data.map((item) => clone(item) ?? null);
  const given = data as JsonRecord;
  const copied: JsonRecord = {};
  for (const key in given) if (given[key] !== undefined) copied[key] = clone(given[key]);
  return copied;
}

/** The result of one of the plugin's tools; what else GAIA is told with it stands behind it. */
export function resultIn(output: string): JsonRecord {
  return recordOf(parseJson(output.split("\n\n", 1)[0] ?? ""));
}

/** An endless wait: of what a process waited for that is gone. */
export async function never(): Promise<never> {
  return new Promise(() => undefined);
}

/** Tells the plugin of something, unless chance has it otherwise. */
export function publish(world: World, type: string, properties: JsonRecord): void {
  const count = (world.eventCount += 1);
  const fault = world.eventFaults.get(count);
  // What is told is what is true now, however late it arrives.
  const event = copy({ id: world.id("evt"), type, properties });
  const { process } = world;
  const deliver = (): void => {
    if (process !== world.process || world.hooks === null) return;
    const told = world.hooks.event?.({ event: event as never });
    told?.catch((error: unknown) => world.oracle.threw("event", error));
  };
  if (fault !== undefined) {
    world.trace(`  event ${count} ${type} is ${fault.how}`);
    if (fault.how !== "doubled" && /^(?:permission|session)/.test(type)) world.oracle.gates.blur();
  }
  if (fault?.how !== "lost" && fault?.how !== "late") deliver();
  if (fault?.how === "doubled") deliver();
  if (fault?.how === "late") world.time.after("host", fault.ms, deliver);
  world.onEvent(count);
}

/** Where the plugin may refuse. */
const GATES = new Set<string>(["tool.execute.before", "shell.env", "chat.params"]);

/** Runs one of the plugin's hooks. What it throws is OpenCode's affair; only a denial of a tool call may be thrown. */
export async function callHook(
  world: World,
  name: keyof Hooks,
  input: JsonRecord,
  output: JsonRecord,
): Promise<void> {
  const { process } = world;
  const run = world.hooks?.[name] as ((input: JsonRecord, output: JsonRecord) => Promise<void>) | undefined;
  if (run === undefined) return;
  const done = world.oracle.begins(`hook ${name}`);
  try {
    await run(input, output);
  } catch (error) {
    if (process !== world.process) return never();
    const isDenial = error instanceof Error && error.name === "Denial";
    if (!isDenial || !GATES.has(name)) world.oracle.threw(name, error);
    throw error;
  } finally {
    done();
  }
  if (process !== world.process) await never();
}

/** Waits for ever where a loop's process is gone; whatever runs in a loop asks after each wait. */
export async function stillRuns(session: Session, loop: Loop | null): Promise<void> {
  if (session.loop !== loop || loop === null) await never();
}

export async function sleep(world: World, ms: number, loop: Loop | null): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      cancel();
      loop?.stops.delete(stop);
      resolve();
    };
    const cancel = world.time.after("host", ms, stop);
    loop?.stops.add(stop);
  });
}

/** The session as OpenCode shows it. */
export function infoOf(session: Session): JsonRecord {
  const { id, parentId, title, metadata, takenBackTo } = session;
  const own = parentId === null ? {} : { parentID: parentId };
  const revert = takenBackTo === null ? {} : { revert: { messageID: takenBackTo } };
  return { id, ...own, title, metadata, ...revert, time: { created: 0, updated: 0 } };
}
