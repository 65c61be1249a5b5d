import { signatureOf } from "../store/atomic-file.ts";
import { blobNames, hashOf, parseKnowledge, type KnowledgeEntry } from "./entry.ts";
import { listAllFiles, lookInFiles, type KnowledgeFile, readEntry } from "./files.ts";
import { judgeKnowledge, type JudgedEntry } from "./judge.ts";
import type { KnowledgePlace } from "../knowledge.ts";
import { type Authors, BY_AGENT, BY_PERSON, type Grants, type Said } from "./authors.ts";
import { createWriter } from "./write.ts";

/** Of a file that is no entry, as much as is kept from models where something prints it. */
const MAX_UNREAD_TEXT = 256_000;

/** A file that lies among the entries and is none. */
export interface UnreadText {
  readonly what: string;
  readonly text: string;
}

export type Catalogue = ReturnType<typeof createCatalogue>;

const NOTHING_SAID: Grants = { hashes: new Set(), problem: null };

interface Known {
  readonly file: KnowledgeFile;
  readonly entry: KnowledgeEntry;
  readonly hash: string;
  /** Git's names for it. */
  readonly names: readonly string[];
}

export function createCatalogue(place: KnowledgePlace, authors: Authors, { stores, path }: Said) {
  const { directory, environment } = place;
  let known: ReadonlyMap<string, Known> = new Map();
  let unread: readonly UnreadText[] = [];
  let last: { readonly state: string; readonly entries: readonly JudgedEntry[] } = { state: "", entries: [] };
  let reading: Promise<readonly JudgedEntry[]> | null = null;

  const readOne = (file: KnowledgeFile): Known | null => {
    const before = known.get(file.path);
    if (before?.file.signature === file.signature) return before;
    const text = readEntry(file);
    if (text === null) return null;
    const { slug, scope } = file;
    const names = [...blobNames(text, 40), ...blobNames(text, 64)];
    return { file, entry: parseKnowledge(text, slug, scope), hash: hashOf(scope, slug, text), names };
  };
  const readNow = async (): Promise<readonly JudgedEntry[]> => {
    const head = await authors.settled();
    const { files, unread: others } = listAllFiles(directory, environment);
    const signatures = [...files, ...others].map((file) => file.path + file.signature);
    const state = [head, await signatureOf(path), ...signatures].join("\n");
    if (state === last.state) return last.entries;
    const found = await lookInFiles(files, readOne);
    unread = others.map((file) => ({
      what: file.what,
      text: (readEntry(file) ?? "").slice(0, MAX_UNREAD_TEXT),
    }));
    known = new Map(found.map((each) => [each.file.path, each]));
    // Nothing but what says so itself can be accepted.
    const accepting = found.filter(({ entry }) => entry.status === "accepted");
    const saidOf = async (scope: "project" | "user"): Promise<Grants> =>
      accepting.some(({ entry }) => entry.scope === scope) ? stores[scope].read() : NOTHING_SAID;
    const [project, user] = [await saidOf("project"), await saidOf("user")];
    const isDoubted = accepting.some(
      ({ entry, hash }) => entry.scope === "project" && !project.hashes.has(hash),
    );
    const committed = isDoubted ? await authors.committed() : new Map<string, string>();
    const isConfirmed = ({ entry: { scope, slug }, hash, names }: Known): boolean => {
      const { hashes, problem } = scope === "user" ? user : project;
      if (hashes.has(hash)) return true;
      if (names.some((name) => hashes.has(BY_AGENT + name))) return false;
      // The user's own counts as it says, for nobody else is known to write there.
      if (scope === "user") return problem === null;
      return hashes.has(BY_PERSON + hash) || names.includes(committed.get(slug) ?? "");
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

  return {
    async read(): Promise<readonly JudgedEntry[]> {
      reading ??= readNow().finally(() => {
        reading = null;
      });
      return reading;
    },
    unread: (): readonly UnreadText[] => unread,
    ...createWriter(place, stores, readNow),
  };
}

const LEAST = 16;
const FRONT = /^[-*+#>\s]+/;
const INSTEAD = "[not shown: proposed as known, and nobody has accepted it]";

type Withhold = (text: string) => string;

const made = new WeakMap<
  readonly JudgedEntry[],
  { readonly unread: readonly UnreadText[]; readonly withhold: Withhold }
>();

/** Takes lines of entries that do not count out of an output. What stands in an accepted entry stays. */
export function withholdUndecided(entries: readonly JudgedEntry[], unread: readonly UnreadText[]): Withhold {
  const before = made.get(entries);
  if (before?.unread === unread) return before.withhold;
  const linesOf = (texts: readonly string[]): string[] =>
    texts.flatMap((text) => text.split("\n")).map((line) => line.replace(FRONT, "").trim());
  const textsOf = (isTold: boolean): string[] =>
    entries
      .filter(({ standing }) => (standing === "accepted") === isTold)
      .flatMap(({ body, reason }) => [body, reason]);
  const told = linesOf(textsOf(true));
  const hidden = linesOf([...textsOf(false), ...unread.map(({ text }) => text)]);
  const undecided = new Map<string, Set<string>>();
  for (const line of hidden) {
    if (line.length < LEAST) continue;
    const alike = undecided.get(line.slice(0, LEAST)) ?? new Set();
    undecided.set(line.slice(0, LEAST), alike.add(line));
  }
  const withhold: Withhold = (text) => {
    const met = new Set<string>();
    // By how they begin: a book may be among them, and looking for each of its lines would take a second.
    for (let at = 0; at + LEAST <= text.length; at += 1)
      for (const line of undecided.get(text.slice(at, at + LEAST)) ?? [])
        if (text.startsWith(line, at)) met.add(line);
    const printed = [...met].filter((line) => !told.some((each) => each.includes(line)));
    if (printed.length === 0) return text;
    return text
      .split("\n")
      .map((line) => (printed.some((each) => line.includes(each)) ? INSTEAD : line))
      .join("\n");
  };
  made.set(entries, { unread, withhold });
  return withhold;
}
