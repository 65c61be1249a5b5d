import { NOTE_TITLES, type NoteKind, renderNote } from "../../briefing/noted.ts";
import type { Task } from "../../delegation/task.ts";
import { excerpt, linesWithin } from "../../lib/excerpt.ts";
import { listOf, recordOf, textOf } from "../../lib/json.ts";
import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import { triedIn } from "../runs/runs.ts";
import type { ConversationServices } from "../services.ts";

/** Keeps in the unit's log what specialists say for those who come after. */
export interface Notes extends Part {
  /** What makers noted of work without a unit, which has no log. */
  unlogged(): readonly Pick<Note, "title" | "markdown">[];
  /** Takes in what a specialist says at its end, which a candidate's does once it is chosen. */
  add(task: Pick<Task, "agent" | "title" | "outcome" | "workUnit">): void;
  settled(): Promise<void>;
}

interface Note {
  readonly kind: NoteKind;
  readonly title: string;
  readonly markdown: string;
  /** Null: what is found out belongs to the unit that is made for it; what a maker says, to no other work. */
  readonly unit: string | null;
}

/** Notes that wait for a unit, or are about work without one; the oldest go first. */
const MAX_WAITING = 4;
/** Of one that waits over a restart, in bytes; of its title, in characters. */
const MAX_KEPT = 1_400;
const MAX_TITLE = 240;

export function createNotes(
  conversation: Pick<ConversationCore, "state" | "log" | "keep">,
  { roleOf, specialistOf, redact }: Pick<ConversationServices, "roleOf" | "specialistOf" | "redact">,
): Notes {
  let waiting: readonly Note[] = [];
  let writing: Promise<unknown> = Promise.resolve();

  const change = (next: readonly Note[]): void => {
    waiting = next.slice(-MAX_WAITING);
    conversation.keep();
  };
  /** A unit is mostly made after someone has looked around for it. */
  const write = (): void => {
    const { workUnit, knobs } = conversation.state;
    // Locked, nothing is written; it waits like every other line of the record.
    if (knobs.mode === "locked") return;
    const left = waiting.filter(({ kind, title, markdown, unit }) => {
      const place = unit ?? (kind === "recon" ? workUnit : null);
      if (place !== null) writing = Promise.all([writing, conversation.log(title, markdown, place)]);
      return place === null;
    });
    if (left.length < waiting.length) change(left);
  };
  const add: Notes["add"] = ({ agent, title = "", outcome, workUnit }) => {
    const isRecon = roleOf(agent) === "recon";
    const envelope = outcome?.envelope;
    const speaks = isRecon ? envelope?.ok === true : specialistOf(agent)?.mutates === true;
    if (!speaks || envelope == null) return;
    const markdown = redact(renderNote({ ...recordOf(envelope.data), assumptions: envelope.assumptions }));
    if (markdown === "") return;
    const kind = isRecon ? "recon" : "maker";
    const named = excerpt(`${NOTE_TITLES[kind]}${agent}: ${title}`, MAX_TITLE);
    change([...waiting, { kind, title: named, markdown, unit: workUnit ?? null }]);
    write();
  };
  const settled = async (): Promise<void> => void (await writing);

  return {
    unlogged: () => waiting.filter(({ kind, unit }) => kind === "maker" && unit === null),
    add,
    settled,
    flush: settled,
    delegationFinished(task) {
      // Most candidates go, and with them what they say.
      if (triedIn(task.callId) === null) add(task);
    },
    heard: write,
    snapshot: () =>
      waiting.length === 0
        ? undefined
        : waiting.map((note) => ({ ...note, markdown: linesWithin(note.markdown, MAX_KEPT) })),
    restore(saved) {
      waiting = listOf(saved)
        .slice(-MAX_WAITING)
        .flatMap((value) => {
          const { kind, title, markdown, unit } = recordOf(value);
          const [named = "", text = ""] = [textOf(title), textOf(markdown)];
          const own = kind === "maker" ? kind : "recon";
          return named === "" || text === ""
            ? []
            : [{ kind: own, title: named, markdown: text, unit: textOf(unit) ?? null }];
        });
    },
  };
}
