import { stat } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { recordOf } from "../../lib/json.ts";
import { endingOf, type ServerEntry } from "./servers.ts";
import type { SeenChanges } from "./source-files.ts";
import { readRegular } from "../../lib/read-source.ts";

/** More files than these are not kept open: the one that was needed longest ago goes. */
const MAX_OPEN = 60;
const MAX_BYTES = 2_000_000;
/** A file that changed this recently may change again without its time telling, in milliseconds. */
const RACY_MS = 2_000;

/** A file as the server knows it. */
interface OpenDocument {
  version: number;
  text: string;
  /** Of the file when it was read; "" for a text that is not the file's. */
  stamp: string;
}

/** The files that are open in a server; it knows their texts by what it was told and not by its own reading. */
export interface Documents {
  /** Tells of everything that changed on disk. @returns the files whose text is another one than the server knew */
  follow(seen: SeenChanges): Promise<string[]>;
  /** Opens a file, or makes sure of its text. @returns its text; null for what is no file, or too large */
  open(path: string): Promise<string | null>;
  /** Has the server take a text for a file's, until it is opened again. */
  pretend(path: string, text: string): void;
  /** The version that the server was told last; 0 for a file that is not open. */
  version(path: string): number;
  text(path: string): string | undefined;
}

/** What the protocol calls a change of a file. */
const KIND = { created: 1, changed: 2, deleted: 3 } as const;

/** What some editors put in front of a text. */
const MARK = "\uFEFF";

export const uriOf = (path: string): string => pathToFileURL(path).href;

export function createDocuments(
  notify: (method: string, params: unknown) => void,
  { languageIds }: ServerEntry,
  capabilities: Readonly<Record<string, unknown>>,
): Documents {
  // Some look at what depends on a file only once it is saved; all that is told here is what was saved.
  const { save } = recordOf(capabilities["textDocumentSync"]);
  // In the order of their last use.
  const open = new Map<string, OpenDocument>();
  /** Files that were looked at for the question at hand, and not opened for it yet. */
  const fresh = new Set<string>();

  const tell = (path: string, text: string, stamp: string): boolean => {
    const known = open.get(path);
    open.delete(path);
    if (known === undefined) {
      open.set(path, { version: 1, text, stamp });
      const languageId = languageIds.get(endingOf(path)) ?? endingOf(path);
      notify("textDocument/didOpen", { textDocument: { uri: uriOf(path), languageId, version: 1, text } });
      const [oldest] = open.keys();
      if (open.size > MAX_OPEN && oldest !== undefined) close(oldest);
      return true;
    }
    open.set(path, known);
    known.stamp = stamp;
    if (known.text === text) return false;
    known.version += 1;
    known.text = text;
    const textDocument = { uri: uriOf(path), version: known.version };
    notify("textDocument/didChange", { textDocument, contentChanges: [{ text }] });
    if (save !== undefined && save !== false)
      notify("textDocument/didSave", {
        textDocument: { uri: uriOf(path) },
        ...(recordOf(save)["includeText"] === true ? { text } : {}),
      });
    return true;
  };

  const close = (path: string): void => {
    if (open.delete(path)) notify("textDocument/didClose", { textDocument: { uri: uriOf(path) } });
  };

  /** Whether the server was told of another text; null for a file that is not there. */
  const refresh = async (path: string): Promise<boolean | null> => {
    const found = await stat(path).catch(() => null);
    if (found === null || !found.isFile() || found.size > MAX_BYTES) return null;
    const stamp = `${found.mtimeMs}:${found.size}:${found.ino}`;
    const isOld = Date.now() - found.mtimeMs > RACY_MS;
    if (isOld && open.get(path)?.stamp === stamp) return false;
    const bytes = await readRegular(path, MAX_BYTES);
    return bytes === null ? null : tell(path, withoutMark(bytes.toString("utf8")), stamp);
  };

  return {
    async follow(seen) {
      const changes = Object.entries(KIND).flatMap(([kind, type]) =>
        seen[kind as keyof typeof KIND].map((path) => ({ uri: uriOf(path), type })),
      );
      changes.push(...seen.around.map((path) => ({ uri: uriOf(path), type: KIND.changed })));
      const changed: string[] = [];
      fresh.clear();
      const looks = Array.from(open.keys(), async (path) => {
        const isNew = await refresh(path);
        if (isNew === null) close(path);
        else fresh.add(path);
        if (isNew !== false) changed.push(path);
      });
      await Promise.all(looks);
      if (changes.length > 0) notify("workspace/didChangeWatchedFiles", { changes });
      // What others wrote is told, and not left to be noticed.
      for (const path of [...seen.created, ...seen.changed].slice(0, MAX_OPEN / 2)) {
        if (open.has(path) || !languageIds.has(endingOf(path))) continue;
        if ((await refresh(path)) === true) changed.push(path);
      }
      return changed;
    },
    async open(path) {
      const isThere = fresh.delete(path) || (await refresh(path)) !== null;
      const document = open.get(path);
      if (!isThere || document === undefined) return null;
      // The last to be closed for others.
      open.delete(path);
      open.set(path, document);
      return document.text;
    },
    pretend(path, text) {
      fresh.delete(path);
      tell(path, withoutMark(text), "");
    },
    version: (path) => open.get(path)?.version ?? 0,
    text: (path) => open.get(path)?.text,
  };
}

/** A text without its byte order mark, which servers do not count. */
export function withoutMark(text: string): string {
  return text.startsWith(MARK) ? text.slice(1) : text;
}
