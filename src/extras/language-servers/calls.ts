import { resolve } from "node:path";
import type { FilePlace, PreparedCall } from "../../host/tool.ts";
import { bounded, createLines } from "../../lib/async.ts";
import { describeError, isRefusal, type Refusal, refuse } from "../../lib/error.ts";
import { MAX_SOURCE_BYTES, readRegular } from "../../lib/read-source.ts";
import { prepareChange } from "../changes/change.ts";
import { locate } from "../changes/locate.ts";
import type { CallOf, LANGUAGE_SERVERS } from "../announced.ts";
import { answerErrors } from "./answer-errors.ts";
import { createEditErrors, type EditedFile, type EditErrors } from "./edit-errors.ts";
import { type CodeInput, createServers, type Servers, ServerTrouble } from "./servers.ts";

/** How long a call may take with all that it waits for, in milliseconds. */
const PATIENCE_MS = 120_000;
/** Of calls that failed nothing is heard here, so the oldest go. */
const MAX_CALLS = 40;
/** An edit of more files than this is no change by hand. */
const MAX_FILES = 20;
/** Lines about an edit, with the one above them. */
const MAX_LINES = 10;

export type CodeArguments = CallOf<typeof LANGUAGE_SERVERS>;

/** What calls ask of language servers. None is started before one does. */
export type CodeCalls = ReturnType<typeof createCodeCalls>;

export function createCodeCalls(
  input: CodeInput,
  servers: Servers = createServers(input),
  errors: EditErrors = createEditErrors(servers, input.limits.clock),
) {
  const { clock, allowSensitive } = input.limits;
  const edits = new Map<string, readonly (EditedFile & { readonly at: string })[]>();
  const inLine = createLines();

  const guarded = async <T>(work: () => Promise<T | Refusal>): Promise<T | Refusal> => {
    try {
      return await bounded(work(), PATIENCE_MS, clock, "The language server");
    } catch (error) {
      return refuse(
        error instanceof ServerTrouble
          ? error.message
          : `No language server could be asked: ${describeError(error)}`,
      );
    }
  };

  const prepareRename = async (call: CodeArguments, place: FilePlace): Promise<PreparedCall | Refusal> => {
    const { file, name, line, new_name: newName } = call;
    if (name === undefined || newName === undefined) return refuse("rename needs name and new_name.");
    const { renderRenamed, workOutRename } = await import("./rename.ts");
    const changes = await guarded(async () =>
      servers.about(file, place, async (server, { path }) =>
        workOutRename(server, path, { name, newName, line }, (named) =>
          locate(named, { ...place, standsFor: null }, allowSensitive),
        ),
      ),
    );
    if (isRefusal(changes)) return changes;
    return prepareChange(changes, {
      title: `${name} → ${newName} in ${changes.length} files`,
      tell: () => renderRenamed(changes, name, newName),
    });
  };

  const textAt = async (path: string): Promise<string | null> =>
    (await readRegular(path, MAX_SOURCE_BYTES))?.toString("utf8") ?? null;

  const tell = async (callId: string, place: FilePlace): Promise<readonly string[]> => {
    const edited = edits.get(callId) ?? [];
    edits.delete(callId);
    // In a worktree of the plugin's packages may be missing: what is wrong there nobody can tell.
    if (edited.length === 0 || place.standsFor !== null) return [];
    const others = [...edits.keys()];
    const now = new Map<string, string | null>();
    for (const { at } of edited) now.set(at, await textAt(at));
    const lines = await errors.newErrors(edited, place);
    // For those that had begun by then, what is told of now was there before.
    for (const id of others) {
      const files = edits.get(id)?.map((each) => ({ ...each, before: now.get(each.at) ?? each.before }));
      if (files !== undefined) edits.set(id, files);
    }
    if (lines.length === 0) return [];
    const left = lines.length - (MAX_LINES - 1);
    const shown = left > 0 ? [...lines.slice(0, MAX_LINES - 2), `… and ${left + 1} more.`] : lines;
    return ["New errors since this edit, by the language server:", ...shown];
  };

  return {
    /** Works a call out; changes nothing. */
    async prepare(call: CodeArguments, place: FilePlace): Promise<PreparedCall | Refusal> {
      const { op, file } = call;
      if (op === "rename") return prepareRename(call, place);
      return {
        // What it shows are lines of files that the server finds.
        effect: { kind: "read", paths: [file], patterns: [], addresses: [], searches: true },
        async run() {
          const said = await guarded(async () => answerErrors(servers, file, place, clock));
          const text = typeof said === "string" ? said : `${said.reason} ${said.hint}`.trim();
          return { title: `${op} ${file}`, text, files: [] };
        },
      };
    },
    /** An edit is about to be made: remembers what its files hold. @param folder to which paths are relative */
    async begins(callId: string, paths: readonly string[], folder: string): Promise<void> {
      const files = [...new Set(paths)].slice(0, MAX_FILES).map(async (path) => {
        const at = resolve(folder, path);
        return { path, at, before: await textAt(at) };
      });
      edits.set(callId, await Promise.all(files));
      const [oldest] = edits.keys();
      if (edits.size > MAX_CALLS && oldest !== undefined) edits.delete(oldest);
    },
    /**
     * It was made. @returns the errors that were not there before, a line each; empty where nobody can tell. One after the other:
     * calls of one answer run side by side, and each error is told with one of them.
     */
    ended: async (callId: string, place: FilePlace): Promise<readonly string[]> =>
      inLine("", async () => tell(callId, place)),
    languages: servers.languages,
    dispose: servers.dispose,
  };
}
