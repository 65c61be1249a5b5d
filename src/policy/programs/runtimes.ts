import { textOf } from "../shell/arg.ts";
import { inForms } from "./forms.ts";
import { withOptions } from "./options.ts";
import type { Program } from "./program.ts";
import { orVersion, withVerbs } from "./subcommands.ts";

/** Programs that run or build what they are given, and are only ever asked for their version. */
const VERSION_ONLY =
  "javac gcc g++ cc clang clang++ cmake ninja rustup deno bunx uv poetry dotnet swift ghc stack julia zig nim ffmpeg rsync gpg mysql ansible emacs code nix ld htop ctags vagrant pulumi packer vault consul nomad flyctl fly vercel netlify wrangler heroku firebase supabase claude opencode codex turbo nx lerna vite webpack rollup esbuild tsx ts-node swc biome oxlint stylelint playwright cypress mocha black ruff mypy pytest tox nox flake8 pylint isort pipenv pdm hatch pyright mamba pre-commit rubocop rails rake composer phpunit bazel just task meson autoconf automake pkg-config protoc buf flutter dart kotlin scala sbt mix iex cabal opam gdb lldb valgrind strace pandoc magick convert pg_dump nginx mongosh mise asdf delta fzf k9s kustomize kind minikube git-lfs";
/** Programs that print their version for `-v` too; to others it means to say more while working. */
const SHORT_VERSION =
  "ruby perl php make gmake bun npx tsc eslint prettier jest vitest gem bundle mvn gradle elixir lua luajit vim nvim";
const CAPITAL_VERSION = "rustc ssh psql curl wget R";

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
  const logged = /^console\.log\((.*)\);?$/u.exec(value ?? "")?.[1];
  const shows = /^(?:-p|--print|-pe)$/u.test(mode ?? "");
  const printed =
    args.length !== 2 ? undefined : shows ? value : /^(?:-e|--eval)$/u.test(mode ?? "") ? logged : undefined;
  return printed !== undefined && SAFE_EXPRESSION.test(printed) ? undefined : "node runs a program";
};

/** What Python says of itself: `sys` is built in, so no file can stand for it. */
const PYTHON_ITSELF =
  /^import sys; ?print\(sys\.(?:version|version_info|executable|path|prefix|platform)(?:\[[\d:]+\])?\)$/u;

/** Options of pip that write a log or run another Python. */
const PIP_REFUSED = /^(?:--log|--python|--cache-dir|--proxy|-\?)/u;

/** `json.tool in out` writes its second operand. */
const python: Program = ({ args }) => {
  const [mode, module, ...rest] = args.map((arg) => textOf(arg) ?? "-?");
  if (mode === "-c" && rest.length === 0 && PYTHON_ITSELF.test(module ?? "")) return undefined;
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

const pip = withVerbs({
  verbs: [
    "list",
    "show",
    "freeze",
    "check",
    "config list",
    "config get",
    "index versions",
    "cache list",
    "cache dir",
    "cache info",
    "inspect",
    "debug",
  ],
  refused: PIP_REFUSED,
});

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
    "store path",
  ],
  flags: /^(?:-r|--recursive|-w|--workspace-root|-g|--global)$/u,
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
    "fund",
    "owner ls",
    "dist-tag ls",
    "team ls",
  ],
  flags: /^(?:-g|--global|-s|--silent|--json)$/u,
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
  if (
    /^(?:search|pkgid|read-manifest|verify-project)$/u.test(verb ?? "") &&
    rest.every((text) => /^\w/u.test(text))
  )
    return undefined;
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
  if (verb === "help" || (verb === "mod" && /^(?:graph|why|verify)$/u.test(rest[0] ?? "")))
    return rest.every((text) => /^(?:-m|\w\S*)$/u.test(text)) ? undefined : "go may do more than show here";
  if (verb === "env")
    return rest.every((text) => /^(?:-json|-changed|\w+)$/u.test(text))
      ? undefined
      : "go env changes settings";
  const plain = rest.every(
    (text) => !text.startsWith("-") || /^-(?:m|json|deps|test|e|find|f(?:=.*)?|versions)$/u.test(text),
  );
  return verb === "list" && plain ? undefined : "go may build or run something";
};

/** Questions about a toolchain: a pattern for all arguments in a row. */
const FORMS: Readonly<Record<string, RegExp>> = {
  uv: /^(?:pip (?:list|show|freeze|tree|check)|python (?:list|find|dir)|tool (?:list|dir)|cache dir|self version|tree --frozen)(?: (?:--(?:outdated|strict|frozen|quiet|only-installed|exclude-editable|offline|format[ =]json|depth[ =]\d+)|\w[\w.-]*))*$/u,
  poetry: /^(?:env (?:info|list)(?: (?:-p|--path|--full-path))?|config --list|about|check)$/u,
  rustup: /^(?:toolchain list|override list)(?: -v)?$/u,
  rustc: /^(?:--explain E\d+|-vV|--print[ =](?:sysroot|cfg|target-list|host-tuple|target-libdir))$/u,
  bun: /^pm (?:ls(?: -a| --all)?|bin(?: -g)?|cache|hash)$/u,
  deno: /^info$/u,
  php: /^(?:-i|-m|--ini|-l [^-\s]\S*)$/u,
  javac: /^-version$/u,
  dotnet: /^--(?:list-sdks|list-runtimes|info)$/u,
  gcc: /^-(?:dumpmachine|dumpversion|v|print-search-dirs)$/u,
  clang: /^-(?:dumpmachine|dumpversion|v|print-search-dirs)$/u,
  tsc: /^(?:--showConfig|--listFilesOnly)(?: (?:-p|--project) [^-\s]\S*)?$/u,
  ffmpeg: /^(?:-hide_banner )?-(?:version|formats|codecs|encoders|decoders|filters|hwaccels)$/u,
  code: /^--list-extensions(?: --show-versions)?$/u,
  psql: /^(?:-[hpU] [\w.-]+ )*(?:-l|--list)$/u,
  ssh: /^-(?:G [\w.@-]+|Q [\w-]+)$/u,
  asdf: /^(?:list|current|plugin list)(?: \w+)?$/u,
};

/** rsync that is told to change nothing, between folders of this machine. */
const rsync = withOptions(
  {
    short: "avnrlptgoDzhiuHAXxcPqEWCm",
    long: "dry-run archive verbose recursive delete delete-after delete-during delete-excluded itemize-changes stats human-readable checksum exclude= include= exclude-from= filter= progress list-only update size-only links perms times",
  },
  ({ given, operands }) => {
    const dry = given.has("n") || given.has("dry-run");
    const here = operands.every((arg) => !arg.many && textOf(arg)?.includes(":") === false);
    return dry && here ? undefined : "rsync copies files here, or goes to another machine";
  },
);

const refuse: Program = ({ name }) => `${name} runs or changes more than can be told from its arguments`;

function versioned(names: string, also?: RegExp): [string, Program][] {
  return names.split(" ").map((name) => {
    const pattern = FORMS[name];
    const asked = pattern === undefined ? refuse : inForms(pattern);
    return [name, orVersion(asked, also)];
  });
}

/** Language runtimes and package managers, with the few questions they answer without running anything. */
export const runtimes: ReadonlyMap<string, Program> = new Map<string, Program>([
  ...versioned(VERSION_ONLY),
  ...versioned(SHORT_VERSION, /^-v$/u),
  ...versioned(CAPITAL_VERSION, /^-V$/u),
  ["rsync", orVersion(rsync)],
  ["java", orVersion(refuse, /^-version$/u)],
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
        verbs: ["info", "why", "config get", "config list", "workspaces list"],
        refused: /^--(?:cwd|use-yarnrc|modules-folder)/u,
      }),
      /^-v$/u,
    ),
  ],
  ["cargo", orVersion(cargo)],
  ["go", orVersion(go)],
]);
