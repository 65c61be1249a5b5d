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

/** A feature of one GAIA conversation: what it remembers of it, and what it hears. All of this is optional. */
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
  /** What of it the terminal panel shows now. `keep` of the conversation says that it is another one. */
  shown?(): Partial<PanelFacts>;
  /** What must be there after a restart: plain JSON of at most 8,000 characters. `keep` says that it is another one. */
  snapshot?(): unknown;
  /** Called once, first, with what {@link snapshot} of this part gave. */
  restore?(saved: unknown): void;
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
const SHAPE = 1;

/**
 * What the parts keep over a restart, sealed: every client of OpenCode can write metadata, and what is restored has to be what this
 * user's plugin has kept. `rootSession`: a fork comes with the metadata of its original, whose tasks are not its own.
 */
export function keepParts(rootSession: string, list: NamedParts, logger: Logger, seal: Seal) {
  const kept = list.flatMap(([name, part]): [string, unknown][] => {
    try {
      const value = part.snapshot?.();
      if (value === undefined || value === null) return [];
      if (JSON.stringify(value).length <= MAX_KEPT) return [[name, value]];
      logger.log("error", name, `Too much to be kept over a restart (${MAX_KEPT} characters at most).`);
    } catch (error) {
      logger.log("error", name, `Nothing is kept over a restart: ${describeError(error)}`);
    }
    return [];
  });
  return sealed({ shape: SHAPE, rootSession, parts: Object.fromEntries(kept) }, seal);
}

/** Gives each part what it kept; one that throws begins anew. @param saved the value under `PARTS_KEY` */
export function restoreParts(
  saved: unknown,
  rootSession: string,
  list: NamedParts,
  logger: Logger,
  seal: Seal,
): void {
  const { value, isOurs } = readSealed(saved, seal);
  const { shape, rootSession: owner, parts } = recordOf(value);
  if (!isOurs || shape !== SHAPE || owner !== rootSession) return;
  const kept = new Map(Object.entries(recordOf(parts)));
  for (const [name, part] of list) {
    try {
      if (kept.has(name)) part.restore?.(kept.get(name));
    } catch (error) {
      logger.log("warn", name, `What was kept could not be used: ${describeError(error)}`, { rootSession });
    }
  }
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
