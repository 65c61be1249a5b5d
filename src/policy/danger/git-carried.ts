import { type Arg, shown } from "../shell/arg.ts";
import { gitCommand } from "../programs/git/globals.ts";

/** Options whose value git, or one of its verbs, runs. */
const RUNNING =
  /^--(?:exec|extcmd|upload-pack|receive-pack|open-files-in-pager|config|[a-z]+-filter|sendmail-cmd|to-cmd|cc-cmd)$/u;
const SHORT_RUNNING = /^-[xOcu](.*)$/su;
const SETTING = /^[\w-]+\.[^=]*=/u;
/** A subverb of git config, or an option of it. */
const CONFIG_WORD = /^(?:-.*|set|get|list|add|unset)$/u;

function valuesOf(args: readonly string[]): string[] {
  return args.flatMap((text, index) => {
    const [name = "", ...value] = text.split("=");
    const next = args[index + 1];
    const attached = SHORT_RUNNING.exec(text)?.[1];
    if (value.length > 0 && RUNNING.test(name)) return [value.join("=")];
    if (attached !== undefined && attached !== "") return [attached];
    return (attached === "" || RUNNING.test(name)) && next !== undefined ? [next] : [];
  });
}

/**
 * Source that git may hand to a shell: the values of settings (editors, pagers, aliases, filters) and of options that
 * name a program. An alias that is called is spelled out with the arguments it gets.
 */
export function gitCarried(args: readonly Arg[]): string[] {
  const { settings, verb, args: rest } = gitCommand(args);
  const words = rest.map((arg) => shown(arg));
  const name = verb === undefined ? "" : shown(verb);
  const texts = [...settings.map((arg) => shown(arg)), ...valuesOf(words)];
  if (name === "config") texts.push(...words.filter((word) => !CONFIG_WORD.test(word)));
  return texts.flatMap((text) => {
    const alias = text.startsWith(`alias.${name}=`);
    const value = text.replace(SETTING, "");
    const call = value.startsWith("!") ? value.slice(1) : value;
    if (!alias) return [call];
    return [`${value.startsWith("!") ? "" : "git "}${call} ${words.join(" ")}`];
  });
}
