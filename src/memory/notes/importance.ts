import { subjectsOf } from "../learnings/subjects.ts";

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
