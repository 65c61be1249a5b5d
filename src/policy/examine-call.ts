import { isAbsolute, resolve } from "node:path";
import type { CommandRisk, Examination } from "./examination.ts";
import { type CommandContext, examineCommand } from "./examine-command.ts";
import { SecretVisitor } from "./secret-visitor.ts";

/** What the examination of a tool call depends on besides the call. */
export interface CallContext extends CommandContext {
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

/**
 * Examines a tool call (SPEC 9). What is not known, an MCP tool or another plugin's for instance, is mutating.
 * @param args as the model gave them, unchecked
 */
export function examineCall(tool: string, args: unknown, context: CallContext = {}): Examination {
  const { command, folder, paths, pattern } = readArguments(tool, args);
  if (command !== undefined) {
    return examineCommand(command, { ...context, ...folderOf(context.folder, folder) });
  }
  const secrets = new SecretVisitor(context);
  for (const path of paths) secrets.path(path);
  if (pattern !== undefined) secrets.pattern(pattern);
  const [risk, reason] = riskOf(tool, context.own);
  return { risk, reason, part: null, secret: secrets.found, isCheck: false, unlisted: null };
}

function riskOf(tool: string, own: readonly string[] = []): [CommandRisk, string] {
  if (READING.has(tool)) return ["read-only", `${tool} only reads`];
  if (own.includes(tool)) return ["read-only", `${tool} guards itself`];
  if (WRITING.has(tool)) return ["mutating", `${tool} changes files`];
  return ["mutating", tool === "bash" ? "bash is given no command" : `${tool} is not known to be read-only`];
}

function folderOf(project: string | undefined, folder: string | undefined): { readonly folder?: string } {
  if (folder === undefined) return {};
  return { folder: project === undefined || isAbsolute(folder) ? folder : resolve(project, folder) };
}

/** The arguments that the policy looks at, in its own words. */
interface CallArguments {
  readonly command: string | undefined;
  /** Where the command runs, absolute or relative to the project. */
  readonly folder: string | undefined;
  /** Files whose content the call shows. */
  readonly paths: readonly string[];
  /** A pattern of files that the call looks for or into. */
  readonly pattern: string | undefined;
}

/** Reads the arguments of OpenCode's tools: the only place in the policy that knows their names. */
function readArguments(tool: string, args: unknown): CallArguments {
  const texts = (...keys: readonly string[]): string[] => {
    if (typeof args !== "object" || args === null) return [];
    return keys.map((key): unknown => Reflect.get(args, key)).filter((value) => typeof value === "string");
  };
  const none = { command: undefined, folder: undefined, paths: [], pattern: undefined };
  switch (tool) {
    case "bash":
      return { ...none, command: texts("command")[0], folder: texts("workdir")[0] };
    case "read":
      return { ...none, paths: texts("filePath", "file_path", "path") };
    case "grep":
      return { ...none, paths: texts("path"), pattern: texts("include")[0] };
    case "glob":
      return { ...none, paths: texts("path"), pattern: texts("pattern")[0] };
    default:
      return none;
  }
}
