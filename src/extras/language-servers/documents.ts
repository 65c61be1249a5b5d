import { pathToFileURL } from "node:url";
import { TextDocument } from "vscode-languageserver-textdocument";
import { readRegular } from "../../lib/read-source.ts";
import { endingOf, type ServerEntry } from "./known-servers.ts";

/** More files than these are not kept open: the one that was needed longest ago goes. */
const MAX_OPEN = 60;
const MAX_BYTES = 2_000_000;
/** What some editors put in front of a text; servers do not count it. */
export const MARK = "\uFEFF";

export const uriOf = (path: string): string => pathToFileURL(path).href;

/**
 * The files that are open in a server; it knows their texts by what it was told and not by its own reading.
 * @param save what the server wants to hear of a saved file; false for nothing
 */
export function createDocuments(
  notify: (method: string, params: unknown) => void,
  { languageIds }: ServerEntry,
  save: boolean | { readonly includeText?: boolean },
) {
  // In the order of their last use.
  const open = new Map<string, TextDocument>();

  const close = (path: string): void => {
    if (open.delete(path)) notify("textDocument/didClose", { textDocument: { uri: uriOf(path) } });
  };
  const tell = (path: string, given: string): boolean => {
    const text = given.startsWith(MARK) ? given.slice(1) : given;
    const known = open.get(path);
    open.delete(path);
    if (known?.getText() === text) {
      open.set(path, known);
      return false;
    }
    const [uri, version] = [uriOf(path), (known?.version ?? 0) + 1];
    const languageId = languageIds.get(endingOf(path)) ?? endingOf(path);
    open.set(path, TextDocument.create(uri, languageId, version, text));
    if (known === undefined) {
      notify("textDocument/didOpen", { textDocument: { uri, languageId, version, text } });
      const [oldest] = open.keys();
      if (open.size > MAX_OPEN && oldest !== undefined) close(oldest);
      return true;
    }
    notify("textDocument/didChange", { textDocument: { uri, version }, contentChanges: [{ text }] });
    // Some look at what depends on a file only once it is saved; all that is told here is what was saved.
    if (save !== false)
      notify("textDocument/didSave", {
        textDocument: { uri },
        ...(save !== true && save.includeText === true ? { text } : {}),
      });
    return true;
  };
  const refresh = async (path: string): Promise<boolean | null> => {
    const bytes = await readRegular(path, MAX_BYTES);
    if (bytes !== null) return tell(path, bytes.toString("utf8"));
    close(path);
    return null;
  };

  return {
    /** Tells of what open files hold by now. @returns those whose text is another one than the server knew */
    async follow(): Promise<string[]> {
      const looks = [...open.keys()].map(async (path) => ((await refresh(path)) === false ? [] : [path]));
      return (await Promise.all(looks)).flat();
    },
    /** Opens a file, or makes sure of its text. @returns whether the server was told anything; null for what is no file, or too large */
    open: refresh,
    /** Has the server take a text for a file's, until it is opened again. */
    pretend: (path: string, text: string) => void tell(path, text),
    get: (path: string) => open.get(path),
  };
}

export type Documents = ReturnType<typeof createDocuments>;
