/** A tool that checks, with everything that it may be given. */
export interface Checker {
  /** The words that it begins with. */
  readonly command: readonly string[];
  /** Options that change no file but caches and reports in their usual places. */
  readonly options: ReadonlySet<string>;
  /** What its operands have to look like. */
  readonly operands: RegExp;
}

const COMMON = "-q -v -vv -vvv --quiet --verbose --silent --version --help --color --colors --no-color --ci";
const CARGO =
  "--all --workspace --release --all-features --all-targets --no-default-features --features -F --package -p --lib --bins --bin --tests --test --examples --doc --no-run --locked --offline --frozen --no-fail-fast --message-format -j --jobs --nocapture --test-threads --ignored --include-ignored --exact -D -W -A --keep-going";
const GO =
  "-race -count -run -timeout -short -cover -tags -p -parallel -failfast -json -bench -benchmem -x -n";
const GRADLE =
  "--info --stacktrace --no-daemon --offline --continue --parallel --console --tests --rerun-tasks -B -o -ntp --batch-mode --no-transfer-progress -pl -am";
const PHASES = "test check verify build compile clean-test testClasses classes";
const BUILDS =
  "--configuration -c --no-restore --no-build --nologo --filter --keep_going --test_output --only-testing --parallel --trace --warnings-as-errors --fast --cover";
const JEST =
  "--runInBand -i --bail -b --coverage -t --testNamePattern --testPathPattern --testPathPatterns --maxWorkers -w --no-cache --passWithNoTests --findRelatedTests --watchAll=false --config -c --selectProjects --detectOpenHandles --forceExit --onlyChanged -o";
const PYTEST =
  "-k -m -x -s -l -n -ra -rA -rs -rf -rx -qq --maxfail --lf --last-failed --ff --failed-first --nf --sw --tb --no-header --no-summary --durations --collect-only --co --cov --no-cov --exitfirst --strict-markers --strict-config --disable-warnings -W --showlocals --dist --timeout";

/** Tools by the words they begin with, and their options. Tools with the same options stand in one line. */
const TABLE: readonly (readonly [commands: string, options: string])[] = [
  ["tsc|vue-tsc|tsc --noEmit", "--noEmit -p --project -b --build --pretty --skipLibCheck --strict --force"],
  [
    "eslint",
    "--max-warnings --ext --no-error-on-unmatched-pattern --no-inline-config --format -f --report-unused-disable-directives --config -c --no-warn-ignored --cache",
  ],
  ["oxlint", "--type-aware --deny-warnings --max-warnings -D -W -A --format -f --config -c --tsconfig"],
  ["stylelint|markdownlint|markdownlint-cli2", "--max-warnings --config -c --formatter -f"],
  [
    "vitest|vitest run",
    "--run --reporter --coverage --bail --project --config -c --no-watch --watch=false --passWithNoTests -t --testNamePattern --changed --no-coverage --retry --pool --maxWorkers --typecheck",
  ],
  ["jest", JEST],
  [
    "mocha|ava|tap",
    "--grep -g --timeout -t --bail -b --reporter -R --recursive --exit --parallel --serial --match -m --spec",
  ],
  ["karma start", "--single-run --browsers"],
  [
    "playwright test",
    "--project --grep -g --workers -j --reporter --retries --headed --max-failures -x --list --timeout",
  ],
  ["cypress run", "--headless --browser --spec --e2e --component"],
  ["knip", "--production --strict --include --exclude --no-progress --reporter --workspace -W"],
  ["publint", "--strict --level"],
  ["attw", "--pack --profile --format -f"],
  ["next lint|next build|vite build", "--max-warnings --strict --mode"],
  ["pytest|python -m pytest|python3 -m pytest", PYTEST],
  ["python -m unittest|python3 -m unittest", "-f -b -k --failfast --buffer"],
  ["python -m compileall|python3 -m compileall", "-l -f"],
  [
    "mypy|pyright|python -m mypy|python3 -m mypy",
    "--strict --ignore-missing-imports -p -m --project --pythonversion --stats --show-error-codes --no-incremental --config-file",
  ],
  [
    "flake8|pylint",
    "--max-line-length --select --ignore --extend-ignore --disable --enable -E --errors-only --statistics --count --show-source -j --rcfile --score",
  ],
  ["ruff check", "--select --ignore --no-cache --output-format --statistics --no-fix --config"],
  [
    "ruff format --check|black --check|isort --check|isort --check-only",
    "--diff --line-length -l --profile --check",
  ],
  ["tox|nox", "-p --parallel"],
  [
    "prettier --check|prettier -c|oxfmt --check|oxfmt -c",
    "--check --ignore-unknown -u --log-level --config --ignore-path --no-error-on-unmatched-pattern",
  ],
  [
    "biome check|biome lint|biome ci|biome format",
    "--diagnostic-level --max-diagnostics --error-on-warnings --colors --reporter",
  ],
  [
    "shellcheck|hadolint|actionlint",
    "-x -s -S -e -f --shell --severity --exclude --format --external-sources --ignore --no-fail",
  ],
  ["rspec", "--format -f --fail-fast --tag -t --example -e --seed --order --backtrace -b"],
  ["rubocop", "--parallel -P --format -f --only --except --fail-level --display-cop-names -D"],
  [
    "phpunit",
    "--filter --testsuite --group --exclude-group --stop-on-failure --testdox --colors --no-coverage",
  ],
  [
    "phpstan analyse|phpstan analyze",
    "--level -l --no-progress --memory-limit --error-format -c --configuration",
  ],
  ["ctest", "-R -E -L -V -VV -j --parallel --output-on-failure --test-dir --timeout -N"],
  [
    "golangci-lint run",
    "--timeout --fast -E -D --enable --disable --no-config --config -c --concurrency -j --out-format",
  ],
  ["staticcheck", "-checks -tests"],
  [
    "node --test|node --experimental-strip-types --test|node --check",
    "--test --experimental-strip-types --test-only --test-name-pattern --test-reporter --test-concurrency --test-timeout --experimental-test-coverage",
  ],
  [
    "deno test|deno lint|deno check|deno fmt --check",
    "-A --allow-all --allow-read --allow-env --filter --fail-fast --parallel --no-check --all",
  ],
  ["bun test", "-t --test-name-pattern --timeout --bail --coverage --only --rerun-each"],
  ["cargo test|cargo check|cargo clippy|cargo build|cargo nextest run", CARGO],
  [
    "cargo fmt --check|cargo fmt --all --check|cargo fmt --all -- --check|cargo fmt -- --check",
    "--check --all",
  ],
  ["go test|go vet|go build", GO],
  [
    "dotnet test|dotnet build|swift test|swift build|mix test|mix compile|zig build|zig test|sbt test|sbt compile|stack test|stack build|cabal test|cabal build|cabal check|bazel test|bazel build",
    BUILDS,
  ],
];

/** Names of files, tests and packages, but no verb with which a tool sets itself up. */
const NO_VERB = /^(?!(?:init|install|migrate|update|fix|publish)$)/u;

const set = (words: string): ReadonlySet<string> => new Set(`${COMMON} ${words}`.split(/\s+/u));

/** Every tool that checks. */
export const CHECKERS: readonly Checker[] = [
  ...TABLE.flatMap(([commands, options]) =>
    commands
      .split("|")
      .map((command) => ({ command: command.split(" "), options: set(options), operands: NO_VERB })),
  ),
  ...["gradle", "gradlew", "./gradlew", "mvn", "mvnw", "./mvnw"].map((name) => ({
    command: [name],
    options: set(GRADLE),
    operands: new RegExp(`^(?:[\\w:-]*:)?(?:${PHASES.replaceAll(" ", "|")}|test\\w+UnitTest)$`, "u"),
  })),
];

/** What starts a tool of the project without doing anything else. */
export const RUNNERS: readonly (readonly string[])[] = [
  "npx|bunx|pnpm exec|pnpm dlx|pnpm|yarn|poetry run|uv run|pipenv run|bundle exec|python -m|python3 -m|php",
]
  .flatMap((text) => text.split("|"))
  .map((text) => text.split(" "));

/** Options that may be handed to a script whose tool is not known. */
export const SCRIPT_OPTIONS = set(
  "-s -w -ws --workspace --workspaces --if-present --run --no-watch --watch=false --watchAll=false --bail --runInBand -i -t -k -g -x --grep --testNamePattern --max-warnings --reporter --coverage --passWithNoTests --filter -F -r --recursive",
);

/** Options of make and its like; none of them names another file or sets a variable. */
export const TARGET_OPTIONS = set(
  "-j -k -n -s -B --keep-going --jobs --dry-run --no-print-directory --always-make",
);

/** Words that say that a script checks; a name needs one of them … */
const CHECKING = new Set(
  "test tests testing spec specs e2e unit lint lints linting check checks checking type types typecheck typing tsc build compile verify validate coverage audit ci eslint vitest jest pytest mypy oxlint clippy vet smoke".split(
    " ",
  ),
);
/** … and otherwise only these, which say what or how. */
const NEUTRAL = new Set(
  "all full fast quick slow only once run runner suite integration functional acceptance regression contract api ui web app lib core cli server client backend frontend browser node js ts jsx tsx py python go rust java css scss md docs style styles code src format formatting prettier prettify dead links strict prod production dev debug local watch no deps types dist package packages pkg workspace workspaces and the types pre post parallel serial cov report cjs esm race short".split(
    " ",
  ),
);
/** Names in which a neutral word writes after all. */
const WRITING = /^(?:format|formatting|prettier|prettify|style|styles)$/u;

/** True for the name of a script, file or target that consists of words of the lists, one of which says that it checks. */
export function namesCheck(name: string): boolean {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/gu, "$1 $2")
    .toLowerCase()
    .split(/[\s:._/-]+/u)
    .filter((word) => word !== "" && !/^\d+$/u.test(word));
  const known = words.every((word) => CHECKING.has(word) || NEUTRAL.has(word));
  const checks = words.filter((word) => CHECKING.has(word));
  const onlyBuilds = checks.every((word) => word === "build" || word === "compile" || word === "ci");
  return known && checks.length > 0 && !(onlyBuilds && words.some((word) => WRITING.test(word)));
}
