import { relative, resolve } from "node:path";
import type { Catalogue, Given, Rule } from "../../context/rules/rule.ts";
import { listOf, numberOf, recordOf } from "../../lib/json.ts";
import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import type { ConversationServices } from "../services.ts";
import type { RunningCall } from "../tool-calls/tool-fact.ts";

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
  /** Null where the project has no rules. @param resume the session that goes on; null for a new one */
  begin(task: string, resume: string | null): Promise<OpeningRules | null>;
  /** What follows the output of a call; empty for nothing. */
  afterCall(call: RunningCall): Promise<string>;
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
/** What an earlier summary may have taken over. */
const STANDING = /<gaia-rules>[^]*?<\/gaia-rules>\n*/g;
/** What is kept over a restart, in characters. */
const MAX_KEPT = 7_000;

export function createRuleTelling(
  conversation: Pick<ConversationCore, "keep">,
  { rules }: Pick<ConversationServices, "rules">,
): RuleTelling {
  let told = new Map<string, Told>();
  /** Sessions whose summary is being written, and those under whose summary the rules stand already. */
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
  const add = (sessionId: string, { text, sources }: Given): void => {
    const before = toldTo(sessionId);
    const bytes = before.bytes + Buffer.byteLength(text);
    if (sources.length > 0) note(sessionId, [...before.sources, ...sources], bytes);
  };
  const unknownTo = (sessionId: string | null, found: readonly Rule[]): Rule[] =>
    found.filter(({ source }) => !toldTo(sessionId).sources.includes(source));
  /** Everything that was given, as it is now. */
  const again = (sessionId: string, catalogue: Catalogue | null): string => {
    const { sources } = toldTo(sessionId);
    const known = catalogue?.rules.filter(({ source }) => sources.includes(source)) ?? [];
    const text = catalogue?.render(known, 0).text ?? "";
    note(sessionId, sources, Buffer.byteLength(text));
    return text;
  };

  return {
    async begin(task, resume) {
      const catalogue = await rules.now();
      if (catalogue === null) return null;
      const given = catalogue.render(unknownTo(resume, catalogue.forTask(task)), toldTo(resume).bytes);
      return {
        text: given.text,
        opened(sessionId) {
          add(sessionId, given);
        },
      };
    },
    async afterCall(call) {
      const { sessionId } = call;
      const paths = pathsOf(call);
      if (paths.length === 0 && !owed.has(sessionId)) return "";
      const catalogue = await rules.latest();
      // Calls run side by side: from here on nothing is waited for.
      const standing = owed.delete(sessionId) ? again(sessionId, catalogue) : "";
      const fitting = unknownTo(sessionId, catalogue?.rules ?? []).filter((rule) =>
        paths.some(rule.meetsPath),
      );
      // Whoever reads a rule's own file has it.
      const [own, others] = [true, false].map((isOwn) =>
        fitting.filter(({ source }) => paths.includes(source) === isOwn),
      );
      add(sessionId, { text: "", sources: own?.map(({ source }) => source) ?? [] });
      const given = catalogue?.render(others ?? [], toldTo(sessionId).bytes) ?? { text: "", sources: [] };
      add(sessionId, given);
      return [standing, given.text].filter(Boolean).join("\n\n");
    },
    compacting(sessionId) {
      if (told.has(sessionId)) summaries.set(sessionId, "awaited");
    },
    async underSummary(sessionId, summary) {
      if (summaries.get(sessionId) !== "awaited") return null;
      summaries.set(sessionId, "written");
      return `${summary.replaceAll(STANDING, "").trimEnd()}\n\n${again(sessionId, await rules.latest())}`;
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

/** What a call read by name, and what it wrote by whatever tool, as the policy tells; relative to the project. */
function pathsOf({ effect, examination, place }: RunningCall): string[] {
  const isLook = effect.kind === "read" && effect.searches !== true && effect.patterns.length === 0;
  const read = isLook || effect.kind === "other" ? effect.paths : [];
  return [...read, ...examination.writes]
    .map((path) => relative(place.project, resolve(place.directory, path)).replaceAll("\\", "/"))
    .filter((path) => path !== "" && !/^(?:\.\.(?:\/|$)|\/|[a-zA-Z]:)/.test(path));
}
