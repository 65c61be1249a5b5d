import { textOf } from "../shell/arg.ts";
import type { Program } from "./program.ts";
import { orVersion, withVerbs } from "./subcommands.ts";

/** Programs that run or build what they are given, and are only ever asked for their version. */
const VERSION_ONLY =
  "javac gcc g++ cc clang clang++ cmake ninja rustup deno bunx helm uv poetry dotnet swift ghc stack julia zig nim ffmpeg rsync gpg mysql sqlite3 redis-cli aws gcloud az ansible emacs code";
/** Programs that print their version for `-v` too; to others it means to say more while working. */
const SHORT_VERSION =
  "ruby perl php make gmake bun npx tsc eslint prettier jest vitest gem bundle mvn gradle elixir lua luajit vim nvim";
const CAPITAL_VERSION = "rustc ssh psql tmux curl wget R";

const MODULE_VALUE = String.raw`(?:\.[\w$]+|\[['"][\w@/.-]+['"]\])*`;
/** Expressions that read a JSON file or name the platform, and nothing else. */
const SAFE_EXPRESSION = new RegExp(
  String.raw`^(?:JSON\.stringify\()?(?:process\.(?:version|versions(?:\.\w+)?|platform|arch|execPath|cwd\(\))|require\(['"][\w@./-]+\.json['"]\)${MODULE_VALUE})(?:,\s*null,\s*\d\))?\)?;?$`,
  "u",
);

const node: Program = ({ args }) => {
  const [mode, value] = args.map((arg) => textOf(arg) ?? "");
  if (args.length === 2 && /^(?:--check|-c)$/u.test(mode ?? "") && /^[^-]/u.test(value ?? ""))
    return undefined;
  const printed = args.length === 2 && /^(?:-p|--print|-pe)$/u.test(mode ?? "") ? value : undefined;
  return printed !== undefined && SAFE_EXPRESSION.test(printed) ? undefined : "node runs a program";
};

/** Options of pip that write a log or run another Python. */
const PIP_REFUSED = /^(?:--log|--python|--cache-dir|--proxy|-\?)/u;

/** `json.tool in out` writes its second operand. */
const python: Program = ({ args }) => {
  const [mode, module, ...rest] = args.map((arg) => textOf(arg) ?? "-?");
  if (mode !== "-m") return "python runs a program";
  const operands = rest.filter(
    (text) => !/^--(?:sort-keys|no-ensure-ascii|json-lines|compact|tab|no-indent)$/u.test(text),
  );
  if (module === "json.tool" && operands.length <= 1 && operands.every((text) => !/^-./u.test(text)))
    return undefined;
  const pip =
    module === "pip" &&
    /^(?:list|show|freeze|check)$/u.test(rest[0] ?? "") &&
    !rest.some((text) => PIP_REFUSED.test(text));
  return pip ? undefined : "python runs a program";
};

const pip = withVerbs({ verbs: ["list", "show", "freeze", "check", "config list"], refused: PIP_REFUSED });

/** Options that could name another settings file, shell or folder are not in the list. */
const PACKAGE_OPTIONS =
  /^(?=-)(?!--?(?:json|depth|g|global|all|a|l|long|p|parseable|prod|production|dev|omit|include|w|workspace|ws|workspaces|r|recursive|depth|registry|silent|s|no-color|color)(?:=|$|s$))/u;

const pnpm = withVerbs({
  verbs: [
    "ls",
    "list",
    "ll",
    "la",
    "why",
    "outdated",
    "root",
    "bin",
    "view",
    "info",
    "config get",
    "config list",
    "licenses list",
  ],
  refused: PACKAGE_OPTIONS,
});

const npmQuery = withVerbs({
  verbs: [
    "ls",
    "list",
    "ll",
    "la",
    "view",
    "info",
    "show",
    "v",
    "outdated",
    "root",
    "prefix",
    "bin",
    "why",
    "explain",
    "query",
    "pkg get",
    "config get",
    "config list",
    "config ls",
    "search",
    "whoami",
    "ping",
  ],
  refused: PACKAGE_OPTIONS,
});

const npm: Program = (call) => {
  const texts = call.args.map((arg) => textOf(arg) ?? "-?");
  if (texts.length === 1 && /^(?:run|run-script)$/u.test(texts[0] ?? "")) return undefined;
  if (texts[0] === "audit")
    return texts.slice(1).every((text) => /^--(?:json|omit=\w+|production|audit-level=\w+)$/u.test(text))
      ? undefined
      : "npm audit changes packages";
  return npmQuery(call);
};

/** Writes no lock file only when it is told not to. */
const cargo: Program = (call) => {
  const texts = call.args.map((arg) => textOf(arg) ?? "-?");
  const [verb, ...rest] = texts;
  if (verb === "version" || verb === "--list" || verb === "locate-project") return undefined;
  const locked = rest.some((text) => /^--(?:locked|frozen)$/u.test(text));
  const plain = rest.every(
    (text) =>
      !text.startsWith("-") ||
      /^(?:--(?:locked|frozen|offline|no-deps|format-version(?:=1)?|all-features|no-default-features|workspace|depth(?:=\d+)?|duplicates|invert|prefix=\w+|quiet)|-[diqep])$/u.test(
        text,
      ),
  );
  return (verb === "tree" || verb === "metadata") && locked && plain
    ? undefined
    : "cargo may build, or write its lock file";
};

/** `go env -w` writes, `go list` may be told to run tools. */
const go: Program = (call) => {
  const texts = call.args.map((arg) => textOf(arg) ?? "-?");
  const [verb, ...rest] = texts;
  if (verb === "version" || verb === "doc") {
    const plain = rest.every(
      (text) => !text.startsWith("-") || /^-(?:m|v|all|src|short|u|c|cmd)$/u.test(text),
    );
    return plain ? undefined : "go may start a server or a browser";
  }
  if (verb === "env")
    return rest.every((text) => /^(?:-json|-changed|\w+)$/u.test(text))
      ? undefined
      : "go env changes settings";
  const plain = rest.every(
    (text) => !text.startsWith("-") || /^-(?:m|json|deps|test|e|find|f(?:=.*)?|versions)$/u.test(text),
  );
  return verb === "list" && plain ? undefined : "go may build or run something";
};

const refuse: Program = ({ name }) => `${name} runs or changes more than can be told from its arguments`;

function versioned(names: string, also?: RegExp): [string, Program][] {
  return names.split(" ").map((name) => [name, orVersion(refuse, also)]);
}

/** Language runtimes and package managers, with the few questions they answer without running anything. */
export const runtimes: ReadonlyMap<string, Program> = new Map<string, Program>([
  ...versioned(VERSION_ONLY),
  ...versioned(SHORT_VERSION, /^-v$/u),
  ...versioned(CAPITAL_VERSION, /^-V$/u),
  ["java", orVersion(refuse, /^-version$/u)],
  ["openssl", orVersion(refuse, /^version$/u)],
  ["node", orVersion(node, /^-v$/u)],
  ["python", orVersion(python, /^-V$/u)],
  ["python3", orVersion(python, /^-V$/u)],
  ["pip", orVersion(pip)],
  ["pip3", orVersion(pip)],
  ["npm", orVersion(npm, /^-v$/u)],
  ["pnpm", orVersion(pnpm, /^-v$/u)],
  [
    "yarn",
    orVersion(
      withVerbs({
        verbs: ["info", "why", "config get", "config list"],
        refused: /^--(?:cwd|use-yarnrc|modules-folder)/u,
      }),
      /^-v$/u,
    ),
  ],
  ["cargo", orVersion(cargo)],
  ["go", orVersion(go)],
]);
