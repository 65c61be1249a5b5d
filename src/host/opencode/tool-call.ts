import { isAbsolute, join } from "node:path";
import { pathBelow } from "../../lib/folders.ts";
import { listOf, numberOf, recordOf, textOf, type JsonRecord } from "../../lib/json.ts";
import {
  type FileEdit,
  type FileLines,
  readPlaces,
  type ToolEffect,
  type ToolOutcome,
  type ToolTarget,
} from "../tool-call.ts";
import type { Move, PermissionNames } from "../hook-events.ts";

/** Tools that look, ask or keep notes; `invalid` is how OpenCode talks to the model. */
const READING = new Set("read grep glob webfetch websearch skill lsp invalid".split(" "));

/** What a call of one of OpenCode's tools does. @param args as the model gave them, unchecked */
export function readToolCall(tool: string, args: unknown): ToolEffect {
  const input = recordOf(args);
  const text = (key: string): string => textOf(input[key]) ?? "";
  if (tool === "bash") {
    return { kind: "command", command: text("command"), workdir: textOf(input["workdir"]) ?? null };
  }
  if (tool === "question") return { kind: "question", questions: listOf(input["questions"]).map(recordOf) };
  if (tool === "todowrite") return { kind: "todos" };
  if (tool === "task") return { kind: "subtask" };
  if (tool === "apply_patch") return { kind: "edit", isPatch: true, edits: readPatch(text("patchText")) };
  const path = pathOf(input);
  if (tool === "write") return edit(path, null, text("content"));
  if (tool === "edit") return edit(path, text("oldString"), text("newString"));
  if (!READING.has(tool)) return { kind: "other", ...readPlaces(input) };
  const pattern = tool === "grep" ? input["include"] : tool === "glob" ? input["pattern"] : undefined;
  const addresses = textsOf(input["url"]);
  const read = {
    kind: "read",
    paths: path === undefined ? [] : [path],
    patterns: textsOf(pattern),
    addresses,
  } as const;
  if (tool === "skill") return { ...read, skill: text("name") };
  return tool === "grep" ? { ...read, searches: true } : read;
}

/** What a call of any tool names first: a path, else a command, a pattern or an address. */
export function readTarget(tool: string, args: unknown): ToolTarget {
  const input = recordOf(args);
  const path = pathOf(input);
  if (tool !== "bash" && path !== undefined) return { path };
  const [text = ""] = ["command", "pattern", "url"].flatMap((key) => textsOf(input[key]));
  return { text };
}

/** What came of a call, from what OpenCode gives its after-hook. */
export function readOutcome(tool: string, args: unknown, result: unknown): ToolOutcome {
  const { output, metadata } = recordOf(result);
  const facts = recordOf(metadata);
  return {
    text: textOf(output) ?? null,
    exitCode: tool === "bash" ? (numberOf(facts["exit"]) ?? null) : null,
    files: filesOf(tool, recordOf(args), facts),
    answers: tool === "question" ? answersOf(facts["answers"]) : [],
  };
}

function edit(path: string | undefined, before: string | null, after: string): ToolEffect {
  return { kind: "edit", isPatch: false, edits: path === undefined ? [] : [{ path, before, after }] };
}

function filesOf(tool: string, input: JsonRecord, facts: JsonRecord): FileLines[] {
  if (tool === "apply_patch") {
    return listOf(facts["files"])
      .map(recordOf)
      .map((file) => linesOf(textOf(file["movePath"]) ?? textOf(file["filePath"]) ?? "", file));
  }
  const diff = recordOf(facts["filediff"]);
  const path = pathOf(input) ?? textOf(diff["file"]);
  return tool === "edit" && path !== undefined ? [linesOf(path, diff)] : [];
}

function linesOf(path: string, counts: JsonRecord): FileLines {
  return { path, added: numberOf(counts["additions"]) ?? 0, removed: numberOf(counts["deletions"]) ?? 0 };
}

function answersOf(given: unknown): string[][] {
  return listOf(given).map((labels) => listOf(labels).flatMap(textsOf));
}

function pathOf(input: JsonRecord): string | undefined {
  return textOf(input["filePath"]) ?? textOf(input["path"]);
}

function textsOf(value: unknown): string[] {
  return typeof value === "string" ? [value] : [];
}

// OpenCode takes what stands behind the colon, blanks or none between.
const FILE = /^\s*\*\*\* (Add|Update|Delete) File:\s*(.+?)\s*$/;
const TARGET = /^\*\*\* Move to:\s*(.+?)\s*$/;

const KINDS: Readonly<Record<string, Pick<FileEdit, "isAdded" | "isDeleted">>> = {
  Add: { isAdded: true },
  Delete: { isDeleted: true },
};

/** A patch by file: what its hunks show of each before and after. A file that is moved stands where it goes. */
function readPatch(patch: string): FileEdit[] {
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

const PATHS = ["filePath", "path"] as const;
/** Tools that look in the folder where the host runs unless they are told another one. */
const SEARCHING = new Set(["grep", "glob"]);
const PATCHES = /^(\*\*\* (?:(?:Add|Update|Delete) File|Move to): )(.+)$/gmu;
/** The record stays where it is. */
const RECORD = /(?:^|\/)\.gaia(?:\/|$)/u;

/** Has a call of one of OpenCode's own tools work in another folder; what others do with a path nobody knows. */
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
  const inside = pathBelow(from, full);
  return inside === null || RECORD.test(inside) ? full : join(to, inside);
}

/** A command that names the folder by its whole path. */
function movedText(text: string, { from, to }: Move): string {
  const end = text.split(from);
  return end.reduce(
    (done, rest) => done + (/^(?:$|[\s"'`;:|&()<>]|\/(?!\.gaia\b))/u.test(rest) ? to : from) + rest,
  );
}

export const PERMISSION_NAMES: PermissionNames = {
  command: "bash",
  web: "webfetch",
  todos: "todowrite",
  outside: "external_directory",
  repetition: "doom_loop",
  malformed: "invalid",
  ownSkill: "customize-opencode",
};
