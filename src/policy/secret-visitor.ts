import type { ParsedScript } from "unbash";
import { fetchesMetadata, namesMetadataService } from "./metadata-service.ts";
import { CODE, listsFiles, showsEnvironment, shownPaths, showsUnknownFiles } from "./secrets.ts";
import { holdsSecrets, listsSecretFolder, takesSecretFolder } from "./secret-folders.ts";
import { findSecretVariable } from "./secret-variables.ts";
import { MAX_LOOKUPS, TOO_MANY } from "./real-path.ts";
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

/** Finds what a call would show that may hold secrets, links followed. */
export class SecretVisitor {
  #found: string | null = null;
  #listed: string | null = null;
  #showsUnknown = false;
  readonly #looked = new Set<string>();
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
      if (this.#found !== null || this.#looked.has(full)) continue;
      this.#looked.add(full);
      if (this.#isSensitive(full)) this.#found = path;
      else if (this.#looked.size > MAX_LOOKUPS) this.#found = TOO_MANY;
    }
  }

  /** A pattern of files as OpenCode's own tools take it: a search through a whole folder reads no certain file. */
  pattern(pattern: string): void {
    if (this.#isNamed(pattern)) this.#found ??= pattern;
  }

  /** An address that is fetched. */
  address(url: string): void {
    if (namesMetadataService(url)) this.#found ??= url;
  }

  onInput(file: Arg, walk: Walk): void {
    this.path(shown(file), walk.scope.folders);
  }

  onInvocation({ argv, walk }: Invocation): void {
    const name = textOf(argv[0])?.split("/").at(-1) ?? "";
    const args = argv.slice(1);
    for (const path of shownPaths(name, args)) {
      this.path(path, walk.scope.folders);
      if (path.endsWith("*") && holdsSecrets(path)) this.#found ??= path;
    }
    this.#found ??= takesSecretFolder(name, args) ?? null;
    if (showsEnvironment(name, args)) this.#found ??= name;
    const texts = args.map((arg) => shown(arg));
    if (fetchesMetadata(name, texts, CODE.test(name))) this.#found ??= name;
    if (showsUnknownFiles(name, args)) this.#showsUnknown = true;
    if (!listsFiles(name)) return;
    const listed = args.map((arg) => shown(arg)).find((text) => this.#isNamed(text));
    this.#listed ??= listed ?? listsSecretFolder(name, args) ?? null;
  }

  /** A whole line, for the variables that it expands. */
  script(script: ParsedScript, source: string): void {
    const name = findSecretVariable(script, source, this.#allow);
    if (name !== null) this.#found ??= `$${name}`;
  }

  /** Words of a command that cannot be followed are looked at one by one. */
  words(command: string): void {
    for (const word of new Set(command.split(/[\s"'`;|&<>()=:@]+/u))) {
      if (this.#found !== null) return;
      if (isSensitivePattern(word)) this.path(word);
    }
  }

  #isSensitive(path: string): boolean {
    if (isSensitivePattern(path, this.#allow)) return true;
    const real = this.#resolve(path);
    return real !== undefined && isSensitivePath(real, this.#allow);
  }

  #isNamed(text: string): boolean {
    return isSensitivePattern(text, this.#allow, "hidden");
  }
}
