import { resolve } from "node:path";
import type { Skill, Given, Rule } from "../context/catalogue.ts";
import { pathBelow } from "../lib/folders.ts";
import { matchesPattern } from "../lib/path-pattern.ts";
import type { Rules, Skills } from "../context/open.ts";
import type { Host, HostEvent } from "../host/port.ts";
import type { ToolEffect } from "../host/tool-call.ts";
import type { Examination } from "../policy/examination.ts";

interface Sources {
  readonly rules: Rules;
  readonly skills: Skills;
  readonly skillServers: { end(sessionId: string): unknown };
  /** The skills that an agent has, as globs; null for all. */
  skillsOf(agent: string): readonly string[] | null;
}

/** A call that is over. */
interface Call {
  readonly sessionId: string;
  readonly agent: string;
  readonly effect: ToolEffect;
  readonly examination: Pick<Examination, "writes">;
  readonly place: Pick<Host, "directory" | "project">;
}

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

interface Told {
  readonly sources: ReadonlySet<string>;
  readonly bytes: number;
}

const NOTHING: Told = { sources: new Set(), bytes: 0 };

/**
 * Gives each specialist rules and skills of the project: at its start those that fit or are named in the task, later those for a file
 * that it reads or changes. Each text once in a session, and again after a compaction.
 */
export function createHandouts({ rules, skills, skillServers, skillsOf }: Sources) {
  const ruled = createKind<Rule>();
  const skilled = createKind<Skill>();

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
    /** Texts after the output of a call, for the files that it read or changed. */
    async afterCall(call: Call): Promise<string[]> {
      const { sessionId, effect, agent } = call;
      const paths = touchedPaths(call);
      const loaded = effect.kind === "read" ? effect.skill : undefined;
      if (paths.length === 0 && loaded === undefined) return [];
      const [all, known] = await Promise.all([rules.latest(), skills.latest()]);
      // Calls run in parallel: no await from here on.
      const told: string[] = [];
      // Who reads a text's own file, or loads the skill, has it.
      if (all !== null) told.push(ruled.give(sessionId, all, paths, ({ source }) => paths.includes(source)));
      if (known !== null) {
        const globs = skillsOf(agent);
        const mine = known.rules.filter(
          ({ name }) => globs?.some((glob) => matchesPattern(name, glob)) !== false,
        );
        // The host does not tell of a skill's servers.
        const fresh = skilled.unknownTo(sessionId, mine).filter(({ name }) => name === loaded);
        const isOwn = ({ name, path }: Skill): boolean => name === loaded || paths.includes(path);
        const reach = fresh.map((skill) => skill.reach);
        told.push(skilled.give(sessionId, { ...known, rules: mine }, paths, isOwn), ...reach);
      }
      return told.filter(Boolean);
    },
    /** Whether the task of a session works by a skill. */
    uses: (sessionId: string, { source }: Skill): boolean => skilled.isKnown(sessionId, source),
    observe(event: HostEvent): void {
      const isIdle = event.type === "session.status" && event.status === "idle";
      if (event.type === "session.error" || event.type === "session.deleted" || isIdle)
        void skillServers.end(event.sessionId);
      if (event.type === "session.compacted" || event.type === "session.deleted")
        for (const kind of [ruled, skilled]) kind.forget(event.sessionId);
    },
  };
}

/** Which session has which texts of one kind, within one bound per session. */
function createKind<T extends Rule>() {
  const told = new Map<string, Told>();

  const toldTo = (sessionId: string | null): Told => told.get(sessionId ?? "") ?? NOTHING;
  const add = (sessionId: string, { text, sources }: Given): void => {
    const before = toldTo(sessionId);
    const bytes = before.bytes + Buffer.byteLength(text);
    told.set(sessionId, { sources: new Set([...before.sources, ...sources]), bytes });
  };
  const isKnown = (sessionId: string | null, source: string): boolean =>
    toldTo(sessionId).sources.has(source);
  const unknownTo = (sessionId: string | null, found: readonly T[]): T[] =>
    found.filter(({ source }) => !isKnown(sessionId, source));
  return {
    isKnown,
    unknownTo,
    /** The texts for the start of a session, without those that it has. */
    opening(texts: Texts<T>, found: readonly T[], resume: string | null): OpeningTexts {
      const given = texts.render(unknownTo(resume, found), toldTo(resume).bytes);
      return { text: given.text, opened: (sessionId) => add(sessionId, given) };
    },
    /** The texts for these paths. @param isOwn whether the session has a text from elsewhere */
    give(sessionId: string, texts: Texts<T>, paths: readonly string[], isOwn: (text: T) => boolean): string {
      const own = unknownTo(sessionId, texts.rules.filter(isOwn));
      add(sessionId, { text: "", sources: own.map(({ source }) => source) });
      const fitting = texts.rules.filter((text) => paths.some(text.meetsPath));
      const given = texts.render(unknownTo(sessionId, fitting), toldTo(sessionId).bytes);
      add(sessionId, given);
      return given.text;
    },
    forget: (sessionId: string): void => void told.delete(sessionId),
  };
}

/** The paths that a call read by name or wrote, by the policy; relative to the project. Pure. */
function touchedPaths({ effect, examination, place }: Call): string[] {
  const isLook = effect.kind === "read" && effect.searches !== true && effect.patterns.length === 0;
  return [...(isLook || effect.kind === "other" ? effect.paths : []), ...examination.writes]
    .map((path) => pathBelow(place.project, resolve(place.directory, path)) ?? "")
    .filter(Boolean);
}
