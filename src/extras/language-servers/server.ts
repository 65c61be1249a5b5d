import { bounded } from "../../lib/bounded.ts";
import type { Clock } from "../../lib/clock.ts";
import { listOf, recordOf, textOf } from "../../lib/json.ts";
import { createDiagnostics, type Diagnostics } from "./diagnostics.ts";
import { createDocuments, type Documents, uriOf } from "./documents.ts";
import type { PipedStart } from "../../process/piped-process.ts";
import { launch, type Listener, type Wire } from "./launch.ts";
import type { CodeError } from "./protocol.ts";
import type { ServerEntry } from "./servers.ts";
import { createSourceFiles, type SourceFiles } from "./source-files.ts";

/** How long a server may take until it answers for the first time, and to read a project in, in milliseconds. */
export const START_MS = 30_000;
const SETTLE_MS = 30_000;
const SHUTDOWN_MS = 500;

/** Everything that starting a server takes. */
export interface ServerStart extends PipedStart {
  readonly entry: ServerEntry;
  /** Absolute real path. */
  readonly root: string;
  readonly initialization: unknown;
  /** Whether it sees this process: one in a containment takes it for gone, and ends itself. */
  readonly seesUs: boolean;
}

/** A server that has read its project in. One question at a time is the caller's affair. */
export interface LanguageServer {
  readonly documents: Documents;
  readonly files: SourceFiles;
  /** How often something beside the files was another than before: packages, what programs make, settings. */
  surroundings(): number;
  /** Tells it of everything that changed on disk; before each question. */
  follow(): Promise<void>;
  /** Opens files; those that are none are left out. @returns the ones that are open */
  open(paths: readonly string[]): Promise<string[]>;
  pretend(path: string, text: string): void;
  /** Files whose text is another one than at the last call of this, by what it was told. */
  takeChanged(): ReadonlySet<string>;
  /** @throws Error when it does not tell within `ms` */
  errorsOf(paths: readonly string[], ms: number): Promise<CodeError[]>;
  /** @throws Error as {@link Wire.request} */
  request(method: string, params: unknown, ms: number): Promise<unknown>;
  /** Gives it so long to take in what it was told, and longer while it says that it is at work. */
  pause(ms: number): Promise<void>;
  gone(): string | null;
  memory(): Promise<number | null>;
  end(): Promise<void>;
}

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
    definition: { linkSupport: true },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    rename: { prepareSupport: false },
  },
  window: { workDoneProgress: true },
  experimental: { serverStatusNotification: true },
};

/** Starts a server and waits until it has read its project in. @throws Error with what it said when it does not come up */
export async function startServer(start: ServerStart): Promise<LanguageServer> {
  const { root, entry, clock } = start;
  const folders = [{ uri: uriOf(root), name: entry.language }];
  const work = createWork(clock);
  let diagnostics: Diagnostics | null = null;
  const listener: Listener = {
    notified(method, params) {
      work.notified(method, params);
      if (method === "textDocument/publishDiagnostics") diagnostics?.published(params);
      if (method === "tsserver/request")
        for (const each of listOf(params)) wire.notify("tsserver/response", [listOf(each)[0], null]);
    },
    asked(method, params) {
      if (method === "workspace/configuration") return listOf(recordOf(params)["items"]).map(() => null);
      if (method === "workspace/workspaceFolders") return folders;
      // Nothing is changed behind the back of those who look at changes.
      return method === "workspace/applyEdit" ? { applied: false } : null;
    },
  };
  const wire = launch(start, listener);
  try {
    const answer = await wire.request(
      "initialize",
      {
        processId: start.seesUs ? process.pid : null,
        rootUri: uriOf(root),
        rootPath: root,
        workspaceFolders: folders,
        capabilities: CAPABILITIES,
        initializationOptions: start.initialization ?? {},
      },
      START_MS,
    );
    const capabilities = recordOf(recordOf(answer)["capabilities"]);
    const documents = createDocuments(wire.notify, entry, capabilities);
    diagnostics = createDiagnostics({ wire, documents, capabilities, clock, isBusy: work.isBusy });
    wire.notify("initialized", {});
    return serverOf({ wire, documents, diagnostics, work, capabilities }, start);
  } catch (error) {
    await wire.end();
    throw error;
  }
}

interface Parts {
  readonly wire: Wire;
  readonly documents: Documents;
  readonly diagnostics: Diagnostics;
  readonly work: ReturnType<typeof createWork>;
  readonly capabilities: Readonly<Record<string, unknown>>;
}

function serverOf(
  { wire, documents, diagnostics, work, capabilities }: Parts,
  start: ServerStart,
): LanguageServer {
  const files = createSourceFiles(start.root, start.entry);
  const commands = listOf(recordOf(capabilities["executeCommandProvider"])["commands"]);
  let changed = new Set<string>();
  let surroundings = 0;
  const note = (paths: readonly string[]): void => {
    for (const path of paths) changed.add(path);
  };
  return {
    documents,
    files,
    surroundings: () => surroundings,
    async follow() {
      const seen = await files.look();
      const told = await documents.follow(seen);
      diagnostics.changed(told);
      note([...told, ...seen.created, ...seen.changed, ...seen.deleted]);
      if (seen.around.length > 0) surroundings += 1;
      // TypeScript's own server hears of new files when the system tells it, which is too late for an answer now.
      const others = seen.created.length + seen.deleted.length + seen.around.length;
      if (others > 0 && commands.includes("typescript.tsserverRequest")) {
        const reload = { command: "typescript.tsserverRequest", arguments: ["reloadProjects", {}] };
        await wire.request("workspace/executeCommand", reload, START_MS);
      }
    },
    async open(paths) {
      const looks = paths.map(async (path) => {
        const version = documents.version(path);
        if ((await documents.open(path)) === null) return [];
        if (documents.version(path) !== version) {
          diagnostics.changed([path]);
          // One that was not open before had this text on disk.
          if (version > 0) note([path]);
        }
        return [path];
      });
      const open = (await Promise.all(looks)).flat();
      await work.settled(SETTLE_MS);
      return open;
    },
    pretend(path, text) {
      documents.pretend(path, text);
      diagnostics.changed([path]);
      note([path]);
    },
    takeChanged() {
      const taken = changed;
      changed = new Set();
      return taken;
    },
    errorsOf: diagnostics.of,
    request: wire.request,
    async pause(ms) {
      await new Promise<void>((done) => {
        start.clock.after(ms, done);
      });
      await work.settled(SETTLE_MS);
    },
    gone: wire.gone,
    memory: wire.memory,
    async end() {
      await wire.request("shutdown", null, SHUTDOWN_MS).catch(() => undefined); // It is ended in any case.
      wire.notify("exit", null);
      await wire.end();
    },
  };
}

/** What a server says that it is busy with: while it reads a project in, it answers as if there were nothing. */
function createWork(clock: Clock) {
  const running = new Set<string>();
  let isQuiescent = true;
  let isHeard = false;
  let listeners: (() => void)[] = [];
  return {
    notified(method: string, params: unknown): void {
      const { token, value, quiescent, uri, state } = recordOf(params);
      isHeard ||= method === "$/progress";
      if (method === "experimental/serverStatus") isQuiescent = quiescent !== false;
      if (method === "$/progress") {
        const kind = textOf(recordOf(value)["kind"]);
        if (kind === "begin") running.add(String(token));
        if (kind === "end") running.delete(String(token));
      }
      // clangd's own, of each file.
      if (method === "textDocument/clangd.fileStatus") {
        if (state === "idle") running.delete(String(uri));
        else running.add(String(uri));
      }
      if (running.size > 0 || !isQuiescent) return;
      for (const listener of listeners.splice(0)) listener();
    },
    isBusy: () => running.size > 0 || !isQuiescent,
    /** Waits until it is done, or for so long; what it knows then is what it is asked for. */
    async settled(ms: number): Promise<void> {
      if (running.size === 0 && isQuiescent) return;
      const done = new Promise<void>((resolve) => {
        listeners.push(resolve);
      });
      isHeard = false;
      await bounded(done, ms, clock, "reading the project in").catch(() => {
        // Work of which nothing is heard any more is not waited for again.
        if (isHeard) return;
        running.clear();
        isQuiescent = true;
      });
      listeners = [];
    },
  };
}
