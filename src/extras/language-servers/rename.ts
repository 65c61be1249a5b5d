import type { FileChange, Piece } from "../changes/change.ts";
import type { Located } from "../changes/locate.ts";
import { listOf, recordOf, textOf } from "../../lib/json.ts";
import { isRefusal, type Refusal, refuse } from "../../lib/refusal.ts";
import { withoutMark } from "./documents.ts";
import { linesOf, offsetOf } from "./position.ts";
import { pathOf, type Range, readRange } from "./protocol.ts";
import { MAX_SOURCE_BYTES, readRegular } from "../../lib/read-source.ts";

/** One piece of a file that a server wants replaced. */
export interface TextEdit {
  readonly range: Range;
  readonly text: string;
}

/** A rename that is worked out. */
export interface Renaming {
  readonly changes: FileChange[];
  readonly from: string;
  /** Files that name it as well and that the server does not read, as the model calls them. */
  readonly left: readonly string[];
}

/** What a server wants changed, by file; a text says why it cannot be done as it is. */
export function readWorkspaceEdit(answer: unknown): ReadonlyMap<string, readonly TextEdit[]> | string {
  const { changes, documentChanges } = recordOf(answer);
  // Some write what they do not have as null.
  const byUri =
    documentChanges === undefined || documentChanges === null
      ? Object.entries(recordOf(changes))
      : listOf(documentChanges).map((each): [string, unknown] => {
          const { textDocument, edits } = recordOf(each);
          return [textOf(recordOf(textDocument)["uri"]) ?? "", edits];
        });
  const files = new Map<string, TextEdit[]>();
  for (const [uri, edits] of byUri) {
    const path = pathOf(uri);
    // A file that it wants made, moved or deleted has no address of this kind.
    if (path === null) return "it would make, move or delete files, which is not done here";
    const read = listOf(edits)
      .map(recordOf)
      .map(({ range, newText }) => ({ range: readRange(range), text: textOf(newText) ?? "" }));
    files.set(path, [...(files.get(path) ?? []), ...read]);
  }
  return files;
}

/**
 * A text with edits made in it, all of which are about the text as it was; null where two are about the same piece, or one is
 * not about the name that is to be another.
 */
export function applyEdits(text: string, edits: readonly TextEdit[], name: string): string | null {
  const placed = edits
    .map(({ range, text: fresh }) => ({
      from: offsetOf(text, range.start),
      to: offsetOf(text, range.end),
      fresh,
    }))
    .toSorted((a, b) => a.from - b.from || a.to - b.to);
  let result = "";
  let at = 0;
  for (const { from, to, fresh } of placed) {
    const before = text.slice(from, to);
    const isBeside = before === "" && (text.startsWith(name, from) || text.slice(0, from).endsWith(name));
    const after = isBeside && !/[\r\n]/.test(fresh) ? fresh : renamedLines(before, fresh, name);
    if (from < at || after === null) return null;
    result += text.slice(at, from) + after;
    at = to;
  }
  return result + text.slice(at);
}

/**
 * A piece as it is to be, where it differs in lines alone that hold the name: a name is no more than a part of a line, so that
 * lines stay lines, with the ends that they have. Some servers write whole files anew for a few names.
 */
function renamedLines(before: string, after: string, name: string): string | null {
  const ends = before.match(/\r\n|\r|\n/g) ?? [];
  const [old, fresh] = [linesOf(before), linesOf(after)];
  if (old.length !== fresh.length || !before.includes(name)) return null;
  const isOther = old.some((line, at) => line !== fresh[at] && !line.includes(name));
  return isOther ? null : fresh.map((line, at) => line + (ends[at] ?? "")).join("");
}

/**
 * A server's edits as changes of files of the project.
 * @param known the text by which the server worked them out; undefined for a file that was not open
 */
export async function toChanges(
  files: ReadonlyMap<string, readonly TextEdit[]>,
  locate: (path: string) => Located | Refusal,
  known: (path: string) => string | undefined,
  name: string,
): Promise<FileChange[] | Refusal> {
  const changes: FileChange[] = [];
  // Servers may name one file in several ways, through links for instance.
  const byPlace = new Map<string, { readonly located: Located; readonly edits: Map<string, TextEdit> }>();
  for (const [path, edits] of files) {
    const located = locate(path);
    if (isRefusal(located))
      return refuse(`It would change more than may be changed: ${located.reason}`, "Nothing was changed.");
    const place = byPlace.get(located.path) ?? { located, edits: new Map() };
    for (const edit of edits) place.edits.set(JSON.stringify(edit), edit);
    byPlace.set(located.path, place);
  }
  for (const [path, { located, edits }] of byPlace) {
    const before = await readRegular(located.path, MAX_SOURCE_BYTES);
    const text = before?.toString("utf8");
    if (before === null || text === undefined || !Buffer.from(text, "utf8").equals(before))
      return refuse(`${located.name} cannot be read as text.`, "Nothing was changed.");
    const plain = withoutMark(text);
    const worked = known(path);
    if (worked !== undefined && worked !== plain)
      return refuse(`${located.name} changed while this was worked out.`, "Call again.");
    const changed = applyEdits(plain, [...edits.values()], name);
    if (changed === null)
      return refuse(
        `The server named places in ${located.name} that are not ${name}.`,
        "Nothing was changed.",
      );
    const after = text.slice(0, text.length - plain.length) + changed;
    if (after === text) continue;
    changes.push({ ...located, before, after: Buffer.from(after, "utf8"), pieces: piecesOf(text, after) });
  }
  return changes.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** The lines that differ. */
function piecesOf(before: string, after: string): Piece[] {
  const fresh = linesOf(after);
  return linesOf(before).flatMap((line, at) =>
    line === fresh[at] ? [] : [{ before: line, after: fresh[at] ?? "" }],
  );
}
