import { relative } from "node:path";
import type { Location, LocationLink, Position } from "vscode-languageserver-types";
import { excerpt } from "../../lib/excerpt.ts";
import { isRefusal, type Refusal, refuse } from "../../lib/refusal.ts";
import { type CodeError, filePathOf } from "./diagnostics.ts";
import { uriOf } from "./documents.ts";
import { splitLines, nameAt, nearestPlace, occurrencesOf } from "./names.ts";
import type { CodeArguments } from "./open.ts";
import type { LanguageServer } from "./server.ts";

/** How long one question may take, in milliseconds. */
export const ANSWER_MS = 60_000;
/** How long a server that found nothing has to take in what was opened just now, in milliseconds. */
const SECOND_MS = 400;
/** Lines of an answer; how many more there are is said. */
const MAX_LINES = 60;
const MAX_LINE = 140;
const MAX_MESSAGE = 300;
/** Files that are opened because they mention a name: servers do not know of all that nobody has opened. */
const MAX_MENTIONS = 40;
/** Files that are looked at because they use the one in question. */
export const MAX_USERS = 25;

/** A place that a model names, as far as it does: characters count units of UTF-16 as the protocol does. */
type Spot = Pick<CodeArguments, "line" | "character" | "query">;

/** Who asks: names of files are relative to this, and what may hold secrets is not quoted. */
export interface AnswerReader {
  /** Real path. */
  readonly project: string;
  isSensitive(path: string): boolean;
}

export function lineAt(server: Pick<LanguageServer, "documents">, path: string, { line }: Position): string {
  return splitLines(server.documents.get(path)?.getText() ?? "")[line] ?? "";
}

export function positionIn(
  server: Pick<LanguageServer, "documents">,
  path: string,
  { line, character, query: name }: Spot,
): Position | Refusal {
  const lines = splitLines(server.documents.get(path)?.getText() ?? "");
  if (line !== undefined) {
    const content = lines[line - 1];
    const given = character === undefined ? undefined : character - 1;
    const near = content === undefined || name === undefined ? -1 : nearestPlace(content, name, given);
    const start = name === undefined ? (content ?? "").search(/\S/) : -1;
    // A model that counts a little off means the name that it gives with it.
    const at = near === -1 ? (given ?? start) : near;
    if (content !== undefined && at >= 0 && at <= content.length) return { line: line - 1, character: at };
    const shown = content === undefined ? "there is no such line" : `it reads: ${excerpt(content, MAX_LINE)}`;
    return refuse(
      `Line ${line} has no such place; ${shown}.`,
      "Name line and character from 1, or the symbol as query.",
    );
  }
  if (name === undefined) return refuse("This needs line and character, or the symbol as query.");
  const first = lines.findIndex((content) => occurrencesOf(content, name).length > 0);
  if (first === -1) return refuse(`${name} does not stand in this file.`);
  return { line: first, character: nearestPlace(lines[first] ?? "", name) };
}

/** Opens the files in which the name at a place stands. */
export async function openMentions(server: LanguageServer, path: string, at: Position): Promise<void> {
  const name = nameAt(lineAt(server, path, at), at.character);
  if (name === "") return;
  await server.open(await server.files.find((text) => occurrencesOf(text, name).length > 0, MAX_MENTIONS));
}

/** `definition` and `references`: the places, with the lines that stand there. */
async function answerPlaces(
  server: LanguageServer,
  path: string,
  { op, ...spot }: CodeArguments,
  reader: AnswerReader,
): Promise<string | Refusal> {
  const position = positionIn(server, path, spot);
  if (isRefusal(position)) return position;
  if (op === "references") await openMentions(server, path, position);
  const params = { textDocument: { uri: uriOf(path) }, position, context: { includeDeclaration: true } };
  const ask = async (): Promise<readonly (Location | LocationLink)[]> => {
    const answer = await server.request<Location | (Location | LocationLink)[] | null>(
      `textDocument/${op}`,
      params,
      ANSWER_MS,
    );
    return [answer ?? []].flat();
  };
  let all = await ask();
  // Some answer before they have read what they were told.
  if (all.length === 0) all = await server.pause(SECOND_MS).then(ask);
  const lines = all.map(async (each) => {
    const [uri, { start }] =
      "targetUri" in each ? [each.targetUri, each.targetSelectionRange] : [each.uri, each.range];
    const file = filePathOf(uri);
    if (file === null) return uri;
    const name = nameInProject(file, reader);
    const isHidden = name.startsWith("../") || reader.isSensitive(file);
    if (!isHidden) await server.open([file]);
    const line = isHidden ? "" : excerpt(lineAt(server, file, start), MAX_LINE);
    return `${name}:${placed(start)}: ${line}`.trimEnd();
  });
  return all.length === 0 ? `No ${op} found.` : joined(await Promise.all(lines));
}

/** The answer to a question that changes nothing, about a file that is open. */
export async function answer(
  server: LanguageServer,
  path: string,
  call: CodeArguments,
  reader: AnswerReader,
): Promise<string | Refusal> {
  if (call.op !== "diagnostics") return answerPlaces(server, path, call, reader);
  const open = await server.open([path, ...(await server.files.usersOf([path], MAX_USERS))]);
  const errors = await server.errorsOf(open, ANSWER_MS);
  return errors.length === 0 ? "No errors." : joined(errors.map((each) => renderError(each, reader)));
}

export function renderError({ path, start, code, message }: CodeError, reader: AnswerReader): string {
  const kind = code === "" ? "" : `${code}: `;
  return `${nameInProject(path, reader)}:${placed(start)}: ${kind}${excerpt(message, MAX_MESSAGE)}`;
}

/** Of a file of the project, with `/` between names; one from elsewhere begins with `../`. */
export function nameInProject(path: string, { project }: Pick<AnswerReader, "project">): string {
  return relative(project, path).replaceAll("\\", "/");
}

/** `line:character` from 1. */
function placed({ line, character }: Position): string {
  return `${line + 1}:${character + 1}`;
}

function joined(lines: readonly string[]): string {
  const left = lines.length - MAX_LINES;
  return [...lines.slice(0, MAX_LINES), ...(left > 0 ? [`… and ${left} more.`] : [])].join("\n");
}
