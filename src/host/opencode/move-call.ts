import { isAbsolute, join, relative } from "node:path";
import { textOf, type JsonRecord } from "../../lib/json.ts";
import type { Move } from "../hook-events.ts";

const PATHS = ["filePath", "path"] as const;
/** Tools that look in the folder where the host runs unless they are told another one. */
const SEARCHING = new Set(["grep", "glob"]);
const PATCHES = /^(\*\*\* (?:(?:Add|Update|Delete) File|Move to): )(.+)$/gmu;
/** The record stays where it is. */
const RECORD = /(?:^|\/)\.gaia(?:\/|$)/u;

/**
 * Rewrites the arguments of a call of one of OpenCode's own tools so that it works in another folder. Other tools are left
 * alone: what they do with a path nobody knows.
 */
export function moveCall(tool: string, args: JsonRecord, move: Move): void {
  if (tool === "bash") {
    args["workdir"] = movedPath(textOf(args["workdir"]) ?? ".", move);
    args["command"] = movedText(textOf(args["command"]) ?? "", move);
  } else if (tool === "apply_patch") {
    const text = textOf(args["patchText"]) ?? "";
    args["patchText"] = text.replace(
      PATCHES,
      (_, head: string, path: string) => head + movedPath(path.trim(), move),
    );
  } else if (PATHS.some((key) => textOf(args[key]) !== undefined)) {
    for (const key of PATHS) {
      const path = textOf(args[key]);
      if (path !== undefined && !tool.includes("_")) args[key] = movedPath(path, move);
    }
  } else if (SEARCHING.has(tool)) args["path"] = movedPath(".", move);
}

/** A path that may be relative to where the host runs; one elsewhere stays as it is. */
function movedPath(path: string, { at, from, to }: Move): string {
  const full = isAbsolute(path) ? path : join(at, path);
  const inside = relative(from, full);
  const isElsewhere =
    inside === ".." || inside.startsWith("../") || isAbsolute(inside) || RECORD.test(inside);
  return isElsewhere ? full : join(to, inside);
}

/** A command that names the folder by its whole path. */
function movedText(text: string, { from, to }: Move): string {
  const end = text.split(from);
  return end.reduce(
    (done, rest) => done + (/^(?:$|[\s"'`;:|&()<>]|\/(?!\.gaia\b))/u.test(rest) ? to : from) + rest,
  );
}
