import type { ResolvedConfig } from "../../config/schema.ts";
import { isRefusal, refuse, type Refusal } from "../../lib/refusal.ts";
import { idOfLearning, parseLearning } from "../../workspace/documents/learning.ts";
import type { WorkspaceResult } from "../../workspace/result.ts";
import { keepNote, parseNotes, type Layer, type Note } from "./unit-notes.ts";
import {
  createWorkingNotes,
  importanceOf,
  type EndedCommand,
  type FoundNote,
  type WorkingLimits,
} from "./working.ts";

/** The longest note, in characters. */
const MAX_TEXT = 1_000;
/** A longer text is no learning, which is one line, but knowledge. */
const MAX_LEARNING = 240;
const MAX_TAGS = 5;
/** What is at least so important goes to the work unit by itself. */
const MATTERS = 0.7;
const DECIDES = "Proposed: the user decides.";

/** A note, and where it is kept. */
interface Kept {
  readonly note: Note;
  readonly layer: Exclude<Layer, "project">;
}

/** What is to be noted, or taken a layer up, as a model says it. */
export interface ToKeep {
  readonly op: "remember" | "promote";
  readonly id?: string | undefined;
  readonly content?: string | undefined;
  readonly layer?: Layer | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly importance?: number | undefined;
}

/** What a conversation gives to its memory. */
export interface RememberingInput {
  /** The conversation's session. */
  readonly root: string;
  now(): number;
  readonly limits: WorkingLimits & Pick<ResolvedConfig["capture"], "sessionDays">;
  redact(text: string): string;
  /** The work unit that it is about now. */
  unit(): string | null;
  isLocked(): boolean;
  readNotes(slug: string): Promise<WorkspaceResult<{ readonly text: string }>>;
  changeNotes(slug: string, edit: (text: string) => string): Promise<WorkspaceResult<object>>;
  /** Proposes a line as a learning; null where that is known already. */
  propose(line: string): Promise<Refusal | { readonly ok: boolean } | null>;
  /** Proposes a longer text as knowledge. */
  proposeKnown(body: string, by: string): Promise<Refusal | { readonly id: string }>;
}

/**
 * What one conversation remembers for itself: what its agents note, and the commands that ran. No other conversation is told of
 * it; what is to reach the project is only proposed, and a person decides (SPEC 10).
 */
export type Remembering = ReturnType<typeof createRemembering>;

export function createRemembering(input: RememberingInput) {
  const { root, now, unit } = input;
  const { workingMinutes } = input.limits;
  const life = workingMinutes === 60 ? "an hour" : `${workingMinutes} minutes`;
  const working = createWorkingNotes(now, input.limits);

  const ofUnit = async (): Promise<readonly Note[]> => {
    const slug = unit();
    const read = slug === null ? null : await input.readNotes(slug);
    return read?.ok === true ? parseNotes(read.text, root) : [];
  };
  const find = async (id: string): Promise<Kept | null> => {
    const atHand = working.all().find((note) => note.id === id);
    if (atHand !== undefined) return { note: atHand, layer: "working" };
    const note = (await ofUnit()).find((each) => each.id === id);
    return note === undefined ? null : { note, layer: "session" };
  };
  const keepWithUnit = async (note: Note): Promise<Kept | Refusal> => {
    const slug = unit();
    if (slug === null)
      return refuse("This conversation is about no work unit.", `layer working keeps it for ${life}.`);
    if (input.isLocked()) return refuse("GAIA is locked, and writes nothing.");
    const written = await input.changeNotes(slug, (text) =>
      keepNote(text, root, note, input.limits.sessionDays),
    );
    if (!written.ok) return refuse(written.error, written.hint);
    working.drop(note.id);
    return { note, layer: "session" };
  };
  const propose = async (text: string, by: string): Promise<object> => {
    if (input.isLocked()) return refuse("GAIA is locked, and writes nothing.");
    const isLine = text.length <= MAX_LEARNING && !text.includes("\n");
    const proposed = isLine ? await input.propose(text) : await input.proposeKnown(text, by);
    if (proposed !== null && (isRefusal(proposed) || ("ok" in proposed && !proposed.ok))) return proposed;
    const id = proposed !== null && "id" in proposed ? proposed.id : idOfLearning(parseLearning(text).text);
    return { ok: true, id, layer: "project", hint: proposed === null ? "Known already." : DECIDES };
  };

  return {
    ran(command: EndedCommand): void {
      working.ran(command);
    },
    /** Takes what matters to the work unit, where there is one that may be written (`capture.autoPromote`). */
    async promote(): Promise<void> {
      if (unit() === null || input.isLocked()) return;
      for (const note of working.all()) if (note.importance >= MATTERS) await keepWithUnit(note);
    },
    find: async (query: string): Promise<readonly FoundNote[]> => working.find(query, await ofUnit()),
    /** The note with this id; null for none. */
    async get(id: string): Promise<Kept | null> {
      const kept = await find(id);
      if (kept !== null) working.use(kept.note);
      return kept;
    },
    /** @param by who says it @returns what the model is told */
    async keep(
      { op, id = "", content = "", layer, tags = [], importance }: ToKeep,
      by: string,
    ): Promise<object> {
      const known = op === "promote" ? await find(id) : null;
      if (op === "promote" && known === null)
        return refuse("There is no note with this id.", "Search by query.");
      const given = tags.slice(0, MAX_TAGS).flatMap((tag) => tag.match(/[\p{L}\p{N}_-]{1,40}/u) ?? []);
      const said = [content.trim(), ...given.map((tag) => `#${tag}`)].join(" ");
      const whole = known?.note.text ?? input.redact(said).trim();
      if (known === null && content.trim() === "") return refuse("remember needs content.");
      const wanted =
        layer ?? (known === null ? "working" : known.layer === "working" ? "session" : "project");
      if (wanted === "project") return propose(whole, by);
      const text = whole.replaceAll(/\s+/g, " ");
      if (text.length > MAX_TEXT)
        return refuse(`A note has ${MAX_TEXT} characters at most.`, "Note one thing at a time.");
      const own = idOfLearning(parseLearning(text).text);
      const before = known ?? (await find(own));
      const note: Note = {
        id: own,
        text,
        by: known?.note.by ?? by,
        importance: importanceOf(text, known?.note.importance ?? importance, before === null ? 0 : 1),
        at: now(),
      };
      const isOfUnit = wanted === "session" || before?.layer === "session";
      const kept: Kept | Refusal = isOfUnit
        ? await keepWithUnit(note)
        : { note: working.add(note), layer: "working" };
      if (isRefusal(kept)) return kept;
      const hint =
        kept.layer === "working" ? { hint: `Gone in ${life}; session keeps it with the unit.` } : {};
      return { ok: true, id: own, layer: kept.layer, importance: kept.note.importance, ...hint };
    },
  };
}
