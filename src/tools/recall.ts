import { defineTool, type ToolDefinition } from "../host/tool.ts";
import { bounded } from "../lib/bounded.ts";
import { excerpt } from "../lib/excerpt.ts";
import { renderAsOperation } from "../lib/refusal.ts";
import { ALL_KINDS, type RecallKind } from "../memory/recall/entry.ts";
import type { RecallHit } from "../memory/recall/search-index.ts";
import type { Runtime } from "../runtime.ts";
import { RECALL } from "./announced.ts";

const DEFAULT_LIMIT = 8;
/** A hundred thousand entries are read in less. */
const PATIENCE_MS = 15_000;
const MAX_TEXT = 300;
/** No agent reads on in the file of these. */
const MAX_KNOWLEDGE = 1_500;
/** Hits this far below the best one share only a word with the query. */
const WORTH_SHOWING = 0.15;

/** `recall_gaia` (SPEC 10): finds what the record says, archived work units included. */
export function createRecallTool({ memory, clock }: Runtime): ToolDefinition {
  return defineTool({
    ...RECALL,
    renderRefusal: renderAsOperation,
    async execute({ query, kinds, limit }) {
      // What people accepted as known is no less than what was learned.
      const asked: ReadonlySet<RecallKind> = new Set(
        kinds?.includes("learning") ? [...kinds, "knowledge"] : kinds,
      );
      const wanted = asked.size === 0 ? ALL_KINDS : asked;
      const search = memory.recall.search(query, { kinds: wanted, prefix: true });
      const hits = await bounded(search, PATIENCE_MS, clock, "The record");
      const best = hits[0]?.score ?? 0;
      const shown = hits
        .filter(({ score }) => score >= best * WORTH_SHOWING)
        .slice(0, limit ?? DEFAULT_LIMIT);
      const tell = await memory.confidence(shown.map(({ entry }) => entry));
      const results = shown.map((hit) => renderHit(hit, memory.redact, tell(hit.entry)));
      const hint = results.length === 0 ? { hint: "Nothing is recorded on this; try other keywords." } : {};
      return {
        title: `${results.length} found: ${excerpt(query, 40)}`,
        result: { ok: true, results, ...hint },
      };
    },
  });
}

function renderHit(
  { entry, score }: RecallHit,
  redact: (text: string) => string,
  confidence: string,
): object {
  const { kind, learning, text, unit, date, path, line } = entry;
  return {
    kind: kind === "knowledge" ? kind : (learning ?? kind),
    text: excerpt(redact(text), kind === "knowledge" ? MAX_KNOWLEDGE : MAX_TEXT),
    unit,
    date,
    ...(confidence === "" ? {} : { confidence }),
    at: `${path}:${line}`,
    score: Math.round(score * 10) / 10,
  };
}
