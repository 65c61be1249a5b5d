import type { ParsedScript } from "unbash";
import { listsFiles, showsEnvironment, shownPaths, showsUnknownFiles } from "./secrets.ts";
import { findSecretVariable } from "./secret-variables.ts";
import { isSensitivePath, isSensitivePattern } from "./sensitive-path.ts";
import { type Arg, shown, textOf } from "./shell/arg.ts";
import type { Invocation, Walk } from "./shell/walk-state.ts";

/** What a search for secrets depends on. */
export interface SecretContext {
  /** Patterns of files that the user allows to be shown, as for `isSensitivePath`. */
  readonly allowSensitive?: readonly string[];
  /** Gives the real path behind a path, symbolic links followed; undefined where there is nothing. */
  readonly resolve?: (path: string) => string | undefined;
}

/** Files of one call whose real paths are looked up. */
const MAX_RESOLVED = 64;
/** Characters of a command that cannot be followed whose words are looked at. */
const MAX_WORDS_LENGTH = 64 * 1024;

/** Finds what a call would show that may hold secrets, with the links of at most `MAX_RESOLVED` files followed. */
export class SecretVisitor {
  #found: string | null = null;
  #listed: string | null = null;
  #showsUnknown = false;
  #lookups = MAX_RESOLVED;
  readonly #resolve: (path: string) => string | undefined;
  readonly #allow: readonly string[];

  constructor({ resolve = () => undefined, allowSensitive = [] }: SecretContext) {
    this.#resolve = resolve;
    this.#allow = allowSensitive;
  }

  /** The file, pattern or command as the call names it, a listing that something else reads included. */
  get found(): string | null {
    return this.#found ?? (this.#showsUnknown ? this.#listed : null);
  }

  /** A file whose content is shown. */
  path(path: string, folders: readonly string[] = [""]): void {
    for (const folder of folders) {
      const full = folder === "" || path.startsWith("/") ? path : `${folder}/${path}`;
      const real = this.#lookups-- > 0 ? this.#resolve(full) : undefined;
      const sensitive =
        isSensitivePattern(full, this.#allow) || (real !== undefined && isSensitivePath(real, this.#allow));
      if (sensitive) this.#found ??= path;
    }
  }

  /** A pattern of files as OpenCode's own tools take it: a search through a whole folder reads no certain file. */
  pattern(pattern: string): void {
    if (this.#isNamed(pattern)) this.#found ??= pattern;
  }

  onInput(file: Arg, walk: Walk): void {
    this.path(shown(file), walk.scope.folders);
  }

  onInvocation({ argv, walk }: Invocation): void {
    const name = textOf(argv[0])?.split("/").at(-1) ?? "";
    const args = argv.slice(1);
    for (const path of shownPaths(name, args)) this.path(path, walk.scope.folders);
    if (showsEnvironment(name, args)) this.#found ??= name;
    if (showsUnknownFiles(name, args)) this.#showsUnknown = true;
    if (!listsFiles(name)) return;
    const listed = args.map((arg) => shown(arg)).find((text) => this.#isNamed(text));
    this.#listed ??= listed ?? null;
  }

  /** A whole line, for the variables that it expands. */
  script(script: ParsedScript): void {
    const name = findSecretVariable(script, this.#allow);
    if (name !== null) this.#found ??= `$${name}`;
  }

  /** Words of a command that cannot be followed are looked at one by one. */
  onUnfollowed(command: string): void {
    for (const word of command.slice(0, MAX_WORDS_LENGTH).split(/[\s"'`;|&<>()=:@]+/u)) {
      if (isSensitivePattern(word)) this.path(word);
    }
  }

  #isNamed(text: string): boolean {
    return isSensitivePattern(text, this.#allow, "hidden");
  }
}
