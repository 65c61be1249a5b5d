import { type Arg, leading, shown, textOf } from "../../shell/arg.ts";

/** A git command line taken apart: what was set for this run, the verb, and its own arguments. */
export interface GitCommand {
  readonly settings: readonly Arg[];
  readonly verb: Arg | undefined;
  readonly args: readonly Arg[];
  /** Folders that it is told to work in. */
  readonly places: readonly Arg[];
  /** An option before the verb that is not known to be harmless. */
  readonly problem: string | undefined;
}

const HARMLESS =
  /^(?:-P|-v|-h|--(?:no-pager|no-optional-locks|no-replace-objects|no-lazy-fetch|no-advice|literal-pathspecs|glob-pathspecs|noglob-pathspecs|icase-pathspecs|exec-path|html-path|man-path|info-path|version|help))$/u;
const WITH_VALUE =
  /^(?:-C|-c|--(?:git-dir|work-tree|namespace|super-prefix|config-env|attr-source|exec-path))$/u;
/** Settings that only change how something is shown, or who is said to have done it. */
const HARMLESS_SETTING =
  /^(?:color\.[\w.]+=\w*|core\.(?:quotepath|abbrev|untrackedcache|preloadindex|ignorecase)=\w+|core\.pager=(?:cat)?|pager\.\w+=(?:cat|false|0)|core\.fsmonitor=(?:false|0)|log\.(?:date|decorate|follow)=[\w-]+|log\.showsignature=false|diff\.(?:renames|renamelimit|noprefix|mnemonicprefix|algorithm|context|interhunkcontext|colormoved)=[\w-]*|status\.[\w.]+=\w+|advice\.\w+=\w+|column\.ui=\w+|grep\.(?:linenumber|column|patterntype)=\w+|safe\.directory=.*|blame\.\w+=\w+|i18n\.\w+=[\w-]+|user\.(?:name|email)=[^!`$]*|(?:commit|tag)\.gpgsign=false|gc\.auto=0|init\.defaultbranch=[\w/.-]+)$/iu;

function problemOf(option: string, value: Arg | undefined): string | undefined {
  const text = textOf(value);
  switch (option) {
    case "-C":
      return value?.many === true ? `${shown(value)} may turn into several arguments` : undefined;
    case "-c":
      return text !== undefined && HARMLESS_SETTING.test(text)
        ? undefined
        : "a git setting may make git run another program";
    case "--git-dir":
      return text !== undefined && /(?:^|\/)\.git$/u.test(text)
        ? undefined
        : "git would follow the settings of another repository";
    case "--work-tree":
      return text === undefined ? "the work tree is only known at run time" : undefined;
    default:
      return `git ${option} is not known to be harmless`;
  }
}

/** Takes a git command line apart at its verb. */
export function gitCommand(args: readonly Arg[]): GitCommand {
  const settings: Arg[] = [];
  const places: Arg[] = [];
  let problem: string | undefined;
  let index = 0;
  for (; index < args.length; index++) {
    const arg = args[index];
    if (arg === undefined || !leading(arg).startsWith("-")) break;
    const [option = "", ...attached] = leading(arg).split("=");
    const text = textOf(arg);
    if (text !== undefined && HARMLESS.test(text)) continue;
    const separate = attached.length === 0 && WITH_VALUE.test(option);
    const value = separate
      ? args[++index]
      : { pieces: attached.length === 0 ? [] : [attached.join("=")], many: text === undefined };
    if (option === "-c" && value !== undefined) settings.push(value);
    if (/^(?:-C|--git-dir|--work-tree)$/u.test(option) && value !== undefined) places.push(value);
    problem ??= problemOf(option, value);
  }
  return { settings, verb: args[index], args: args.slice(index + 1), places, problem };
}
