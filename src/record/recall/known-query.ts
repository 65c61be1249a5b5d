import type { Knowledge } from "../entries/open.ts";
import type { Clock } from "../../lib/clock.ts";
import { type RecallEntry, type RecallKind, documentsOf } from "./entries.ts";
import type { ReadyDocument, Recall } from "./recall.ts";
import type { RecallHit } from "./search-index.ts";

/** How long an answer is given again, as long as nothing that counts has changed. */
const CACHED_MS = 60_000;
const MAX_CACHED = 200;
type Entries = Awaited<ReturnType<Knowledge["accepted"]>>;
const KNOWN = new Set<RecallKind>(["learning"]);

/** What someone asks of what is known. */
export interface KnownQuestion {
  readonly query: string;
  /** The most answers; 5 by default. */
  readonly limit?: number | undefined;
  /** The part of the best one's score that an answer has at least; 0.3 by default. */
  readonly threshold?: number | undefined;
}

/** An accepted entry that answers. */
export interface KnownAnswer {
  readonly id: string;
  readonly type: string;
  readonly scope: "project" | "user";
  readonly text: string;
  /** ISO day; empty when unknown. */
  readonly date: string;
  /** 1 for the best. */
  readonly score: number;
}

/** What is known of a question. */
export interface KnownAnswers {
  readonly answers: readonly KnownAnswer[];
  /** false: not all was read within the time; it is being read, and who asks again is told of it. */
  readonly isWhole: boolean;
}

/**
 * Asks what people accepted as known: the best of the project's before the best of the user's own.
 * @param timeoutMs nobody waits longer for an answer, in milliseconds: it is of what was read by then
 */
export function createKnownQuery(
  recall: Pick<Recall, "search">,
  knowledge: Pick<Knowledge, "accepted">,
  clock: Clock,
  timeoutMs: number,
): (question: KnownQuestion) => Promise<KnownAnswers> {
  const cache = new Map<string, { readonly at: number; readonly answers: readonly KnownAnswer[] }>();
  let state: { readonly at: number; readonly entries: Entries } = { at: 0, entries: [] };
  return async ({ query, limit = 5, threshold = 0.3 }) => {
    let isWhole = true;
    let cancel = (): void => undefined;
    const upTo = new Promise<void>((done) => {
      cancel = clock.after(timeoutMs, () => {
        isWhole = false;
        done();
      });
    });
    const kept = upTo.then((): Entries => (clock.now() - state.at < CACHED_MS ? state.entries : []));
    const reading = knowledge.accepted();
    const now = await Promise.race([reading, kept]);
    if (now !== state.entries) cache.clear();
    state = { at: isWhole ? clock.now() : state.at, entries: now };
    const key = JSON.stringify([query, limit, threshold]);
    const before = cache.get(key);
    if (before !== undefined && clock.now() - before.at < CACHED_MS) {
      cancel();
      return { answers: before.answers, isWhole };
    }
    const known = async (): Promise<readonly ReadyDocument[]> => documentsOf(await reading);
    const found = await recall.search(query, { kinds: KNOWN, prefix: true, known, upTo });
    cancel();
    const hits = isWhole ? found : found.filter(isOf(now));
    const best = hits[0]?.score ?? 1;
    // Of an entry that is found in several places, the best of them.
    const places = new Map(hits.toReversed().map((hit) => [hit.entry.path, hit]));
    const answers = [...places.values()]
      .toSorted((one, other) => other.score - one.score)
      .map(({ entry, score }): KnownAnswer => {
        const { heading: id, learning: type = "note", text, date, path } = entry;
        const scope = path.startsWith("user/") ? "user" : "project";
        return { id, type, scope, text, date, score: Math.round((score / best) * 100) / 100 };
      })
      .filter(({ score }) => score >= threshold)
      .toSorted((a, b) => Number(a.scope === "user") - Number(b.scope === "user"))
      .slice(0, limit);
    if (cache.size >= MAX_CACHED) cache.clear();
    if (isWhole) cache.set(key, { at: clock.now(), answers });
    return { answers, isWhole };
  };
}

/** Whether something found is of these entries: what could not be looked at in time may hold what counted before. */
function isOf(entries: Entries): (hit: RecallHit) => boolean {
  const texts = new Set(documentsOf(entries).flatMap((document) => document.entries.map(keyOf)));
  return ({ entry }) => texts.has(keyOf(entry));
}

function keyOf({ path, text }: RecallEntry): string {
  return `${path}\n${text}`;
}
