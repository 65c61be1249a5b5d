import { classifyCommand, type CommandPolicy } from "./classify-command.ts";
import type { Judgement } from "./judgement.ts";
import { patchPaths } from "./patch-paths.ts";

/** A verdict on a tool call, with the files it names as its targets. */
export interface ToolJudgement extends Judgement {
  /** Paths as the call gives them; empty for tools that touch no file by name. */
  readonly files: readonly string[];
}

/** What the judgement of a tool call depends on besides the call. */
export interface ToolPolicy extends CommandPolicy {
  /** The plugin's own tools: they guard themselves, and where they need a human they raise the dialog. */
  readonly own?: readonly string[];
}

/** OpenCode's tools that look, ask or keep notes; `StructuredOutput` and `invalid` are how it talks to the model. */
const READING = new Set(
  "read grep glob list ls webfetch websearch codesearch todowrite todoread question skill lsp StructuredOutput invalid".split(
    " ",
  ),
);
const WRITING = new Set(["edit", "write", "multiedit", "patch", "apply_patch"]);

function textIn(args: unknown, ...keys: readonly string[]): string | undefined {
  if (typeof args !== "object" || args === null) return undefined;
  for (const key of keys) {
    const value: unknown = Reflect.get(args, key);
    if (typeof value === "string") return value;
  }
  return undefined;
}

/** The files that a call of a writing tool names. */
function targets(args: unknown): string[] {
  const patch = textIn(args, "patchText", "patch", "input");
  const path = textIn(args, "filePath", "file_path", "path");
  return [...(path === undefined ? [] : [path]), ...(patch === undefined ? [] : patchPaths(patch))];
}

/**
 * Judges a tool call (SPEC 9). What is not known, an MCP tool or another plugin's for instance, is mutating.
 * @param args as the model gave them, unchecked
 */
export function classifyTool(tool: string, args: unknown, policy: ToolPolicy = {}): ToolJudgement {
  if (READING.has(tool)) return { verdict: "read-only", reason: `${tool} only reads`, files: [] };
  if (policy.own?.includes(tool) === true)
    return { verdict: "read-only", reason: `${tool} guards itself`, files: [] };
  if (WRITING.has(tool))
    return { verdict: "mutating", reason: `${tool} changes files`, files: targets(args) };
  if (tool !== "bash")
    return { verdict: "mutating", reason: `${tool} is not known to be read-only`, files: [] };
  const command = textIn(args, "command");
  if (command === undefined) return { verdict: "mutating", reason: "bash is given no command", files: [] };
  const workdir = textIn(args, "workdir");
  const folder = workdir?.startsWith("/") === true ? workdir : policy.folder;
  const judgement = classifyCommand(command, { ...policy, ...(folder === undefined ? {} : { folder }) });
  return { ...judgement, files: [] };
}
