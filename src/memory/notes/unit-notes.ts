import { appendLines, foreignLine, parseMarkdown, renderMarkdown } from "../../lib/markdown.ts";

/** How long something is remembered: for an hour, with the conversation's work unit, or in the project, once a person accepts it. */
export const LAYERS = ["working", "session", "project"] as const;
export type Layer = (typeof LAYERS)[number];

/** Notes of one conversation that a unit keeps; the least important gives way. */
const MAX_KEPT = 100;
const DAY_MS = 86_400_000;
const TITLE = "# Memory\n";
const LINE =
  /^- `([0-9a-f]{8})` (.+) — noted by (\S*) in (\S+), (\d{4}-\d\d-\d\dT[\d:.]+Z), importance ([01](?:\.\d+)?)$/;

/** What an agent, or the plugin, noted for the conversation that it works in. No other one's models are told of it (SPEC 10). */
export interface Note {
  /** That of the learning which it would become. */
  readonly id: string;
  /** On one line, its tags as `#tag` at the end. */
  readonly text: string;
  /** An agent's name; empty for the plugin. */
  readonly by: string;
  /** From 0 to 1, as the plugin reckons it. */
  readonly importance: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Adds a note, in the place of the same one; what is too old goes, then what is least important, and of that the oldest. */
export function addNote(
  notes: readonly Note[],
  fresh: Note,
  { most, maxAgeMs }: { readonly most: number; readonly maxAgeMs: number },
): Note[] {
  const before = notes.find(({ id }) => id === fresh.id);
  const others = notes.filter(({ id, at }) => id !== fresh.id && fresh.at - at < maxAgeMs);
  const importance = Math.max(fresh.importance, before?.importance ?? 0);
  const least = others.toSorted((a, b) => a.importance - b.importance || a.at - b.at)[0];
  const kept = others.length < most ? others : others.filter((each) => each !== least);
  return [...kept, { ...fresh, importance }];
}

/** The notes that a unit keeps for one conversation; what cannot be read as one is left out. */
export function parseNotes(text: string, root: string): Note[] {
  return parseMarkdown(text).lines.flatMap((line) => {
    const [, id = "", words = "", by = "", whose = "", time = "", importance = ""] =
      LINE.exec(line.text) ?? [];
    const at = Date.parse(time);
    if (whose !== root || Number.isNaN(at)) return [];
    return [{ id, text: words, by, importance: Number(importance), at }];
  });
}

/**
 * Keeps a note in the text of a `memory.md`; lines of other conversations, and of people, stay as they are.
 * @param days after which a note that nobody needed is taken out
 */
export function keepNote(text: string, root: string, note: Note, days: number): string {
  const notes = addNote(parseNotes(text, root), note, { most: MAX_KEPT, maxAgeMs: days * DAY_MS });
  const whole = parseMarkdown(text.trim() === "" ? TITLE : text);
  const others = { ...whole, lines: whole.lines.filter((line) => LINE.exec(line.text)?.[4] !== root) };
  const last = others.lines.findLast((line) => line.text.trim() !== "")?.text ?? "";
  const lines = notes.map(({ id, text: words, by, importance, at }) => {
    const time = new Date(at).toISOString();
    return `- \`${id}\` ${foreignLine(words)} — noted by ${by} in ${root}, ${time}, importance ${importance}`;
  });
  return renderMarkdown(appendLines(others, lines, !last.startsWith("- ")));
}

/** A note, whatever a search puts in front of it. */
const SHOWN = /- `[0-9a-f]{8}` .+ — noted by \S* in \S+, \d{4}-\d\d-\d\dT/;
const INSTEAD = "[not shown: noted in a conversation, and nobody has accepted it]";

/** An output without notes, whichever way it was read: whose conversation asks for them, its own tool tells. */
export function withoutNotes(text: string): string {
  if (!SHOWN.test(text)) return text;
  return text
    .split("\n")
    .map((line) => (SHOWN.test(line) ? INSTEAD : line))
    .join("\n");
}
