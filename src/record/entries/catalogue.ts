import { setImmediate } from "node:timers/promises";
import { signatureOf } from "../store/atomic-file.ts";
import type { Committed } from "./committed.ts";
import {
  blobNames,
  hashOf,
  KNOWLEDGE_SCOPES,
  type KnowledgeScope,
  parseKnowledge,
  type KnowledgeEntry,
} from "./entry.ts";
import {
  type FolderOfKnowledge,
  knowledgeFolder,
  type KnowledgeFile,
  listFiles,
  readEntry,
  type UnreadFile,
} from "./files.ts";
import { judgeKnowledge, type JudgedEntry } from "./judge.ts";
import type { Knowledge, KnowledgePlace } from "./open.ts";
import { BY_AGENT, BY_PERSON, type Grants, type Said } from "./said.ts";
import { createWriter } from "./write.ts";

const AT_ONCE = 64;

/** Of a file that is no entry, as much as is kept from models where something prints it. */
const MAX_UNREAD_TEXT = 256_000;

/** A file that lies among the entries and is none. */
export interface UnreadText {
  readonly what: string;
  readonly text: string;
}

export interface Catalogue extends Pick<Knowledge, "propose" | "settle"> {
  read(): Promise<readonly JudgedEntry[]>;
  unread(): readonly UnreadText[];
  /** What an agent has committed does not count by that. @param blobs git's names for it */
  distrust(blobs: readonly string[]): Promise<void>;
}

const NOTHING_SAID: Grants = { hashes: new Set(), problem: null };

interface Known {
  readonly file: KnowledgeFile;
  readonly entry: KnowledgeEntry;
  readonly hash: string;
  readonly name: string;
  /** The same, as a checkout may have it. */
  readonly isBlob: (blob: string) => boolean;
}

export function createCatalogue(
  place: KnowledgePlace,
  committed: Committed,
  { stores, path }: Said,
): Catalogue {
  const { directory, environment } = place;
  let known: ReadonlyMap<string, Known> = new Map();
  let unread: readonly UnreadText[] = [];
  let last: { readonly state: string; readonly entries: readonly JudgedEntry[] } = { state: "", entries: [] };
  let reading: Promise<readonly JudgedEntry[]> | null = null;

  const look = (): FolderOfKnowledge => {
    const folders = KNOWLEDGE_SCOPES.map((scope) =>
      listFiles(scope, knowledgeFolder(scope, directory, environment)),
    );
    return {
      files: folders.flatMap(({ files }) => files),
      unread: folders.flatMap((folder) => folder.unread),
    };
  };
  const textOf = (file: UnreadFile): UnreadText => ({
    what: file.what,
    text: (readEntry(file) ?? "").slice(0, MAX_UNREAD_TEXT),
  });
  const readOne = (file: KnowledgeFile): Known | null => {
    const before = known.get(file.path);
    if (before?.file.signature === file.signature) return before;
    const text = readEntry(file);
    if (text === null) return null;
    const { slug, scope } = file;
    const entry = parseKnowledge(text, slug, scope);
    const isBlob = (blob: string): boolean => blobNames(text, blob.length).includes(blob);
    return { file, entry, hash: hashOf(scope, slug, text), name: blobNames(text, 40)[0] ?? "", isBlob };
  };
  const readNow = async (): Promise<readonly JudgedEntry[]> => {
    const { files, unread: others } = look();
    const state = [
      committed.mark(),
      await signatureOf(path),
      ...[...files, ...others].map((file) => file.path + file.signature),
    ].join("\n");
    if (state === last.state) return last.entries;
    const found: Known[] = [];
    for (let at = 0; at < files.length; at += AT_ONCE) {
      found.push(...files.slice(at, at + AT_ONCE).flatMap((file) => readOne(file) ?? []));
      if (at + AT_ONCE < files.length) await setImmediate();
    }
    unread = others.map(textOf);
    known = new Map(found.map((each) => [each.file.path, each]));
    // Nothing but what says so itself can be accepted.
    const said = found.filter(({ entry }) => entry.status === "accepted");
    const saidOf = async (scope: KnowledgeScope): Promise<Grants> =>
      said.some(({ entry }) => entry.scope === scope) ? stores[scope].read() : NOTHING_SAID;
    const [{ hashes }, own] = await Promise.all([saidOf("project"), saidOf("user")]);
    const isDoubted = said.some(({ entry, hash }) => entry.scope === "project" && !hashes.has(hash));
    const before = isDoubted ? await committed.before() : new Map<string, string>();
    const byAgents = [...own.hashes].flatMap((hash) =>
      hash.startsWith(BY_AGENT) ? [hash.slice(BY_AGENT.length)] : [],
    );
    const isConfirmed = ({ entry, hash, name, isBlob }: Known): boolean => {
      // The user's own counts as it says, for nobody else is known to write there.
      if (entry.scope === "user")
        return own.problem === null && (own.hashes.has(hash) || !byAgents.some(isBlob));
      if (hashes.has(hash)) return true;
      const isTheirs = (blob: string): boolean => !hashes.has(`${BY_AGENT}${blob}`);
      const blob = before.get(entry.slug);
      return (
        (hashes.has(BY_PERSON + hash) && isTheirs(name)) ||
        (blob !== undefined && isTheirs(blob) && isBlob(blob))
      );
    };
    const entries = judgeKnowledge(
      found.map((each) => ({
        ...each.entry,
        path: each.file.path,
        hash: each.hash,
        isConfirmed: isConfirmed(each),
      })),
    );
    last = { state, entries };
    return entries;
  };
  const read: Catalogue["read"] = async () => {
    reading ??= readNow().finally(() => {
      reading = null;
    });
    return reading;
  };

  return {
    read,
    unread: () => unread,
    async distrust(blobs) {
      await stores.project.grant(blobs.map((blob) => `${BY_AGENT}${blob}`));
    },
    ...createWriter(place, stores, readNow),
  };
}
