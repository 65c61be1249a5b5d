import { MAX_GIVEN, type Catalogue, type Given, type Rule } from "../../context/rules/rule.ts";
import { listOf, numberOf, recordOf, textOf } from "../../lib/json.ts";
import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import type { ConversationServices } from "../services.ts";

/** What a specialist begins with. */
export interface OpeningRules {
  /** Empty for nothing. */
  readonly text: string;
  /** It was sent to this session. */
  opened(sessionId: string): void;
}

/**
 * Which of the project's rules each specialist of a conversation was given: those that fit the words of the task when it
 * begins, those that fit a file when it is read or changed; each once in a session, within one bound for all of them.
 */
export interface RuleTelling extends Part {
  /** @param resume the session that goes on; null for a new one */
  begin(task: string, resume: string | null): Promise<OpeningRules>;
  /** What follows the output of a call; empty for nothing. @param paths what it touched, relative to the project */
  touched(sessionId: string, paths: readonly string[]): Promise<string>;
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

const NOTHING: OpeningRules = { text: "", opened: () => undefined };
/** What an earlier summary may have taken over. */
const STANDING = /<gaia-rules>[^]*?<\/gaia-rules>\n*/g;
/** What is kept over a restart, in characters. */
const MAX_KEPT = 7_000;

export function createRuleTelling(
  conversation: Pick<ConversationCore, "keep">,
  { rules }: Pick<ConversationServices, "rules">,
): RuleTelling {
  let told = new Map<string, Told>();
  /** Sessions whose summary is being written, those under whose summary it stands already, and those that are owed it. */
  const waiting = new Set<string>();
  const kept = new Set<string>();
  const owed = new Set<string>();

  const note = (sessionId: string, sources: readonly string[], bytes: number): void => {
    if (sources.length === 0) return;
    told.delete(sessionId);
    told.set(sessionId, { sources: [...new Set(sources)], bytes });
    conversation.keep();
  };
  const add = (sessionId: string, given: Given): void => {
    const before = told.get(sessionId);
    const bytes = (before?.bytes ?? 0) + Buffer.byteLength(given.text);
    if (given.sources.length > 0) note(sessionId, [...(before?.sources ?? []), ...given.sources], bytes);
  };
  const isNew = (sessionId: string | null, { source }: Rule): boolean =>
    sessionId === null || told.get(sessionId)?.sources.includes(source) !== true;
  /** Everything that was given, as it is now. */
  const again = (sessionId: string, catalogue: Catalogue): string => {
    const sources = told.get(sessionId)?.sources ?? [];
    const given = catalogue.render(
      sources.flatMap((source) => catalogue.rules.find((rule) => rule.source === source) ?? []),
      MAX_GIVEN,
    );
    note(sessionId, sources, Buffer.byteLength(given.text));
    return given.text;
  };

  return {
    async begin(task, resume) {
      const catalogue = await rules.now();
      if (catalogue === null) return NOTHING;
      const fitting = catalogue.forTask(task).filter((rule) => isNew(resume, rule));
      const given = catalogue.render(fitting, MAX_GIVEN - (told.get(resume ?? "")?.bytes ?? 0));
      return {
        text: given.text,
        opened(sessionId) {
          add(sessionId, given);
        },
      };
    },
    async touched(sessionId, paths) {
      const isOwed = owed.has(sessionId);
      if (paths.length === 0 && !isOwed) return "";
      const catalogue = await rules.latest();
      if (catalogue === null) return "";
      // Calls run side by side: nothing is waited for between the look and the note.
      const standing = owed.delete(sessionId) ? again(sessionId, catalogue) : "";
      const fitting = catalogue.rules.filter(
        (rule) => isNew(sessionId, rule) && paths.some((path) => rule.matcher.meetsPath(path)),
      );
      // Whoever reads a rule's own file has it.
      const own = fitting.filter(({ source }) => paths.includes(source));
      const others = fitting.filter((rule) => !own.includes(rule));
      const given = catalogue.render(others, MAX_GIVEN - (told.get(sessionId)?.bytes ?? 0));
      add(sessionId, { ...given, sources: [...given.sources, ...own.map(({ source }) => source)] });
      return [standing, given.text].filter(Boolean).join("\n\n");
    },
    compacting(sessionId) {
      if (told.has(sessionId)) waiting.add(sessionId);
    },
    async underSummary(sessionId, summary) {
      if (!waiting.delete(sessionId)) return null;
      const catalogue = await rules.latest();
      const text = catalogue === null ? "" : again(sessionId, catalogue);
      if (text === "") return null;
      kept.add(sessionId);
      return `${summary.replaceAll(STANDING, "").trimEnd()}\n\n${text}`;
    },
    observe(event, isRoot) {
      if (isRoot || !("sessionId" in event) || event.sessionId === null) return;
      const { sessionId } = event;
      if (event.type === "session.deleted") {
        told.delete(sessionId);
        owed.delete(sessionId);
      }
      if (event.type === "session.compacted" && !kept.delete(sessionId) && told.has(sessionId))
        owed.add(sessionId);
      // No summary came: the next text of this session is an ordinary answer.
      if (event.type === "session.error" || (event.type === "session.status" && event.status === "idle"))
        waiting.delete(sessionId);
    },
    snapshot() {
      let room = MAX_KEPT;
      const newest = [...told].toReversed().filter(([sessionId, { sources }]) => {
        room -= JSON.stringify([sessionId, sources]).length + 30;
        return room >= 0;
      });
      if (newest.length === 0) return undefined;
      return newest.toReversed().map(([session, { sources, bytes }]) => ({ session, sources, bytes }));
    },
    restore(saved) {
      const entries = listOf(saved).flatMap((value): [string, Told][] => {
        const { session, sources, bytes } = recordOf(value);
        const id = textOf(session);
        const names = listOf(sources).flatMap((source) => textOf(source) ?? []);
        return id === undefined ? [] : [[id, { sources: names, bytes: numberOf(bytes) ?? 0 }]];
      });
      told = new Map(entries);
    },
  };
}
