import { shellWord } from "../lib/quoting.ts";
import type { WrapperCommand } from "./profile.ts";
import { FILTER_FD } from "./system-calls.ts";

/** Shells that read a file of ours before they run a command, and so can hand it over. */
export type StartingShell = "bash" | "zsh";

/** The shell of a path that takes part; null for one that does not, such as sh or fish. */
export function startingShell(path: string): StartingShell | null {
  const name = path.split("/").at(-1) ?? "";
  return name === "bash" || name === "zsh" ? name : null;
}

/** Status with which a shell refuses: found, but not executable. */
const REFUSED = 126;
const COMMAND = { bash: "BASH_EXECUTION_STRING", zsh: "ZSH_EXECUTION_STRING" } as const;

/**
 * Lines with which a shell becomes the wrapper.
 * @param inner what it runs, as words of the shell
 * @param filter the file with the filter of system calls, which it is given open; without that file it does not start
 */
function becomeWrapper(wrapper: WrapperCommand, inner: string, filter: string | null): string[] {
  const more = 'set -- "$@"';
  const added = wrapper.map((word) => {
    if (typeof word === "string") return ` ${shellWord(word)}`;
    const words = word.words.map(shellWord).join(" ");
    return `\n[ ! -e ${shellWord(word.whileThere)} ] || ${more} ${words}\n${more}`;
  });
  return [
    `set --${added.join("")}`,
    `exec "$@" ${inner}${filter === null ? "" : ` ${FILTER_FD}<${shellWord(filter)}`}`,
  ];
}

/** A command in the wrapper, as a program and its arguments. */
export function contained(wrapper: WrapperCommand, command: string, filter: string | null): string[] {
  const script = ["command=$1", ...becomeWrapper(wrapper, '/bin/sh -c "$command"', filter)];
  return ["/bin/sh", "-c", script.join("\n"), "sh", command];
}

/**
 * The file that the shell of a call reads first: it leaves the proof that it was read, and becomes the wrapper, which runs
 * the command in a shell of its own. Whatever fails on the way ends the shell before the command.
 * @param unset variables that the wrapper must not have either: a command can read the environment of its parent
 * @param path the shell's
 * @param proof a file that does not exist yet
 * @param filter the file with the filter of system calls
 */
export function startupScript(
  shell: StartingShell,
  wrapper: WrapperCommand,
  path: string,
  proof: string,
  unset: readonly string[],
  filter: string | null,
): string {
  const fail = (why: string): string =>
    `{ echo ${shellWord(`Refused: the command could not be contained (${why}), so it did not run.`)} >&2; exit ${REFUSED}; }`;
  return [
    `: >${shellWord(proof)} || ${fail("its proof could not be written")}`,
    ...unset
      .filter((name) => /^[A-Za-z_]\w*$/u.test(name))
      .map((name) => `unset ${name} || ${fail("a secret stays in its environment")}`),
    `[ -x ${shellWord(wrapper[0])} ] || ${fail("the wrapper is gone")}`,
    ...(filter === null ? [] : [`[ -s ${shellWord(filter)} ] || ${fail("its filter is gone")}`]),
    ...becomeWrapper(wrapper, `${shellWord(path)} -c "$${COMMAND[shell]}"`, filter),
    fail("the wrapper did not start"),
    "",
  ].join("\n");
}
