import type { FileEdit } from "../tool-call.ts";

// OpenCode takes what stands behind the colon, blanks or none between.
const FILE = /^\s*\*\*\* (Add|Update|Delete) File:\s*(.+?)\s*$/;
const TARGET = /^\*\*\* Move to:\s*(.+?)\s*$/;

const KINDS: Readonly<Record<string, Pick<FileEdit, "isAdded" | "isDeleted">>> = {
  Add: { isAdded: true },
  Delete: { isDeleted: true },
};

/** A patch by file: what its hunks show of each before and after. A file that is moved stands where it goes. */
export function readPatch(patch: string): FileEdit[] {
  const edits: (FileEdit & { before: string; after: string })[] = [];
  for (const line of patch.split("\n")) {
    const [, verb, file] = FILE.exec(line) ?? [];
    const edit = edits.at(-1);
    if (file !== undefined) edits.push({ path: file, before: "", after: "", ...KINDS[verb ?? ""] });
    if (file !== undefined || edit === undefined) continue;
    const target = TARGET.exec(line)?.[1];
    if (target !== undefined) Object.assign(edit, { path: target, movedFrom: edit.movedFrom ?? edit.path });
    if (/^[- ]/.test(line)) edit.before += `${line.slice(1)}\n`;
    if (/^[+ ]/.test(line)) edit.after += `${line.slice(1)}\n`;
  }
  return edits;
}
