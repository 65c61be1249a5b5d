import { relative, resolve } from "node:path";
import type { EditedText } from "../advice/comment-check/comment-check.ts";
import type { Place, RunningCall } from "./tool-fact.ts";

/**
 * What a finished edit put into which files, as far as its arguments tell; paths are relative to the project. Empty for
 * every other call.
 */
export function readEditedTexts(
  { effect, before }: RunningCall,
  { directory, project }: Place,
): EditedText[] {
  if (effect.kind !== "edit") return [];
  return effect.edits.map((edit) => ({
    path: relative(project, resolve(directory, edit.path)).replaceAll("\\", "/"),
    before: edit.before ?? before ?? "",
    after: edit.after,
  }));
}
