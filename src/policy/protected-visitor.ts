import { type Examination, type Finding, isGraver } from "./examination.ts";
import { namesOwnAddress, type OwnAddress, splitsOwnAddress } from "./own-address.ts";
import { isHookPattern, isProtectedPath, isProtectedPattern } from "./protected-path.ts";
import { MAX_LOOKUPS, TOO_MANY } from "./real-path.ts";
import { CODE, pathsIn } from "./secrets.ts";
import { type Arg, leading, type Piece, shown, textOf } from "./shell/arg.ts";
import { HOME } from "./shell/scope.ts";
import type { Invocation, Walk } from "./shell/walk-state.ts";

/** What a call would change although only a person may. */
export interface ProtectedTarget {
  /** `address`: OpenCode's own server. `program`: one that changes settings or starts agents of its own. */
  readonly kind: "path" | "address" | "program";
  /** As the call names it. */
  readonly text: string;
}

/** What a search for protected targets depends on. */
export interface ProtectionContext {
  /** Absolute paths of the user's folders of OpenCode and of this plugin. */
  readonly userFolders?: readonly string[];
  readonly server?: OwnAddress;
  /** Names and addresses of this machine. */
  readonly machine?: readonly string[];
  /** Gives the real path of a file that may not exist yet. */
  readonly realPath?: (path: string) => string;
  /** The text of a script that a command runs; undefined where there is none, or none that is short enough. */
  readonly readScript?: (path: string) => string | undefined;
}

/** Git's verbs that change nothing but its own history, and take words as messages. */
const RECORDING = /^(?:add|stage|commit|tag|push|notes|fetch)$/u;
/** Programs whose arguments are texts for people. */
const MESSAGE = /^(?:git|jj|gh|glab|hub)$/u;
const SHELL = /^(?:ba|da|z|a|k|mk|c|tc|fi|rba)?sh$/u;
const RUNNER = /^(?:npx|pnpx|bunx|npm|pnpm|yarn|bun|deno|node)$/u;
const OWN_PROGRAM = /^(?:opencode(?:-ai)?|opencode-gaia)(?:@[\w.-]+)?(?:\.exe)?$/u;
const HARMLESS_VERB = /^(?:-v|-h|--version|--help|models|stats|doctor|demo)$/u;
/** One of these programs within code, or in what another program is to run: `spawn("opencode", ["run", …`. */
const OWN_CALL =
  /(?:^|[\s"'`([{;&|/$])(?:opencode(?:-ai|-gaia)?(?:@[\w.-]+)?(?:\.exe)?|opencode-(?:ai|gaia)\/(?:dist|bin)\/[^\s"']{1,99})["'`,\s[\]]{1,9}(?:run|serve|web|acp|attach|auth|agent|mcp|plugin|github|pr|import|debug|upgrade|uninstall|trust|init)\b/iu;
const SEPARATORS = /[\s"'`(),;:=@<>|&{}[\]]+/u;
/** What a script says that changes files. */
const WRITES = /write|append|open\s*\(|rename|copy|unlink|remove|rm|mv|cp|>|symlink|link/iu;
const FOLDERS: Readonly<Record<string, string>> = {
  CONFIG: `${HOME}/.config`,
  DATA: `${HOME}/.local/share`,
  STATE: `${HOME}/.local/state`,
  CACHE: `${HOME}/.cache`,
};

/** An argument in the ways in which what is not known of it may matter: left out, or any name. */
function readings(arg: Arg): string[] {
  if (arg.pieces.every((piece) => typeof piece === "string")) return [arg.pieces.join("")];
  const fill = (piece: Piece, unknown: string): string => {
    if (typeof piece === "string") return piece;
    const folder = /XDG_(CONFIG|DATA|STATE|CACHE)_HOME/u.exec(piece.text)?.[1];
    if (folder !== undefined) return FOLDERS[folder] ?? "";
    if (/OPENCODE_CONFIG/u.test(piece.text)) return `${HOME}/.config/opencode`;
    return piece.kind === "glob" ? piece.text : unknown;
  };
  return [...new Set(["", "x"].map((unknown) => arg.pieces.map((piece) => fill(piece, unknown)).join("")))];
}

type Weighed = Pick<Examination, "effect" | "reason" | "part" | "isAllowed" | "losses">;

/** Finds the first protected target that a call would change, links followed. */
export class ProtectedVisitor {
  found: ProtectedTarget | null = null;
  /** What git may run later by itself, which a call changes. */
  #hook: string | null = null;
  readonly #looked = new Set<string>();
  readonly #context: ProtectionContext;

  constructor(context: ProtectionContext) {
    this.#context = context;
  }

  /** A finding with what asks for more of a person beside it: an effect on what git runs is one beyond the project. */
  weigh<Found extends Weighed>(found: Found): Found {
    if (this.#hook === null || found.isAllowed || !isGraver("outside", found.effect)) return found;
    const reason = `changes ${this.#hook}, which git may run by itself`;
    return { ...found, effect: "outside", reason, part: null, losses: null };
  }

  /** A file or folder that is changed. */
  path(path: string, folders: readonly string[] = [""]): void {
    for (const folder of folders) {
      const full = inFolder(path, folder);
      if (this.found !== null || this.#looked.has(full)) continue;
      this.#looked.add(full);
      const real = this.#context.realPath?.(full) ?? full;
      if (isHookPattern(full) || isHookPattern(real)) this.#hook = path;
      if (this.#isNamed(full) || isProtectedPath(real, this.#context.userFolders))
        this.found = { kind: "path", text: path };
      else if (this.#looked.size > MAX_LOOKUPS) this.found = { kind: "path", text: TOO_MANY };
    }
  }

  /** A text in which an address may stand that is called. */
  address(text: string): void {
    const { server, machine } = this.#context;
    if (this.found === null && namesOwnAddress(text, server, machine)) this.found = { kind: "address", text };
  }

  /** The target of a redirection. */
  onOutput(file: Arg, walk: Walk): void {
    this.address(shown(file));
    for (const text of readings(file)) this.path(text, walk.scope.folders);
  }

  /** @param finding what the program does, or may do, more than read */
  onInvocation({ argv, walk, stdin }: Invocation, finding: Finding | undefined): void {
    const name = (textOf(argv[0])?.split("/").at(-1) ?? "").toLowerCase();
    const args = argv.slice(1);
    this.#calls(args, name);
    if (finding === undefined || this.found !== null) return;
    const { folders } = walk.scope;
    this.#programs(argv);
    if (finding.effect === "unknown") this.#calledBy(argv, CODE.test(name) ? (stdin()?.text ?? "") : "");
    if (name === "jj" && args.some((arg) => textOf(arg) === "config"))
      this.path(".jj/repo/config.toml", folders);
    for (const arg of operandsOf(name, args, finding)) {
      for (const text of readings(arg)) {
        for (const part of pathsIn(text, false)) this.path(part, folders);
        if (/[\s"'()<>;]/u.test(text) && !MESSAGE.test(name)) this.#words(text, folders);
      }
    }
    if (name === "git" && verbOf(args)?.verb === "config") this.path(".git/config", folders);
    if (CODE.test(name)) this.#words(stdin()?.text ?? "", folders);
    if (this.found === null) this.#scripts(name, argv, walk);
  }

  /** Words of a command that cannot be followed are looked at one by one. */
  words(command: string): void {
    this.address(command);
    this.#words(command, [""]);
  }

  #calls(args: readonly Arg[], name: string): void {
    if (this.found !== null || name === "echo" || name === "printf") return;
    const { server, machine } = this.#context;
    const texts = args.map((arg) => shown(arg));
    for (const text of texts) this.address(text);
    if (splitsOwnAddress(texts, server, machine)) this.found ??= { kind: "address", text: texts.join(" ") };
  }

  /** OpenCode itself starts agents that nothing guards, and the plugin's own program changes its settings. */
  #programs(argv: readonly Arg[]): void {
    const words = argv.slice(0, 5).map((arg) => programOf((textOf(arg) ?? "").toLowerCase()));
    const [name = "", verb = ""] = words;
    if (MESSAGE.test(name) || /^(?:i|install|add|ci)$/u.test(verb)) return;
    const at = words.findIndex((word) => OWN_PROGRAM.test(word));
    const runs = at === 0 || (at > 0 && RUNNER.test(name));
    if (runs && !HARMLESS_VERB.test(words[at + 1] ?? ""))
      this.found ??= { kind: "program", text: words[at] ?? "" };
  }

  /** The same, called by code or by another program, of which nothing is known. */
  #calledBy(argv: readonly Arg[], code: string): void {
    const call = OWN_CALL.exec([...argv.map((arg) => shown(arg)), code].join(" "))?.[0];
    if (call !== undefined) this.found ??= { kind: "program", text: call.trim() };
  }

  /** The files that a shell or an interpreter is given, as far as they can be read now. */
  #scripts(name: string, argv: readonly Arg[], walk: Walk): void {
    const { readScript } = this.#context;
    const runs = SHELL.test(name) || CODE.test(name) || /^(?:source|\.)$/u.test(name);
    if (readScript === undefined) return;
    const files = runs ? argv.slice(1, 6) : argv.slice(0, 1);
    for (const file of files
      .map((arg) => textOf(arg) ?? "")
      .filter((text) => text !== "" && !text.startsWith("-"))) {
      for (const folder of walk.scope.folders) {
        if (!runs && !file.includes("/")) continue;
        const text = readScript(inFolder(file, folder));
        if (text === undefined) continue;
        if (namesOwnAddress(text, this.#context.server, this.#context.machine))
          this.found ??= { kind: "address", text: file };
        if (!WRITES.test(text)) continue;
        // The bare folders stand in many lists of what to leave out.
        const isTarget = (word: string): boolean =>
          !/(?:^|\/)(?:\.gaia|\.git)\/?$/iu.test(word) && this.#isNamed(inFolder(word, folder));
        if ([...new Set(text.split(SEPARATORS))].some(isTarget)) this.found ??= { kind: "path", text: file };
      }
    }
  }

  #words(text: string, folders: readonly string[]): void {
    if (text === "") return;
    // Without links: a word of code is no more than a guess at a path.
    const isTarget = (word: string): boolean =>
      folders.some((folder) => this.#isNamed(inFolder(word, folder)));
    const words = this.found === null ? [...new Set(text.split(SEPARATORS))] : [];
    const found = words.find((word) => word !== "" && isTarget(word));
    if (found !== undefined) this.found = { kind: "path", text: found };
    this.#hook ??= words.find((word) => isHookPattern(word)) ?? null;
  }

  #isNamed(path: string): boolean {
    return isProtectedPath(path, this.#context.userFolders) || isProtectedPattern(path);
  }
}

/** A program's name by its path; both programs' entries are files of other names in their packages. */
function programOf(path: string): string {
  return (
    /(?:^|\/)(opencode-gaia|opencode-ai)\/(?:dist|bin)\/[^/]+$/u.exec(path)?.[1] ??
    path.split("/").at(-1) ??
    ""
  );
}

function inFolder(path: string, folder: string): string {
  return folder === "" || path.startsWith("/") || /^[a-z]:[\\/]/iu.test(path) ? path : `${folder}/${path}`;
}

/** A script of sed's with a substitution, as a text of its own. */
const SUBSTITUTION = /^[\d,$]*s([^\w\s]).*\1.*\1[giIpmM\d]*$/su;

/** Git's verb and where it stands; undefined when it is not known. */
function verbOf(args: readonly Arg[]): { verb: string; index: number } | undefined {
  for (let index = 0; index < args.length; index++) {
    const text = textOf(args[index]);
    if (text === undefined) return undefined;
    if (/^-[cC]$|^--(?:git-dir|work-tree|namespace|exec-path)$/u.test(text)) index++;
    else if (!text.startsWith("-")) return { verb: text, index };
  }
  return undefined;
}

/** An expression for the names of scripts. */
const EXPRESSION = /^\/[\^(].*\/$/u;

/** The arguments in which a program may be given a file to change. */
function operandsOf(name: string, args: readonly Arg[], { effect }: Finding): readonly Arg[] {
  // A script of sed's that writes or runs something is unknown; another one names no file.
  if (/^g?sed$/u.test(name) && effect === "project") {
    const script = args.findIndex((arg) => !leading(arg).startsWith("-") && shown(arg) !== "");
    return args.filter((arg, index) => index !== script || !SUBSTITUTION.test(shown(arg)));
  }
  if (name === "pnpm") return args.filter((arg) => !EXPRESSION.test(shown(arg)));
  if (name !== "git") return args;
  const found = verbOf(args);
  if (found === undefined) return args;
  return RECORDING.test(found.verb) ? [] : args.slice(found.index + 1);
}
