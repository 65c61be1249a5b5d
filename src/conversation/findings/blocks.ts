import { extractObjects, extractProse } from "../../contracts/extract.ts";
import { isRecord } from "../../lib/json.ts";
import type { NewFinding } from "../../workspace/documents/finding.ts";

/** What one answer may report; more is a model that loops. */
const MAX_FINDINGS = 20;
const MAX_HEADS = 100;
const MAX_LINES = 12;
/** Of the words behind a head, in characters. */
const MAX_TEXT = 2_000;
const MAX_DEPTH = 6;
/** `[FINDING id: … type: …]`, and the shorter `[FINDING_ID: …]`. */
const HEAD = /\[FINDING(?:_ID)?[ \t:]([^\]\n]{0,600})\]/g;
const ENDS = /^\s*(?:\[\/FINDING\]\s*)?$|^\s*\[FINDING/;
const FIELD = /\b(id|type|scope|where)\s*[:=]\s*("[^"]*"|.*?)(?=[\s,;|]+(?:id|type|scope|where)\s*[:=]|$)/gi;
const LINE = /^\W*(type|scope|where|what)\s*[:=]\s*(.+)$/i;

/**
 * The findings that an answer reports as blocks, in its prose or in a text of its contract: a head with what is known of each,
 * then what was found, up to the next blank line. Never throws; without a head nothing is parsed.
 */
export function readFindingBlocks(answer: string, by: string): NewFinding[] {
  if (!answer.includes("[FINDING")) return [];
  const texts = [extractProse(answer), ...extractObjects(answer).flatMap((object) => textsIn(object, 0))];
  const found = texts.flatMap((text) => blocksIn(text, by)).filter(({ what }) => what !== "");
  const isFirst = (one: NewFinding, at: number): boolean =>
    found.findIndex(({ id, what }) => id === one.id && what === one.what) === at;
  return found.filter(isFirst).slice(0, MAX_FINDINGS);
}

function blocksIn(text: string, by: string): NewFinding[] {
  return [...text.matchAll(HEAD)].slice(0, MAX_HEADS).map(({ 0: head, 1: inside = "", index }) => {
    const fields = new Map<string, string>();
    if (head.startsWith("[FINDING_ID")) fields.set("id", inside.trim());
    for (const [, name = "", value = ""] of inside.matchAll(FIELD))
      fields.set(name.toLowerCase(), value.trim().replace(/^"|"$/g, ""));
    const what: string[] = [];
    const start = index + head.length;
    const behind = text
      .slice(start, start + MAX_TEXT)
      .trimStart()
      .split("\n");
    for (const line of behind.slice(0, MAX_LINES)) {
      if (ENDS.test(line)) break;
      const [, name = "", value = ""] = LINE.exec(line) ?? [];
      if (name === "" || name.toLowerCase() === "what") what.push(value || line);
      else fields.set(name.toLowerCase(), value.trim());
    }
    const field = (name: string): string => fields.get(name) ?? "";
    const [id, type, scope, where] = [field("id"), field("type"), field("scope"), field("where")];
    return {
      id,
      type,
      scope,
      where,
      what:
        what
          .join(" ")
          .split(/\[\/?FINDING/)[0]
          ?.trim() ?? "",
      by,
    };
  });
}

function textsIn(value: unknown, depth: number): string[] {
  if (depth > MAX_DEPTH) return [];
  if (typeof value === "string") return value.includes("[FINDING") ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((each) => textsIn(each, depth + 1));
  return isRecord(value) ? Object.values(value).flatMap((each) => textsIn(each, depth + 1)) : [];
}
