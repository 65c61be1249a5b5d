import { leading, shown, textOf } from "../shell/arg.ts";
import { inForms } from "./forms.ts";
import { optionReader, withOptions } from "./options.ts";
import { hiddenOption, type Program } from "./program.ts";
import { orVersion } from "./subcommands.ts";

/** Questions that tools answer about code, documents and what is installed: a pattern for all arguments in a row. */
const FORMS: Readonly<Record<string, RegExp>> = {
  ar: /^-?(?:t|p)v?(?: [^-\s]\S*)+$/u,
  "7z": /^[lt](?: -(?:slt|ba))*(?: [^-\s]\S*)+$/u,
  gofmt: /^(?:(?:-[lsde]|[^-\s]\S*)(?: |$))+$/u,
  goimports: /^(?:(?:-[lde]|[^-\s]\S*)(?: |$))+$/u,
  rustfmt: /^--check(?: (?:--edition \d+|--edition=\d+|[^-\s]\S*))+$/u,
  shfmt: /^(?:(?:-[dlsp]|-ci|-bn|-sr|-i=?\d*|-ln=\w+|[^-\s]\S*)(?: |$))+$/u,
  cloc: /^(?:(?:--(?:json|csv|yaml|md|quiet|by-file|vcs=git)|--(?:exclude-dir|include-lang|exclude-lang)=\S+|[^-\s]\S*)(?: |$))+$/u,
  scc: /^(?:(?:--(?:by-file|no-cocomo|ci|wide)|-(?:f|i|s|w) \w+|[^-\s]\S*)(?: |$))*$/u,
  ldd: /^(?:-v )?\/(?:usr\/)?(?:local\/)?s?bin\/[\w.+-]+$/u,
  pdftotext: /^(?:(?:-(?:layout|raw|nopgbrk|q|simple|table)|-[fl] \d+) )*[^-\s]\S* -$/u,
  pdfimages: /^-list [^-\s]\S*$/u,
  ffprobe:
    /^(?:(?:-(?:hide_banner|show_(?:format|streams|chapters|packets)|i)|-(?:v|loglevel|select_streams|show_entries|of|print_format) \S+) )*[^-\s]\S*$/u,
  exiftool: /^(?:(?:-(?:s+|S|j|json|G\d?|a|n)|[^-\s]\S*)(?: |$))+$/u,
  conda: /^(?:list|info|env list|config --show(?:-sources)?)(?: (?:--json|-e|--envs|-n \w+|\w[\w.-]*))*$/u,
  gem: /^(?:list|env|environment|info|outdated|which|contents|specification|dependency)(?: (?:--local|-l|-a|[^-\s]\S*))*$/u,
  nvm: /^(?:ls|list|current|version|which)(?: \w[\w./-]*)?$/u,
  pyenv: /^(?:versions|version|which \w+|root)$/u,
  rbenv: /^(?:versions|version|which \w+|root)$/u,
  ollama: /^(?:list|ls|ps|show [\w.:/-]+)$/u,
  info: /^\w[\w.-]*$/u,
  hg: /^(?:status|st|log|diff|annotate|blame|branches|tags|heads|identify|id|paths|summary|manifest|files|parents|root)(?: (?:-[lrcGpvnuA]+|--(?:stat|graph|limit|rev|verbose|removed|added|modified)|(?!\S*:\/\/)[^-\s]\S*))*$/u,
  svn: /^(?:status|st|log|info|diff|list|ls|blame|annotate|cat|propget|proplist)(?: (?:-[lrucvq]+|--(?:verbose|limit|revision|quiet|show-updates|stop-on-copy)|https:\/\/\S+|(?!\S*:\/\/)[^-\s]\S*))*$/u,
};

/** `--pager` of ag, in any abbreviation, names a program to run. */
const ag: Program = ({ args }) =>
  hiddenOption(args) ??
  (args.some((arg) => leading(arg).startsWith("--pa"))
    ? "ag may run a pager of the caller's choice"
    : undefined);

const xmllint = withOptions({
  long: "noout format nonet html recover huge nowarning noblanks xpath= schema= relaxng= pretty= encode= version",
});

const READONLY_SQL = /^(?:select|with|explain|pragma)\b[^;=]*;?$|^(?:select|with|explain)\b[^;]*;?$/iu;
/** Functions of the sqlite3 shell that write or load something, and statements that do even in a read-only database. */
const EFFECTS_SQL = /writefile|edit|load_extension|vacuum|attach|tokenizer/iu;
const SQLITE = optionReader({ short: "" });
const SQLITE_FLAG =
  /^-(?:readonly|header|noheader|json|csv|column|line|list|table|box|markdown|batch|bail)$/u;

/** A database opened read-only, asked with a statement that is known; dot commands of other kinds write and run. */
const sqlite: Program = ({ args }) => {
  const flags = args.filter((arg) => SQLITE_FLAG.test(textOf(arg) ?? ""));
  const rest = SQLITE(args.filter((arg) => !flags.includes(arg)));
  if ("problem" in rest) return rest.problem;
  const statements = rest.operands.slice(1).map((arg) => textOf(arg) ?? shown(arg));
  const known = rest.operands.slice(1).every((arg) => textOf(arg) !== undefined) && statements.length > 0;
  const asks = statements.every(
    (text) =>
      /^\.(?:tables|schema|indexes|databases)(?: [\w%]+)?$/u.test(text) ||
      (READONLY_SQL.test(text.trim()) && !EFFECTS_SQL.test(text)),
  );
  const closed = flags.some((arg) => textOf(arg) === "-readonly");
  return known && asks && closed ? undefined : "sqlite3 may write to the database, or run a program";
};

const REDIS =
  /^(?:(?:-[hpn] [\w.-]+|--raw|--no-raw|--csv|--json|--no-auth-warning) )*(?:--scan(?: --pattern [^-\s]\S*)?|--bigkeys|(?:get|mget|keys|scan|info|ping|ttl|pttl|type|exists|strlen|llen|lrange|hget|hmget|hgetall|hkeys|hvals|hlen|smembers|sismember|scard|zrange|zcard|zscore|xlen|xrange|dbsize|time|lastsave|(?:config|slowlog) get|client list|memory usage|object encoding)(?: [^-\s]\S*| -\d+)*)$/iu;

const OPENSSL =
  /^(?:x509(?: -(?:noout|text|dates|enddate|startdate|subject|issuer|serial|fingerprint|pubkey|modulus|hash|sha1|sha256|purpose|email|(?:in|inform|checkend|ext|nameopt) [^-\s]\S*))+|(?:dgst )?-?(?:sha\d+|md5)(?: -hex| -r)*(?: [^-\s]\S*)+|rand (?:-hex |-base64 )?\d+|ciphers)$/u;

/** Commands of tmux that only show; a format may hold a command to run, and `;` begins another command. */
const TMUX =
  /^(?:-[LS] [\w./-]+ )?(?:(?:ls|lsw|lsp|lsc|list-(?:sessions|windows|panes|clients|commands|keys|buffers)|has|has-session|show|show-options|showenv|show-environment|show-buffer|info|server-info)(?: |$)|(?:display|display-message)(?= (?:-\w+ \S+ )*-p)|(?:capturep|capture-pane)(?=.* -[aCeJMNPq]*p))/u;

const tmux: Program = ({ args }) => {
  const words = args.map((arg) => textOf(arg) ?? ";");
  const runs = words.some((word) => /;|#\(|#\{[^}]*[ET]:/u.test(word));
  return !runs && TMUX.test(words.join(" ")) ? undefined : "tmux may run or change something here";
};

/** Tools that look into something, with the forms in which they do no more than that. */
export const inspectors: ReadonlyMap<string, Program> = new Map<string, Program>([
  ...Object.entries(FORMS).map(([name, pattern]): [string, Program] => [name, orVersion(inForms(pattern))]),
  ["ag", ag],
  ["xmllint", xmllint],
  ["sqlite3", orVersion(sqlite)],
  ["redis-cli", orVersion(inForms(REDIS))],
  ["openssl", orVersion(inForms(OPENSSL), /^version$/u)],
  ["tmux", orVersion(tmux, /^-V$/u)],
]);
