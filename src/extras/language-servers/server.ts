import { bounded, type Clock } from "../../lib/async.ts";
import { listOf, recordOf } from "../../lib/json.ts";
import type { PipedStart } from "../../process/piped-process.ts";
import { connect } from "./connection.ts";
import { askTypeScript, collectPublished, TYPESCRIPT_COMMAND } from "./diagnostics.ts";
import { createDocuments, uriOf } from "./documents.ts";
import { endingOf, type ServerEntry } from "./known-servers.ts";
import { createSourceFiles } from "./source-files.ts";

/** How long a server may take until it answers for the first time, and to read a project in, in milliseconds. */
const START_MS = 30_000;
const SETTLE_MS = 30_000;
const SHUTDOWN_MS = 500;
/** Files that others wrote and that a server is told of at once; it notices further ones by itself. */
const MAX_TOLD = 30;

export interface ServerStart extends PipedStart {
  readonly entry: ServerEntry;
  /** Whether it sees this process: one in a containment takes it for gone, and ends itself. */
  readonly seesUs: boolean;
}

/** What the protocol calls a change of a file. */
const KIND = { created: 1, changed: 2, deleted: 3 } as const;

const CAPABILITIES = {
  general: { positionEncodings: ["utf-16"] },
  workspace: {
    configuration: true,
    workspaceFolders: true,
    workspaceEdit: { documentChanges: true },
    didChangeWatchedFiles: { dynamicRegistration: true },
  },
  textDocument: {
    synchronization: { didSave: true },
    publishDiagnostics: { versionSupport: true },
    rename: { prepareSupport: true },
  },
  window: { workDoneProgress: true },
};

interface Capabilities {
  readonly textDocumentSync?: { readonly save?: boolean | { readonly includeText?: boolean } } | number;
  readonly executeCommandProvider?: { readonly commands?: readonly string[] };
  readonly renameProvider?: boolean | { readonly prepareProvider?: boolean };
}

/** Starts a server and waits until it answers. @throws Error with what it said when it does not come up */
export async function startServer(start: ServerStart) {
  const { cwd: root, entry, clock } = start;
  const folders = [{ uri: uriOf(root), name: entry.language }];
  const work = followWork(clock);
  let published: ((params: unknown) => void) | null = null;
  const connection = connect(start, {
    notified(method, params) {
      if (method === "$/progress") work.progressed(params);
      if (method === "textDocument/publishDiagnostics") published?.(params);
    },
    asked(method, params) {
      if (method === "workspace/configuration") return listOf(recordOf(params)["items"]).map(() => null);
      if (method === "workspace/workspaceFolders") return folders;
      // Nothing is changed behind the back of those who look at changes.
      return method === "workspace/applyEdit" ? { applied: false } : null;
    },
  });
  const opening = {
    processId: start.seesUs ? process.pid : null,
    rootUri: uriOf(root),
    rootPath: root,
    workspaceFolders: folders,
    capabilities: CAPABILITIES,
    initializationOptions: entry.initialization ?? {},
  };
  const { capabilities = {} } = await connection
    .request<{ readonly capabilities?: Capabilities }>("initialize", opening, START_MS)
    .catch(async (error: unknown) => {
      await connection.end();
      throw error;
    });
  const { textDocumentSync: sync = 0, executeCommandProvider, renameProvider } = capabilities;
  const isTypeScript = executeCommandProvider?.commands?.includes(TYPESCRIPT_COMMAND) === true;
  const save = typeof sync === "number" ? false : (sync.save ?? false);
  const documents = createDocuments(connection.notify, entry, save);
  const diagnostics = collectPublished(connection, documents, clock, work.isBusy);
  ({ published } = diagnostics);
  const isCode = (name: string): boolean => entry.languageIds.has(endingOf(name));
  const files = createSourceFiles(root, (name) => isCode(name) || entry.roots.includes(name));
  connection.notify("initialized", {});

  /** Opens files; those that are none are left out. @returns the ones that are open */
  const open = async (paths: readonly string[]): Promise<string[]> => {
    const looks = paths.map(async (path) => {
      const isTold = await documents.open(path);
      if (isTold === true) diagnostics.changed([path]);
      return isTold === null ? [] : [path];
    });
    const found = (await Promise.all(looks)).flat();
    await work.settled(SETTLE_MS);
    return found;
  };

  // One question at a time is the caller's affair.
  return {
    documents,
    files,
    open,
    hasPrepareRename: typeof renameProvider === "object" && renameProvider.prepareProvider === true,
    /** Tells it of everything that changed on disk; before each question. */
    async follow(): Promise<void> {
      const seen = await files.look();
      diagnostics.changed(await documents.follow());
      const changes = (["created", "changed", "deleted"] as const).flatMap((kind) =>
        seen[kind].map((path) => ({ uri: uriOf(path), type: KIND[kind] })),
      );
      if (changes.length > 0) connection.notify("workspace/didChangeWatchedFiles", { changes });
      // TypeScript hears of new files and settings when the system tells it, which is too late for an answer now.
      const isOther =
        seen.created.length + seen.deleted.length > 0 || seen.changed.some((path) => !isCode(path));
      if (isOther && isTypeScript) {
        const reload = { command: TYPESCRIPT_COMMAND, arguments: ["reloadProjects", {}] };
        await connection.request("workspace/executeCommand", reload, START_MS);
      }
      const written = [...seen.created, ...seen.changed].filter(isCode);
      await open(written.filter((path) => documents.get(path) === undefined).slice(0, MAX_TOLD));
    },
    /** Has it take a text for a file's, until that is opened again. */
    pretend(path: string, text: string): void {
      documents.pretend(path, text);
      diagnostics.changed([path]);
    },
    /** @throws Error when it does not tell within `ms` */
    errorsOf: (isTypeScript ? askTypeScript(connection) : diagnostics).of,
    request: connection.request,
    gone: connection.gone,
    async end(): Promise<void> {
      await connection.request("shutdown", null, SHUTDOWN_MS).catch(() => undefined); // It is ended in any case.
      connection.notify("exit", null);
      await connection.end();
    },
  };
}

export type LanguageServer = Awaited<ReturnType<typeof startServer>>;

/** What a server says that it is busy with: while it reads a project in, it answers as if there were nothing. */
function followWork(clock: Clock) {
  const running = new Set<string>();
  let listeners: (() => void)[] = [];
  return {
    progressed(params: unknown): void {
      const { token, value } = recordOf(params);
      const { kind } = recordOf(value);
      if (kind === "begin") running.add(String(token));
      if (kind === "end") running.delete(String(token));
      if (running.size === 0) for (const listener of listeners.splice(0)) listener();
    },
    isBusy: () => running.size > 0,
    /** Waits until it is done, or for so long: then it is not waited for again, and is asked for what it knows. */
    async settled(ms: number): Promise<void> {
      if (running.size === 0) return;
      const done = new Promise<void>((resolve) => {
        listeners.push(resolve);
      });
      await bounded(done, ms, clock, "reading the project in").catch(() => running.clear());
      listeners = [];
    },
  };
}
