import { fileURLToPath } from "node:url";
import { listOf, numberOf, recordOf, textOf } from "../../lib/json.ts";

/** Of a text, in the protocol's way: both from 0, characters in units of UTF-16. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

export interface Range {
  readonly start: Position;
  readonly end: Position;
}

export interface Location {
  readonly uri: string;
  readonly range: Range;
}

/** A mistake in a file, by the account of its server. */
export interface CodeError {
  /** Absolute. */
  readonly path: string;
  readonly start: Position;
  readonly code: string;
  /** On one line. */
  readonly message: string;
}

/** The file that an address of the protocol means; null for anything else. */
export function pathOf(uri: unknown): string | null {
  try {
    return fileURLToPath(String(uri));
  } catch {
    return null; // Servers have places that are no files, a library inside an archive for instance.
  }
}

/** What a server says of a position, as far as it is one. */
export function readPosition(value: unknown): Position {
  const { line, character } = recordOf(value);
  return { line: numberOf(line) ?? 0, character: numberOf(character) ?? 0 };
}

export function readRange(value: unknown): Range {
  const { start, end } = recordOf(value);
  return { start: readPosition(start), end: readPosition(end) };
}

/** The places of an answer that is one, a list of them, or a list of links to them. */
export function readLocations(answer: unknown): Location[] {
  const list = Array.isArray(answer) ? (answer as unknown[]) : [answer];
  return list.map(recordOf).flatMap((each) => {
    const uri = textOf(each["uri"]) ?? textOf(each["targetUri"]);
    const range = each["range"] ?? each["targetSelectionRange"];
    return uri === undefined ? [] : [{ uri, range: readRange(range) }];
  });
}

/** The errors of a list of diagnostics: what is less than an error is left out. */
export function readErrors(path: string, diagnostics: unknown): CodeError[] {
  return listOf(diagnostics)
    .map(recordOf)
    .filter(({ severity, message }) => (severity ?? 1) === 1 && typeof message === "string")
    .map(({ range, code, message }) => ({
      path,
      start: readRange(range).start,
      code: textOf(code) ?? numberOf(code)?.toString() ?? "",
      message: oneLine(textOf(message) ?? ""),
    }));
}

/** The errors of TypeScript's own server, which counts from 1. */
export function readTypeScriptErrors(path: string, answer: unknown): CodeError[] {
  return listOf(recordOf(answer)["body"])
    .map(recordOf)
    .filter(({ category }) => category === "error")
    .map(({ start, text, code }) => {
      const { line, offset } = recordOf(start);
      const at = { line: (numberOf(line) ?? 1) - 1, character: (numberOf(offset) ?? 1) - 1 };
      return { path, start: at, code: String(code), message: oneLine(textOf(text) ?? "") };
    });
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
