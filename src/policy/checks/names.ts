/** Words that say that a script checks; a name needs one of them … */
const CHECKING = new Set(
  "test tests testing spec specs e2e unit lint lints linting linter check checks checking type types typecheck typing tsc build compile verify validate coverage audit ci eslint vitest jest pytest mypy oxlint ruff rubocop rspec clippy vet smoke knip depcheck analyze analyse phpstan phpunit psalm pest stan phpcs phpmd flake8 pylint pyright bandit stylelint markdownlint tsd attw publint distcheck linkcheck doctest testthat runtests".split(
    " ",
  ),
);
/** … and otherwise only these, which say what or how. */
const NEUTRAL = new Set(
  "all full fast quick slow only once run runner suite suites integration functional acceptance regression contract system feature features component components api ui web app lib core cli server client backend frontend browser chrome firefox node js ts jsx tsx py python go rust java kotlin swift ruby php css scss md docs doc style styles code src source format formatting prettier prettify dead links strict prod production dev debug release local watch no deps dependencies dist package packages pkg workspace workspaces and the pre post parallel serial cov report cjs esm race short manual main module modules with for repo project quality gate gates static security script scripts examples example script unsafe flow bench benchmarks perf".split(
    " ",
  ),
);
/** Names in which a neutral word writes after all. */
const WRITING = /^(?:format|formatting|prettier|prettify|style|styles|deps|dependencies|release)$/u;

/** True for the name of a script, file or target that consists of words of the lists, one of which says that it checks. */
export function namesCheck(name: string): boolean {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/gu, "$1 $2")
    .toLowerCase()
    .split(/[\s:._/#@-]+/u)
    .filter((word) => word !== "" && !/^\d+$/u.test(word));
  const known = words.every((word) => CHECKING.has(word) || NEUTRAL.has(word));
  const checks = words.filter((word) => CHECKING.has(word));
  const onlyBuilds = checks.every((word) => word === "build" || word === "compile" || word === "ci");
  return known && checks.length > 0 && !(onlyBuilds && words.some((word) => WRITING.test(word)));
}

/** A script's file, by itself or as the operand of the program for its language. */
const SCRIPT =
  /^(?:[\w.-]+\/)*[\w-][\w.-]*?(?:\.(?:sh|bash|mjs|cjs|js|mts|ts|py|rb|php|pl|lua|exs|ps1|bat|R|jl))?$/u;

/** A file that the customs of its language call a test by its name, whatever it tests. */
const NAMED_TEST =
  /(?:^|\/)(?:test_(?!(?:data|helpers?|utils?|support|setup|fixtures?|base|server)\.)[\w.-]+|[\w.-]+[._](?:test|spec)|[\w-]+(?:Test|Spec)s?)\.(?:[cm]?[jt]sx?|py|rb|php|pl|t|lua|exs|jl|R)$/u;
/** One that is taken for a test by the folder in which it lies … */
const PLACED_TEST =
  /(?:^|\/)(?:tests?|specs?|__tests__|t)\/[\w./-]+\.(?:[cm]?[jt]sx?|py|rb|php|pl|t|lua|exs|jl|R)$/u;
/** … unless it prepares, shares or changes what tests use. */
const BESIDE =
  /fixture|helper|support|mock|stub|seed|setup|teardown|util|generat|regen|update|record|reset|clean|deploy|publish|release|migrat|install|\bdata\b|drop|wipe|purge|delete|remove|destroy|write|fix|push|sync|upload/iu;

/** True for the path of a test below the project. */
export function isTestFile(path: string): boolean {
  const isBelow = /^[\w.@][\w./@-]*$/u.test(path) && !path.split("/").includes("..");
  return isBelow && (NAMED_TEST.test(path) || (PLACED_TEST.test(path) && !BESIDE.test(path)));
}

/** True for the path of a script below the project whose name says that it checks. */
export function isCheckScript(path: string): boolean {
  if (!SCRIPT.test(path) || path.split("/").includes("..")) return false;
  const whole = path.replace(/(?<=.)\.\w+$/u, "");
  return namesCheck(whole.slice(whole.lastIndexOf("/") + 1)) || namesCheck(whole);
}

/** Words with which a program is told to do more than check. */
const VERB =
  /^(?:init|install|uninstall|migrate|update|upgrade|fix|write|publish|deploy|release|push|commit|clean|drop|wipe|delete|remove|destroy|reset|seed|generate|apply|sync|send|upload)$/iu;

/** True for an operand, of a program that is not known, that names what is to be checked. */
export function isSubject(operand: string): boolean {
  return !VERB.test(operand);
}

/** Names of programs that say that they check: `html-validate`, `textlint`, `check-manifest`. */
const CHECKER =
  /(?:^|[-_])(?:lint(?:er)?|check(?:er)?|tests?|test-?runner|validate|validator|verify)$|[a-z]lint$|^(?:check|lint|test|validate)-[\w-]+$/u;
const CHECKING_VERB = /^(?:tests?|check|lint|typecheck|type-check|validate|verify|audit)$/u;

/** True for a program that nothing is known of, and that by its name or its verb does nothing but check. */
export function isChecker(name: string, args: readonly string[]): boolean {
  if (!/^[a-z][\w.-]*$/u.test(name)) return false;
  const [first = "", second = ""] = args;
  return (
    CHECKER.test(name) ||
    CHECKING_VERB.test(first) ||
    (/^[a-z][a-z-]*$/u.test(first) && CHECKING_VERB.test(second))
  );
}
