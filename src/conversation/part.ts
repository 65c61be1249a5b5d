import { describeError, type Logger } from "../lib/error.ts";
import { parseJson, recordOf, textOf } from "../lib/json.ts";
import type { Seal } from "../lib/seal.ts";
import { sealed } from "./display/panel-key.ts";
import type { Task } from "../delegation/task.ts";
import type { IncomingCall } from "../host/hook-events.ts";
import type { HostEvent } from "../host/port.ts";
import type { ConversationEvent } from "./collaboration/events.ts";
import type { DecisionRow } from "./collaboration/state.ts";
import type { PanelFacts } from "./display/panel-snapshot.ts";

/** `go-on`: words or `/next` by which the work may go on, a specialist's session included; `answer`: to a question. */
export type Utterance = "message" | "command" | "go-on" | "answer";

/** A feature of one GAIA conversation: what it hears. All of this is optional. */
export interface Part {
  userSpoke?(how: Utterance): void;
  heard?(event: ConversationEvent): void;
  /** The user has decided something; the same row may come again with their reason. */
  decided?(row: DecisionRow): void;
  /** @param isRoot whether it happened in the conversation itself and not in one of its specialists */
  observe?(event: HostEvent, isRoot: boolean): void;
  callBegins?(call: IncomingCall): void;
  taskChanged?(task: Task): void;
  delegationStarted?(task: Task): void;
  /** @param changed whether it changed the project */
  delegationFinished?(task: Task, changed: boolean): void;
  /** What of it the terminal panel shows now. `touch` of the conversation says that it is another one. */
  shown?(): Partial<PanelFacts>;
  /** GAIA is given all that it was to be told next. */
  linesTaken?(): void;
  /** GAIA rests and its notes are written, or there is something new for it: a turn may begin where one is welcome. */
  rested?(): void;
  /** Nothing comes after GAIA's turn: neither is the user asked, nor is anybody at work. */
  concluded?(): void;
  dispose?(): void;
  /** Resolves when everything that was still to be written or sent is, at the end of OpenCode; bounded. Never rejects. */
  flush?(): Promise<void>;
}

/** Calls something of each part in the order of the registry; one that throws starves no other. */
export type EachPart = (call: (part: Part) => void) => void;

/** What one part may keep, in characters of JSON: all of it travels with every change of its session. */
const MAX_KEPT = 8_000;

export type NamedParts = readonly (readonly [name: string, part: Part])[];

/** Rises with each change of what any part keeps: what another version has kept is of no use. */
const SHAPE = 2;

/** What is remembered by this name holds all work up, and goes along into a fork. */
export const KEPT_IN_FORKS = "planning";

/** What a part remembers, over a restart as well: plain JSON, which is replaced and never changed in place. */
export interface Remembered<T> {
  now: T;
}

/** @param name of all that is remembered @param fresh what it begins with @param trim what of it outlives a restart, at most 8,000 characters */
export type Remember = <T>(name: string, fresh: T, trim?: (value: T) => unknown) => Remembered<T>;

/**
 * What the parts keep over a restart, sealed: every client of OpenCode can write metadata, and what is restored has to be what this
 * user's plugin has kept. `rootSession`: a fork comes with the metadata of its original, whose tasks are not its own.
 * @param saved the value under `PARTS_KEY` @param changed something of it is another one
 */
export function createKept(
  saved: unknown,
  rootSession: string,
  logger: Logger,
  seal: Seal,
  changed: () => void,
) {
  const { value, isOurs } = readSealed(saved, seal);
  const { shape, rootSession: owner, parts } = recordOf(value);
  const known = isOurs && shape === SHAPE ? Object.entries(recordOf(parts)) : [];
  const earlier = new Map(known.filter(([name]) => owner === rootSession || name === KEPT_IN_FORKS));
  const readers = new Map<string, () => unknown>();
  const remember: Remember = <T>(name: string, fresh: T, trim = (each: T): unknown => each) => {
    let now = earlier.has(name) ? (earlier.get(name) as T) : fresh;
    readers.set(name, () => (now === fresh ? undefined : trim(now)));
    return {
      get now() {
        return now;
      },
      set now(next) {
        now = next;
        changed();
      },
    };
  };
  const sealAll = () => {
    const kept = [...readers].flatMap(([name, read]): [string, unknown][] => {
      try {
        const each = read();
        if (each === undefined || JSON.stringify(each).length <= MAX_KEPT) return [[name, each]];
        logger.log("error", name, `Too much to be kept over a restart (${MAX_KEPT} characters at most).`);
      } catch (error) {
        logger.log("error", name, `Nothing is kept over a restart: ${describeError(error)}`);
      }
      return [];
    });
    return sealed({ shape: SHAPE, rootSession, parts: Object.fromEntries(kept) }, seal);
  };
  return { remember, sealed: sealAll };
}

/** What {@link sealed} was given, if `isOurs`; else what anyone may have written. */
export function readSealed(
  saved: unknown,
  seal: Seal,
): { readonly value: unknown; readonly isOurs: boolean } {
  const { text, seal: given } = recordOf(saved);
  const said = textOf(text) ?? "";
  return { value: parseJson(said), isOurs: given === seal(said) };
}
