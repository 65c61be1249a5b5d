import { defineTool, type ToolDefinition } from "../host/tool.ts";
import { bounded } from "../lib/bounded.ts";
import { excerpt } from "../lib/excerpt.ts";
import { refuse, renderAsOperation } from "../lib/refusal.ts";
import { ALL_KINDS, type RecallKind, idOfEntry, type RecallEntry } from "../record/recall/entry.ts";
import type { Runtime } from "../runtime.ts";
import { RECALL } from "./announced.ts";

const DEFAULT_LIMIT = 8;
/** A hundred thousand entries are read in less. */
const PATIENCE_MS = 15_000;
const MAX_TEXT = 300;
/** No agent reads on in the file of these; and one that was asked for by its id is told whole. */
const MAX_LEARNING = 1_500;
const MAX_WHOLE = 4_000;
/** Hits this far below the best one share only a word with the query. */
const WORTH_SHOWING = 0.15;

/** `recall_gaia` (SPEC 10): finds what the record says, archived work units included. */
export function createRecallTool({ memory, clock }: Runtime): ToolDefinition {
  const get = async (id: string): Promise<object | null> => {
    const entry = await bounded(memory.recall.get(id), PATIENCE_MS, clock, "The record");
    return entry === null ? null : renderHit({ entry }, memory.redact, MAX_WHOLE);
  };

  return defineTool({
    ...RECALL,
    renderRefusal: renderAsOperation,
    async execute({ query, id, kinds, limit = DEFAULT_LIMIT }) {
      if (id !== undefined) {
        const result = await get(id);
        const unknown = refuse(`Nothing has the id ${JSON.stringify(excerpt(id, 80))}.`, "Search by query.");
        return { title: id, result: result === null ? unknown : { ok: true, results: [result] } };
      }
      if (query === undefined)
        return { title: "nothing asked", result: { ok: true, results: [], hint: "Pass query or id." } };
      const wanted: ReadonlySet<RecallKind> =
        kinds === undefined || kinds.length === 0 ? ALL_KINDS : new Set(kinds);
      const search = memory.recall.search(query, { kinds: wanted, prefix: true });
      const hits = await bounded(search, PATIENCE_MS, clock, "The record");
      const best = hits[0]?.score ?? 0;
      const shown = hits.filter(({ score }) => score >= best * WORTH_SHOWING).slice(0, limit);
      const results = shown.map((hit) => renderHit(hit, memory.redact, MAX_TEXT));
      const hint = results.length === 0 ? { hint: "Nothing is recorded on this; try other keywords." } : {};
      return {
        title: `${results.length} found: ${excerpt(query, 40)}`,
        result: { ok: true, results, ...hint },
      };
    },
  });
}

function renderHit(
  { entry, score }: { readonly entry: RecallEntry; readonly score?: number },
  redact: (text: string) => string,
  most: number,
): object {
  const { kind, learning, text, unit, date, path, line } = entry;
  const id = idOfEntry(entry);
  return {
    kind: learning ?? kind,
    ...(id === null ? {} : { id }),
    text: excerpt(redact(text), kind === "learning" ? Math.max(most, MAX_LEARNING) : most),
    unit,
    date,
    at: `${path}:${line}`,
    ...(score === undefined ? {} : { score: Math.round(score * 10) / 10 }),
  };
}
