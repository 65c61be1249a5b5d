import type { ResolvedConfig } from "../../config/schema.ts";
import { excerpt } from "../../lib/text.ts";
import { tagged } from "../../lib/quoting.ts";
import type { RecallEntry } from "./entry.ts";
import type { RecallHit } from "./rank.ts";
import { isGeneric } from "./terms.ts";

const CHARACTERS_PER_TOKEN = 4;
const MAX_TEXT = 240;
/** A word that is in more than this part of the record says nothing about one request. */
const RARE = 0.03;
/** …but where there is little to compare with, a handful counts as rare. */
const FEW = 3;
/** …and in a large record, more than this is never rare. */
const MANY = 20;

export type RelevantLimits = Pick<ResolvedConfig["knowledge"], "maxItems" | "maxTokens" | "threshold">;

/** Chooses the few hits that share a file, two telling words or one rare word with a request, within a budget. */
export function selectRelevant(
  hits: readonly RecallHit[],
  files: readonly string[],
  total: number,
  { maxItems, maxTokens, threshold }: RelevantLimits,
): RecallEntry[] {
  const spread = new Map<string, number>();
  for (const term of hits.flatMap(({ terms }) => terms)) spread.set(term, (spread.get(term) ?? 0) + 1);
  const isRare = (term: string): boolean =>
    term.length > 2 && (spread.get(term) ?? 0) <= Math.max(FEW, Math.min(MANY, total * RARE));
  const names = files
    .map((file) => file.split("/").at(-1)?.toLowerCase() ?? "")
    .filter((name) => name !== "");
  const matters = ({ entry, terms }: RecallHit): boolean => {
    const telling = terms.filter((term) => !isGeneric(term));
    return (
      telling.length > 1 ||
      telling.some(isRare) ||
      names.some((name) => [entry.text, ...(entry.about ?? [])].join("\n").toLowerCase().includes(name))
    );
  };
  const relevant = hits.filter(matters);
  const least = (relevant[0]?.score ?? 0) * threshold;
  const chosen: RecallEntry[] = [];
  let left = maxTokens * CHARACTERS_PER_TOKEN;
  for (const { entry, score } of relevant) {
    const cost = renderItem(entry).length + 1;
    if (score < least || chosen.length === maxItems || cost > left) continue;
    chosen.push(entry);
    left -= cost;
  }
  return chosen;
}

export function renderRelevant(entries: readonly RecallEntry[]): string {
  if (entries.length === 0) return "";
  return tagged("gaia-memory", ["From earlier work here:", ...entries.map(renderItem)].join("\n"));
}

function renderItem({ learning = "decision", text, unit, date }: RecallEntry): string {
  const source = [unit, date].filter(Boolean).join(", ");
  return `- ${learning}: ${excerpt(text, MAX_TEXT)}${source === "" ? "" : ` (${source})`}`;
}
