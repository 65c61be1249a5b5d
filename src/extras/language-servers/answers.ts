import { relative } from "node:path";
import type { Position } from "vscode-languageserver-types";
import { excerpt } from "../../lib/text.ts";
import type { CodeError } from "./diagnostics.ts";
import { splitLines } from "./names.ts";
import type { LanguageServer } from "./server.ts";

/** How long one question may take, in milliseconds. */
export const ANSWER_MS = 60_000;
/** Lines of an answer; how many more there are is said. */
const MAX_LINES = 60;
const MAX_MESSAGE = 300;
/** Files that are looked at because they use the one in question. */
export const MAX_USERS = 25;

export function lineAt(server: Pick<LanguageServer, "documents">, path: string, { line }: Position): string {
  return splitLines(server.documents.get(path)?.getText() ?? "")[line] ?? "";
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
