import { createHash } from "node:crypto";
import { join, posix } from "node:path";
import { describeError, type Logger } from "../../lib/error.ts";
import { lazy } from "../../lib/async.ts";
import { ownDataFolder } from "../../lib/folders.ts";
import { askGit } from "../../process/git.ts";
import { lookAtCommit } from "../../commit/refs.ts";
import { GAIA_FOLDER, KNOWLEDGE_FOLDER } from "../gaia-path.ts";
import { hashOf, parseKnowledge } from "./entry.ts";
import { type KnowledgeFile, listEntryFiles, lookInFiles, readEntry } from "./files.ts";
import type { KnowledgePlace } from "../knowledge.ts";

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
export type Said = ReturnType<typeof openSaid>;

export function openSaid({ directory, environment, host, openStore }: KnowledgePlace) {
  const name = "knowledge.json";
  const folder = ownDataFolder(environment);
  return { store: openStore(folder, directory, host.logger, name), path: join(folder, name) };
}

/** Under what a text is kept that came while something ran outside of the sandbox, wherever its file lies. */
export function doubtOf(text: string): string {
  const plain = text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  return `doubted:${createHash("sha256").update(plain).digest("hex")}`;
}

/** Under what a text is kept that was a person's as far as one process could see: another one may know better. */
export function seenOf(slug: string, text: string): string {
  return `seen:${hashOf(slug, text)}`;
}

const MAX_BYTES = 2_000_000;
const COMMIT = /^[0-9a-f]{40,64}$/;
const ROW = /^\d+ blob ([0-9a-f]{40,64})\t\.gaia\/(.+)\.md$/;

/** The names that git has for a text: as it is, and as it is committed where line ends are changed. */
function blobNames(text: string): string[] {
  return [text, text.replaceAll("\r\n", "\n")].flatMap((each) => {
    const bytes = Buffer.from(each);
    const head = `blob ${bytes.length}\0`;
    return ["sha1", "sha256"].map((name) => createHash(name).update(head).update(bytes).digest("hex"));
  });
}

/**
 * Tells whose the entries are. No agent can write them from within the sandbox or by a tool, so a change is a person's until
 * something runs without a wall; from then on, in this process, what is new waits for a person's yes.
 */
export function createAuthors(
  { directory, host: { worktree, logger }, isWatching = false }: KnowledgePlace,
  { store }: Said,
) {
  let files: ReadonlyMap<string, KnowledgeFile> | null = null;
  /** The commit up to which all is people's; null for none. */
  let head: string | null = null;
  let isDoubted = false;
  let listed = { head: null as string | null, blobs: lazy(async () => new Map<string, string>()) };
  let saving: Promise<unknown> = Promise.resolve();

  const blobsAt = async (commit: string): Promise<Map<string, string>> => {
    const args = ["ls-tree", "-r", "-z", commit, "--", `${GAIA_FOLDER}/${KNOWLEDGE_FOLDER}/`];
    const { ok, text } = await askGit({ folder: directory }, args, { maxBytes: MAX_BYTES });
    const rows = (ok ? text : "").split("\0").flatMap((row) => {
      const [, blob = "", path = ""] = ROW.exec(row) ?? [];
      return path === "" ? [] : [[posix.relative(KNOWLEDGE_FOLDER, path), blob] as const];
    });
    return new Map(rows);
  };
  /** Whether a commit holds an entry as it stands. */
  const isIn = async (commit: string | null, slug: string, text: string): Promise<boolean> => {
    if (commit === null) return false;
    if (listed.head !== commit) listed = { head: commit, blobs: lazy(async () => blobsAt(commit)) };
    return blobNames(text).includes((await listed.blobs()).get(slug) ?? "");
  };
  const note = async (changed: readonly KnowledgeFile[], isAnyones: boolean): Promise<void> => {
    const found = await lookInFiles(changed, ({ path, slug }) => {
      const text = readEntry({ path }) ?? "";
      return parseKnowledge(text, slug).status === "accepted" ? { slug, text } : null;
    });
    if (found.length === 0) return;
    const { hashes } = await store.read();
    const fresh: string[] = [];
    for (const { slug, text } of found) {
      if (hashes.has(hashOf(slug, text)) || hashes.has(doubtOf(text))) continue;
      if (!isAnyones) fresh.push(seenOf(slug, text));
      // Whoever writes an entry may commit it as well.
      else if (!(await isIn(head, slug, text))) fresh.push(doubtOf(text));
    }
    if (fresh.length > 0) await store.grant(fresh);
  };

  /** Takes note of what changed since the last look. */
  const look = (): void => {
    const commit = lookAtCommit(worktree) ?? "";
    const now = COMMIT.test(commit) ? commit : null;
    if (files === null || !isDoubted) head = now;
    try {
      const before = files;
      files = new Map(listEntryFiles(directory).files.map((file) => [file.path, file]));
      const changed = [...files.values()].filter(
        ({ path, signature }) => before !== null && before.get(path)?.signature !== signature,
      );
      const isAnyones = isDoubted;
      if (changed.length > 0 && isWatching)
        saving = saving
          .then(async () => note(changed, isAnyones))
          .catch((error: unknown) => {
            files = new Map(); // All of them are looked at again.
            logger.log("error", "knowledge", describeError(error));
          });
    } catch (error) {
      logger.log("error", "knowledge", describeError(error));
    }
  };

  return {
    look,
    /** Looks, and resolves once that is kept. Never rejects. @returns the commit at which people's part ends */
    async settled(): Promise<string | null> {
      look();
      await saving;
      return head;
    },
    /** Whether people have committed an entry as it stands. */
    isCommitted: async (slug: string, text: string): Promise<boolean> => isIn(head, slug, text),
    /** Something may write from now on that no wall keeps out. @param isPast it may have since the last look */
    doubt(isPast: boolean): void {
      isDoubted ||= isPast;
      look();
      isDoubted = true;
    },
  };
}
