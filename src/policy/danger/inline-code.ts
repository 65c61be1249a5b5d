import { shown } from "../shell/arg.ts";
import { isRootPath } from "./roots.ts";
import type { Suspect } from "./rule.ts";

/** Programs that take source of their own language as an argument or on standard input. */
const INTERPRETER =
  /^(?:python[\d.]*|pypy\d?|node|deno|bun|perl|ruby|php|lua|awk|gawk|mawk|nawk|sed|osascript|pwsh|powershell|tclsh|rscript|julia|groovy|jshell|irb|ipython\d?|emacs|vim|nvim|ed|ex)$/u;

const DELETING =
  /\b(?:rmtree|rm_rf?|rm_r|rmSync|removeSync|rmdirSync|remove_tree|remove_dir_all|rimraf|RemoveAll|deleteDirectory|Remove-Item|fs\.rm|fs\.promises\.rm)\b[^"'`)]{0,80}["'`]([^"'`]{0,200})["'`]/gu;
const QUOTED = /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`/gu;

/** Characters of one source that are looked at. */
const MAX_SOURCE = 16 * 1024;

/** What a language calls to run a command; without one of these, a text is only a text. */
const RUNNING =
  /system|exec|popen|spawn|subprocess|child_process|check_(?:call|output)|do shell script|getline|\$\(|%x|`|\|/iu;

/** Texts inside source that a shell would be given; a home spelled as a call counts as `~`. */
function texts(source: string): string[] {
  return [...source.matchAll(QUOTED)].map((match) => match[1] ?? match[2] ?? match[3] ?? "");
}

/**
 * Looks into source of another language for the same dangers: not a proof of harmlessness, only a search for what
 * is spelled out.
 * @param scan checks a text as if a shell ran it
 */
export function inlineCode(
  { name, args, stdin }: Suspect,
  scan: (text: string) => string | undefined,
): string | undefined {
  if (!INTERPRETER.test(name)) return undefined;
  const fed = stdin()?.text;
  const sources = [...args.map((arg) => shown(arg)), ...(fed === undefined ? [] : [fed])];
  for (const source of sources.map((text) => text.slice(0, MAX_SOURCE))) {
    if (/\bfork\b[\s(){;]*while\b[\s(]*(?:fork|1|true)|while\s+(?:true|1):\s*(?:os\.)?fork\(/iu.test(source))
      return "multiplies itself without end";
    if (/with administrator privileges/iu.test(source)) return "asks for more rights than you have";
    if (/\b(?:shut down|restart|log out)\b/iu.test(source) && name === "osascript")
      return "turns the machine off or restarts it";
    const deleted = [...source.matchAll(DELETING)].some((match) =>
      isRootPath((match[1] ?? "").replace(/^~/u, "/home/user")),
    );
    if (deleted) return "would delete a root, home or system folder with all it holds";
    for (const text of RUNNING.test(source) ? texts(source) : []) {
      const found = text.includes(" ") ? scan(text) : undefined;
      if (found !== undefined) return found;
    }
  }
  return undefined;
}
