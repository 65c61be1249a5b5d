import type { FileEdit } from "../tool-call.ts";

const FILE = /^\*\*\* (?:Add|Update|Delete) File: (.+?)\s*$/;
const TARGET = /^\*\*\* Move to: (.+?)\s*$/;

/** A patch by file: what its hunks show of each before and after. A file that is moved stands where it goes. */
export function readPatch(patch: string): FileEdit[] {
  const edits: { path: string; before: string; after: string }[] = [];
  for (const line of patch.split("\n")) {
    const file = FILE.exec(line)?.[1];
    const edit = edits.at(-1);
    if (file !== undefined) edits.push({ path: file, before: "", after: "" });
    if (file !== undefined || edit === undefined) continue;
    edit.path = TARGET.exec(line)?.[1] ?? edit.path;
    if (/^[- ]/.test(line)) edit.before += `${line.slice(1)}\n`;
    if (/^[+ ]/.test(line)) edit.after += `${line.slice(1)}\n`;
  }
  return edits;
}
