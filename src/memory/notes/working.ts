import type { ResolvedConfig } from "../../config/schema.ts";
import { excerpt } from "../../lib/excerpt.ts";
import { idOfLearning } from "../../workspace/documents/learning.ts";
import { errorLine, isAsking } from "../capture/fix.ts";
import { wordsOf, termOf } from "../recall/terms.ts";
import { subjectsOf } from "../learnings/subjects.ts";
import { addNote, type Note } from "./unit-notes.ts";

/** What a conversation has at hand; the rest of it is in the record. */
const MAX_NOTES = 200;
const MAX_COMMAND = 200;
/** What a command's end says by itself, and one that failed before. */
const COMMAND = { passed: 0.2, failed: 0.5, fixed: 0.7 } as const;

/** The part of a query's words that a note has to hold. */
const LEAST_SHARE = 0.5;

/** A command that ended. */
export interface EndedCommand {
  readonly command: string;
  readonly exitCode: number;
  /** Free of secrets. */
  readonly output: string;
  /** Who ran it. */
  readonly by: string;
}

/** A note that holds words of a query; `share` of them. */
export interface FoundNote {
  readonly note: Note;
  readonly share: number;
}

/** What is noted by itself and how long it is held: `capture` of the configuration. */
export type WorkingLimits = Pick<ResolvedConfig["capture"], "debounceMs" | "maxPerSecond" | "workingMinutes">;

/**
 * What one conversation has noted and its process holds: nobody else's, and gone some time after it was noted or found last.
 * @param now milliseconds since the epoch
 */
export function createWorkingNotes(
  now: () => number,
  { debounceMs, maxPerSecond, workingMinutes }: WorkingLimits,
) {
  const lifeMs = workingMinutes * 60_000;
  let notes: readonly Note[] = [];
  const used = new Map<string, number>();
  const failed = new Set<string>();
  let last = { command: "", at: 0 };
  /** When the newest commands were noted. */
  let times: readonly number[] = [];

  const add = (note: Note): Note => {
    notes = addNote(notes, note, { most: MAX_NOTES, maxAgeMs: lifeMs });
    const kept = new Set(notes.map(({ id }) => id));
    for (const id of used.keys()) if (!kept.has(id)) used.delete(id);
    return notes.find(({ id }) => id === note.id) ?? note;
  };
  const living = (): readonly Note[] => {
    notes = notes.filter(({ at }) => now() - at < lifeMs);
    return notes;
  };
  return {
    all: living,
    add,
    /** A command is over: what it says is at hand for a while, without anyone noting it. */
    ran({ command, exitCode, output, by }: EndedCommand): void {
      const at = now();
      const isFailed = exitCode !== 0;
      const isAgain = last.command === `${command} ${exitCode}` && at - last.at < debounceMs;
      times = times.filter((time) => at - time < 1_000);
      if (isAsking(command) || isAgain || (times.length >= maxPerSecond && !isFailed)) return;
      last = { command: `${command} ${exitCode}`, at };
      times = [...times, at];
      const shown = excerpt(command, MAX_COMMAND);
      const error = isFailed ? errorLine(output) : "";
      const text = `\`${shown}\` → exit ${exitCode}${error === "" ? "" : `: ${error}`}`;
      const how = isFailed ? "failed" : failed.delete(command) ? "fixed" : "passed";
      if (failed.size >= MAX_NOTES) failed.clear();
      if (isFailed) failed.add(command);
      add({ id: idOfLearning(text), text, by, importance: COMMAND[how], at });
    },
    /** Notes that hold enough of a query's words, the best first; what is found lives on. @param more kept elsewhere */
    find(query: string, more: readonly Note[]): FoundNote[] {
      const wanted = termsOf(query);
      return [...more, ...living()]
        .map((note) => ({ note, share: shareOf(wanted, termsOf(note.text)) }))
        .filter(({ share }) => share >= LEAST_SHARE)
        .toSorted(
          (a, b) => b.share - a.share || b.note.importance - a.note.importance || b.note.at - a.note.at,
        );
    },
    /** It was noted, found and read again. */
    use(note: Note): void {
      const times = (used.get(note.id) ?? 0) + 1;
      used.set(note.id, times);
      const importance = Math.max(note.importance, importanceOf(note.text, undefined, times));
      notes = notes.map((each) => (each.id === note.id ? { ...each, importance, at: now() } : each));
    },
    drop(id: string): void {
      notes = notes.filter((note) => note.id !== id);
    },
  };
}

function termsOf(text: string): ReadonlySet<string> {
  return new Set(wordsOf(text).flatMap((word) => termOf(word) ?? []));
}

function shareOf(wanted: ReadonlySet<string>, held: ReadonlySet<string>): number {
  const found = [...wanted].filter((term) => held.has(term) || startsOne(term, held)).length;
  return wanted.size === 0 ? 0 : found / wanted.size;
}

function startsOne(term: string, held: ReadonlySet<string>): boolean {
  return term.length > 3 && [...held].some((each) => each.startsWith(term));
}

/** What nobody says anything about. */
const USUAL = 0.4;
/** As far as a model's own word goes in either direction. */
const LEAST = 0.2;
const MOST = 0.7;
/** What names a file or command can be held against facts. */
const TELLING = 0.1;
/** For each time that it was noted or found again, and for all of them. */
const AGAIN = 0.1;
const MOST_AGAIN = 0.2;

/**
 * How much a note matters, from 0 to 1: it decides which of two equally good ones is shown first, and which gives way. Pure.
 * @param given what its author says of it, from 0 to 1
 * @param used how often it was noted or found before
 */
export function importanceOf(text: string, given: number = USUAL, used = 0): number {
  const { files, commands } = subjectsOf(text);
  const telling = files.length + commands.length > 0 ? TELLING : 0;
  const value = Math.min(MOST, Math.max(LEAST, given)) + telling + Math.min(MOST_AGAIN, used * AGAIN);
  return Math.round(value * 100) / 100;
}
