import { defineTool, type ToolDefinition } from "../host/tool.ts";
import { bounded } from "../lib/bounded.ts";
import { excerpt } from "../lib/excerpt.ts";
import { refuse, renderAsOperation } from "../lib/refusal.ts";
import { ALL_KINDS, type RecallEntry, type RecallKind } from "../memory/recall/entry.ts";
import { idOfEntry } from "../memory/recall/entry.ts";
import type { Remembering } from "../memory/notes/remembering.ts";
import type { Note } from "../memory/notes/unit-notes.ts";
import type { Runtime } from "../runtime.ts";
import { announceRecall } from "./announced.ts";

const DEFAULT_LIMIT = 8;
/** A hundred thousand entries are read in less. */
const PATIENCE_MS = 15_000;
const MAX_TEXT = 300;
/** No agent reads on in the file of these; and one that was asked for by its id is told whole. */
const MAX_KNOWLEDGE = 1_500;
const MAX_WHOLE = 4_000;
/** Hits this far below the best one share only a word with the query. */
const WORTH_SHOWING = 0.15;
/** The conversation's own notes that stand in front of what the record says. */
const MAX_NOTES = 3;

/** `recall_gaia` (SPEC 10): finds what the record says, archived work units included, and what this conversation noted. */
export function createRecallTool({ memory, clock, config, conversations }: Runtime): ToolDefinition {
  const renderEntries = async (
    found: readonly { readonly entry: RecallEntry; readonly score?: number }[],
    most: number,
  ): Promise<object[]> => {
    const tell = await memory.confidence(found.map(({ entry }) => entry));
    return found.map((hit) => renderHit(hit, memory.redact, tell(hit.entry), most));
  };
  const get = async (id: string, notes: Remembering | null): Promise<object | null> => {
    const kept = await notes?.get(id);
    if (kept) return { kind: "note", id, layer: kept.layer, ...renderNote(kept.note) };
    const entry = await bounded(memory.recall.get(id), PATIENCE_MS, clock, "The record");
    return entry === null ? null : ((await renderEntries([{ entry }], MAX_WHOLE))[0] ?? null);
  };

  return defineTool({
    ...announceRecall(config),
    renderRefusal: renderAsOperation,
    async execute({ query, id, kinds, limit = DEFAULT_LIMIT, op, ...given }, call) {
      const notes =
        (await (await conversations.of(call.sessionId))?.conversation.parts.memories.open()) ?? null;
      if (op === "remember" || op === "promote") {
        const off = refuse("Nothing is remembered here (capture.remember).");
        const result = (await notes?.keep({ ...given, op, id }, call.agent)) ?? off;
        return { title: `${op} ${excerpt(given.content ?? id ?? "", 40)}`, result };
      }
      if (id !== undefined) {
        const result = await get(id, notes);
        const unknown = refuse(`Nothing has the id ${JSON.stringify(excerpt(id, 80))}.`, "Search by query.");
        return { title: id, result: result === null ? unknown : { ok: true, results: [result] } };
      }
      if (query === undefined)
        return { title: "nothing asked", result: { ok: true, results: [], hint: "Pass query or id." } };
      const isNoteWanted = kinds === undefined || kinds.includes("note");
      const noted = isNoteWanted ? ((await notes?.find(query)) ?? []) : [];
      const own = noted.slice(0, kinds?.length === 1 ? limit : MAX_NOTES);
      // What people accepted as known is no less than what was learned.
      const named = kinds?.filter((kind) => kind !== "note") ?? [];
      const asked = new Set<RecallKind>(named.includes("learning") ? [...named, "knowledge"] : named);
      const wanted = kinds === undefined || kinds.length === 0 ? ALL_KINDS : asked;
      const search = memory.recall.search(query, { kinds: wanted, prefix: true });
      const hits = await bounded(search, PATIENCE_MS, clock, "The record");
      const best = hits[0]?.score ?? 0;
      const shown = hits.filter(({ score }) => score >= best * WORTH_SHOWING).slice(0, limit);
      const results = [
        ...own.map(({ note }) => ({ kind: "note", id: note.id, ...renderNote(note) })),
        ...(await renderEntries(shown, MAX_TEXT)),
      ].slice(0, limit);
      const hint = results.length === 0 ? { hint: "Nothing is recorded on this; try other keywords." } : {};
      return {
        title: `${results.length} found: ${excerpt(query, 40)}`,
        result: { ok: true, results, ...hint },
      };
    },
  });
}

function renderNote({ text, by, importance, at }: Note): object {
  return { text, by, importance, date: new Date(at).toISOString().slice(0, 10) };
}

function renderHit(
  { entry, score }: { readonly entry: RecallEntry; readonly score?: number },
  redact: (text: string) => string,
  confidence: string,
  most: number,
): object {
  const { kind, learning, text, unit, date, path, line } = entry;
  const id = idOfEntry(entry);
  return {
    kind: kind === "knowledge" ? kind : (learning ?? kind),
    ...(id === null ? {} : { id }),
    text: excerpt(redact(text), kind === "knowledge" ? Math.max(most, MAX_KNOWLEDGE) : most),
    unit,
    date,
    ...(confidence === "" ? {} : { confidence }),
    at: `${path}:${line}`,
    ...(score === undefined ? {} : { score: Math.round(score * 10) / 10 }),
  };
}
