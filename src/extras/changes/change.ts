import type { PreparedCall } from "../../host/tool.ts";
import type { FileLines } from "../../host/tool-call.ts";
import { describeError } from "../../lib/error.ts";
import { isWritable } from "../../lib/find-below.ts";
import { realPathOf } from "../../policy/real-path.ts";
import { type LineChange, lineChanges } from "../../lib/line-diff.ts";
import { writeFileAtomic } from "../../record/store.ts";
import type { Located } from "./locate.ts";
import { MAX_SOURCE_BYTES, readRegular } from "../../lib/read-source.ts";

/** A file with what it holds and what it is to hold. */
export interface FileChange extends Located {
  readonly before: Uint8Array;
  readonly after: Uint8Array;
}

/** Whole lines that are replaced by others. */
export interface Hunk extends LineChange {
  readonly before: string;
  readonly after: string;
}

export interface ChangeWords {
  readonly title: string;
  /** For the model, once it is made. */
  tell(): string;
}

/**
 * The only way in which a tool of this plugin's changes files of the project: the files that are judged are those that are
 * written. It asks for the host's own permission to edit, and then changes all of them or none, if they still are as they
 * were when the change was worked out.
 */
export function prepareChange(changes: readonly FileChange[], words: ChangeWords): PreparedCall {
  return {
    effect: {
      kind: "edit",
      isPatch: changes.length !== 1,
      edits: changes.flatMap((change) =>
        hunksOf(change).map(({ before, after }) => ({ path: change.path, before, after })),
      ),
    },
    async run(call) {
      await refuseReadOnly(changes);
      await call.askToEdit(
        changes.map(({ ruled }) => ruled),
        changes.flatMap(renderDiff).join("\n"),
      );
      await writeAll(changes);
      return { title: words.title, text: words.tell(), files: changes.map(countLines) };
    },
  };
}

export function hunksOf(change: Pick<FileChange, "before" | "after">): Hunk[] {
  const [old = [], fresh = []] = [change.before, change.after].map(linesOf);
  return lineChanges(old, fresh).map((each) => ({
    ...each,
    before: old.slice(each.was - 1, each.was - 1 + each.went).join(""),
    after: fresh.slice(each.line - 1, each.line - 1 + each.came).join(""),
  }));
}

/** The same as lines of a unified diff, without the lines around. */
export function renderDiff(change: FileChange): string[] {
  const signed = (sign: string, text: string): string[] =>
    text === ""
      ? []
      : text
          .replace(/\r?\n$/u, "")
          .split(/\r?\n/u)
          .map((line) => sign + line);
  const at = (first: number, count: number): string => `${count === 0 ? first - 1 : first},${count}`;
  const hunks = hunksOf(change).flatMap(({ was, went, line, came, before, after }) => [
    `@@ -${at(was, went)} +${at(line, came)} @@`,
    ...signed("-", before),
    ...signed("+", after),
  ]);
  return [`--- ${change.name}`, `+++ ${change.name}`, ...hunks];
}

/** The lines of a text with their ends, without the mark that some editors put in front. */
function linesOf(bytes: Uint8Array): string[] {
  return bytes.length === 0
    ? []
    : Buffer.from(bytes)
        .toString("utf8")
        .replace(/^\uFEFF/u, "")
        .split(/(?<=\n)/u);
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

function countLines(change: FileChange): FileLines {
  const hunks = hunksOf(change);
  const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);
  return {
    path: change.path,
    added: sum(hunks.map(({ came }) => came)),
    removed: sum(hunks.map(({ went }) => went)),
  };
}
