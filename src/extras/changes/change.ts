import type { FilePlace, PreparedCall } from "../../host/tool.ts";
import type { FileLines } from "../../host/tool-call.ts";
import { describeError } from "../../lib/error.ts";
import { isWritable } from "../../lib/is-writable.ts";
import { realPathOf } from "../../policy/real-path.ts";
import { writeFileAtomic } from "../../workspace/store/atomic-file.ts";
import { lineChanges } from "./line-changes.ts";
import type { Located } from "./locate.ts";
import { MAX_SOURCE_BYTES, readRegular } from "../../lib/read-source.ts";

/** What is replaced by what in a file, for those who look at an edit, and where a line of it stands. */
export interface Piece {
  readonly before: string;
  readonly after: string;
}

/** A file with what it holds and what it is to hold. */
export interface FileChange extends Located {
  readonly before: Uint8Array;
  readonly after: Uint8Array;
  readonly pieces: readonly Piece[];
}

/** What is said of a change, before it is made and after. */
export interface ChangeWords {
  readonly title: string;
  /** For the model, once it is made. @param made the files as they are then, in the order of the changes */
  tell(made: readonly FileChange[]): string | Promise<string>;
  /** For the dialog. */
  readonly diff: string;
}

/**
 * The only way in which a tool of this plugin's changes files of the project: the files that are judged are those that are
 * written. It asks for the host's own permission to edit, and then changes all of them or none, if they still are as they
 * were when the change was worked out. The host's formatters then run on them, as on what its own tools write.
 */
export function prepareChange(
  changes: readonly FileChange[],
  place: FilePlace,
  words: ChangeWords,
): PreparedCall {
  return {
    effect: {
      kind: "edit",
      isPatch: changes.length !== 1,
      edits: changes.flatMap(({ path, pieces }) =>
        pieces.map(({ before, after }) => ({ path, before, after })),
      ),
    },
    async run(call, format) {
      await refuseReadOnly(changes);
      await call.askToEdit(
        changes.map(({ ruled }) => ruled),
        words.diff,
      );
      await writeAll(changes);
      const said = await format(changes, place, call.abort);
      const made = said.length === 0 ? changes : await Promise.all(changes.map(asItIs));
      const text = [await words.tell(made), ...said].join("\n");
      return { title: words.title, text, files: made.map(countLines) };
    },
  };
}

/** A change as it came to be, once others have worked on the file; as it was meant where nobody can tell. */
async function asItIs(change: FileChange): Promise<FileChange> {
  const after = await readRegular(change.path, MAX_SOURCE_BYTES);
  if (after === null || realPathOf(change.path) !== change.path || after.equals(change.after)) return change;
  const [old, fresh] = [change.before, after].map((bytes) =>
    Buffer.from(bytes)
      .toString("utf8")
      .split(/(?<=\n)/u),
  ) as [string[], string[]];
  const pieces = lineChanges(old, fresh).map(({ was, went, line, came }) => ({
    before: old.slice(was - 1, was - 1 + went).join(""),
    after: fresh.slice(line - 1, line - 1 + came).join(""),
  }));
  return { ...change, after, pieces };
}

/** @throws Error when nothing was changed, because a file is not what it was or cannot be written */
async function writeAll(changes: readonly FileChange[]): Promise<void> {
  const stale = await staleAmong(changes);
  if (stale.length > 0) throw new Error(staleText(stale));
  const written: FileChange[] = [];
  for (const change of changes) {
    try {
      if (!(await writeFileAtomic(change.path, change.after, async () => isAs(change, change.before))))
        throw new Error(staleText([change.name]));
      written.push(change);
    } catch (error) {
      const kept = await putBack(written);
      const rest = kept.length === 0 ? "Nothing was changed." : `Changed all the same: ${kept.join(", ")}.`;
      throw new Error(`${change.name} could not be written: ${describeError(error)} ${rest}`, {
        cause: error,
      });
    }
  }
}

/** @throws Error naming the files that their owner does not want changed */
async function refuseReadOnly(changes: readonly FileChange[]): Promise<void> {
  const held: string[] = [];
  // One that is gone is told of when it is to be written.
  for (const { path, name } of changes) if (!(await isWritable(path).catch(() => true))) held.push(name);
  if (held.length > 0) throw new Error(`Nothing was changed: read-only is ${held.join(", ")}.`);
}

async function staleAmong(changes: readonly FileChange[]): Promise<string[]> {
  const found: string[] = [];
  for (const change of changes) if (!(await isAs(change, change.before))) found.push(change.name);
  return found;
}

/** @returns the names of those that someone has changed meanwhile, which stay as they are */
async function putBack(written: readonly FileChange[]): Promise<string[]> {
  const kept: string[] = [];
  for (const change of written.toReversed()) {
    const isBack = await writeFileAtomic(change.path, change.before, async () =>
      isAs(change, change.after),
    ).catch(() => false);
    if (!isBack) kept.push(change.name);
  }
  return kept;
}

/** Whether the file at this very place holds these bytes; what cannot be read does not. */
async function isAs({ path }: Located, bytes: Uint8Array): Promise<boolean> {
  if (realPathOf(path) !== path) return false;
  return (await readRegular(path, MAX_SOURCE_BYTES))?.equals(bytes) === true;
}

function staleText(names: readonly string[]): string {
  return `Nothing was changed: ${names.join(", ")} changed while this was worked out. Look again, then call again.`;
}

function countLines({ path, pieces }: FileChange): FileLines {
  const count = (text: string): number => (text === "" ? 0 : text.replace(/\r?\n$/u, "").split("\n").length);
  return pieces.reduce<FileLines>(
    (sum, { before, after }) => ({
      path,
      added: sum.added + count(after),
      removed: sum.removed + count(before),
    }),
    { path, added: 0, removed: 0 },
  );
}
