import { expandedIn, isSecretVariable } from "./secret-variables.ts";
import { type Arg, leading, literal, type Piece, shown, textOf } from "./shell/arg.ts";

/** Programs that tell that a file is there, or change what is known of it, but show nothing of what is in it. */
const NOT_SHOWING =
  /^(?:ls|dir|exa|eza|stat|test|\[|du|df|realpath|readlink|dirname|basename|echo|printf|touch|rm|rmdir|mkdir|chmod|chown|chgrp|find|fd|fdfind|cd|pushd|tree|wc|which|type|command|true|false|:|export|unset|read|kill|lsof|md5sum|sha1sum|sha256sum|xargs|env|timeout|time|nice|nohup|shopt|set|exec|eval|builtin)$/u;
/** Git's verbs that show what is in files. */
const GIT_SHOWING =
  /^(?:show|diff|blame|annotate|grep|cat-file|archive|whatchanged|difftool|format-patch|apply|hash-object)$/u;
const NONE = literal("");
const GREP = /^(?:grep|egrep|fgrep|rg|ack|ag|zgrep|ugrep)$/u;
/** Programs that run the code they are given. */
export const CODE = /^(?:python[\d.]*|node|deno|bun|perl|ruby|php|lua|awk|gawk|mawk|sed)$/u;
/** Programs whose first operand is an expression, however much it looks like a file. */
const FILTERING = /^(?:jq|gojq|jaq|yq)$/u;
/** Files of keys that a program is told to use; it shows nothing of them. */
const USING = /^--(?:cacert|capath)$/u;
/** Commands of openssl that show certificates alone, whatever else their file holds. */
const PUBLIC_ONLY = /^(?:x509|verify|crl)$/u;
/** Verbs of the clouds' programs that print keys, tokens, passwords or settings that hold them. */
const KEYS = [
  /^az (?:\S+ )*(?:keys list|\S+-keys? (?:list|show)|list-(?:keys|secrets|connection-strings|publishing-\S+|\S*credentials?)|show-(?:connection-string|keys?)|connection-string (?:show|list)|secret (?:show|download|backup)|credential (?:show|list|reset)|appsettings list|kv (?:list|show)|get-access-token|generate-sas)(?: |$)/u,
  /^aws (?:\S+ )*(?:(?:batch-)?get-secret-value|get-(?:login|\S*-token|token|\S*credentials\S*|password-data|random-password|session-token|federation-token)|get-login-password|generate-\S*-token|assume-role\S*|create-access-key|decrypt)(?: |$)/u,
  /^aws configure (?:export-credentials|get \S*(?:secret|token|credential))/u,
  /^gcloud (?:\S+ )*(?:secrets versions access|auth (?:application-default )?print-\S+|keys create)(?: |$)/u,
  /^vault (?:kv get|read|unwrap|print token|token create)(?: |$)/u,
  /^op (?:read|inject|run|item get|document get)(?: |$)/u,
  /^(?:heroku config|doppler secrets|chamber (?:read|export|env)|aws-vault (?:exec|export)|vercel env pull|netlify env|fly(?:ctl)? auth token|glab auth token|npm token create|terraform state pull|tofu state pull|oc whoami|oc extract|kubectl create token)(?: |$)/u,
  /^ansible-vault (?:view|decrypt)(?: |$)/u,
  /^gcloud (?:\S+ )*config config-helper(?: |$)/u,
  /^doctl (?:apps (?:spec )?get|databases (?:connection|user get)|kubernetes cluster kubeconfig)(?: |$)/u,
  /^(?:infisical (?:secrets|export|run)|doppler run|dotenvx (?:get|decrypt)|direnv (?:export|dump)|mise env|wg showconf|rclone config (?:show|dump)|redis-cli (?:\S+ )*(?:config get \S*(?:pass|\*)\S*|acl list))(?: |$)/iu,
  /^(?:npm|pnpm|yarn|pip3?|composer|bundle|git|poetry|conda|cargo|hub) (?:\S+ )*config (?:\S+ )*\S*(?:token|passw|secret|_auth|http-basic|oauth|extraheader)/iu,
  /^getent (?:\S+ )*g?shadow(?: |$)/u,
  /^tmux (?:\S+ )*(?:show-environment|showenv)(?: |$)/u,
];
/** The same where it takes an option; here options count as words. */
const KEYS_BY_OPTION = [
  // What runs there is described with its variables, where no other part is asked for.
  /^(?:aws (?:.* )?(?:lambda get-function(?:-configuration)?|ecs describe-task-definition|apprunner describe-service|codebuild batch-get-projects|elasticbeanstalk describe-configuration-settings)|gcloud (?:.* )?(?:run (?:services|jobs|revisions)|functions|app versions) describe)(?= |$)(?!.* --(?:query|format)[ =](?!.*env))/iu,
  /^(?:kubectl|oc) (?=(?:.* )?(?:get|edit) )(?=.* (?:\S+,)?secrets?(?:\.\S*)?(?:[ /,]|$))(?=(?:.* )?(?:edit |(?:-o|--output|--template|-\w+o)(?![ =]?(?:name|wide)(?: |$))))/u,
  /^(?:kubectl|oc) (?:.* )?config view (?:.* )?--(?:raw|flatten)/u,
  /^aws (?:.* )?ssm get-parameter\S* (?:.* )?--with-d/u,
  /^security (?:.* )?(?:find-(?:generic|internet)-password (?:.* )?-\w*[wg]|dump-keychain (?:.* )?-\w*d|export )/u,
  /^(?:terraform|tofu) (?:.* )?(?:output (?:.* )?-(?:raw|json)|show (?:.* )?-json)/u,
  /^(?:gh|glab) auth status (?:.* )?(?:-\w*t|--show-token)/u,
  /^wg show (?:.* )?(?:private|preshared)-keys?(?: |$)/u,
  /^(?:gpg2?|age|sops) (?:.* )?(?:-d|--decrypt|decrypt|--export-secret\S*)(?: |$)/u,
];
/** Commands that print the environment or keys, by program and the words behind it, options left out. */
const SHOWING = [
  /^(?:docker|podman|nerdctl) compose (?:\S+ )*(?:config|convert)(?: |$)/u,
  /^(?:docker|podman)-compose (?:\S+ )*(?:config|convert)(?: |$)/u,
  /^helm get (?:all|values|manifest|hooks)(?: |$)/u,
  /^gh auth token(?: |$)/u,
  /^git credential(?:-\S+)? (?:fill|get)(?: |$)/u,
  /^(?:pass|bw|secret-tool|lpass) (?:show|get|lookup)(?: |$)/u,
  ...KEYS,
  /^ps (?:[a-z]*e[a-z]*)(?: |$)/u,
];
const INSPECT = /^(?:docker|podman) (?:container )?inspect(?: |$)/u;
/** What a template asks of a container that says nothing of its variables. */
const PLAIN_FIELD =
  /^\s*(?:(?:(?:json|range|with|len)\s+)?\.(?!(?:Config|ContainerConfig|Spec|Env|Args)\b)[A-Z]\w*(?:\.\w+)*|end)\s*$/u;
/** Words behind a program in which its verbs stand. */
const MAX_VERBS = 32;
/** Code that prints the whole environment. */
const WHOLE_ENVIRONMENT =
  /\b(?:process|import\.meta|Bun)\.env\b(?!\s*(?:\.\w|\?\.|\[))|\bos\.environ\b(?!\s*(?:\[|\.get\b))|\bENVIRON\b(?!\s*\[)|%ENV\b|\bENV\b\s*\.\s*(?:to_|each|inspect|map|values)|\bDeno\.env\.toObject|\bgetenv\(\s*\)|\$_(?:ENV|SERVER)\b(?!\s*\[)/u;
/** A variable that code reads by its name. */
const NAMED_VARIABLE =
  /(?:\benv\s*(?:\?\.|\.|\[\s*["'])|\benviron(?:\.get\(|\[)\s*["']|getenv\(\s*["']|\bENV(?:IRON)?\s*[[{]\s*["']?|\benv\.get\(\s*["']|\$_(?:ENV|SERVER)\[\s*["'])(\w+)/gu;

/** The texts in an argument that may be paths: itself, the value of an option, what stands behind `:`, `=` or `@`. */
export function pathsIn(text: string, code: boolean): string[] {
  if (!(code ? /[-\s"'`(),;:=@<>|&{}[\]]/u : /[-:=@,]/u).test(text)) return text === "" ? [] : [text];
  const parts = text.split(code ? /[\s"'`(),;:=@<>|&{}[\]]+/u : /[:=@,]/u);
  const attached = /^-\w(.+)$/u.exec(text)?.[1];
  const found = new Set([text, ...parts, ...(attached === undefined ? [] : [attached])]);
  return [...found].filter((part) => part !== "" && !part.startsWith("-"));
}

/** An argument with something in the place of what is not known, so that a known end such as `/.env` is seen. */
function filledIn(arg: Arg): string {
  const filled = (piece: Piece): string => {
    if (typeof piece === "string") return piece;
    return piece.kind === "glob" ? piece.text : "x";
  };
  return arg.pieces.map((piece) => filled(piece)).join("");
}

/** The place of the first operand that is no file: what grep and its like look for. */
function searchedFor(args: readonly Arg[]): number {
  if (args.some((arg) => /^-[a-zA-Z]*[ef]|^--(?:regexp|file|files)/u.test(leading(arg)))) return -1;
  const first = args.findIndex((arg) => !leading(arg).startsWith("-"));
  // That may be the value of an option which names a file.
  return /^--(?:exclude|include|ignore)-f/u.test(leading(args[first - 1] ?? NONE)) ? -1 : first;
}

/** The place of the expression in a call of jq or its like; -1 where an option may have said otherwise. */
function expressionIn(name: string, args: readonly Arg[]): number {
  if (args.some((arg) => /^(?:-[a-zA-Z]*[fL]|--(?:from-file|expression|arg|slurp|raw))/u.test(leading(arg))))
    return -1;
  const verb = name === "yq" && /^(?:e|ea|eval|eval-all)$/u.test(textOf(args[0]) ?? "") ? 1 : 0;
  const first = args.findIndex((arg, index) => index >= verb && !leading(arg).startsWith("-"));
  // yq shows the file that is all it is given.
  return name !== "yq" || /^\.(?:\w+\.)*key$/u.test(shown(args[first] ?? NONE)) ? first : -1;
}

function skippedOf(name: string, args: readonly Arg[]): readonly number[] {
  if (GREP.test(name)) return [searchedFor(args)];
  if (FILTERING.test(name)) return [expressionIn(name, args)];
  // Keys that are written.
  if (name === "openssl")
    return args.flatMap((_, index) =>
      /^-(?:out|keyout)$/u.test(textOf(args[index - 1]) ?? "") ? [index] : [],
    );
  if (/^(?:cp|mv|install|ln|rsync|scp)$/u.test(name)) return [args.length - 1];
  if (name !== "curl") return [];
  return args.flatMap((_, index) => (USING.test(textOf(args[index - 1]) ?? "") ? [index] : []));
}

/** Paths and patterns whose content a command may show, as far as its words tell. */
export function shownPaths(name: string, args: readonly Arg[]): string[] {
  if (NOT_SHOWING.test(name)) return [];
  const verb =
    name === "git"
      ? args.map((arg) => textOf(arg) ?? "").find((text) => GIT_SHOWING.test(text) || text === "-p")
      : "";
  if (verb === undefined) return [];
  if (name === "openssl" && PUBLIC_ONLY.test(textOf(args[0]) ?? "")) return [];
  const skipped = skippedOf(name, args);
  return args
    .filter((_, index) => !skipped.includes(index))
    .flatMap((arg) => pathsIn(filledIn(arg), CODE.test(name)));
}

/** What shows the environment in an expression of jq's: no field, key or name of a module. */
const JQ_ENVIRONMENT = /(?<![\w.$@-]|\{\s*)env\b(?!\s*:)|\$ENV\b/u;

/** An expression of jq's without its texts; as it is where a quote may stand for something else. */
function withoutTexts(expression: string): string {
  return /\\\(|#/u.test(expression) ? expression : expression.replaceAll(/"(?:[^"\\]|\\.)*"/gu, '""');
}

/** True for a command that shows the whole environment, or a variable in it that sounds like a secret. */
export function showsEnvironment(name: string, args: readonly Arg[]): boolean {
  const texts = args.map((arg) => textOf(arg) ?? shown(arg));
  const words = [name, ...texts.filter((text) => !text.startsWith("-")).slice(0, MAX_VERBS)].join(" ");
  // Whether they are right, and nothing of what is in them.
  const isQuiet = texts.some((text) => /^(?:-q|--quiet)$/u.test(text));
  if (isQuiet && /^(?:docker|podman)(?:-| )compose (?:\S+ )*config$/u.test(words)) return false;
  if (SHOWING.some((pattern) => pattern.test(words))) return true;
  if (INSPECT.test(words)) return !asksPlainFields(texts);
  if (KEYS_BY_OPTION.some((pattern) => pattern.test([name, ...texts].join(" ")))) return true;
  if (CODE.test(name)) return texts.some((text) => readsEnvironment(text));
  if (/^(?:eval|trap|(?:ba|da|z|k|a)?sh)$/u.test(name))
    return texts.some((text) => expandedIn(text) !== null);
  switch (name) {
    case "jq":
    case "gojq":
    case "jaq":
      return texts.some((text) => !text.startsWith("-") && JQ_ENVIRONMENT.test(withoutTexts(text)));
    case "env":
      return texts.every((text) => /^-[0iv]*$|^\w+=/u.test(text)) && !texts.includes("-i");
    case "printenv":
      return texts.every((text) => text.startsWith("-")) || texts.some((text) => isSecretVariable(text));
    case "set":
      return texts.length === 0;
    case "export":
    case "declare":
    case "typeset":
      return (
        texts.every((text) => /^-[px]+$/u.test(text)) ||
        (/^-\w*p/u.test(texts[0] ?? "") && texts.some((text) => isSecretVariable(text)))
      );
    default:
      return false;
  }
}

/** Whether a template is given which asks for nothing but such fields. */
function asksPlainFields(texts: readonly string[]): boolean {
  const at = texts.findIndex((text) => /^(?:-f|--format)(?:=|$)/u.test(text));
  const [option = "", value = ""] = texts.slice(at, at + 2);
  const template = /^(?:-f|--format)$/u.test(option) ? value : option;
  const actions = at === -1 ? [] : template.split("{{").slice(1);
  return actions.length > 0 && actions.every((action) => PLAIN_FIELD.test(action.split("}}", 1)[0] ?? ""));
}

function readsEnvironment(code: string): boolean {
  if (WHOLE_ENVIRONMENT.test(code)) return true;
  return [...code.matchAll(NAMED_VARIABLE)].some(([, name = ""]) => isSecretVariable(name));
}

/** True for a command that names files on its output, and so may name a sensitive one to whatever reads them. */
export function listsFiles(name: string): boolean {
  return /^(?:ls|find|fd|fdfind|echo|printf|rg|git)$/u.test(name);
}

/** True when a command shows files that only another one names: through xargs, `-exec` or a substitution. */
export function showsUnknownFiles(name: string, args: readonly Arg[]): boolean {
  if (NOT_SHOWING.test(name)) return false;
  return args.some((arg) =>
    arg.pieces.some((piece) => typeof piece !== "string" && /^(?:\{|what xargs|\$\(|`)/u.test(piece.text)),
  );
}
