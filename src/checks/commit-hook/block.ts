const BEGIN = "# >>> opencode-gaia check >>>";
const END = "# <<< opencode-gaia check <<<";
/** Beside the hook: what was there before, where nothing can be written into it. */
export const BEFORE = "pre-commit.before-gaia";

const SHELL = /^#!.*\b(?:ba|da|z|k|a)?sh\b/u;

export interface BlockInput {
  /** The project below the repository's top; "" where it is the same. */
  readonly project: string;
  /** The program on this machine; null in a file that others share. */
  readonly program: string | null;
}

const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/**
 * Our part of a hook, for any POSIX shell: it runs the Definition of Done in the project, in a shell of its own that knows
 * nothing of the commit under way, and ends the hook where that does not pass or cannot be run.
 */
export function renderBlock({ project, program }: BlockInput): string {
  const folder =
    project === ""
      ? '"$(git rev-parse --show-toplevel)"'
      : `"$(git rev-parse --show-toplevel)"/${quote(project)}`;
  const own =
    program === null
      ? []
      : [
          `  if [ -f ${quote(program)} ] && command -v node >/dev/null; then exec node ${quote(program)} check; fi`,
        ];
  return [
    BEGIN,
    "# Runs the Definition of Done before a commit. Delete these lines to have it no more.",
    "(",
    `  cd ${folder} 2>/dev/null || exit 0`,
    "  unset $(git rev-parse --local-env-vars)",
    ...own,
    "  if [ -x node_modules/.bin/opencode-gaia ]; then exec node_modules/.bin/opencode-gaia check; fi",
    "  if command -v opencode-gaia >/dev/null; then exec opencode-gaia check; fi",
    "  echo 'Not committed: this hook runs opencode-gaia check, and there is no opencode-gaia here. Install it, or take its lines out of the pre-commit hook.' >&2",
    "  exit 1",
    ") </dev/null || exit $?",
    END,
    "",
  ].join("\n");
}

export function hasBlock(text: string): boolean {
  return text.includes(BEGIN) && text.includes(END);
}

/** Whether our part can stand in front of what a hook holds: only a shell would read it. */
export function isShellHook(text: string): boolean {
  return !text.includes("\0") && (!text.startsWith("#!") || SHELL.test(text.split("\n", 1)[0] ?? ""));
}

/** A hook with our part in it, at the beginning, so that nothing of the rest can end it before. */
export function withBlock(text: string, block: string): string {
  const plain = withoutBlock(text);
  const first = plain.startsWith("#!") ? plain.slice(0, plain.indexOf("\n") + 1) : "";
  return `${first}${block}${plain.slice(first.length)}`;
}

export function withoutBlock(text: string): string {
  const from = text.indexOf(BEGIN);
  const end = text.indexOf(END, from);
  return from === -1 || end === -1 ? text : text.slice(0, from) + text.slice(end + END.length + 1);
}

export function renderHook(block: string): string {
  const next = `"$(dirname "$0")/${BEFORE}"`;
  return `#!/bin/sh\n${block}[ ! -x ${next} ] || exec ${next} "$@"\n`;
}

export function isOwnHook(text: string): boolean {
  return hasBlock(text) && withoutBlock(text) === withoutBlock(renderHook(""));
}
