import { relative, resolve } from "node:path";
import * as z from "zod/mini";
import type { Given } from "../../context/given.ts";
import type { Rule } from "../../context/rules/rule.ts";
import type { Skill } from "../../context/skills/skill.ts";
import { recordOf } from "../../lib/json.ts";
import { lazy } from "../../lib/lazy.ts";
import { newestWithin, readSaved, savedCount } from "../../lib/schema.ts";
import { matchesPattern } from "../../lib/path-pattern.ts";
import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import type { ConversationServices } from "../services.ts";
import type { RunningCall } from "../tool-calls/tool-fact.ts";

interface Texts<T extends Rule> {
  readonly rules: readonly T[];
  render(texts: readonly T[], used: number): Given;
}

interface Opening {
  readonly about: string;
  readonly named: readonly string[];
  readonly session: string | null;
}

interface OpeningTexts {
  /** Empty for nothing. */
  readonly text: string;
  /** It was sent to this session. */
  opened(sessionId: string): void;
}
const toldSchema = lazy(() => {
  const given = z.object({ sources: z.array(z.string()), bytes: savedCount() });
  return z.tuple([z.string(), given]);
});
type Told = Readonly<z.infer<ReturnType<typeof toldSchema>>[1]>;

const NOBODY: Told = { sources: [], bytes: 0 };
/** What is kept over a restart of each kind, in characters. */
const MAX_KEPT = 3_900;

/**
 * Which of the project's rules and skills each specialist of a conversation was given: when it begins, those that fit the words of
 * the task or that the task names; with a file that it reads or changes, those that are for it. Each once in a session.
 */
export function createHandouts(
  conversation: Pick<ConversationCore, "keep">,
  { rules, skills, skillServers, skillsOf }: ConversationServices,
) {
  const ruled = createKind<Rule>(conversation, "gaia-rules", rules.latest);
  const skilled = createKind<Skill>(conversation, "gaia-skills", skills.latest);

  return {
    /** @param about the words of the task @param named skills that it names @param session that goes on; null for a new one */
    async begin({ about, named, session }: Opening): Promise<OpeningTexts[]> {
      const [all, known] = await Promise.all([rules.now(), skills.now()]);
      const wanted = known?.rules.filter(({ name }) => named.includes(name)) ?? [];
      return [
        all === null ? [] : ruled.opening(all, all.forTask(about), session),
        known === null ? [] : skilled.opening(known, wanted, session),
      ].flat();
    },
    /** What follows the output of a call: those for the files that it read or changed. */
    async afterCall(call: RunningCall): Promise<string[]> {
      const { sessionId, effect, agent } = call;
      const paths = touchedPaths(call);
      const loaded = effect.kind === "read" ? effect.skill : undefined;
      if (paths.length === 0 && loaded === undefined) return [];
      const [all, known] = await Promise.all([rules.latest(), skills.latest()]);
      // Calls run side by side: from here on nothing is waited for.
      const told: string[] = [];
      // One who reads a text's own file, or loads a skill, has it.
      if (all !== null) told.push(ruled.give(sessionId, all, paths, ({ source }) => paths.includes(source)));
      if (known !== null) {
        const globs = skillsOf(agent);
        const mine = known.rules.filter(
          ({ name }) => globs?.some((glob) => matchesPattern(name, glob)) !== false,
        );
        // What the host shows of a skill holds nothing of its servers.
        const fresh = skilled.unknownTo(sessionId, mine).filter(({ name }) => name === loaded);
        const isOwn = ({ name, path }: Skill): boolean => name === loaded || paths.includes(path);
        const reach = fresh.map((skill) => skill.reach);
        told.push(skilled.give(sessionId, { ...known, rules: mine }, paths, isOwn), ...reach);
      }
      return told.filter(Boolean);
    },
    /** Whether the task of a session works by a skill. */
    uses: (sessionId: string, { source }: Skill): boolean => skilled.isKnown(sessionId, source),
    compacting(sessionId: string): void {
      ruled.compacting(sessionId);
      skilled.compacting(sessionId);
    },
    /** The summary with what was given under it; any other text as it is. */
    underSummary: async (sessionId: string, text: string): Promise<string> =>
      skilled.underSummary(sessionId, await ruled.underSummary(sessionId, text)),
    observe(event) {
      const isIdle = event.type === "session.status" && event.status === "idle";
      const isOver = event.type === "session.error" || isIdle;
      if (isOver || event.type === "session.deleted") void skillServers.end(event.sessionId);
      for (const kind of [ruled, skilled]) {
        if (event.type === "session.deleted") kind.forget(event.sessionId);
        // Without a summary the next text of this session is an ordinary answer.
        if (isOver || event.type === "session.compacted") kind.summedUp(event.sessionId, !isOver);
      }
    },
    snapshot() {
      const kept = { rules: ruled.kept(), skills: skilled.kept() };
      return kept.rules.length + kept.skills.length === 0 ? undefined : kept;
    },
    restore(saved) {
      const kept = recordOf(saved);
      ruled.restore(kept["rules"]);
      skilled.restore(kept["skills"]);
    },
  } satisfies Part & Record<string, unknown>;
}

/**
 * Who was given which texts of one kind: within one bound for all of a session, kept over a compaction and a restart.
 * @param tag under which they are given
 */
function createKind<T extends Rule>(
  conversation: Pick<ConversationCore, "keep">,
  tag: string,
  latest: () => Promise<Texts<T> | null>,
) {
  /** What an earlier summary may have taken over. */
  const standing = new RegExp(`<${tag}>[^]*?</${tag}>\\n*`, "g");
  let told = new Map<string, Told>();
  /** Sessions whose summary is being written, and those under whose summary the texts stand already. */
  const summaries = new Map<string, "awaited" | "written">();

  const toldTo = (sessionId: string | null): Told => told.get(sessionId ?? "") ?? NOBODY;
  const note = (sessionId: string, sources: string[], bytes: number): void => {
    if (sources.length === 0) return;
    // The newest last: of many, those are kept.
    told.delete(sessionId);
    told.set(sessionId, { sources, bytes });
    conversation.keep();
  };
  const add = (sessionId: string, { text, sources }: Given): void => {
    const before = toldTo(sessionId);
    if (sources.length > 0)
      note(sessionId, [...new Set([...before.sources, ...sources])], before.bytes + Buffer.byteLength(text));
  };
  const isKnown = (sessionId: string | null, source: string): boolean =>
    toldTo(sessionId).sources.includes(source);
  const unknownTo = (sessionId: string | null, found: readonly T[]): T[] =>
    found.filter(({ source }) => !isKnown(sessionId, source));
  return {
    isKnown,
    unknownTo,
    /** What a session begins with of these, beside what it was given before. */
    opening(texts: Texts<T>, found: readonly T[], resume: string | null): OpeningTexts {
      const given = texts.render(unknownTo(resume, found), toldTo(resume).bytes);
      return { text: given.text, opened: (sessionId) => add(sessionId, given) };
    },
    /** Those that are for a path. @param isOwn whether a session has the text from elsewhere by now */
    give(sessionId: string, texts: Texts<T>, paths: readonly string[], isOwn: (text: T) => boolean): string {
      const own = unknownTo(sessionId, texts.rules.filter(isOwn));
      add(sessionId, { text: "", sources: own.map(({ source }) => source) });
      const fitting = texts.rules.filter((text) => paths.some(text.meetsPath));
      const given = texts.render(unknownTo(sessionId, fitting), toldTo(sessionId).bytes);
      add(sessionId, given);
      return given.text;
    },
    compacting(sessionId: string): void {
      if (told.has(sessionId)) summaries.set(sessionId, "awaited");
    },
    async underSummary(sessionId: string, text: string): Promise<string> {
      if (summaries.get(sessionId) !== "awaited") return text;
      summaries.set(sessionId, "written");
      // Everything that was given, as it is now.
      const { sources } = toldTo(sessionId);
      const texts = await latest();
      const known = texts?.rules.filter(({ source }) => sources.includes(source)) ?? [];
      const again = texts?.render(known, 0).text ?? "";
      note(sessionId, sources, Buffer.byteLength(again));
      return `${text.replaceAll(standing, "").trimEnd()}\n\n${again}`;
    },
    /** What does not stand under a session's summary is given again where it fits. */
    summedUp(sessionId: string, isDone: boolean): void {
      const isWritten = summaries.get(sessionId) === "written";
      summaries.delete(sessionId);
      if (isDone && !isWritten) told.delete(sessionId);
    },
    forget(sessionId: string): void {
      told.delete(sessionId);
      summaries.delete(sessionId);
    },
    kept: (): unknown[] => newestWithin([...told], MAX_KEPT),
    restore(saved: unknown): void {
      told = new Map(readSaved(toldSchema(), saved, Infinity));
    },
  };
}

/** What a call read by name, and what it wrote by whatever tool, as the policy tells; relative to the project. Pure. */
function touchedPaths({ effect, examination, place }: RunningCall): string[] {
  const isLook = effect.kind === "read" && effect.searches !== true && effect.patterns.length === 0;
  return [...(isLook || effect.kind === "other" ? effect.paths : []), ...examination.writes]
    .map((path) => relative(place.project, resolve(place.directory, path)).replaceAll("\\", "/"))
    .filter((path) => path !== "" && !/^(?:\.\.(?:\/|$)|\/|[a-zA-Z]:)/.test(path));
}
