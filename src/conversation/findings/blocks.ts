import { extractObjects, withoutObjects } from "../../contracts/extract.ts";
import { isRecord } from "../../lib/json.ts";
import type { NewFinding } from "../../workspace/documents/finding.ts";

/** What one answer may report; more is a model that loops. */
const MAX_FINDINGS = 20;
const MAX_HEADS = 100;
const MAX_LINES = 12;
/** Of the words behind a head, in characters. */
const MAX_TEXT = 2_000;
const MAX_DEPTH = 6;
/** `[FINDING id: … type: …]`, and the shorter `[FINDING_ID: …]`; a place may have brackets of its own. */
const HEAD = /\[FINDING(?:_ID)?(?:[ \t:]((?:[^[\]\n]|\[[^[\]\n]{0,200}\]){0,600}))?\]/gi;
/** A blank line, the end of a fence, another head, the next heading, a rule, a mark of a merge. */
const ENDS =
  /^[\s>]*(?:\[\/FINDING\]\s*)?$|^\s*(?:```|~~~)|^[\s>*+#\d.-]*\[FINDING|^[\s>]*(?:#{1,6}\s|([-*_])\1{2,}\s*$)|^(?:<{7}|={7}|>{7})/i;
const KEY = String.raw`(?:(?:id|type|scope|where)\s*[:=]|[a-z_]{3,20}[:=](?![\d/\\:]))`;
const FIELD = new RegExp(
  String.raw`\b(id|type|scope|where)\s*[:=]\s*("[^"]*"|.*?)(?=[\s,;|–—]+${KEY}|$)`,
  "gi",
);
const LINE = /^\W*(id|type|scope|where|what)\s*[:=]\s*(.+)$/i;
/** What stands around a word in markdown, and in front of a line. */
const MARKS = /^["'`*]+|["'`*\\]+$/g;
const IN_FRONT = /^[\s>:]*(?:[*+–—-]\s+|\*+)?/;
/** As the example has it that reviewers are shown: who repeats it has found nothing. */
const EXAMPLE = "a-short-name";

/**
 * The findings that an answer reports as blocks, in its prose or in a text of its contract: a head with what is known of each,
 * then what was found, up to the next blank line. Never throws; without a head nothing is parsed.
 */
export function readFindingBlocks(answer: string, by: string): NewFinding[] {
  if (!holdsHead(answer)) return [];
  const texts = [
    withoutObjects(answer, holdsHead),
    ...extractObjects(answer).flatMap((object) => textsIn(object, 0)),
  ].map((text) => text.replaceAll(/\r\n?/g, "\n"));
  const found = texts
    .flatMap((text) => blocksIn(text, by))
    .filter(({ id, what }) => what !== "" && id !== EXAMPLE);
  const isFirst = (one: NewFinding, at: number): boolean =>
    found.findIndex(({ id, what }) => id === one.id && what === one.what) === at;
  return found.filter(isFirst).slice(0, MAX_FINDINGS);
}

function holdsHead(text: string): boolean {
  return /\[FINDING/i.test(text);
}

function blocksIn(text: string, by: string): NewFinding[] {
  // In a line's code it is spoken of, and not made.
  const heads = [...text.matchAll(HEAD)].filter(
    ({ 0: head, index }) => !/^`\[.*\]`$/.test(text.slice(Math.max(0, index - 1), index + head.length + 1)),
  );
  return heads.slice(0, MAX_HEADS).map(({ 0: head, 1: inside = "", index }) => {
    const fields = new Map<string, string>();
    const set = (name: string, value: string): void => {
      const bare = value.trim().replaceAll(MARKS, "");
      fields.set(name.toLowerCase(), bare.replace(/^\[([^\]]*)\]\(.*\)$/, "$1"));
    };
    if (/^.FINDING_ID/i.test(head)) set("id", inside);
    for (const [, name = "", value = ""] of inside.matchAll(FIELD)) set(name, value);
    const what: string[] = [];
    const start = index + head.length;
    const behind = text
      .slice(start, start + MAX_TEXT)
      .trimStart()
      .split("\n");
    for (const line of behind.slice(0, MAX_LINES)) {
      if (ENDS.test(line)) break;
      const [, name = "", value = ""] = LINE.exec(line) ?? [];
      if (name === "" || name.toLowerCase() === "what") what.push((value || line).replace(IN_FRONT, ""));
      else for (const [, each = "", said = ""] of line.matchAll(FIELD)) set(each, said);
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
          .split(/\[\/?FINDING/i)[0]
          ?.trim() ?? "",
      by,
    };
  });
}

function textsIn(value: unknown, depth: number): string[] {
  if (depth > MAX_DEPTH) return [];
  if (typeof value === "string") return holdsHead(value) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((each) => textsIn(each, depth + 1));
  return isRecord(value) ? Object.values(value).flatMap((each) => textsIn(each, depth + 1)) : [];
}
