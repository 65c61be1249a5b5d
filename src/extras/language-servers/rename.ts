import type { TextEdit, WorkspaceEdit } from "vscode-languageserver-types";
import { TextDocument } from "vscode-languageserver-textdocument";
import { excerpt } from "../../lib/text.ts";
import { MAX_SOURCE_BYTES, readRegular } from "../../lib/read-source.ts";
import { isRefusal, type Refusal, refuse } from "../../lib/error.ts";
import { type FileChange, hunksOf } from "../changes/change.ts";
import type { Located } from "../changes/locate.ts";
import { ANSWER_MS } from "./answer-errors.ts";
import { filePathOf } from "./diagnostics.ts";
import { MARK, uriOf } from "./documents.ts";
import { occurrencesOf, splitLines } from "./names.ts";
import type { LanguageServer } from "./server.ts";

/** What languages call things by, and no more: servers put in whatever they are given. */
const NAME = /^[#@$]?[\p{ID_Start}_$][\p{ID_Continue}$-]*[?!']?$/u;
/** Files that are opened because they mention the name. */
const MAX_MENTIONS = 40;
/** Characters of a line that the model reads. */
const MAX_LINE = 120;

/**
 * Works a rename out; changes nothing. Either all that the server names can be changed, or nothing is.
 * @param line from one, where the name stands; by default the first that holds it
 * @param locate finds a file of the project, or says why it is not to be changed
 */
export async function workOutRename(
  server: LanguageServer,
  path: string,
  {
    name,
    newName,
    line,
  }: { readonly name: string; readonly newName: string; readonly line?: number | undefined },
  locate: (path: string) => Located | Refusal,
): Promise<FileChange[] | Refusal> {
  if (!NAME.test(newName)) return refuse(`${newName} is no name.`);
  const lines = splitLines(server.documents.get(path)?.getText() ?? "");
  const holds = (text = ""): boolean => occurrencesOf(text, name).length > 0;
  const at = line === undefined ? lines.findIndex(holds) : line - 1;
  const [character] = occurrencesOf(lines[at] ?? "", name);
  if (character === undefined)
    return refuse(`${name} does not stand in ${line === undefined ? "this file" : `line ${line}`}.`);
  // Servers do not know of all that nobody has opened.
  await server.open(await server.files.find(holds, MAX_MENTIONS));
  const place = { textDocument: { uri: uriOf(path) }, position: { line: at, character } };
  if (server.hasPrepareRename) {
    const range = await server.request<object | null>("textDocument/prepareRename", place, ANSWER_MS);
    if (range === null) return refuse(`${name} cannot be renamed there.`);
  }
  const answer = await server.request<WorkspaceEdit | null>(
    "textDocument/rename",
    { ...place, newName },
    ANSWER_MS,
  );
  const changes = await toChanges(answer, locate, server, name);
  return !isRefusal(changes) && changes.length === 0
    ? refuse(`The server renames nothing at this place (${name}).`)
    : changes;
}

/** What a server wants changed, as changes of files of the project. */
async function toChanges(
  answer: WorkspaceEdit | null,
  locate: (path: string) => Located | Refusal,
  { documents }: Pick<LanguageServer, "documents">,
  name: string,
): Promise<FileChange[] | Refusal> {
  const wanted =
    answer?.documentChanges?.map((each): [string, readonly TextEdit[]] =>
      // What has no text wants a file made, moved or deleted.
      "textDocument" in each ? [each.textDocument.uri, each.edits as TextEdit[]] : ["", []],
    ) ?? Object.entries(answer?.changes ?? {});
  // Servers may name one file in several ways, through links for instance.
  const byPlace = new Map<string, { readonly located: Located; readonly edits: Map<string, TextEdit> }>();
  for (const [uri, edits] of wanted) {
    const path = filePathOf(uri);
    if (path === null)
      return refuse("It cannot be renamed: it would make, move or delete files, which is not done here.");
    const located = locate(path);
    if (isRefusal(located))
      return refuse(`It would change more than may be changed: ${located.reason}`, "Nothing was changed.");
    const place = byPlace.get(located.path) ?? { located, edits: new Map<string, TextEdit>() };
    for (const edit of edits) place.edits.set(JSON.stringify(edit), edit);
    byPlace.set(located.path, place);
  }
  const changes: FileChange[] = [];
  for (const [path, { located, edits }] of byPlace) {
    const before = await readRegular(located.path, MAX_SOURCE_BYTES);
    const whole = before?.toString("utf8") ?? "";
    if (before === null || !Buffer.from(whole, "utf8").equals(before))
      return refuse(`${located.name} cannot be read as text.`, "Nothing was changed.");
    const mark = whole.startsWith(MARK) ? MARK : "";
    const text = whole.slice(mark.length);
    if ((documents.get(path)?.getText() ?? text) !== text)
      return refuse(`${located.name} changed while this was worked out.`, "Call again.");
    const changed = renamed(text, [...edits.values()], name);
    if (changed === null)
      return refuse(
        `The server named places in ${located.name} that are not ${name}.`,
        "Nothing was changed.",
      );
    if (changed !== text) changes.push({ ...located, before, after: Buffer.from(mark + changed, "utf8") });
  }
  return changes.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * A text with edits made in it; null where two are about the same piece, or a line would change that does not hold the name.
 * Some servers write whole files anew for a few names.
 */
export function renamed(text: string, edits: TextEdit[], name: string): string | null {
  try {
    const after = TextDocument.applyEdits(TextDocument.create("", "", 1, text), edits);
    const [old, fresh] = [text.split("\n"), after.split("\n")];
    const isOther = old.some((line, at) => line !== fresh[at] && !line.includes(name));
    return old.length !== fresh.length || isOther ? null : after;
  } catch {
    return null; // They overlap.
  }
}

/** What was renamed, for the model. */
export function renderRenamed(changes: readonly FileChange[], from: string, to: string): string {
  const files = changes.map((change) => {
    const lines = hunksOf(change).flatMap(({ after }) => after.trimEnd().split("\n"));
    const more = lines.length > 1 ? ` and ${lines.length - 1} more` : "";
    return `${change.name}: ${lines.length} line${lines.length === 1 ? "" : "s"}: ${excerpt(lines[0] ?? "", MAX_LINE)}${more}`;
  });
  return [`Renamed ${from} to ${to} in ${files.length} file${files.length === 1 ? "" : "s"}:`, ...files].join(
    "\n",
  );
}
