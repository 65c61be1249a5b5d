import type { Effect, Finding, Span } from "../examination.ts";
import { problemOf } from "../programs/problem.ts";
import type { Problem } from "../programs/program.ts";
import { findProgram } from "../programs/registry.ts";
import { surroundings } from "../programs/surroundings.ts";
import { type Arg, shown, textOf } from "../shell/arg.ts";
import { Scope } from "../shell/scope.ts";
import { walkInnerSource } from "../shell/source.ts";
import {
  type EffectCause,
  type Invocation,
  MAX_DEPTH,
  type Visitor,
  type Walk,
} from "../shell/walk-state.ts";
import { judgeChanger } from "./changers.ts";
import { isLauncher, launched } from "./launchers.ts";
import { isChecker, isCheckScript, isSubject, isTestFile, namesCheck } from "./names.ts";
import { isElsewhere, isOutputFile, type ProjectFiles } from "./outputs.ts";
import { findRun } from "./scripts/find-run.ts";
import { ScriptReader } from "./scripts/reader.ts";
import type { Run, Script } from "./scripts/script.ts";
import { judgeSetting } from "./settings.ts";
import { judgeTool, triesFormatting } from "./tool.ts";
import { WRITING_OPTION } from "./tools.ts";
import { about, CHECK, UNKNOWN, type Verdict, worstOf, writes } from "./verdict.ts";
import { commandOf, wordsOf } from "./words.ts";
import { worksOutside } from "./work-outside.ts";

/** Steps, as of `Walk.budget`, for all scripts that one command runs. */
const MAX_STEPS = 600;
/** Scripts that are looked into for one command. */
const MAX_SCRIPTS = 80;
/** Launchers that are followed one after the other. */
const MAX_LAUNCHERS = 8;
const SHELL = /^(?:ba|da|z|a|k)?sh$/u;
const INTERPRETER =
  /^(?:node|tsx|ts-node|bun|deno|python\d?(?:\.\d+)?|ruby|php|perl|lua|luajit|julia|Rscript|elixir|pwsh)$/u;
/** Options by which an unknown tool writes, and letters with which many do. */
const WRITING_LETTER = /^-[uoaAW]$/u;
/** What fetches a package of any name, and runs it. */
const FETCHING = /^(?:npx|pnpx|bunx|uvx)(?: |$)|^\w+ (?:exec|x|dlx|tool|run)$/u;
const NO_LINE = /[<>$`\\&;{}\n]/u;

/** Effects that no check has, as verbs with their objects. */
const BEYOND: Readonly<Partial<Record<Effect, string>>> = {
  history: "changes commits, branches or tags",
  lossy: "throws away what nothing else may hold",
  outside: "reaches beyond the project",
};
/** Hears nothing: what it would be told is judged elsewhere. */
const DEAF: Visitor = {
  onEffect: () => undefined,
  onUnfollowed: () => undefined,
  onDanger: () => undefined,
  onInvocation: () => undefined,
  onInput: () => undefined,
};

/** What all visits of one command share. */
interface Lookup {
  readonly files: ProjectFiles;
  readonly reader: ScriptReader;
  readonly budget: { steps: number };
  /** Scripts by where and what they are; those that are still looked into count as checks. */
  readonly known: Map<string, Verdict>;
}

/**
 * Finds out whether a command line does nothing but read and run checks of the project, so that a checker may run it
 * without approval in any mode (SPEC 8). Scripts of the project are read and judged by what they run; one whose text
 * does not tell is judged by its name.
 */
export class CheckVisitor implements Visitor {
  /** Scripts in files are looked up by what runs them. */
  readonly inFile = DEAF;
  #verdict: Verdict = CHECK;
  readonly #lookup: Lookup;
  readonly #isScript: boolean;

  constructor(files: ProjectFiles, lookup?: Lookup) {
    this.#isScript = lookup !== undefined;
    this.#lookup = lookup ?? {
      files,
      reader: new ScriptReader(files),
      budget: { steps: MAX_STEPS },
      known: new Map(),
    };
  }

  get verdict(): Verdict {
    return this.#verdict;
  }

  onEffect(_finding: Finding, _node: Span, cause?: EffectCause): void {
    // Files that are written are judged one by one.
    if (cause === undefined) this.add(UNKNOWN);
    else if (cause.kind === "setting") this.add(judgeSetting(cause.name, cause.value));
  }

  onUnfollowed(): void {
    this.add(UNKNOWN);
  }

  onDanger(reason: string): void {
    this.add(writes(reason));
  }

  onOutput(file: Arg, { scope }: Walk): void {
    const path = shown(file);
    if (isOutputFile(path, scope.folders, this.#lookup.files)) return;
    this.add(textOf(file) === undefined ? UNKNOWN : writes(`writes ${path}`));
  }

  onInput(): void {}

  onInvocation(invocation: Invocation): undefined {
    const walk = isLauncher(invocation.argv) ? { ...invocation.walk, visitor: DEAF } : invocation.walk;
    const problem = problemOf({ ...invocation, walk });
    if (problem !== undefined) this.add(this.judge(invocation, problem));
  }

  /** Takes the verdict on a part of the line. */
  add(verdict: Verdict): void {
    this.#verdict = worstOf([this.#verdict, verdict]);
  }

  /** What a program is that does more than read. */
  judge(invocation: Invocation, problem: Problem): Verdict {
    if (this.#lookup.budget.steps-- <= 0) return UNKNOWN;
    const { argv, walk } = invocation;
    // What it runs, and the file that it makes, are judged by themselves.
    if (typeof problem === "object" && surroundings.has(textOf(argv[0]) ?? "")) return CHECK;
    if (!this.#isScript && worksOutside(argv, walk))
      return about(writes("works outside of the project"), commandOf(argv));
    const verdict = this.#judge(invocation);
    const does = typeof problem === "object" ? BEYOND[problem.effect] : undefined;
    const judged = verdict.kind === "unknown" && does !== undefined ? writes(does) : verdict;
    return about(judged, commandOf(argv));
  }

  #judge({ argv, walk }: Invocation): Verdict {
    const words = wordsOf(argv);
    if (words === undefined) return judgeSettings(argv) ?? UNKNOWN;
    if (words[0] === "export" || words[0] === "env") return judgeSettings(argv) ?? UNKNOWN;
    const settings = words.includes("cross-env") ? words.filter((word) => /^[A-Z_]\w*=/u.test(word)) : [];
    return worstOf([
      ...settings.map((word) => judgeSetting(word.replace(/=.*$/su, ""), word.replace(/^\w+=/u, ""))),
      ...walk.scope.folders.map((folder) => this.#inFolder(words, folder, walk)),
    ]);
  }

  #inFolder(words: readonly string[], folder: string, walk: Walk): Verdict {
    if (isElsewhere(folder, this.#lookup.files)) return UNKNOWN;
    if ((words[0] === "." || words[0] === "source") && isActivation(words.slice(1))) return CHECK;
    let current = words;
    for (let round = 0; round < MAX_LAUNCHERS; round++) {
      const run = findRun(current, folder, this.#lookup.reader);
      if (run !== undefined) return this.#run(run, current, folder, walk);
      const next = launched(current);
      if (next.join("\n") === current.join("\n")) break;
      current = next;
    }
    return this.#program(current, folder, walk, FETCHING.test(words.slice(0, 2).join(" ")));
  }

  #run({ scripts, args, tool }: Run, words: readonly string[], folder: string, walk: Walk): Verdict {
    if (scripts.length > MAX_SCRIPTS) return UNKNOWN;
    const judged = tool === undefined ? UNKNOWN : this.#inFolder(tool, folder, walk);
    return judged.kind === "unknown"
      ? worstOf(scripts.map((each) => this.#script(each, args, words, walk)))
      : judged;
  }

  #program([name = "", ...args]: readonly string[], folder: string, walk: Walk, isFetched: boolean): Verdict {
    const place = { folders: [folder], files: this.#lookup.files };
    const known = judgeTool(name, args, place);
    if (known !== undefined && known.kind !== "unknown") return known;
    const changed = judgeChanger(name, args, place, this.#isScript);
    if (changed !== undefined) return changed;
    const runs = SHELL.test(name) || INTERPRETER.test(name);
    const isUnheard = known === undefined && !isFetched && findProgram(name) === undefined;
    if (isUnheard && ((isChecker(name, args) && areHarmless(args)) || triesFormatting(name, args, place)))
      return CHECK;
    const at = runs ? args.findIndex((word) => !word.startsWith("-")) : -1;
    const [path = "", ...rest] = runs ? args.slice(at) : [name, ...args];
    const isPlain =
      !runs ||
      (at !== -1 &&
        args
          .slice(0, at)
          .every((word) =>
            /^-(?:[euxvT]+|I(?!\/|.*\.\.)[\w./-]+|-experimental-[\w-]+|-no-warnings|-enable-source-maps|-transpile-only|-esm|-swc|-project(?:=\w+)?|-check-bounds=\w+|-threads=\w+|-color=\w+)$/u.test(
              word,
            ),
          ));
    if (!isPlain || !(runs || name.includes("/")) || path.startsWith("/")) return UNKNOWN;
    return this.#file(path, rest, folder, walk, SHELL.test(name) || !runs);
  }

  /** A script's file: what a shell runs is read, anything else has its name to tell. */
  #file(path: string, args: readonly string[], folder: string, walk: Walk, mayBeShell: boolean): Verdict {
    const text =
      mayBeShell && /(?:\.(?:ba)?sh|\/[\w-]+|^[\w-]+)$/u.test(path)
        ? this.#lookup.reader.text(folder, path)
        : undefined;
    const isShell =
      text !== undefined && (/\.(?:ba)?sh$/u.test(path) || /^#!.*\b(?:ba|da|z)?sh\b/u.test(text));
    const script: Script = { name: path, lines: isShell ? [text] : undefined, folder };
    return this.#script(script, args, [path, ...args], walk);
  }

  #script(script: Script, args: readonly string[], words: readonly string[], walk: Walk): Verdict {
    const { name, lines, folder, isAside = false } = script;
    if (isElsewhere(folder, this.#lookup.files)) return UNKNOWN;
    const key = [folder, name, ...(lines ?? words)].join("\n");
    const { known } = this.#lookup;
    const before = known.get(key);
    if (before !== undefined) return before;
    known.set(key, CHECK);
    const verdict =
      lines === undefined || known.size > MAX_SCRIPTS
        ? UNKNOWN
        : worstOf(lines.map((line) => this.#line(line, folder, walk)));
    const isNamed = isTestFile(name) || (name.includes("/") ? isCheckScript(name) : namesCheck(name));
    const named = isAside || (isNamed && areHarmless(args));
    const judged = verdict.kind === "unknown" && named ? CHECK : verdict;
    known.set(key, judged);
    return judged;
  }

  #line(source: string, folder: string, walk: Walk): Verdict {
    if (walk.depth >= MAX_DEPTH) return UNKNOWN;
    const visitor = new CheckVisitor(this.#lookup.files, this.#lookup);
    const { budget } = this.#lookup;
    walkInnerSource(source, {
      ...walk,
      visitor,
      source,
      budget,
      scope: new Scope(new Map(), [folder]),
      depth: walk.depth + 1,
      functions: new Map(),
    });
    return visitor.verdict;
  }
}

/** What `export A=b` and `env A=b` set; what `env` runs is judged by itself. */
function judgeSettings(argv: readonly Arg[]): Verdict | undefined {
  const name = textOf(argv[0]);
  if (name !== "export" && name !== "env") return undefined;
  const words = argv.slice(1).map((arg) => shown(arg));
  const end = words.findIndex((word) => !/^(?:-i|-|[A-Za-z_]\w*=.*)$/su.test(word));
  const settings = argv.slice(1, end === -1 ? undefined : end + 1).filter((arg) => shown(arg).includes("="));
  // Further options, and what is exported without a value, may do anything.
  if (settings.length === 0 || words[end]?.startsWith("-") === true || (name === "export" && end !== -1))
    return UNKNOWN;
  return worstOf(
    settings.map((arg) => judgeSetting(shown(arg).replace(/=.*$/su, ""), textOf(arg)?.replace(/^\w+=/u, ""))),
  );
}

/** The script that puts a project's own Python first. */
function isActivation(args: readonly string[]): boolean {
  return (
    args.length === 1 &&
    /^(?:\.\/)?(?:[\w-]+\/){0,2}\.?v?env[\w.-]*\/(?:bin|Scripts)\/activate$/u.test(args[0] ?? "")
  );
}

/** What a script hands on to a tool that is not known. */
function areHarmless(args: readonly string[]): boolean {
  return args.every(
    (word) =>
      (word.startsWith("-")
        ? !WRITING_OPTION.test(word) && !WRITING_LETTER.test(word) && !/^--?out/iu.test(word)
        : isSubject(word)) && !NO_LINE.test(word),
  );
}
