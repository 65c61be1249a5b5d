/**
 * Variables that decide what later commands load, run or read: setting one is never read-only.
 * Lower-case names are the arrays that zsh ties to the upper-case ones, where OpenCode's shell is zsh.
 */
const STEERING = [
  /^(?:LD|DYLD|GIT|BASH|LESS|MAN|NODE|PYTHON|PERL|RUBY|GEM|BUNDLE|LUA|PHP|JAVA|_JAVA|JDK|MAVEN|GRADLE)(?:_|$)/u,
  /^(?:PYTEST_PLUGINS|DOTNET_STARTUP_HOOKS|PHPRC)$/u,
  /^(?:NPM|PNPM|YARN|BUN|DENO|CARGO|RUST|GO|CGO|CC|CXX|CPP|MAKE|GNUMAKE|CMAKE|DOCKER|KUBE|AWS|SSH|GPG|XDG)/u,
  /^(?:npm|pnpm|yarn)_/iu,
  /^(?:PYTHON|PERL5?|RUBY|NODE|LESS|MAN|RIPGREP|GREP|TAR|GZIP|AWK|GAWK|JQ|FZF|TERM|LOC|NLS|HOST|FC)[A-Z]+/u,
  /(?:PAGER|EDITOR|OPTIONS|OPTS|FLAGS|PRELOAD|CONFIG\w*|WRAPPER|SHELL|ASKPASS|_proxy|_PROXY|RCFILE)$/u,
  /^(?:PATH|HOME|IFS|ENV|SHELL|VISUAL|BROWSER|CDPATH|FPATH|TMPDIR|TMP|TEMP|PS[0-4]|PROMPT_COMMAND)$/u,
  /^(?:GLOBIGNORE|EXECIGNORE|FIGNORE|SHELLOPTS|BASHOPTS|POSIXLY_CORRECT|PROMPT|MODULE_PATH|GCONV_PATH)$/u,
  /^(?:ZDOTDIR|HIST\w*|TERMCAP|TERMINFO|MAIL\w*|OPTIND|RANDOM|LINENO|DIRSTACK|READNULLCMD|NULLCMD|_\w*)$/u,
  /^(?:path|fpath|cdpath|module_path|manpath|mailpath|fignore|prompt|psvar|argv|status|options|watch)$/u,
  /^(?:functions|aliases|galiases|saliases|commands|builtins|nameddirs|zle\w*|precmd\w*|preexec\w*)$/u,
];

/** True for a variable through which a command line could make a harmless program run or load something else. */
export function isSteeringVariable(name: string): boolean {
  return STEERING.some((pattern) => pattern.test(name));
}

const HARMLESS_EXPORT =
  /^(?:LC_[A-Z]+|LANG|LANGUAGE|TZ|NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|COLUMNS|LINES|CI|NODE_ENV|DEBUG|VERBOSE|FOO|[A-Za-z])$/u;
const HARMLESS_SETTING =
  /^(?:\w*PAGER=(?:cat)?|TERM=(?:dumb|xterm(?:-256color)?)|GIT_OPTIONAL_LOCKS=0|GIT_TERMINAL_PROMPT=0|GIT_CONFIG_NOSYSTEM=1|RUST_BACKTRACE=(?:[01]|full))$/u;

/**
 * True when a program may be given `name=value` in its environment with no effect beyond how it prints.
 * @param value the text, undefined when it is not known
 */
export function isHarmlessExport(name: string, value: string | undefined): boolean {
  if (value === undefined) return false;
  if (HARMLESS_SETTING.test(`${name}=${value}`)) return true;
  return HARMLESS_EXPORT.test(name) && /^[\w.:,@%+/-]*$/u.test(value) && !value.includes("..");
}
