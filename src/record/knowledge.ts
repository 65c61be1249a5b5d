import { randomUUID } from "node:crypto";
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { bounded } from "../lib/bounded.ts";
import type { Clock } from "../lib/clock.ts";
import { describeError } from "../lib/error.ts";
import { lazy } from "../lib/lazy.ts";
import type { Logger } from "../lib/logger.ts";
import type { Redactor } from "../lib/redaction.ts";
import { openCodeConfigFolder } from "../lib/user-folders.ts";
import { isAnyMarked, markedBy } from "../process/process-group.ts";
import { GAIA_FOLDER, KNOWLEDGE_FOLDER } from "./gaia-path.ts";
import type { Catalogue, UnreadText } from "./entries/catalogue.ts";
import type { JudgedEntry } from "./entries/judge.ts";
import { takeEarlier } from "./entries/earlier.ts";
import { createAuthors, openSaid, type OpenSaidStore } from "./entries/authors.ts";
import { createGaiaFiles } from "./store/gaia-files.ts";
import type { EntryDraft, Proposed, EntryDecision } from "./entries/write.ts";

export type { Grants, SaidStore } from "./entries/authors.ts";
export { titleOf } from "./entries/entry.ts";
export { type JudgedEntry, renderEntry, renderGovernance, waiting } from "./entries/judge.ts";
export type { EntryDraft } from "./entries/write.ts";

export interface KnowledgePlace {
  readonly directory: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly clock: Clock;
  /** Where the repository is, and who is told of what goes wrong. */
  readonly host: { readonly worktree: string; readonly logger: Logger };
  readonly redact: Redactor;
  /** Where the user's yeses are kept, which is no part of the record. */
  readonly openStore: OpenSaidStore;
  /** Longer than this nobody waits for knowledge, in milliseconds; who comes next is given what was read meanwhile. */
  readonly timeoutMs: number;
  readonly enabled: boolean;
  /** Set in the process in which agents work, which alone takes over earlier formats: whether all that they do is seen. */
  readonly follows?: boolean;
}

/** What the team knows, in `.gaia/knowledge/` and the user's own folder. Where neither is there, nothing is loaded. */
export type Knowledge = ReturnType<typeof openKnowledge>;

const LOCK_MS = 5_000;
/** How often it is looked at what something writes that was left at work, in milliseconds. */
const FOLLOW_MS = 1_000;
const NOTHING: readonly JudgedEntry[] = [];

export function openKnowledge(place: KnowledgePlace) {
  const { directory, environment, clock, enabled, timeoutMs, follows } = place;
  const { logger } = place.host;
  const folders = [
    join(directory, GAIA_FOLDER, KNOWLEDGE_FOLDER),
    join(openCodeConfigFolder(environment), "gaia-knowledge"),
  ];
  const said = lazy(() => openSaid(place));
  const authors = createAuthors(place, said);
  const catalogue = lazy(async (): Promise<Catalogue> =>
    (await import("./entries/catalogue.ts")).createCatalogue(place, authors, said()),
  );
  const isAnything = (): boolean =>
    folders.some((folder) => lstatSync(folder, { throwIfNoEntry: false }) !== undefined);
  const marker = randomUUID();
  let isMarked = false;
  let isFollowed = false;
  /** A call ended while it was asked what is at work: that may have begun behind the question's back. */
  let isAskedAgain = false;
  let isOver = false;
  let cancel = (): void => undefined;

  /** What earlier versions wrote; once, by the process in which agents work. */
  const takeOver = lazy(async (): Promise<void> => {
    if (!enabled || follows === undefined) return;
    try {
      await takeEarlier(createGaiaFiles(directory, LOCK_MS, logger));
    } catch (error) {
      logger.log("error", "knowledge", describeError(error));
    }
  });
  let latest: readonly JudgedEntry[] | null = null;
  const all = async (): Promise<readonly JudgedEntry[]> => {
    if (!enabled) return NOTHING;
    await takeOver();
    if (!isAnything()) {
      authors.mark();
      return NOTHING;
    }
    return (latest = await (await catalogue()).read());
  };
  /** @returns null where it takes too long */
  const soon = async (): Promise<readonly JudgedEntry[] | null> => {
    try {
      return await bounded(all(), timeoutMs, clock, "knowledge");
    } catch (error) {
      logger.log("debug", "knowledge", describeError(error));
      return null;
    }
  };
  const unread = async (): Promise<readonly UnreadText[]> =>
    enabled && isAnything() ? (await catalogue()).unread() : [];
  const watch = (isApart: boolean): ((ran: boolean) => Promise<void>) => {
    if (!enabled) return async () => undefined;
    return authors.begins(isApart);
  };
  /** What was left at work writes as the call did. The next look begins before `ends`, so that no write goes unseen. */
  const follow = async (ends: (ran: boolean) => Promise<void>): Promise<void> => {
    let isAny = false;
    isFollowed = true;
    do {
      isAskedAgain = false;
      isAny = await isAnyMarked(marker, clock);
    } while (!isAny && isAskedAgain);
    isFollowed = isAny && !isOver;
    const next = isFollowed ? watch(false) : null;
    await ends(true);
    if (next !== null && !isOver) cancel = clock.after(FOLLOW_MS, () => void follow(next));
  };
  const begins = (isApart = false) => {
    const ends = watch(isApart);
    return async (ran: boolean): Promise<void> => {
      isAskedAgain ||= ran;
      await (ran && isMarked && !isFollowed ? follow(ends) : ends(ran));
    };
  };
  const doubt = (): Readonly<Record<string, string>> => {
    authors.doubt();
    isMarked = true;
    return markedBy(marker, process.env);
  };
  return {
    /** Every entry with what counts of it, for people. @throws what reading throws */
    all,
    /** What looks like an entry and is not read as one, each with the reason. @throws as `all` */
    async unread(): Promise<readonly string[]> {
      await all();
      return (await unread()).map(({ what }) => what).toSorted();
    },
    /** An output without what nobody has accepted, as far as it prints it line by line. Never rejects. */
    async withoutUndecided(): Promise<(text: string) => string> {
      // What is not known yet is waited for: without it everything would pass.
      const entries = (await soon()) ?? latest ?? (await all().catch(() => NOTHING));
      const others = await unread();
      if (others.length === 0 && entries.every(({ standing }) => standing === "accepted"))
        return (text) => text;
      const { withholdUndecided } = await import("./entries/catalogue.ts");
      return withholdUndecided(entries, others);
    },
    /** What may reach a model: accepted by a person, and nothing else. Never rejects, and never takes longer than `timeoutMs`. */
    async accepted(): Promise<readonly JudgedEntry[]> {
      return ((await soon()) ?? NOTHING).filter(({ standing }) => standing === "accepted");
    },
    /** Writes a proposal, no matter who makes it. @throws GaiaError where it is refused */
    async propose(draft: EntryDraft): Promise<Proposed> {
      return (await catalogue()).propose(draft);
    },
    /** What a person decided, and only ever that. @throws GaiaError where the entry is another one than they saw */
    settle: async (verdict: EntryDecision) => (await catalogue()).settle(verdict),
    /** What is there and committed by now is people's. */
    mark: authors.mark,
    /** A call of an agent's runs until the result is called, with whether it came to run. @param isApart in a tree of its own */
    begins,
    /** @returns variables for what may go on by itself: where the system tells of such, a call lasts as long as there is any */
    doubt,
    /** Runs what agents may have a hand in, and nothing ends what it leaves. */
    async freely<T>(run: () => Promise<T>): Promise<T> {
      doubt();
      const ends = begins();
      try {
        return await run();
      } finally {
        await ends(true);
      }
    },
    /** Nothing that was left at work is followed any more. */
    dispose(): void {
      isOver = true;
      cancel();
    },
  };
}
