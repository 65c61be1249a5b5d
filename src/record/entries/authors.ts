import { join, posix } from "node:path";
import { describeError } from "../../lib/error.ts";
import type { Logger } from "../../lib/logger.ts";
import { ownDataFolder } from "../../lib/user-folders.ts";
import { askGit } from "../../process/git.ts";
import { lookAtCommit } from "../../commit/refs.ts";
import { GAIA_FOLDER, KNOWLEDGE_FOLDER } from "../gaia-path.ts";
import { blobNames, hashOf, parseKnowledge, type KnowledgeScope } from "./entry.ts";
import { type KnowledgeFile, knowledgeFolder, listAllFiles, lookInFiles, readEntry } from "./files.ts";
import type { KnowledgePlace } from "../knowledge.ts";

/** What an agent has written is kept under its name in git, with this in front. */
export const BY_AGENT = "agent:";
/** In front of what a yes would be kept under, of what a person wrote while no agent of GAIA's was at work. */
export const BY_PERSON = "person:";

/** What the user has said yes to, by content hash. */
export interface Grants {
  readonly hashes: ReadonlySet<string>;
  /** Why nothing is granted although a file is there; null where all is well. */
  readonly problem: string | null;
}

export interface SaidStore {
  read(): Promise<Grants>;
  grant(hashes: readonly string[]): Promise<void>;
  /** @throws GaiaError as `grant`. @returns how many there were */
  revoke(hashes: readonly string[] | "all"): Promise<number>;
}

/** Opens one in the user's data folder. @param about the project @param name of the file */
export type OpenSaidStore = (folder: string, about: string, logger: Logger, name: string) => SaidStore;

/** What people said of knowledge, beside what they trust: in their own data folder, which GAIA's agents cannot write. */
export interface Said {
  /** By whose knowledge it is: that of the user's own holds in all of their projects. */
  readonly stores: Readonly<Record<KnowledgeScope, SaidStore>>;
  readonly path: string;
}

export function openSaid({ directory, environment, host, openStore }: KnowledgePlace): Said {
  const name = "knowledge.json";
  const folder = ownDataFolder(environment);
  const storeOf = (about: string): SaidStore => openStore(folder, about, host.logger, name);
  const user = storeOf(knowledgeFolder("user", directory, environment));
  return { stores: { project: storeOf(directory), user }, path: join(folder, name) };
}

const MAX_BYTES = 2_000_000;
const COMMIT = /^[0-9a-f]{40,64}$/;
const ROW = /^\d+ blob ([0-9a-f]{40,64})\t\.gaia\/(.+)\.md$/;

type Files = ReadonlyMap<string, KnowledgeFile>;
/** Git's names for entries, by their slugs. */
type Blobs = ReadonlyMap<string, string>;

interface Look {
  readonly files: Files;
  /** The commit that is checked out; null for none. */
  readonly head: string | null;
}

export type Authors = ReturnType<typeof createAuthors>;

/**
 * Tells whose the entries are. What changes while an agent's call runs may be the agent's: wherever it goes from there, it waits for
 * a person's yes. What changes while none runs is a person's, and so is what they have committed.
 */
export function createAuthors(
  { directory, environment, host: { worktree, logger }, follows = false }: KnowledgePlace,
  said: () => Said,
) {
  /** As it was when no call ran. */
  let rest: Look | null = null;
  let listed = { head: null as string | null, blobs: Promise.resolve<Blobs>(new Map()) };
  let running = 0;
  let isDoubted = !follows;
  let saving: Promise<unknown> = Promise.resolve();

  const failed = (error: unknown): void => logger.log("error", "knowledge", describeError(error));
  const look = (): Look => {
    const commit = lookAtCommit(worktree) ?? "";
    const head = COMMIT.test(commit) ? commit : null;
    try {
      const { files } = listAllFiles(directory, environment);
      return { head, files: new Map(files.map((file) => [file.path, file])) };
    } catch (error) {
      failed(error);
      return { head, files: new Map() };
    }
  };
  const changedSince = (before: Files, now: Files): KnowledgeFile[] =>
    [...now.values()].filter(({ path, signature }) => before.get(path)?.signature !== signature);
  /** Those of these files that say accepted, with what they hold. */
  const accepting = async (files: readonly KnowledgeFile[]) =>
    lookInFiles(files, (file) => {
      const text = readEntry(file) ?? "";
      const { status } = parseKnowledge(text, file.slug, file.scope);
      return status === "accepted" ? { ...file, text } : null;
    });
  const blobsAt = async (commit: string | null): Promise<Blobs> => {
    if (commit === null) return new Map();
    const args = ["ls-tree", "-r", "-z", commit, "--", `${GAIA_FOLDER}/${KNOWLEDGE_FOLDER}/`];
    const { ok, text } = await askGit({ folder: directory }, args, { maxBytes: MAX_BYTES });
    const rows = (ok ? text : "").split("\0").flatMap((row) => {
      const [, blob = "", path = ""] = ROW.exec(row) ?? [];
      return path === "" ? [] : [[posix.relative(KNOWLEDGE_FOLDER, path), blob] as const];
    });
    return new Map(rows);
  };
  const isFetched = async (commit: string | null): Promise<boolean> => {
    if (commit === null) return false;
    const args = ["rev-list", "--max-count=1", "--ignore-missing", commit, "--not", "--remotes"];
    const { ok, text } = await askGit({ folder: directory }, args, { maxBytes: MAX_BYTES });
    return ok && text.trim() === "";
  };
  const distrust = async (
    scope: KnowledgeScope,
    texts: readonly string[],
    known: ReadonlySet<string>,
  ): Promise<void> => {
    const names = texts.map((text) => [...blobNames(text, 40), ...blobNames(text, 64)]);
    const unknown = names.filter((each) => !each.some((name) => known.has(name)));
    if (unknown.length === 0) return;
    await said().stores[scope].grant(unknown.flat().map((name) => `${BY_AGENT}${name}`));
  };

  /** What an agent's call has committed, whether or not it stands in the tree by now. */
  const distrustCommits = async (from: string | null, to: string | null): Promise<void> => {
    if (from === to || (await isFetched(to))) return;
    const known = new Set((await blobsAt(from)).values());
    const made = [...(await blobsAt(to)).values()].filter((blob) => !known.has(blob));
    if (made.length > 0) await said().stores.project.grant(made.map((blob) => BY_AGENT + blob));
  };

  /** Nobody but a person made what came while no call ran. */
  const settle = (): Look => {
    const now = look();
    if (rest !== null && (running > 0 || isDoubted)) return now;
    const changed = rest === null ? [] : changedSince(rest.files, now.files);
    rest = now;
    const grant = async (): Promise<void> => {
      const own = await accepting(changed.filter(({ scope }) => scope === "project"));
      const hashes = own.map(({ slug, scope, text }) => BY_PERSON + hashOf(scope, slug, text));
      if (hashes.length > 0) await said().stores.project.grant(hashes);
    };
    if (changed.length > 0) saving = saving.then(grant).catch(failed);
    return now;
  };

  return {
    /** What a person changed by now counts as theirs. Never rejects. @returns the commit at which people's part ends */
    async settled(): Promise<string | null> {
      settle();
      await saving;
      return rest?.head ?? null;
    },
    /** The entries that people have committed. */
    async committed(): Promise<Blobs> {
      const head = rest?.head ?? null;
      if (listed.head !== head) listed = { head, blobs: blobsAt(head) };
      return listed.blobs;
    },
    mark: (): void => void settle(),
    doubt(): void {
      settle();
      isDoubted = true;
    },
    /**
     * A call of an agent's runs until the result is called, with whether it came to run; that never rejects.
     * @param isApart in a tree of its own, so that what is committed here meanwhile is not its
     */
    begins(isApart: boolean): (ran: boolean) => Promise<void> {
      const before = settle();
      running += 1;
      let isOver = false;
      return async (ran) => {
        if (isOver) return;
        isOver = true;
        try {
          if (!ran) return;
          const now = look();
          rest = { files: now.files, head: rest?.head ?? null };
          await distrustCommits(before.head, isApart ? before.head : now.head);
          const found = await accepting(changedSince(before.files, now.files));
          const textsOf = (wanted: KnowledgeScope): string[] =>
            found.filter(({ scope }) => scope === wanted).map(({ text }) => text);
          await distrust("user", textsOf("user"), new Set());
          const project = textsOf("project");
          if (project.length === 0) return;
          // Put back, or brought from where others have pushed it.
          const isOthers = isApart || (now.head !== before.head && (await isFetched(now.head)));
          const known = [await blobsAt(before.head), ...(isOthers ? [await blobsAt(now.head)] : [])];
          await distrust("project", project, new Set(known.flatMap((blobs) => [...blobs.values()])));
        } catch (error) {
          failed(error);
        } finally {
          running -= 1;
        }
      };
    },
  };
}
