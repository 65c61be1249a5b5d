import type { AndOr, Command, CommandNode, PipelineNode, Statement } from "unbash";
import { parse } from "../../libraries/unbash.ts";
import { launched } from "../checks/launchers.ts";
import type { ProjectFiles } from "../checks/outputs.ts";
import { findRun } from "../checks/scripts/find-run.ts";
import { npmSettings } from "../checks/scripts/npm-settings.ts";
import { forgives } from "../checks/scripts/recipes.ts";
import { ScriptReader } from "../checks/scripts/reader.ts";
import type { Run, Script } from "../checks/scripts/script.ts";
import { programName } from "../programs/registry.ts";
import { refuseSource } from "../shell/source.ts";
import { judgeCode } from "./code.ts";
import { always, and, either, every, NEVER, not, OPEN, or, type Outcome } from "./outcome.ts";
import { judgeCompound, piped } from "./compound.ts";
import { isFilter, judgeProgram, judgeTest, SPEAKING } from "./programs.ts";
import type { CommandProof } from "./proof.ts";
import { newShell, setOptions, type Shell } from "./shell.ts";
import { steeredBy } from "./steered.ts";
import { unwrapped } from "./wrappers.ts";
import { plainWord, type PlainWord, wordsOf } from "./words.ts";

/** Nodes and scripts that are looked at for one command. */
const MAX_STEPS = 2_000;
const MAX_DEPTH = 12;
const MAX_RECIPE = 60;
const SHELL = /^(?:ba|da|z|a|k)?sh$/u;
const INTERPRETER =
  /^(?:node|tsx|ts-node|bun|deno|python\d?(?:\.\d+)?|pypy\d?|ruby|php|perl|lua|julia|Rscript|elixir)$/u;
const INLINE = /^(?:-[a-zA-Z]*[ecpr]|--eval|--print|--run|eval)$/u;
const SHELL_SCRIPT = /^#!.*\b(?:ba|da|z)?sh\b/u;

/**
 * Judges whether the success of a command line can be a proof (SPEC 2.9): not where it passes whatever there is, as
 * `cmd || true`, `echo ok`, a pipe into `tee`, or a script of the project that comes down to such. Never throws, and runs nothing.
 * @param folder where it would run
 */
export function judgeExitCode(command: string, folder: string, files: ProjectFiles): CommandProof {
  const judge = new Judge(files);
  try {
    const { fails, passes, why } = judge.source(command, newShell(folder, 0));
    return {
      canPass: passes,
      hollow: fails ? null : why || "it passes whatever there is",
      steered: judge.steered,
      recipe: judge.recipe,
    };
  } catch {
    return { hollow: "its text could not be followed", steered: null, canPass: true, recipe: judge.recipe };
  }
}

class Judge {
  readonly recipe: string[] = [];
  steered: string | null = null;
  readonly #reader: ScriptReader;
  readonly #known = new Map<string, Outcome>();
  #steps = MAX_STEPS;

  constructor(files: ProjectFiles) {
    this.#reader = new ScriptReader(files);
  }

  source(source: string, shell: Shell): Outcome {
    if (refuseSource(source) !== undefined || shell.depth > MAX_DEPTH) throw new Error("not followed");
    const script = parse(source);
    if ((script.errors?.length ?? 0) > 0) throw new Error("not a shell command");
    return this.#list(script.commands, shell);
  }

  #list(statements: readonly Statement[], shell: Shell): Outcome {
    let last = always("it runs nothing");
    const failing: Outcome[] = [];
    for (const statement of statements) {
      const outcome = this.#statement(statement, last, shell);
      const isEnd = outcome.exits === true || (shell.failsAtOnce && !outcome.passes);
      last = outcome;
      if (isEnd) break;
      if (shell.failsAtOnce) failing.push(outcome);
    }
    return failing.some(({ fails }) => fails) ? { ...last, fails: true } : last;
  }

  #statement({ command, background }: Statement, before: Outcome, shell: Shell): Outcome {
    if (this.#steps-- <= 0) throw new Error("too long");
    if (background === true) return always("nobody waits for what runs in the background");
    return command.type === "AndOr"
      ? this.#andOr(command, before, shell)
      : this.#pipe(command, before, shell);
  }

  #andOr({ commands, operators }: AndOr, before: Outcome, shell: Shell): Outcome {
    const [first, ...rest] = commands;
    if (first === undefined) return always("it runs nothing");
    return rest.reduce(
      (left, node, at) => (operators[at] === "&&" ? and : or)(left, this.#pipe(node, left, shell)),
      this.#pipe(first, before, shell),
    );
  }

  #pipe(node: PipelineNode, before: Outcome, shell: Shell): Outcome {
    if (node.type !== "Pipeline") return this.#node(node, before, shell);
    const outcomes = node.commands.map((each) =>
      this.#node(each, before, node.commands.length > 1 ? { ...shell } : shell),
    );
    const whole = piped(node.commands.map(wordsOf), outcomes, shell.pipesFail);
    const isNegated = node.prefixes.filter(({ type }) => type === "Negation").length % 2 === 1;
    return isNegated ? not(whole) : whole;
  }

  #node(node: CommandNode, before: Outcome, shell: Shell): Outcome {
    switch (node.type) {
      case "Command":
        return this.#command(node, before, shell);
      case "Redirected":
        return this.#node(node.command, before, shell);
      case "BraceGroup":
        return this.#list(node.body.commands, shell);
      case "Subshell":
        return { ...this.#list(node.body.commands, { ...shell }), exits: false };
      case "Function": {
        const { body } = node;
        if (body.type !== "CompoundList") shell.functions.set(node.name.value, body);
        return always("it only defines a function");
      }
      default:
        return judgeCompound(node, (statements) => this.#list(statements, shell));
    }
  }

  #command(node: Command, before: Outcome, shell: Shell): Outcome {
    // What the project sets in its own scripts is the project's to say, and part of the recipe.
    if (!shell.isProjects) this.steered ??= steeredBy(node);
    if (node.name === undefined) return always("it only sets variables");
    const words = [plainWord(node.name), ...node.args.map(plainWord)];
    const fed = node.redirects.some(({ type }) => type !== "Redirect");
    return this.#words(words, before, shell, fed);
  }

  #words(given: readonly PlainWord[], before: Outcome, shell: Shell, fed: boolean): Outcome {
    if (this.#steps-- <= 0) throw new Error("too long");
    const [first] = given;
    if (first === undefined) return always("it runs nothing");
    if (first.isOpen) return always("which program it runs is only known when it runs");
    const texts = given.map(({ text }) => text);
    const name = programName(first.text) ?? first.text;
    const own = shell.functions.get(name);
    if (own !== undefined && shell.depth < MAX_DEPTH)
      return this.#node(own, before, { ...shell, depth: shell.depth + 1 });
    switch (name) {
      case "exit":
      case "return": {
        const [, code = "$?"] = texts;
        const ended =
          code === "0"
            ? always("it ends with success whatever was before")
            : /^\d+$/u.test(code)
              ? NEVER
              : before;
        return { ...ended, exits: true };
      }
      case "false":
        return NEVER;
      case "set":
        setOptions(texts.slice(1), shell);
        return texts.includes("-n")
          ? { ...always("nothing behind set -n runs"), exits: true }
          : always("it only sets options");
      case "trap":
        if (/\b(?:EXIT|ERR|0)\b/u.test(texts.slice(2).join(" ")))
          return { ...always("a trap decides how it ends"), exits: true };
        return always("it only sets a trap");
      case "alias":
        // A shell that reads aliases takes them from the next line on.
        return texts.some((text) => text.includes("="))
          ? { ...always("an alias decides what runs"), exits: true }
          : always("`alias` checks nothing");
      case "eval":
        return this.source(texts.slice(1).join(" "), { ...shell, depth: shell.depth + 1 });
      case "test":
      case "[":
        return judgeTest(
          given.slice(1).map((word) => ({ text: word.text, looks: this.#looks(word, shell) })),
        );
      case ".":
      case "source":
        return this.#file(texts[1] ?? "", shell, true);
      default:
    }
    const rest = unwrapped(texts);
    if (rest === null) return always("it runs nothing");
    if (rest.length < texts.length) return this.#words(given.slice(-rest.length), before, shell, fed);
    if (SHELL.test(name)) return this.#shell(texts.slice(1), shell);
    return this.#program([name, ...texts.slice(1)], shell, fed);
  }

  /** Whether what the shell fills in says something of the project. */
  #looks({ substitutions }: PlainWord, shell: Shell): boolean {
    return substitutions.some(({ script }) =>
      script?.commands.some(({ command }) => {
        const nodes = command.type === "AndOr" ? command.commands : [command];
        return nodes.some((each) => {
          const inner = each.type === "Pipeline" ? each.commands : [each];
          return inner.some((one) => {
            const [name = ""] = wordsOf(one);
            return name !== "" && !SPEAKING.has(name) && !shell.functions.has(name);
          });
        });
      }),
    );
  }

  #shell(args: readonly string[], shell: Shell): Outcome {
    const inner = newShell(shell.folder, shell.depth + 1, shell.isProjects);
    const at = args.findIndex((word) => /^-[a-z]*c$/u.test(word));
    setOptions(at === -1 ? args : args.slice(0, at + 1), inner);
    if (at !== -1) return { ...this.source(args[at + 1] ?? "", inner), exits: false };
    const file = args.find((word, index) => !word.startsWith("-") && args[index - 1] !== "-o");
    if (args.includes("-n")) return file === undefined ? always("it reads no file") : OPEN;
    return file === undefined ? always("it is given nothing to run") : this.#file(file, inner, true);
  }

  #program(words: readonly string[], shell: Shell, fed: boolean): Outcome {
    const { folder } = shell;
    const asked = judgeProgram(words);
    if (!asked.fails && /^(?:g?make|just)$/u.test(words[0] ?? "")) return asked;
    const run = findRun(words, folder, this.#reader);
    if (run !== undefined) return this.#run(run, words, shell);
    const next = launched(words);
    if (next.join("\n") !== words.join("\n") && next.length > 0)
      return this.#words(
        next.map((text) => ({ text, isOpen: false, substitutions: [] })),
        OPEN,
        { ...shell, depth: shell.depth + 1 },
        fed,
      );
    const [name = "", ...args] = words;
    if (INTERPRETER.test(name)) {
      const inline = args.findIndex((word) => INLINE.test(word));
      if (inline !== -1 && args.slice(0, inline).every((word) => word.startsWith("-")))
        return judgeCode(args[inline + 1] ?? "");
      const file = args.find((word) => !word.startsWith("-") && word !== "run");
      if (!asked.fails || args.some((word) => /^(?:--test|--check|-m|-c|test)$/u.test(word))) return asked;
      return file === undefined ? always("it is given nothing to run") : this.#file(file, shell, false);
    }
    if (name.includes("/")) return this.#file(name, shell, false);
    if (fed && isFilter(words)) return always("it looks at nothing but its own words");
    const tool = asked.fails ? this.#reader.text(folder, `node_modules/.bin/${name}`) : undefined;
    return tool === undefined ? asked : this.#text(tool, shell);
  }

  #run({ scripts, tool, rules = [] }: Run, words: readonly string[], shell: Shell): Outcome {
    const settings = npmSettings(this.#reader.text(shell.folder, ".npmrc"), scripts);
    for (const each of [...settings, ...rules]) this.#note(each);
    const own = scripts.filter(({ isAside, lines }) => isAside !== true && (lines?.length ?? 0) > 0);
    const known =
      own.length > 0 ? own : scripts.filter(({ lines }) => lines !== undefined && lines.length > 0);
    for (const script of scripts)
      for (const each of script.lines ?? []) this.#note(`${script.name}: ${each}`);
    if (settings.some((each) => each.includes("script-shell")) || rules.some(forgives))
      return always("another program decides how it ends");
    if (known.length > 0) {
      const outcomes = known.map((script) => this.#script(script, shell));
      return either(outcomes);
    }
    if (words.includes("--if-present")) return always("there is no such script, and none is needed");
    return tool === undefined ? OPEN : this.#program(tool, { ...shell, depth: shell.depth + 1 }, false);
  }

  #script({ name, lines = [], folder }: Script, shell: Shell): Outcome {
    const key = [folder, name, ...lines].join("\n");
    const before = this.#known.get(key);
    if (before !== undefined) return before;
    this.#known.set(key, always("it runs itself"));
    const outcomes = lines.map((each) => this.source(each, newShell(folder, shell.depth + 1, true)));
    const outcome: Outcome = { ...every(outcomes), exits: false };
    this.#known.set(key, outcome);
    return outcome;
  }

  /** A script of the project: read where it can be, and part of the recipe. */
  #file(path: string, shell: Shell, isShell: boolean): Outcome {
    const text = path.startsWith("/") ? undefined : this.#reader.text(shell.folder, path);
    if (text === undefined) return OPEN;
    const isScript = isShell || /\.(?:ba)?sh$/u.test(path) || SHELL_SCRIPT.test(text);
    // A program in another language may well be the tests themselves, which are there to be changed.
    if (isScript) this.#note(`${path}: ${text}`);
    return this.#text(text, shell, isScript);
  }

  #text(text: string, shell: Shell, isShell = false): Outcome {
    if (!isShell && !SHELL_SCRIPT.test(text)) return judgeCode(text);
    const inner = newShell(shell.folder, shell.depth + 1, true);
    if (/^#!.*\s-[a-z]*e/u.test(text)) inner.failsAtOnce = true;
    return { ...this.source(text, inner), exits: false };
  }

  #note(line: string): void {
    if (this.recipe.length < MAX_RECIPE) this.recipe.push(line);
  }
}
