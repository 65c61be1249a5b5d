import { join } from "node:path";
import { ownDataFolder } from "../../lib/user-folders.ts";
import type { Logger } from "../../lib/logger.ts";
import { type KnowledgeScope, blobNames, hashOf, parseKnowledge } from "./entry.ts";
import { knowledgeFolder, type KnowledgeFile, listAllFiles, lookInFiles, readEntry } from "./files.ts";
import type { KnowledgePlace } from "./open.ts";
import { describeError } from "../../lib/error.ts";
import type { Committed } from "./committed.ts";

/** What an agent has written or committed is kept under its name in git, with this in front. */
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

/**
 * Notes which entries say accepted since a call ran: an agent may have written them, so they wait for a person's yes. A commit of all
 * that lies about is none; a yes to it counts, and so does another text.
 */
export function createTouched(
  { directory, environment, host, follows = false }: KnowledgePlace,
  committed: Pick<Committed, "head" | "held">,
  said: () => Said,
) {
  const look = (): ReadonlyMap<string, KnowledgeFile> => {
    try {
      return new Map(listAllFiles(directory, environment).files.map((file) => [file.path, file]));
    } catch (error) {
      host.logger.log("error", "knowledge", describeError(error));
      return new Map();
    }
  };
  const accepting = async (files: readonly KnowledgeFile[]) =>
    lookInFiles(files, (file) => {
      const text = readEntry(file) ?? "";
      return parseKnowledge(text, file.slug, file.scope).status === "accepted" ? { ...file, text } : null;
    });
  const distrust = async (
    scope: KnowledgeScope,
    texts: readonly string[],
    held: ReadonlySet<string>,
  ): Promise<void> => {
    const names = texts.map((text) => [...blobNames(text, 40), ...blobNames(text, 64)]);
    const unknown = names.filter((each) => !each.some((name) => held.has(name)));
    if (unknown.length === 0) return;
    await said().stores[scope].grant(unknown.flat().map((name) => `${BY_AGENT}${name}`));
  };

  /** What lay there when no call ran; null before the first look. */
  let rest: ReadonlyMap<string, KnowledgeFile> | null = null;
  let running = 0;
  let isDoubted = !follows;
  let saving: Promise<unknown> = Promise.resolve();

  const changedSince = (
    before: ReadonlyMap<string, KnowledgeFile>,
    now: ReadonlyMap<string, KnowledgeFile>,
  ): KnowledgeFile[] =>
    [...now.values()].filter(({ path, signature }) => before.get(path)?.signature !== signature);
  /** Nobody but a person wrote what came while no call ran. */
  const settle = (now = look()): ReadonlyMap<string, KnowledgeFile> => {
    if (running > 0 || isDoubted) return now;
    const changed = rest === null ? [] : changedSince(rest, now);
    rest = now;
    const grant = async (): Promise<void> => {
      const own = changed.filter(({ scope }) => scope === "project");
      const hashes = (await accepting(own)).map(({ slug, scope, text }) => hashOf(scope, slug, text));
      if (hashes.length > 0) await said().stores.project.grant(hashes.map((hash) => BY_PERSON + hash));
    };
    if (changed.length > 0)
      saving = saving.then(grant).catch((error: unknown) => {
        host.logger.log("error", "knowledge", describeError(error));
      });
    return now;
  };

  return {
    /** What a person changed by now counts as theirs. Never rejects. */
    async settled(): Promise<void> {
      if (running > 0 || isDoubted) return;
      settle();
      await saving;
    },
    doubt(): void {
      settle();
      isDoubted = true;
    },
    /** A call of an agent's runs until the result is called, with whether it came to run; that never rejects. */
    begins(): (ran: boolean) => Promise<void> {
      const before = settle();
      const head = committed.head();
      running += 1;
      return async (ran) => {
        try {
          const now = ran ? look() : before;
          const changed = changedSince(before, now);
          if (ran) rest = now;
          const found = await accepting(changed);
          const textsOf = (wanted: KnowledgeScope): string[] =>
            found.filter(({ scope }) => scope === wanted).map(({ text }) => text);
          await distrust("user", textsOf("user"), new Set());
          const project = textsOf("project");
          // What a commit brought is judged with that commit.
          if (project.length > 0)
            await distrust("project", project, await committed.held([head, committed.head()]));
        } catch (error) {
          host.logger.log("error", "knowledge", describeError(error));
        } finally {
          running -= 1;
        }
      };
    },
  };
}
