import { isDeepStrictEqual } from "node:util";
import type { Clock } from "../../lib/clock.ts";
import { listOf, numberOf, recordOf } from "../../lib/json.ts";
import { type Documents, uriOf } from "./documents.ts";
import { codeOf, type Wire } from "./launch.ts";
import { type CodeError, pathOf, readErrors, readTypeScriptErrors } from "./protocol.ts";

/** How long a server that tells of errors by itself has to be quiet before it has told all, in milliseconds. */
const QUIET_MS = 400;
/** How often one that is at work is looked at again, in milliseconds. */
const BUSY_MS = 50;
/** By which the server for TypeScript asks the one of TypeScript itself, which answers for the text as it is. */
const TYPESCRIPT_COMMAND = "typescript.tsserverRequest";

/** The errors of files, as they are in the texts that the server was told last. */
export interface Diagnostics {
  /** Takes what the server tells by itself. */
  published(params: unknown): void;
  /** From here on: what is told without a version may be about the text before. */
  changed(paths: readonly string[]): void;
  /** @throws Error when the server does not tell within `ms` */
  of(paths: readonly string[], ms: number): Promise<CodeError[]>;
}

export function createDiagnostics({
  wire,
  documents,
  capabilities,
  clock,
  isBusy,
}: {
  readonly wire: Wire;
  readonly documents: Documents;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly clock: Clock;
  /** Whether it says that it is not done yet. */
  isBusy(): boolean;
}): Diagnostics {
  const told = new Map<string, CodeError[]>();
  const waiting = new Set<string>();
  let lastTold = clock.now();
  let listeners: (() => void)[] = [];
  const commands = listOf(recordOf(capabilities["executeCommandProvider"])["commands"]);
  let way: "typescript" | "pull" | "push" = commands.includes(TYPESCRIPT_COMMAND)
    ? "typescript"
    : capabilities["diagnosticProvider"] === undefined
      ? "push"
      : "pull";

  const wake = (): void => {
    for (const listener of listeners.splice(0)) listener();
  };
  wire.whenGone(wake);

  /** Something was told, or the time is over. */
  const news = async (ms: number): Promise<void> => {
    await new Promise<void>((done) => {
      const cancel = clock.after(ms, done);
      listeners.push(() => {
        cancel();
        done();
      });
    });
  };

  const pushed = async (paths: readonly string[], ms: number): Promise<CodeError[]> => {
    const deadline = clock.now() + ms;
    const isOpen = (path: string): boolean => documents.version(path) > 0;
    for (;;) {
      const why = wire.gone();
      if (why !== null) throw new Error(why);
      const missing = paths.filter((path) => isOpen(path) && (waiting.has(path) || !told.has(path)));
      const quietFor = clock.now() - lastTold;
      if (missing.length === 0 && quietFor >= QUIET_MS && !isBusy()) break;
      const left = deadline - clock.now();
      if (left <= 0 && missing.length > 0) throw new Error(`it told nothing of ${missing.length} files`);
      if (left <= 0) break;
      await news(missing.length > 0 ? left : Math.min(left, Math.max(QUIET_MS - quietFor, BUSY_MS)));
    }
    return paths.flatMap((path) => told.get(path) ?? []);
  };

  const pulled = async (path: string, ms: number): Promise<CodeError[]> => {
    const answer = recordOf(
      await wire.request("textDocument/diagnostic", { textDocument: { uri: uriOf(path) } }, ms),
    );
    return readErrors(path, answer["items"]);
  };

  const fromTypeScript = async (path: string, ms: number): Promise<CodeError[]> => {
    const ask = async (command: string): Promise<CodeError[]> => {
      const params = { command: TYPESCRIPT_COMMAND, arguments: [command, { file: path }] };
      return readTypeScriptErrors(path, await wire.request("workspace/executeCommand", params, ms));
    };
    return (await Promise.all([ask("syntacticDiagnosticsSync"), ask("semanticDiagnosticsSync")])).flat();
  };

  return {
    published(params) {
      const { uri, version, diagnostics } = recordOf(params);
      const path = pathOf(uri);
      if (path === null) return;
      // What was on its way when the text changed is about a text that is gone.
      if ((numberOf(version) ?? Infinity) < documents.version(path)) return;
      const errors = readErrors(path, diagnostics);
      // Some say the same again and again.
      if (waiting.has(path) || !isDeepStrictEqual(told.get(path), errors)) lastTold = clock.now();
      told.set(path, errors);
      waiting.delete(path);
      wake();
    },
    changed(paths) {
      for (const path of paths) waiting.add(path);
      lastTold = clock.now();
    },
    async of(paths, ms) {
      const deadline = clock.now() + ms;
      const left = (): number => Math.max(1, deadline - clock.now());
      try {
        const ask = way === "typescript" ? fromTypeScript : pulled;
        // A question does not wait for the answer to the one before it: the server takes them in turn.
        if (way !== "push") return (await Promise.all(paths.map(async (path) => ask(path, ms)))).flat();
      } catch (error) {
        // One that says no to the question may still tell by itself.
        if (codeOf(error) === 0) throw error;
        way = "push";
      }
      return pushed(paths, left());
    },
  };
}
