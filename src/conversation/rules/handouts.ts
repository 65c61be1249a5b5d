import type { Given } from "../../context/given.ts";
import type { Rule } from "../../context/rules/rule.ts";
import { listOf, numberOf, recordOf } from "../../lib/json.ts";
import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";

/** Texts of one kind, as their files are now. */
export interface Texts<T extends Rule> {
  readonly rules: readonly T[];
  render(texts: readonly T[], used: number): Given;
}

/** What a specialist begins with. */
export interface OpeningTexts {
  /** Empty for nothing. */
  readonly text: string;
  /** It was sent to this session. */
  opened(sessionId: string): void;
}

/**
 * Which texts of one kind each specialist of a conversation was given: each once in a session, within one bound for all of
 * them, kept over a compaction and a restart.
 */
export interface Handouts<T extends Rule> extends Part {
  /** What a session begins with of these, beside what it was given before. @param resume the session that goes on; null for a new one */
  opening(texts: Texts<T>, found: readonly T[], resume: string | null): OpeningTexts;
  /** What a session was given so far, in bytes. */
  bytes(sessionId: string): number;
  isKnown(sessionId: string | null, source: string): boolean;
  unknownTo(sessionId: string | null, found: readonly T[]): T[];
  add(sessionId: string, given: Given): void;
  /** Whether a session was summed up without what it had been given. */
  isOwed(sessionId: string): boolean;
  /** What it is owed, as it is now; empty for nothing. Then it has it. */
  settle(sessionId: string, texts: Texts<T> | null): string;
  /** A specialist's session is about to be summed up. */
  compacting(sessionId: string): void;
  /** The summary with what was given under it; null for any other text. */
  underSummary(sessionId: string, summary: string): Promise<string | null>;
}

/** What one session was given. */
interface Told {
  readonly sources: readonly string[];
  readonly bytes: number;
}

const NOBODY: Told = { sources: [], bytes: 0 };
/** What is kept over a restart, in characters. */
const MAX_KEPT = 7_000;

/** @param tag under which the texts are given */
export function createHandouts<T extends Rule>(
  conversation: Pick<ConversationCore, "keep">,
  tag: string,
  latest: () => Promise<Texts<T> | null>,
): Handouts<T> {
  /** What an earlier summary may have taken over. */
  const standing = new RegExp(`<${tag}>[^]*?</${tag}>\\n*`, "g");
  let told = new Map<string, Told>();
  /** Sessions whose summary is being written, and those under whose summary the texts stand already. */
  const summaries = new Map<string, "awaited" | "written">();
  /** Sessions that were summed up without them. */
  const owed = new Set<string>();

  const note = (sessionId: string, sources: readonly string[], bytes: number): void => {
    if (sources.length === 0) return;
    // The newest last: of many, those are kept.
    told.delete(sessionId);
    told.set(sessionId, { sources, bytes });
    conversation.keep();
  };
  const toldTo = (sessionId: string | null): Told => told.get(sessionId ?? "") ?? NOBODY;
  const isKnown = (sessionId: string | null, source: string): boolean =>
    toldTo(sessionId).sources.includes(source);
  /** Everything that was given, as it is now. */
  const again = (sessionId: string, texts: Texts<T> | null): string => {
    const { sources } = toldTo(sessionId);
    const known = texts?.rules.filter(({ source }) => sources.includes(source)) ?? [];
    const text = texts?.render(known, 0).text ?? "";
    note(sessionId, sources, Buffer.byteLength(text));
    return text;
  };

  const add = (sessionId: string, { text, sources }: Given): void => {
    const before = toldTo(sessionId);
    const bytes = before.bytes + Buffer.byteLength(text);
    if (sources.length > 0) note(sessionId, [...before.sources, ...sources], bytes);
  };

  return {
    opening(texts, found, resume) {
      const given = texts.render(found, toldTo(resume).bytes);
      return {
        text: given.text,
        opened(sessionId) {
          add(sessionId, given);
        },
      };
    },
    bytes: (sessionId) => toldTo(sessionId).bytes,
    isKnown,
    unknownTo: (sessionId, found) => found.filter(({ source }) => !isKnown(sessionId, source)),
    add,
    isOwed: (sessionId) => owed.has(sessionId),
    settle: (sessionId, texts) => (owed.delete(sessionId) ? again(sessionId, texts) : ""),
    compacting(sessionId) {
      if (told.has(sessionId)) summaries.set(sessionId, "awaited");
    },
    async underSummary(sessionId, summary) {
      if (summaries.get(sessionId) !== "awaited") return null;
      summaries.set(sessionId, "written");
      return `${summary.replaceAll(standing, "").trimEnd()}\n\n${again(sessionId, await latest())}`;
    },
    observe(event) {
      if (event.type === "session.deleted") told.delete(event.sessionId);
      // Without a summary the next text of this session is an ordinary answer.
      const isOver =
        event.type === "session.error" || (event.type === "session.status" && event.status === "idle");
      if (!isOver && event.type !== "session.compacted") return;
      const { sessionId } = event;
      const isWritten = summaries.get(sessionId) === "written";
      summaries.delete(sessionId);
      if (!isOver && !isWritten && told.has(sessionId)) owed.add(sessionId);
    },
    snapshot() {
      let room = MAX_KEPT;
      const kept = [...told].toReversed().filter((each) => (room -= JSON.stringify(each).length) > 0);
      return kept.length === 0 ? undefined : kept.toReversed();
    },
    restore(saved) {
      told = new Map(
        listOf(saved).flatMap((entry): [string, Told][] => {
          const [sessionId, kept] = listOf(entry);
          const { sources, bytes } = recordOf(kept);
          return [[String(sessionId), { sources: listOf(sources).map(String), bytes: numberOf(bytes) ?? 0 }]];
        }),
      );
    },
  };
}
