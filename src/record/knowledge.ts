import { lstatSync } from "node:fs";
import { join } from "node:path";
import { bounded, type Clock, lazy } from "../lib/async.ts";
import { describeError, type Logger } from "../lib/error.ts";
import type { Redactor } from "../lib/redaction.ts";
import { GAIA_FOLDER, KNOWLEDGE_FOLDER } from "./gaia-path.ts";
import type { Catalogue, EntryDraft, Proposed, EntryDecision } from "./entries/catalogue.ts";
import type { JudgedEntry } from "./entries/judge.ts";
import { createAuthors, openSaid, type OpenSaidStore } from "./entries/authors.ts";

export type { Grants, SaidStore } from "./entries/authors.ts";
export { titleOf } from "./entries/entry.ts";
export { type JudgedEntry, renderEntry, renderGovernance, waiting } from "./entries/judge.ts";
export type { EntryDraft } from "./entries/catalogue.ts";

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
  /** Set in the process in which agents work, which alone keeps whose the changes are. */
  readonly isWatching?: boolean;
}

/** What the team knows, in `.gaia/knowledge/`. Where that is not there, nothing is loaded. */
export type Knowledge = ReturnType<typeof openKnowledge>;

const NOTHING: readonly JudgedEntry[] = [];

export function openKnowledge(place: KnowledgePlace) {
  const { directory, clock, enabled, timeoutMs } = place;
  const { logger } = place.host;
  const folder = join(directory, GAIA_FOLDER, KNOWLEDGE_FOLDER);
  const said = lazy(() => openSaid(place));
  const authors = createAuthors(place, said);
  const catalogue = lazy(async (): Promise<Catalogue> =>
    (await import("./entries/catalogue.ts")).createCatalogue(place, authors, said()),
  );
  const isAnything = (): boolean => lstatSync(folder, { throwIfNoEntry: false }) !== undefined;

  const all = async (): Promise<readonly JudgedEntry[]> => {
    if (!enabled) return NOTHING;
    if (isAnything()) return (await catalogue()).read();
    authors.look();
    return NOTHING;
  };
  return {
    /** Every entry with what counts of it, for people. @throws what reading throws */
    all,
    /** What looks like an entry and is not read as one, each with the reason. @throws as `all` */
    async unread(): Promise<readonly string[]> {
      await all();
      return enabled && isAnything() ? (await catalogue()).unread().toSorted() : [];
    },
    /** What may reach a model: accepted by a person, and nothing else. Never rejects, and never takes longer than `timeoutMs`. */
    async accepted(): Promise<readonly JudgedEntry[]> {
      try {
        const entries = await bounded(all(), timeoutMs, clock, "knowledge");
        return entries.filter(({ standing }) => standing === "accepted");
      } catch (error) {
        logger.log("debug", "knowledge", describeError(error));
        return NOTHING;
      }
    },
    /** Writes a proposal, no matter who makes it. @throws GaiaError where it is refused */
    async propose(draft: EntryDraft): Promise<Proposed> {
      return (await catalogue()).propose(draft);
    },
    /** What a person decided, and only ever that. @throws GaiaError where the entry is another one than they saw */
    settle: async (verdict: EntryDecision) => (await catalogue()).settle(verdict),
    /** Something begins that the sandbox does not hold: what is new from now on waits for a person's yes. @param isPast it has run already */
    doubt(isPast = false): void {
      if (enabled) authors.doubt(isPast);
    },
  };
}
