import { excerpt, linesWithin } from "../../lib/excerpt.ts";
import { listOf, recordOf, textOf, type JsonRecord } from "../../lib/json.ts";
import type { Task } from "../../delegation/task.ts";
import { parseMarkdown, textIn } from "../../lib/markdown.ts";
import { isTitledBy, MAKER_TITLE, RECON_TITLE } from "../../workspace/documents/log.ts";
import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import { triedIn } from "../runs/runs.ts";
import type { ConversationServices } from "../services.ts";

/**
 * What specialists say for those who come after them, kept in the unit's log: what was found out about the project, and what makers
 * note of their work and leave broken. Of this and of later sessions, and of whoever has the record.
 */
export interface Notes extends Part {
  /** What a log holds of one kind, as markdown, the oldest first; empty for nothing. @param log of the unit; null for work without one */
  of(kind: NoteKind, log: string | null): string;
  /** What makers say of a unit's work that is left broken; a line that a person takes out of the log is not. */
  knownIssues(unit: string): Promise<string[]>;
  /** Takes in what a specialist says at its end, which a candidate's does once it is chosen. */
  add(task: Pick<Task, "agent" | "title" | "outcome" | "workUnit">): void;
  /** Resolves when everything that has its place is written. */
  settled(): Promise<void>;
}

export type NoteKind = "recon" | "maker";

/** One specialist's words, as they go into the unit's log. */
interface Note {
  readonly kind: NoteKind;
  readonly title: string;
  readonly markdown: string;
  /** Null: what is found out belongs to the unit that is made for it; what a maker says, to no other work. */
  readonly unit: string | null;
}

const TITLES: Readonly<Record<NoteKind, string>> = { recon: RECON_TITLE, maker: MAKER_TITLE };
/** The key under which a maker lists what is left broken, as it stands in front of each. */
const KNOWN_ISSUE = "- known issues: ";
/** Checks and whole lists of tests are in the record of the work already. */
const LEFT_OUT = new Set(["checks_run", "suggested_agents"]);
/** Notes that wait for a unit, or are about work without one; the oldest go first. */
const MAX_WAITING = 4;
/** Of one delegation, in bytes, and of one that waits over a restart; of its title, in characters. */
const MAX_TEXT = 2_400;
const MAX_KEPT = 1_400;
const MAX_TITLE = 240;

export function createNotes(
  conversation: Pick<ConversationCore, "state" | "log" | "keep">,
  {
    roleOf,
    specialistOf,
    redact,
    workspace,
  }: Pick<ConversationServices, "roleOf" | "specialistOf" | "redact" | "workspace">,
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
  const settled = async (): Promise<void> => void (await writing);
  const kindOf = (agent: string): NoteKind | null =>
    roleOf(agent) === "recon" ? "recon" : specialistOf(agent)?.mutates === true ? "maker" : null;
  const add: Notes["add"] = ({ agent, title = "", outcome, workUnit }) => {
    const kind = kindOf(agent);
    const envelope = outcome?.envelope;
    if (kind === null || envelope == null || (kind === "recon" && !envelope.ok)) return;
    const markdown = redact(renderNote({ ...recordOf(envelope.data), assumptions: envelope.assumptions }));
    if (markdown === "") return;
    const named = excerpt(`${TITLES[kind]}${agent}: ${title}`, MAX_TITLE);
    change([...waiting, { kind, title: named, markdown, unit: workUnit ?? null }]);
    write();
  };

  const of: Notes["of"] = (kind, log) => {
    const document = parseMarkdown(log ?? "");
    const kept = document.sections
      .filter((section) => isTitledBy(section, TITLES[kind]))
      .map((section) => [section.title.replace(/^.*?— /u, ""), textIn(document, section)]);
    const own = log === null ? waiting.filter((note) => note.kind === kind && note.unit === null) : [];
    return [...kept, ...own.map(({ title, markdown }) => [title, markdown])]
      .map(([title, text]) => `### ${title}\n${text}`)
      .join("\n\n");
  };

  return {
    of,
    async knownIssues(slug) {
      await writing;
      const read = await workspace.readWorkUnit({ slug });
      const lines = of("maker", read.ok ? read.content.log_md : "").split("\n");
      return lines.flatMap((line) => (line.startsWith(KNOWN_ISSUE) ? [line.slice(KNOWN_ISSUE.length)] : []));
    },
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
          if (named === "" || text === "") return [];
          const own = kind === "maker" ? "maker" : "recon";
          return [{ kind: own, title: named, markdown: text, unit: textOf(unit) ?? null } as const];
        });
    },
  };
}

/** A contract's words, a line each; whole ones, as many as there is room for. */
function renderNote(data: JsonRecord): string {
  const textsOf = (value: unknown): string[] => {
    if (typeof value === "string") return value.split("\n");
    if (Array.isArray(value)) return value.flatMap(textsOf);
    return Object.values(recordOf(value)).flatMap(textsOf);
  };
  const lines = Object.entries(data).flatMap(([key, value]) =>
    LEFT_OUT.has(key)
      ? []
      : textsOf(value)
          .filter((text) => text.trim() !== "")
          .map((text) => `- ${key.replaceAll("_", " ")}: ${text.trim()}`),
  );
  const whole = lines.join("\n");
  const kept = linesWithin(whole, MAX_TEXT);
  return kept === whole ? whole : `${kept}\n- and more, in the session of the task`;
}
