import { fileURLToPath } from "node:url";
import type { Diagnostic, DiagnosticSeverity, Position } from "vscode-languageserver-types";
import { type Clock, pause } from "../../lib/async.ts";
import type { Connection } from "./connection.ts";
import type { Documents } from "./documents.ts";

/** A mistake in a file, by the account of its server. */
export interface CodeError {
  /** Absolute. */
  readonly path: string;
  readonly start: Position;
  readonly code: string;
  /** On one line. */
  readonly message: string;
}

/** By which the server for TypeScript asks TypeScript's own, which answers for the text as it is. */
export const TYPESCRIPT_COMMAND = "typescript.tsserverRequest";
const ERROR: DiagnosticSeverity = 1;
/** How long a server that tells of errors by itself has to be quiet before it has told all, in milliseconds. */
const QUIET_MS = 400;
/** How often one that is at work is looked at again, in milliseconds. */
const BUSY_MS = 50;

interface Published {
  readonly uri: string;
  readonly version?: number | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** TypeScript's own answer, which counts from 1. */
interface TypeScriptAnswer {
  readonly body?: readonly {
    readonly start: { readonly line: number; readonly offset: number };
    readonly text: string;
    readonly code: number;
    readonly category: string;
  }[];
}

/** The file that an address of the protocol means; null for what is no file, in an archive for instance. */
export function filePathOf(uri: string): string | null {
  try {
    return fileURLToPath(uri);
  } catch {
    return null;
  }
}

/** The errors of a server that answers for TypeScript. */
export function askTypeScript(connection: Pick<Connection, "request">) {
  return {
    async of(paths: readonly string[], ms: number): Promise<CodeError[]> {
      const ask = async (command: string, path: string): Promise<CodeError[]> => {
        const params = { command: TYPESCRIPT_COMMAND, arguments: [command, { file: path }] };
        const { body = [] } = await connection.request<TypeScriptAnswer>(
          "workspace/executeCommand",
          params,
          ms,
        );
        return body
          .filter(({ category }) => category === "error")
          .map(({ start, text, code }) => ({
            path,
            start: { line: start.line - 1, character: start.offset - 1 },
            code: String(code),
            message: oneLine(text),
          }));
      };
      // A question does not wait for the answer to the one before it: the server takes them in turn.
      const asked = paths.flatMap((path) =>
        ["syntacticDiagnosticsSync", "semanticDiagnosticsSync"].map(async (command) => ask(command, path)),
      );
      return (await Promise.all(asked)).flat();
    },
  };
}

/** The errors that a server tells by itself. @param isBusy whether it says that it is not done yet */
export function collectPublished(
  connection: Pick<Connection, "gone">,
  documents: Documents,
  clock: Clock,
  isBusy: () => boolean,
) {
  const told = new Map<string, CodeError[]>();
  /** Files of which nothing was told since their text changed. */
  const waiting = new Set<string>();
  let lastTold = clock.now();

  return {
    /** Takes what the server tells by itself. */
    published(params: unknown): void {
      const { uri, version, diagnostics } = params as Published;
      const path = filePathOf(uri);
      if (path === null) return;
      // What was on its way when the text changed is about a text that is gone.
      if ((version ?? Infinity) < (documents.get(path)?.version ?? 0)) return;
      if (waiting.delete(path) || !told.has(path)) lastTold = clock.now();
      told.set(
        path,
        diagnostics.filter(isError).map((each) => readError(path, each)),
      );
    },
    /** From here on: what is told without a version may be about the text before. */
    changed(paths: readonly string[]): void {
      for (const path of paths) waiting.add(path);
      lastTold = clock.now();
    },
    /** @throws Error when the server does not tell within `ms` */
    async of(paths: readonly string[], ms: number): Promise<CodeError[]> {
      const deadline = clock.now() + ms;
      for (;;) {
        const why = connection.gone();
        if (why !== null) throw new Error(why);
        const missing = paths.filter(
          (path) => documents.get(path) !== undefined && (waiting.has(path) || !told.has(path)),
        );
        const isQuiet = clock.now() - lastTold >= QUIET_MS && !isBusy();
        const isLate = clock.now() >= deadline;
        if (isLate && missing.length > 0) throw new Error(`it told nothing of ${missing.length} files`);
        if (missing.length === 0 && (isQuiet || isLate)) return paths.flatMap((path) => told.get(path) ?? []);
        await pause(BUSY_MS, clock);
      }
    },
  };
}

/** One without a severity is an error. */
function isError({ severity = ERROR }: Diagnostic): boolean {
  return severity === ERROR;
}

function readError(path: string, { range, code = "", message }: Diagnostic): CodeError {
  return {
    path,
    start: range.start,
    code: String(code),
    message: oneLine(typeof message === "string" ? message : message.value),
  };
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
