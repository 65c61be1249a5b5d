import { relative, resolve } from "node:path";
import type { EditedText } from "../advice/comment-check/comment-check.ts";
import { recordOf, textOf } from "../../lib/json.ts";
import type { RunningCall } from "./tool-fact.ts";

const PATCH_FILE = /^\*\*\* (?:Add|Update|Delete) File: (.+?)\s*$/;
const PATCH_TARGET = /^\*\*\* Move to: (.+?)\s*$/;

/**
 * What a finished call of an editing tool put into which files, as far as its arguments tell; paths are relative to the
 * project. Empty for every other tool.
 */
export function readEditedTexts({ tool, args, before }: RunningCall, directory: string): EditedText[] {
  const input = recordOf(args);
  const inside = (path: string): string =>
    relative(directory, resolve(directory, path)).replaceAll("\\", "/");
  if (tool === "apply_patch") {
    return readPatch(textOf(input["patchText"]) ?? "").map((edit) => ({ ...edit, path: inside(edit.path) }));
  }
  const path = textOf(input["filePath"]);
  if (path === undefined) return [];
  if (tool === "write") {
    return [{ path: inside(path), before: before ?? "", after: textOf(input["content"]) ?? "" }];
  }
  if (tool !== "edit") return [];
  const texts = { before: textOf(input["oldString"]) ?? "", after: textOf(input["newString"]) ?? "" };
  return [{ path: inside(path), ...texts }];
}

/** The fragments of a patch by file: what its hunks show of it before and after. */
function readPatch(patch: string): EditedText[] {
  const edits: EditedText[] = [];
  for (const line of patch.split("\n")) {
    const file = PATCH_FILE.exec(line)?.[1];
    const edit = edits.at(-1);
    if (file !== undefined) edits.push({ path: file, before: "", after: "" });
    if (file !== undefined || edit === undefined) continue;
    edit.path = PATCH_TARGET.exec(line)?.[1] ?? edit.path;
    if (/^[- ]/.test(line)) edit.before += `${line.slice(1)}\n`;
    if (/^[+ ]/.test(line)) edit.after += `${line.slice(1)}\n`;
  }
  return edits;
}
