import { relative, resolve } from "node:path";
import type { FileDelta, ToolFact } from "../collaboration/batch.ts";
import type { ExaminedCall } from "../collaboration/decide-call.ts";
import { excerpt } from "../../lib/excerpt.ts";
import { numberOf, recordOf, textOf } from "../../lib/json.ts";
import type { Redactor } from "../../lib/redaction.ts";
import { lineDelta } from "./line-delta.ts";

/** A tool call of a GAIA session between its two hooks. */
export interface RunningCall extends ExaminedCall {
  readonly callId: string;
  readonly sessionId: string;
  readonly mutating: boolean;
  readonly args: unknown;
  /** The file that a `write` is about to replace; null when there is none. */
  readonly before: string | null;
}

/** What OpenCode gives back for a call. */
export interface ToolResult {
  readonly output: unknown;
  readonly metadata: unknown;
}

/** Only the end of an output is ever shown. */
const MAX_OUTPUT = 2_000;

/**
 * What a finished call did to the project, from OpenCode's own account of it, free of secrets.
 * @param directory the project, to which paths are made relative
 */
export function readToolFact(
  call: RunningCall,
  result: ToolResult,
  directory: string,
  redact: Redactor,
): ToolFact {
  const { sessionId, tool, mutating } = call;
  const base = { sessionId, tool, mutating, failed: false };
  if (tool === "bash") {
    const command = redact(textOf(recordOf(call.args)["command"]) ?? "");
    const exitCode = numberOf(recordOf(result.metadata)["exit"]) ?? null;
    const output = redact((textOf(result.output) ?? "").slice(-MAX_OUTPUT));
    return { ...base, command: { command, exitCode, output } };
  }
  const files = filesOf(call, recordOf(result.metadata), directory);
  return files.length === 0 ? base : { ...base, files };
}

/** The file or command of a call in a few words, for a line on the screen. */
export function targetOf(
  { tool, args }: Pick<RunningCall, "tool" | "args">,
  directory: string,
  redact: Redactor,
): string {
  const input = recordOf(args);
  const path = textOf(input["filePath"]) ?? textOf(input["path"]);
  if (tool !== "bash" && path !== undefined) return shownPath(path, directory);
  const text = textOf(input["command"]) ?? textOf(input["pattern"]) ?? textOf(input["url"]) ?? "";
  return excerpt(redact(text), 120);
}

function filesOf(call: RunningCall, metadata: Record<string, unknown>, directory: string): FileDelta[] {
  const diff = recordOf(metadata["filediff"]);
  const path = textOf(recordOf(call.args)["filePath"]) ?? textOf(diff["file"]);
  if (call.tool === "write" && path !== undefined) {
    const content = textOf(recordOf(call.args)["content"]) ?? "";
    return [{ path: shownPath(path, directory), ...lineDelta(call.before ?? "", content) }];
  }
  if (call.tool === "edit" && path !== undefined) {
    return [{ path: shownPath(path, directory), ...countsOf(diff) }];
  }
  if (call.tool !== "apply_patch") return [];
  const files = Array.isArray(metadata["files"]) ? metadata["files"].map(recordOf) : [];
  return files.map((file) => ({
    path: shownPath(textOf(file["movePath"]) ?? textOf(file["filePath"]) ?? "", directory),
    ...countsOf(file),
  }));
}

function countsOf(record: Record<string, unknown>): { added: number; removed: number } {
  return { added: numberOf(record["additions"]) ?? 0, removed: numberOf(record["deletions"]) ?? 0 };
}

function shownPath(path: string, directory: string): string {
  const inside = relative(directory, resolve(directory, path));
  return inside.startsWith("..") ? path : inside;
}
