import type { Task } from "../delegation/task.ts";
import type { IncomingCall } from "../host/hook-events.ts";
import type { HostEvent } from "../host/port.ts";
import type { ConversationEvent } from "./core.ts";

/**
 * How the user made themselves heard: a message or a slash command in the conversation itself; `go-on`, words or `/next`
 * by which the work may go on, a specialist's session included; or the answer to a question.
 */
export type Utterance = "message" | "command" | "go-on" | "answer";

/**
 * A feature of one GAIA conversation: it holds what it remembers of that conversation and nothing else. All of this is
 * optional; what a part offers to tools, hooks and other parts beside it is its own affair. It goes with its conversation.
 */
export interface Part {
  /** The user spoke, which settles most of what waited for them. */
  userSpoke?(how: Utterance): void;
  /** The state has taken an event in. */
  heard?(event: ConversationEvent): void;
  /**
   * Something happened in a session of this conversation.
   * @param isRoot whether it was the conversation itself and not one of its specialists
   */
  observe?(event: HostEvent, isRoot: boolean): void;
  /**
   * A gate: a tool call is about to run in a session of this conversation. One that throws denies it (SPEC 2.4).
   * @returns why it must not run, for the model, with what would be allowed; null for no objection
   */
  refuse?(call: IncomingCall, isRoot: boolean): string | null;
  /** A delegation of this conversation is new, or has changed. */
  taskChanged?(task: Task): void;
  delegationStarted?(task: Task): void;
  /** @param changed whether it changed the project */
  delegationFinished?(task: Task, changed: boolean): void;
  /**
   * What must be there again after a restart, however OpenCode ended: plain JSON of at most 8,000 characters, undefined for
   * nothing. Mirrored into the session's metadata; `keep` of the conversation says that it has changed.
   */
  snapshot?(): unknown;
  /**
   * Called once, before anything else, with what {@link snapshot} gave to an earlier process, or with anything at all:
   * metadata are no human's word. One that throws begins anew.
   */
  restore?(saved: unknown): void;
  /** GAIA was given the end of this task, by the answer of a tool or by a message; possibly more than once. */
  taskGiven?(taskId: string): void;
  /** GAIA is given all that was to be told her next. */
  linesTaken?(): void;
  /** GAIA rests, and its notes are written: what has something for it may begin a turn. */
  rested?(): void;
  /** Ends timers and work in flight. */
  dispose?(): void;
  /** Resolves when everything that was still to be written or sent is, at the end of OpenCode; bounded. Never rejects. */
  flush?(): Promise<void>;
}

/** Calls something of each part in the order of the registry; one that throws starves no other. */
export type EachPart = (call: (part: Part) => void) => void;
