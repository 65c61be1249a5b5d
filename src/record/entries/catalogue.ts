import { signatureOf } from "../store/atomic-file.ts";
import { hashOf, parseKnowledge, type KnowledgeEntry } from "./entry.ts";
import { listEntryFiles, lookInFiles, type KnowledgeFile, readEntry } from "./files.ts";
import { judgeKnowledge, type JudgedEntry } from "./judge.ts";
import type { KnowledgePlace } from "../knowledge.ts";
import { type Authors, doubtOf, seenOf, type Said } from "./authors.ts";
import { createWriter } from "./write.ts";

export type Catalogue = ReturnType<typeof createCatalogue>;

interface Known {
  readonly file: KnowledgeFile;
  readonly entry: KnowledgeEntry;
  readonly text: string;
  readonly hash: string;
}

export function createCatalogue(place: KnowledgePlace, authors: Authors, { store, path }: Said) {
  const { directory } = place;
  let known: ReadonlyMap<string, Known> = new Map();
  let unread: readonly string[] = [];
  let last: { readonly state: string; readonly entries: readonly JudgedEntry[] } = { state: "", entries: [] };
  let reading: Promise<readonly JudgedEntry[]> | null = null;

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
    const state = [head, await signatureOf(path), ...signatures].join("\n");
    if (state === last.state) return last.entries;
    const found = await lookInFiles(listed.files, readOne);
    known = new Map(found.map((each) => [each.file.path, each]));
    // Nothing but what says so itself can be accepted.
    const isAny = found.some(({ entry }) => entry.status === "accepted");
    const hashes: ReadonlySet<string> = isAny ? (await store.read()).hashes : new Set();
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

  return {
    async read(): Promise<readonly JudgedEntry[]> {
      reading ??= readNow().finally(() => {
        reading = null;
      });
      return reading;
    },
    /** What looks like an entry and is not read as one, each with the reason; as of the last reading. */
    unread: (): readonly string[] => unread,
    ...createWriter(place, store, readNow),
  };
}
