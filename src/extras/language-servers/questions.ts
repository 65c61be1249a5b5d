import { relative } from "node:path";
import { excerpt } from "../../lib/excerpt.ts";
import { listOf, numberOf, recordOf, textOf } from "../../lib/json.ts";
import { type Refusal, refuse } from "../../lib/refusal.ts";
import { uriOf } from "./documents.ts";
import { findPosition, indexOfName, linesOf, nameAt, nameIn, showPosition } from "./position.ts";
import {
  type CodeError,
  type Location,
  pathOf,
  type Position,
  readLocations,
  readRange,
} from "./protocol.ts";
import type { LanguageServer } from "./server.ts";

/** How long one question may take, in milliseconds. */
export const ANSWER_MS = 20_000;
/** Lines of an answer; how many more there are is said. */
const MAX_LINES = 60;
const MAX_LINE = 140;
/** Files that are opened because they mention a name: servers do not know of all that nobody has opened. */
const MAX_MENTIONS = 40;

/** A place that a model names, as far as it does. */
export interface Spot {
  readonly line?: number | undefined;
  readonly character?: number | undefined;
  /** A name at that place. */
  readonly name?: string | undefined;
}

/** Who asks: names of files are relative to this, and what may hold secrets is not quoted. */
export interface Reader {
  /** Real path. */
  readonly project: string;
  isSensitive(path: string): boolean;
  /** Whether it is a worktree without the packages that are installed in the user's own tree. */
  readonly isBare?: boolean;
}

/** How long a server that found nothing has to take in what was opened just now, in milliseconds. */
const SECOND_MS = 400;

/** Asks once more where there is nothing: some answer before they have read what they were told. */
async function ask(server: LanguageServer, method: string, params: unknown): Promise<unknown> {
  const answer = await server.request(method, params, ANSWER_MS);
  if (answer !== null && listOf(answer).length + Object.keys(recordOf(answer)).length > 0) return answer;
  await server.pause(SECOND_MS);
  return server.request(method, params, ANSWER_MS);
}

/** Where a spot is in an open file. */
export async function positionIn(
  server: LanguageServer,
  path: string,
  spot: Spot,
): Promise<Position | Refusal> {
  const text = server.documents.text(path) ?? "";
  const { line, character, name } = spot;
  if (line !== undefined) {
    const found = findPosition(text, { line, character, name });
    if (found !== null) return found;
    const content = linesOf(text)[line - 1];
    const shown = content === undefined ? "there is no such line" : `it reads: ${excerpt(content, MAX_LINE)}`;
    return refuse(
      `Line ${line} has no such place; ${shown}.`,
      "Name line and character from 1, or the symbol as query.",
    );
  }
  if (name === undefined) return refuse("This needs line and character, or the symbol as query.");
  const symbols = await symbolsOf(server, path);
  const symbol = symbols.find((each) => each.name === name);
  if (symbol !== undefined) {
    // Some servers name the whole declaration as the place of its name.
    const content = linesOf(text)[symbol.at.line] ?? "";
    const at = indexOfName(content, name, symbol.at.character);
    return at === -1 ? symbol.at : { line: symbol.at.line, character: at };
  }
  const line0 = linesOf(text).findIndex((content) => content.match(nameIn(name)) !== null);
  const found = line0 === -1 ? null : findPosition(text, { line: line0 + 1, name });
  return found ?? refuse(`${name} does not stand in this file.`);
}

interface Symbol {
  readonly name: string;
  readonly kind: number;
  readonly at: Position;
  readonly depth: number;
}

/** The symbols of a file, the outer ones first. */
async function symbolsOf(server: LanguageServer, path: string): Promise<Symbol[]> {
  const params = { textDocument: { uri: uriOf(path) } };
  const answer = await ask(server, "textDocument/documentSymbol", params);
  const read = (list: unknown, depth: number): Symbol[] =>
    listOf(list)
      .map(recordOf)
      .flatMap(({ name, kind, selectionRange, location, children }) => [
        {
          name: textOf(name) ?? "",
          kind: numberOf(kind) ?? 0,
          at: readRange(selectionRange ?? recordOf(location)["range"]).start,
          depth,
        },
        ...read(children, depth + 1),
      ]);
  return read(answer, 0);
}

/** `definition` and `references`: the places, with the lines that stand there. */
export async function askPlaces(
  server: LanguageServer,
  op: "definition" | "references",
  path: string,
  spot: Spot,
  reader: Reader,
): Promise<string | Refusal> {
  const at = await positionIn(server, path, spot);
  if ("kind" in at) return at;
  if (op === "references") await openMentions(server, path, at);
  const params = {
    textDocument: { uri: uriOf(path) },
    position: at,
    ...(op === "references" ? { context: { includeDeclaration: true } } : {}),
  };
  const locations = readLocations(await ask(server, `textDocument/${op}`, params));
  if (locations.length === 0) return `No ${op} found.`;
  return renderLines(await Promise.all(locations.map(async (each) => renderLocation(server, each, reader))));
}

/** Opens the files in which the name at a place stands. */
export async function openMentions(server: LanguageServer, path: string, at: Position): Promise<void> {
  const line = linesOf(server.documents.text(path) ?? "")[at.line] ?? "";
  const name = nameAt(line, at.character);
  if (name !== "") await server.open(await server.files.mentioning(name, MAX_MENTIONS));
}

async function renderLocation(
  server: LanguageServer,
  { uri, range }: Location,
  reader: Reader,
): Promise<string> {
  const path = pathOf(uri);
  if (path === null) return uri;
  const name = nameOf(path, reader);
  const isOpen = server.documents.version(path) > 0;
  const isHidden = name.startsWith("../") || reader.isSensitive(path);
  const text = isHidden ? undefined : isOpen ? server.documents.text(path) : await server.files.read(path);
  const line = text === undefined ? "" : excerpt(linesOf(text)[range.start.line] ?? "", MAX_LINE);
  return `${name}:${showPosition(range.start, text)}: ${line}`.trimEnd();
}

/** `symbols`: of a file, or those of the project that a query fits. */
export async function askSymbols(
  server: LanguageServer,
  path: string | null,
  query: string | undefined,
  reader: Reader,
): Promise<string> {
  if (path !== null) {
    const wanted = query?.toLowerCase() ?? "";
    const symbols = (await symbolsOf(server, path)).filter(({ name }) => name.toLowerCase().includes(wanted));
    const text = server.documents.text(path);
    const lines = symbols.map(
      ({ name, kind, at, depth }) =>
        `${"  ".repeat(depth)}${showPosition(at, text)}: ${kindOf(kind)} ${name}`,
    );
    return lines.length === 0 ? "No symbols found." : renderLines(lines);
  }
  const answer = await ask(server, "workspace/symbol", { query: query ?? "" });
  const found = listOf(answer)
    .map(recordOf)
    .flatMap(({ name, kind, location }) => {
      const at = readLocations(location)[0];
      const file = at === undefined ? null : pathOf(at.uri);
      if (at === undefined || file === null || nameOf(file, reader).startsWith("../")) return [];
      return [
        `${nameOf(file, reader)}:${showPosition(at.range.start)}: ${kindOf(numberOf(kind) ?? 0)} ${textOf(name)}`,
      ];
    });
  return found.length === 0 ? "No symbols found." : renderLines(found);
}

/** `diagnostics`: the errors of a file, and of those that take something from it. */
export async function askErrors(
  server: LanguageServer,
  path: string,
  reader: Reader,
  importers: readonly string[],
): Promise<string> {
  const open = await server.open([path, ...importers]);
  const errors = await server.errorsOf(open, ANSWER_MS);
  return errors.length === 0
    ? "No errors."
    : renderLines(errors.map((each) => renderError(server, each, reader)));
}

export function renderError(
  { documents }: Pick<LanguageServer, "documents">,
  { path, start, code, message }: CodeError,
  reader: Reader,
): string {
  const position = showPosition(start, documents.text(path));
  return `${nameOf(path, reader)}:${position}: ${code === "" ? "" : `${code}: `}${excerpt(message, 300)}`;
}

/** Of a file of the project, with `/` between names; one from elsewhere begins with `../`. */
export function nameOf(path: string, { project }: Pick<Reader, "project">): string {
  return relative(project, path).replaceAll("\\", "/");
}

function renderLines(lines: readonly string[]): string {
  const left = lines.length - MAX_LINES;
  return [...lines.slice(0, MAX_LINES), ...(left > 0 ? [`… and ${left} more.`] : [])].join("\n");
}

/** What the protocol calls kinds of symbols, from 1. */
const KINDS =
  "file module namespace package class method property field constructor enum interface function variable constant string number boolean array object key null enum-member struct event operator type-parameter".split(
    " ",
  );

function kindOf(kind: number): string {
  return KINDS[kind - 1] ?? "symbol";
}
