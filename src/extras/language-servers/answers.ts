import { relative } from "node:path";
import type { Position } from "vscode-languageserver-types";
import { excerpt } from "../../lib/excerpt.ts";
import { type Refusal, refuse } from "../../lib/refusal.ts";
import type { CodeError } from "./diagnostics.ts";
import { splitLines, nameAt, nearestPlace, occurrencesOf } from "./names.ts";
import type { CodeArguments } from "./open.ts";
import type { LanguageServer } from "./server.ts";

/** How long one question may take, in milliseconds. */
export const ANSWER_MS = 60_000;
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

/** The errors of a file that is open, and of the files that use it. */
export async function answerErrors(server: LanguageServer, path: string, project: string): Promise<string> {
  const open = await server.open([path, ...(await server.files.usersOf([path], MAX_USERS))]);
  const errors = await server.errorsOf(open, ANSWER_MS);
  const left = errors.length - MAX_LINES;
  const lines = errors.slice(0, MAX_LINES).map((each) => renderError(each, project));
  return [...lines, ...(left > 0 ? [`… and ${left} more.`] : [])].join("\n") || "No errors.";
}

/** From 1, of a file named as in the project. @param project real path */
export function renderError({ path, start, code, message }: CodeError, project: string): string {
  const kind = code === "" ? "" : `${code}: `;
  const name = relative(project, path).replaceAll("\\", "/");
  return `${name}:${start.line + 1}:${start.character + 1}: ${kind}${excerpt(message, MAX_MESSAGE)}`;
}
