import { excerpt } from "../../lib/excerpt.ts";
import { isRecord, numberOf, recordOf, textOf } from "../../lib/json.ts";

/** Something that a reviewer found and did not reject for. */
export interface ReviewNote {
  /** `path:line`, a path alone, or empty where it names no place. */
  readonly place: string;
  readonly text: string;
}

const MAX_NOTES = 20;
const MAX_DEPTH = 5;
const MAX_TEXT = 240;
/** A finding in words begins with its kind; `note` as a word of a sentence is none. */
const MARKED = /^[^\p{L}\p{N}]*(?:(NOTE|FIX)(?![\p{L}\p{N}])|[Nn]ote\W*[:\])–—-])[^\p{L}\p{N}/.@_]*(.+)$/su;
const NEXT = /\n|[;.]\s+(?=\W*(?:BLOCK|FIX|NOTE)(?![\p{L}\p{N}]))/u;
const PLACE = /(?:[\w@.-]+\/)*[\w@-][\w@.-]*\.\w+:\d+|(?:[\w@.-]+\/)+[\w@.-]+(?::\d+)?/;
/** What a finding may be called that does not reject. */
const MINOR = /^(?:note|nit(?:pick)?|info(?:rmational)?|minor|trivial|low|medium|moderate|suggestion)$/i;
const KINDS = ["severity", "level", "priority", "type", "kind", "class", "classification", "category"];
const WORDS = ["issue", "title", "text", "message", "note", "description", "finding", "summary"];
const PLACES = ["where", "location", "path", "file"];

/**
 * What a reviewer's answer holds beside its verdict: findings marked NOTE, or graded as minor, in whatever form; under an approval
 * also those marked FIX, for nobody fixes them. Never throws.
 */
export function readNotes(answer: unknown, prose: string, isApproval: boolean): ReviewNote[] {
  const { data, outcome } = recordOf(answer);
  const found = [data, outcome, prose].flatMap((value) => notesIn(value, isApproval, 0));
  return found.filter(({ text }) => text !== "").slice(0, MAX_NOTES);
}

function notesIn(value: unknown, isApproval: boolean, depth: number): ReviewNote[] {
  if (depth > MAX_DEPTH) return [];
  if (typeof value === "string") return value.split(NEXT).flatMap((line) => marked(line, isApproval));
  if (Array.isArray(value)) return value.flatMap((each) => notesIn(each, isApproval, depth + 1));
  if (!isRecord(value)) return [];
  const kind = KINDS.map((name) => textOf(value[name]) ?? "").find((text) => MINOR.test(text.trim()));
  const words = WORDS.map((name) => textOf(value[name]) ?? "").find((text) => text.trim() !== "");
  if (kind === undefined || words === undefined)
    return Object.values(value).flatMap((each) => notesIn(each, isApproval, depth + 1));
  const [own] = marked(words, true);
  const text = own?.text ?? excerpt(words, MAX_TEXT);
  const named = PLACES.map((name) => textOf(value[name]) ?? "").find((path) => path.trim() !== "") ?? "";
  const line = numberOf(value["line"]);
  const place = named !== "" && line !== undefined && !/:\d+$/.test(named) ? `${named}:${line}` : named;
  return [{ place: excerpt(place, MAX_TEXT) || (own?.place ?? placeIn(text)), text }];
}

function marked(line: string, isApproval: boolean): ReviewNote[] {
  const [, kind = "", words = ""] = MARKED.exec(line) ?? [];
  if (words === "" || (kind === "FIX" && !isApproval)) return [];
  const text = excerpt(words, MAX_TEXT);
  return [{ place: placeIn(text), text }];
}

function placeIn(text: string): string {
  return PLACE.exec(text)?.[0] ?? "";
}
