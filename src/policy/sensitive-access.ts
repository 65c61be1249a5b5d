import { problemOf } from "./programs/judge.ts";
import { listsFiles, showsEnvironment, shownPaths, showsUnknownFiles } from "./secrets.ts";
import { isSensitivePath, isSensitivePattern } from "./sensitive-path.ts";
import { type Arg, shown, textOf } from "./shell/arg.ts";
import { walkSource } from "./shell/source.ts";
import type { Invocation, Visitor, Walk } from "./shell/walk-state.ts";

/** A read of something that may hold secrets. */
export interface SensitiveAccess {
  /** The file, pattern or command as the call names it. */
  readonly path: string;
  /** In words for a person, as the end of a sentence that begins with the path. */
  readonly reason: string;
}

/** Gives the real path behind a path, symbolic links followed; undefined where there is nothing. */
export type ResolvePath = (path: string) => string | undefined;

const HOLDS_SECRETS = "may hold keys or credentials";
/** Files of one command whose real paths are looked up. */
const MAX_RESOLVED = 64;

/** Finds what a command would show, with the links of at most `MAX_RESOLVED` files followed. */
class Inspection {
  found: SensitiveAccess | undefined;
  #listed: SensitiveAccess | undefined;
  #unknown = false;
  #lookups = MAX_RESOLVED;
  readonly #resolve: ResolvePath;
  readonly #allow: readonly string[];

  constructor(resolve: ResolvePath, allow: readonly string[]) {
    this.#resolve = resolve;
    this.#allow = allow;
  }

  /** What was found, a listing that something else reads included. */
  get result(): SensitiveAccess | undefined {
    return this.found ?? (this.#unknown ? this.#listed : undefined);
  }

  path(path: string, folders: readonly string[] = [""]): void {
    for (const folder of folders) {
      const full = folder === "" || path.startsWith("/") ? path : `${folder}/${path}`;
      const real = this.#lookups-- > 0 ? this.#resolve(full) : undefined;
      const sensitive =
        isSensitivePattern(full, this.#allow) || (real !== undefined && isSensitivePath(real, this.#allow));
      if (sensitive) this.found ??= { path, reason: HOLDS_SECRETS };
    }
  }

  invocation(invocation: Invocation): void {
    const { argv, walk } = invocation;
    const name = textOf(argv[0])?.split("/").at(-1) ?? "";
    const args = argv.slice(1);
    for (const path of shownPaths(name, args)) this.path(path, walk.scope.folders);
    if (showsEnvironment(name, args))
      this.found ??= { path: name, reason: "shows environment variables, which hold keys" };
    if (showsUnknownFiles(name, args)) this.#unknown = true;
    if (listsFiles(name)) for (const arg of args) this.#list(arg);
    problemOf(invocation);
  }

  #list(arg: Arg): void {
    const text = shown(arg);
    if (isSensitivePattern(text, this.#allow, "hidden"))
      this.#listed ??= { path: text, reason: HOLDS_SECRETS };
  }
}

/** Words of a command that cannot be followed are looked at one by one. */
function inspectWords(command: string, inspection: Inspection): void {
  for (const word of command.slice(0, 64 * 1024).split(/[\s"'`;|&<>()=:@]+/u)) {
    if (isSensitivePattern(word)) inspection.path(word);
  }
}

function inspectCommand(command: string, folder: string | undefined, inspection: Inspection): void {
  const visitor: Visitor = {
    onEffect: () => undefined,
    onDanger: () => undefined,
    onUnfollowed: () => inspectWords(command, inspection),
    onInvocation: (invocation) => inspection.invocation(invocation),
    onInput: (file: Arg, walk: Walk) => inspection.path(shown(file), walk.scope.folders),
  };
  walkSource(command, visitor, folder);
}

function texts(args: unknown, keys: readonly string[]): string[] {
  if (typeof args !== "object" || args === null) return [];
  return keys.map((key): unknown => Reflect.get(args, key)).filter((value) => typeof value === "string");
}

/**
 * The sensitive file that a tool call would show, undefined when there is none (SPEC 9). Looks at `read`, `grep`,
 * `glob` and `bash`; a search through a whole folder is not taken for a read of every file in it.
 * @param args as the model gave them, unchecked
 * @param resolve is asked for the targets of symbolic links
 * @param allow patterns of files that the user allows after all, as for `isSensitivePath`
 */
export function findSensitiveAccess(
  tool: string,
  args: unknown,
  resolve: ResolvePath,
  allow: readonly string[] = [],
): SensitiveAccess | undefined {
  const inspection = new Inspection(resolve, allow);
  switch (tool) {
    case "read":
      for (const path of texts(args, ["filePath", "file_path", "path"])) inspection.path(path);
      break;
    case "grep":
    case "glob": {
      for (const path of texts(args, ["path"])) inspection.path(path);
      const patterns = texts(args, tool === "grep" ? ["include"] : ["pattern"]);
      const pattern = patterns.find((text) => isSensitivePattern(text, allow, "hidden"));
      if (pattern !== undefined) inspection.found ??= { path: pattern, reason: HOLDS_SECRETS };
      break;
    }
    case "bash":
      for (const command of texts(args, ["command"]))
        inspectCommand(command, texts(args, ["workdir"])[0], inspection);
      break;
    default:
  }
  return inspection.result;
}
