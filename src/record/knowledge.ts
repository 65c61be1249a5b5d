import { lstatSync } from "node:fs";
import { join } from "node:path";
import { bounded, type Clock, shared, systemClock } from "../lib/async.ts";
import { createError, describeError, type Logger } from "../lib/error.ts";
import { foreignLines } from "../lib/markdown.ts";
import type { Redactor } from "../lib/redaction.ts";
import { codeOf, describeSystemProblem, GAIA_FOLDER, KNOWLEDGE_FOLDER } from "./gaia-path.ts";
import { createAuthors, doubtOf, openSaid, type OpenSaidStore, seenOf } from "./entries/authors.ts";
import {
  entryKey,
  entryName,
  hashOf,
  isKnowledgeName,
  kindOf,
  type KnowledgeEntry,
  parseKnowledge,
  renderKnowledge,
  restate,
} from "./entries/entry.ts";
import { type KnowledgeFile, listEntryFiles, lookInFiles, readEntry } from "./entries/files.ts";
import { type JudgedEntry, judgeKnowledge, waiting } from "./entries/judge.ts";
import { signatureOf } from "./store/atomic-file.ts";
import { createGaiaFiles } from "./store/gaia-files.ts";

export type { Grants, SaidStore } from "./entries/authors.ts";
export { titleOf } from "./entries/entry.ts";
export { type JudgedEntry, renderEntry, renderGovernance, waiting } from "./entries/judge.ts";

const MAX_BODY = 8_000;
const MAX_REASON = 400;
/** More that waits for a person nobody would read; an agent that goes on proposing is refused. */
const MAX_WAITING = 200;

export interface EntryDraft {
  readonly body: string;
  readonly reason: string;
  readonly by: string;
  readonly id?: string | undefined;
  readonly kind?: string | undefined;
  readonly source?: string | null | undefined;
  readonly evidence?: string | undefined;
  readonly about?: readonly string[] | undefined;
  readonly supersedes?: readonly string[] | undefined;
}

interface EntryDecision {
  readonly entry: Pick<JudgedEntry, "slug" | "hash">;
  readonly status: "accepted" | "rejected";
  readonly reason: string;
  readonly by: string;
}

interface Known {
  readonly file: KnowledgeFile;
  readonly entry: KnowledgeEntry;
  readonly text: string;
  readonly hash: string;
}

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
  const { directory, clock, enabled, timeoutMs, redact } = place;
  const { logger } = place.host;
  const folder = join(directory, GAIA_FOLDER, KNOWLEDGE_FOLDER);
  const said = openSaid(place);
  const authors = createAuthors(place, said);
  const files = createGaiaFiles(directory, logger);
  let known: ReadonlyMap<string, Known> = new Map();
  let unread: readonly string[] = [];
  let last: { readonly state: string; readonly entries: readonly JudgedEntry[] } = { state: "", entries: [] };

  const readOne = (file: KnowledgeFile): Known | null => {
    const before = known.get(file.path);
    if (before?.file.signature === file.signature) return before;
    const text = readEntry(file);
    if (text === null) return null;
    const { slug } = file;
    return { file, entry: parseKnowledge(text, slug), text, hash: hashOf(slug, text) };
  };
  const readNow = async (): Promise<readonly JudgedEntry[]> => {
    const head = await authors.settled();
    const listed = listEntryFiles(directory);
    unread = listed.unread;
    const signatures = listed.files.map((file) => file.path + file.signature);
    const state = [head, await signatureOf(said.path), ...signatures].join("\n");
    if (state === last.state) return last.entries;
    const found = await lookInFiles(listed.files, readOne);
    known = new Map(found.map((each) => [each.file.path, each]));
    // Nothing but what says so itself can be accepted.
    const isAny = found.some(({ entry }) => entry.status === "accepted");
    const hashes: ReadonlySet<string> = isAny ? (await said.store.read()).hashes : new Set();
    const isConfirmed = async ({ entry, hash, text }: Known): Promise<boolean> => {
      if (entry.status !== "accepted" || hashes.has(hash)) return entry.status === "accepted";
      if (hashes.has(doubtOf(text))) return false;
      return hashes.has(seenOf(entry.slug, text)) || authors.isCommitted(entry.slug, text);
    };
    const looked = found.map(async (each) => ({
      ...each.entry,
      path: each.file.path,
      hash: each.hash,
      isConfirmed: await isConfirmed(each),
    }));
    const entries = judgeKnowledge(await Promise.all(looked));
    last = { state, entries };
    return entries;
  };

  /** Changes one file to what `edit` makes of it. @returns its path */
  const change = async (slug: string, edit: (text: string | null) => string): Promise<string> => {
    const inside = `${KNOWLEDGE_FOLDER}/${slug}.md`;
    try {
      await files.exclusive(async (writer) =>
        writer.change(inside, (text) => ({ text: edit(text), result: null })),
      );
      return join(directory, GAIA_FOLDER, inside);
    } catch (cause) {
      const problem = describeSystemProblem(codeOf(cause));
      if (problem === null) throw cause;
      const hint = "Nothing was written.";
      throw createError("knowledge", `${slug}.md cannot be written: ${problem}.`, { cause, hint });
    }
  };
  const now = (): string => new Date(systemClock.now()).toISOString();

  const read = shared(readNow);
  const isAnything = (): boolean => lstatSync(folder, { throwIfNoEntry: false }) !== undefined;
  const all = async (): Promise<readonly JudgedEntry[]> => {
    if (!enabled) return NOTHING;
    if (isAnything()) return read();
    authors.look();
    return NOTHING;
  };
  return {
    /** Every entry with what counts of it, for people. @throws what reading throws */
    all,
    /** What looks like an entry and is not read as one, each with the reason. @throws as `all` */
    async unread(): Promise<readonly string[]> {
      await all();
      return enabled && isAnything() ? unread.toSorted() : [];
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
    async propose(draft: EntryDraft) {
      const { body, reason, by, kind = "note", supersedes = [] } = draft;
      if (!enabled) throw refuse("Knowledge is switched off (knowledge.enabled).", "");
      const text = foreignLines(redact(body)).join("\n").trim();
      const why = redact(reason).trim();
      if (text === "" || text.length > MAX_BODY)
        throw refuse("What is proposed has 1 to 8,000 characters.", "Say one thing, in a few sentences.");
      if (why === "" || why.length > MAX_REASON)
        throw refuse("A proposal has a reason of 1 to 400 characters.", "Say why everyone should know it.");
      const entries = await readNow();
      if (waiting(entries).length >= MAX_WAITING)
        throw refuse(
          `${MAX_WAITING} proposals wait for a person already.`,
          "Nothing more is taken until then.",
        );
      const same = entries.find((each) => entryKey(each.body) === entryKey(text));
      if (same !== undefined && same.standing !== "replaced")
        throw refuse(describeSame(same), "Nothing was written.");
      const id = (draft.id ?? "").toLowerCase() || entryName(text);
      if (!isKnowledgeName(id)) throw refuse(`"${id}" is no id.`, "It is 1 to 64 of a-z, 0-9, - and _.");
      const taken = new Set(entries.map(({ slug }) => slug.toLowerCase()));
      const slug = freeName(id, taken);
      const file = renderKnowledge({
        id: slug,
        kind: kindOf(kind),
        status: "proposed",
        by: redact(by),
        at: now(),
        reason: why,
        source: draft.source ?? "",
        evidence: redact(draft.evidence ?? ""),
        about: (draft.about ?? []).map(redact),
        supersedes: supersedes.map((name) => name.toLowerCase()),
        body: text,
      });
      const path = await change(slug, (before) => {
        if (before !== null) throw refuse(`${slug} was proposed meanwhile.`, "Try again.");
        return file;
      });
      return { id: slug, slug, hash: hashOf(slug, file), path };
    },
    /** What a person decided, and only ever that. @throws GaiaError where the entry is another one than they saw */
    async settle({ entry, status, reason, by }: EntryDecision): Promise<{ path: string }> {
      const { slug, hash } = entry;
      let accepted = "";
      const path = await change(slug, (before) => {
        if (before === null || hashOf(slug, before) !== hash)
          throw refuse(`${slug} is another one than you saw.`, "Look at it again; nothing was decided.");
        // Who says yes and no more says it for the reason that was given.
        const given = status === "accepted" ? parseKnowledge(before, slug).reason : "";
        accepted = restate(before, { status, by, at: now(), reason: redact(reason) || given });
        if (parseKnowledge(accepted, slug).status !== status)
          throw refuse(
            `${slug} is not clear about its own status.`,
            "Resolve the merge in its front matter first.",
          );
        return accepted;
      });
      // The file first: killed between the two, it says what nobody is known to have said, and waits.
      if (status === "accepted") await said.store.grant([hashOf(slug, accepted)]);
      else await said.store.revoke([hash]);
      return { path };
    },
    /** Something begins that the sandbox does not hold: what is new from now on waits for a person's yes. @param isPast it has run already */
    doubt(isPast = false): void {
      if (enabled) authors.doubt(isPast);
    },
  };
}

function refuse(message: string, hint: string): Error {
  return createError("knowledge", message, { hint });
}

function describeSame({ standing, id }: JudgedEntry): string {
  if (standing === "accepted") return `That is known already, as ${id}.`;
  if (standing === "rejected") return "A person has rejected just that.";
  return "Just that waits for a person already.";
}

function freeName(id: string, taken: ReadonlySet<string>): string {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? id : `${id.slice(0, 58)}-${count}`;
    if (!taken.has(name)) return name;
  }
}
