const MODULE_VALUE = String.raw`(?:\.[\w$]+|\[['"][\w@/.-]+['"]\])*`;
/** Expressions that read a JSON file or name the platform, and nothing else. */
const SAFE = String.raw`(?:JSON\.stringify\()?(?:process\.(?:version|versions(?:\.\w+)?|platform|arch|execPath|cwd\(\))|require\(['"][\w@./-]+\.json['"]\)${MODULE_VALUE})(?:,\s*null,\s*\d\))?\)?;?`;

const LIST_OPTIONS =
  "--json --depth=/-?\\d+/ --global --all --long --parseable --prod --production --dev --registry=W --no-color --color? -g -a -l -p";
const PIP = "... !--log !--python !--cache-dir !--proxy !/^-\\?/";
const PM_LIST = "ls|list|ll|la|why|outdated|root|bin|view|info|config get|config list";
const CARGO = `[-d -i? -q -e=W -p=W --offline --no-deps --format-version=N --all-features --no-default-features --workspace
    --depth=N --duplicates --invert? --prefix=/\\w+/ --quiet --locked --frozen]`;

/**
 * Language runtimes, build tools and package managers, with the few questions they answer without running anything.
 * Those that stand with `--version` alone run or build what they are given otherwise; to some, `-v` means to say more.
 */
export const runtimes = String.raw`
  javac|gcc|g++|cc|clang|clang++|cmake|ninja|rustup|deno|bunx|uv|poetry|dotnet|swift|ghc|stack|julia|zig|nim|ffmpeg|gpg|mysql|ansible|emacs|code|nix|ld|htop|ctags|vagrant|pulumi|packer|vault|consul|nomad|flyctl|fly|vercel|netlify|wrangler|heroku|firebase|supabase|claude|opencode|codex|turbo|nx|lerna|vite|webpack|rollup|esbuild|tsx|ts-node|swc|biome|oxlint|stylelint|playwright|cypress|mocha|black|ruff|mypy|pytest|tox|nox|flake8|pylint|isort|pipenv|pdm|hatch|pyright|mamba|pre-commit|rubocop|rails|rake|composer|phpunit|bazel|just|task|meson|autoconf|automake|pkg-config|protoc|buf|flutter|dart|kotlin|scala|sbt|mix|iex|cabal|opam|gdb|lldb|valgrind|strace|pandoc|magick|convert|pg_dump|nginx|mongosh|mise|asdf|delta|fzf|k9s|kustomize|kind|minikube|git-lfs
    --version => read
  ruby|perl|php|make|gmake|bun|npx|tsc|eslint|prettier|jest|vitest|gem|bundle|mvn|gradle|elixir|lua|luajit|vim|nvim|node|npm|pnpm|yarn
    -v => read
  rustc|ssh|psql|curl|wget|R|python|python3 -V => read
  java|javac -version => read
  node (--check=W|-c=W) => read
  node (-p=/${SAFE}/|--print=/${SAFE}/|-pe=/${SAFE}/) => read
  node (-e=/console\.log\(${SAFE}\);?/|--eval=/console\.log\(${SAFE}\);?/) => read
  # What Python says of itself: sys is built in, so no file can stand for it. json.tool writes its second operand.
  python|python3 -c=/import\ssys;\s?print\(sys\.(?:version|version_info|executable|path|prefix|platform)(?:\[[\d:]+\])?\)/
    => read
  python|python3 -- -m=/json\.tool/ [--sort-keys --no-ensure-ascii --json-lines --compact --tab --no-indent] W? !/^-m=/ => read
  python|python3 -m=/pip/ (list|show|freeze|check) ${PIP} !/^-m=/ => read
  pip|pip3 (list|show|freeze|check|config list|config get|index versions|cache list|cache dir|cache info|inspect|debug)
    ${PIP} => read
  # Options that could name another settings file, shell or folder are not in the list.
  npm [-g --global -s --silent --json] (${PM_LIST}|show|v|prefix|explain|query|pkg get|config ls|search|whoami|ping|fund|owner ls|dist-tag ls|team ls)
    [${LIST_OPTIONS} -w=W --workspace=W --workspaces --ws --omit=W --include=W] F* => read
  npm run|run-script => read
  npm (access list|access get|profile get) [--json] W* => read
  npm audit [--json --production --omit=/\w+/ --audit-level=/\w+/] => read
  pnpm [-r --recursive -w --workspace-root -g --global] (${PM_LIST}|licenses list|store path) [${LIST_OPTIONS}] F* => read
  yarn (info|why|config get|config list|workspaces list) ... !--cwd !--use-yarnrc !--modules-folder => read
  bun pm (ls|bin|cache|hash) [-a -g --all] => read
  # cargo writes no lock file only when it is told not to.
  cargo --list => read
  cargo version|locate-project [--workspace --message-format=] => read
  cargo search|pkgid|read-manifest|verify-project /\w.*/* => read
  cargo (tree|metadata) (--locked|--frozen) ${CARGO} F* => read
  # go env -w writes, and go list may be told to run tools.
  go version|doc [-m -v -all -src -short -u -c -cmd] F* => read
  go (help|mod graph|mod why|mod verify) [-m] /\w\S*/* => read
  go env [-json -changed] /\w+/* => read
  go list [-m -json? -deps -test -e -find -f= -versions] F* => read
  uv (pip list|pip show|pip freeze|pip tree|pip check|python list|python find|python dir|tool list|tool dir|cache dir
    |self version) [--outdated --strict --frozen --quiet --only-installed --exclude-editable --offline --format=/json/
    --depth=N] /\w[\w.-]*/* => read
  uv tree --frozen [--outdated --quiet --offline --depth=N] => read
  poetry (env info|env list) [-p --path --full-path] => read
  poetry about|check => read
  poetry config --list => read
  rustup (toolchain|override) list [-v] => read
  rustup show (active-toolchain|home|profile)? => read
  pipx list [--short --json] => read
  javap ... !-J => read
  jps [-{qlmvV}] => read
  npm diff [--diff=W --diff-name-only] /[\w.\/-]+/* => read
  rustc --explain=/E\d+/ => read
  rustc -vV => read
  rustc --print=/sysroot|cfg|target-list|host-tuple|target-libdir/ => read
  deno info => read
  php (-i|-m|--ini|-l=W) => read
  dotnet (--list-sdks|--list-runtimes|--info) => read
  gcc|clang (-dumpmachine|-dumpversion|-v|-print-search-dirs) => read
  tsc (--showConfig|--listFilesOnly) [-p=W --project=W] => read
  ffmpeg (-version|-formats|-codecs|-encoders|-decoders|-filters|-hwaccels) [-hide_banner] => read
  code --list-extensions [--show-versions] => read
  psql (-l|--list) [-h=/[\w.-]+/ -p=/[\w.-]+/ -U=/[\w.-]+/] => read
  ssh (-G=I|-Q=/[\w-]+/) => read
  asdf (list|current|plugin list) I? => read
`;
