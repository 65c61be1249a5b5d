import type { Effect, Finding } from "../examination.ts";
import { gitCommand } from "../programs/git/globals.ts";
import { type Arg, literal, shown, textOf } from "../shell/arg.ts";
import type { EffectCause, Invocation, Invoked, Walk } from "../shell/walk-state.ts";
import { effectOfVerb, readVerbArgs, type VerbArgs, type VerbEffect } from "./git-history.ts";
import type { HistoryPart, Recording, RecordingKind } from "./history.ts";
import { effectOfJj } from "./jj-history.ts";
import { noteCommit, noteStaged, NOTHING_TAKEN, type Place, READING_VARIABLE, type Taking } from "./taken.ts";
import {
  findHiding,
  findTakenOut,
  findUnhooked,
  findUnhookedText,
  findUnhookedWord,
  UNHOOKING,
  UNHOOKING_NAMES,
} from "./unhooked.ts";

/** Recordings of one line that are told apart. */
const MAX_RECORDINGS = 16;
const MAX_TEXT = 80;
/** Source, or words for another program, in which something is recorded. */
const IN_TEXT =
  /\b(?:git|jj)(?:\.exe)?\b[^\n;&|]{0,160}?(?<![\w-])(?:commit(?:-tree)?|ci|merge|rebase|cherry-pick|revert|am|pull|push|tag|update-ref|symbolic-ref|fast-import|describe|squash|new)(?![\w.-])|\b(?:pygit2|dulwich|isomorphic-git|simple-git|nodegit|(?:from|import) git)\b/u;
/** A word that is source, and no name: something is called or quoted in it, or it has several parts. */
const SOURCE = /[\s'"`([]/u;
/** Programs that make commits or tags by themselves. */
const RECORDERS =
  /^(?:(?:npx|pnpx|bunx|yarn|pnpm(?: dlx| exec)?|bun x|npm exec|uvx|pipx run)\s+(?:-\S+\s+)*)?(?:(?:npm|pnpm|yarn|bun)(?: pm)?(?: -\S+)* version \S|lerna (?:version|publish)|nx release|standard-version|commit-and-tag-version|release-it|semantic-release|np(?:\s|$)|git-cz|cz(?:\s+(?:c|commit|bump)|$)|gitmoji -c|aicommits|opencommit|bump2?version|bump-my-version bump|cargo release|poetry-bumpversion|commitizen (?:c|commit|bump)|lerna-lite version|stg (?:new|refresh|squash|import)|cargo (?:smart-release|workspaces (?:version|publish))|changeset tag|bumpver update|gt (?:create|modify|submit|squash)|sl (?:commit|amend))/u;
/** Programs that have a forge record something. */
const FORGES =
  /^(?:gh (?:pr merge|release create|repo sync)|glab (?:mr merge|release create)|tea (?:pr|pulls?) merge)\b/u;
const WITHOUT_TAG = /--no-git-tag-version|--git-tag-version[= ]false|--no-git-(?:commit|tag)/u;
/** Variables that name a repository. */
const POINTING = /^GIT_(?:DIR|WORK_TREE|COMMON_DIR|INDEX_FILE)$/u;
/** Effects of programs that may run what they are given. */
const MAY_RUN: ReadonlySet<Effect> = new Set(["unknown", "outside", "lossy"]);
/** Programs that are not known to only read, and change no file. */
const IDLE = /^(?:sleep|wait|umask|ulimit|jobs|fg|bg|disown|shift|let|hash|getopts|date|logout)$/u;

/** Finds what a line does to commits, branches and tags, whatever wraps it, and what keeps hooks from running. */
export class HistoryVisitor {
  readonly #recordings = new Map<string, Recording>();
  #moves = false;
  #fetches = false;
  #unhooked: string | null = null;
  /** A variable that may keep hooks from running, should something be recorded. */
  #setting: string | null = null;
  /** A variable of the line tells git which repository is meant. */
  #isPointed = false;
  /** A variable of the line that changes how git reads what names files. */
  #reading: string | null = null;
  /** What may have changed files so far. */
  #changed: string | null = null;
  #beside: string | null = null;
  #isUnfollowed = false;
  #taking: Taking = NOTHING_TAKEN;

  onInvocation(invocation: Invocation, finding: Invoked | undefined): void {
    const { argv, walk } = invocation;
    if (finding === undefined) return;
    const name = nameOf(argv[0]);
    this.#unhooked ??= findTakenOut(argv) ?? null;
    if (name === "git" || name === "hub") return this.#git(argv.slice(1), invocation);
    if (name === "jj") return this.#jj(argv.slice(1), walk);
    if (name.startsWith("git-")) return this.#verb(literal(name.slice(4)), [], argv.slice(1), invocation, []);
    const line = argv
      .slice(0, 6)
      .map((arg) => shown(arg))
      .join(" ");
    if (FORGES.test(line) && finding.effect !== "read") return this.#record("push", line, walk);
    if (RECORDERS.test(line.replace(/^\S*\//u, "")) && !argv.some((arg) => WITHOUT_TAG.test(shown(arg))))
      return this.#record("commit", line, walk);
    const first = argv[0] === undefined || textOf(argv[0]) !== undefined ? undefined : argv[1];
    // What nobody can name may be git.
    if (first !== undefined && IN_TEXT.test(`git ${shown(first)}`))
      return this.#record("unclear", line, walk);
    if (MAY_RUN.has(finding.effect)) this.#carried(invocation);
    if (finding.check.kind === "check" || IDLE.test(name)) return;
    this.#changes(finding, walk);
  }

  onEffect(finding: Finding, cause?: EffectCause): void {
    if (cause?.kind === "output") return;
    if (cause?.kind === "setting") {
      this.#isPointed ||= POINTING.test(cause.name);
      if (READING_VARIABLE.test(cause.name)) this.#reading ??= cause.name;
      if (UNHOOKING.test(cause.name)) this.#setting ??= `${cause.name}=${cause.value ?? "…"}`;
      return;
    }
    if (finding.effect !== "read") this.#changed ??= finding.reason;
  }

  onOutput(file: Arg, walk: Walk): void {
    const place = walk.placeOf(file, walk.scope.folders);
    if (place !== "temporary" && place !== "device") this.#changed ??= `writes ${shown(file)}`;
  }

  onUnfollowed(reason: string): void {
    this.#isUnfollowed = true;
    this.#changed ??= reason;
  }

  /** @param command the whole line: what could not be followed in it is searched */
  conclude(command: string): HistoryPart | null {
    const found = this.#isUnfollowed && this.#recordings.size === 0 ? IN_TEXT.exec(command)?.[0] : undefined;
    if (found !== undefined) {
      this.#unhooked ??= findUnhookedText(command) ?? null;
      this.#beside ??= this.#changed;
      this.#add("unclear", found);
    }
    const recordings = [...this.#recordings.values()];
    const isNothing = recordings.length === 0 && !this.#moves && this.#unhooked === null;
    if (isNothing) return null;
    return {
      recordings,
      moves: this.#moves,
      fetches: this.#fetches,
      unhooked: this.#unhooked ?? (recordings.length > 0 ? this.#setting : null),
      beside: this.#beside,
      taken: this.#taking.taken,
    };
  }

  #git(args: readonly Arg[], invocation: Invocation): void {
    const { verb, args: rest, places } = gitCommand(args);
    const globals = args.slice(0, args.length - rest.length - (verb === undefined ? 0 : 1));
    if (verb !== undefined) this.#verb(verb, globals, rest, invocation, places);
  }

  #verb(
    verb: Arg,
    globals: readonly Arg[],
    rest: readonly Arg[],
    invocation: Invocation,
    places: readonly Arg[],
  ): void {
    const { walk } = invocation;
    const place: Place = { globals, places, reading: this.#reading, walk };
    const name = textOf(verb) ?? "";
    const args = readVerbArgs(name, rest);
    const text = `git ${[verb, ...rest]
      .slice(0, 4)
      .map((arg) => shown(arg))
      .join(" ")}`;
    const does: VerbEffect = name === "" ? { kind: "records", as: "unclear" } : effectOfVerb(name, args);
    this.#unhooked ??= findHiding(name, args) ?? null;
    if (does.kind === "stages") return this.#stage(args, place);
    if (does.kind === "moves") this.#move(does, text);
    if (does.kind === "none" || does.kind === "moves") {
      if (does.kind === "none") this.#changed ??= text;
      return this.#carried(invocation);
    }
    if (!this.#isPointed && !isHere(globals, places, walk)) return;
    const source = [...globals, ...(name === "rebase" ? rest : [])].map((arg) => shown(arg)).join(" ");
    this.#unhooked ??= findUnhooked(name, globals, args) ?? findUnhookedText(source) ?? null;
    if (does.as === "commit") this.#taking = noteCommit(this.#taking, args, place);
    this.#record(does.as, text, walk);
    if (does.as === "unclear") this.#carried(invocation);
  }

  #jj(args: readonly Arg[], walk: Walk): void {
    const does = effectOfJj(args);
    const text = `jj ${args
      .slice(0, 3)
      .map((arg) => shown(arg))
      .join(" ")}`;
    this.#unhooked ??= does.unguarded ?? null;
    if (does.kind === "moves") this.#move(does, text);
    else if (does.kind === "records") this.#record(does.as, text, walk);
  }

  #move(does: Extract<VerbEffect, { kind: "moves" }>, text: string): void {
    this.#moves = true;
    this.#fetches ||= does.fetches === true;
    if (!does.keeps) this.#changed ??= text;
  }

  #stage(args: VerbArgs, place: Place): void {
    this.#taking = noteStaged(this.#taking, args, place);
  }

  #record(kind: RecordingKind, text: string, walk: Walk): void {
    const setting = UNHOOKING_NAMES.find((name) => !walk.scope.isFromEnvironment(name));
    if (setting !== undefined) this.#unhooked ??= setting;
    this.#beside ??= this.#changed;
    this.#add(kind, text);
  }

  #add(kind: RecordingKind, text: string): void {
    const cut = text.slice(0, MAX_TEXT);
    if (this.#recordings.size < MAX_RECORDINGS) this.#recordings.set(`${kind} ${cut}`, { kind, text: cut });
  }

  /** Words of a program that may run them: a command among them, or source in which something is recorded. */
  #carried({ argv, stdin, walk }: Invocation): void {
    const words = argv.slice(1).map((arg) => shown(arg));
    const from = words.findIndex((word) => /(?:^|\/)(?:git|jj)(?:\.exe)?$/u.test(word));
    const line = from === -1 ? "" : words.slice(from).join(" ");
    const texts = [line, ...words.filter((word) => SOURCE.test(word)), stdin()?.text ?? ""];
    const source = texts.find((text) => IN_TEXT.test(text));
    if (source === undefined) return;
    const before = from === -1 ? words : words.slice(0, from);
    this.#unhooked ??= findUnhookedText(source) ?? findUnhookedWord(before) ?? null;
    this.#record("unclear", IN_TEXT.exec(source)?.[0] ?? source, walk);
  }

  #changes({ effect, reason, paths = [] }: Invoked, walk: Walk): void {
    const isTemporary =
      effect === "project" &&
      paths.length > 0 &&
      paths.every((path) => walk.placeOf(literal(path), walk.scope.folders) === "temporary");
    if (!isTemporary) this.#changed ??= reason;
  }
}

/** A program by its file name, as file systems that do not tell cases apart find it. */
function nameOf(arg: Arg | undefined): string {
  const text = (textOf(arg) ?? "").toLowerCase();
  return text.slice(text.lastIndexOf("/") + 1).replace(/\.exe$/u, "");
}

/** Whether it may be about the project: a repository in a temporary folder is nobody's history. */
function isHere(globals: readonly Arg[], places: readonly Arg[], walk: Walk): boolean {
  const { folders } = walk.scope;
  if (!walk.scope.isFromEnvironment("GIT_DIR") || !walk.scope.isFromEnvironment("GIT_WORK_TREE")) return true;
  if (globals.some((arg) => /^--(?:git-dir|work-tree)/u.test(shown(arg)))) return true;
  const at = places.length === 0 ? [literal(".")] : places;
  return at.some((place) => walk.placeOf(place, folders) !== "temporary");
}
