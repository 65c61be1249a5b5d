import { type Arg, shown, textOf } from "./shell/arg.ts";

/** Words in a script's or target's name that say that it checks. */
const CHECKING = /test|spec|e2e|unit|lint|check|type|tsc|build|compile|verify|coverage|audit|ci\b/i;
/** Words that say that it changes something. */
const CHANGING = /fix|write|format$|deploy|publish|release|migrate|seed|install|update|clean/i;
/** Options and words by which a checking program changes files after all. */
const CHANGING_OPTION =
  /\s(?:--fix\S*|--write|--apply\S*|--update\S*|--allow-dirty|--init|audit fix)(?=\s|=|$)/;

const TOOLS =
  "tsc|eslint|oxlint|vitest|jest|mocha|ava|tap|karma|stylelint|knip|publint|playwright test|cypress run|markdownlint\\S*|" +
  "pytest|mypy|pyright|flake8|pylint|ruff check|ruff format --check|black --check|tox|nox|" +
  "prettier (?:--check|-c)|oxfmt --check|biome (?:check|lint|ci)|shellcheck|hadolint|actionlint|" +
  "rspec|rubocop|phpunit|phpstan \\S+|ctest|golangci-lint run|staticcheck|next lint|next build|vite build";

/** Checks that need no look at the name of a script. */
const PLAIN = new RegExp(
  `^(?:(?:npx|bunx|pnpm exec|pnpm dlx|yarn|poetry run|uv run|pipenv run|bundle exec|python3? -m|php|vendor/bin/|\\./node_modules/\\.bin/|node_modules/\\.bin/)\\s*)?(?:${TOOLS})(?:\\s|$)` +
    "|^(?:npm|pnpm|yarn|bun) (?:t|test)(?:\\s|$)|^node (?:--\\S+ )*--test(?:\\s|$)|^deno (?:test|lint|check|fmt --check)(?:\\s|$)" +
    "|^python3? -m (?:unittest|pytest|mypy|compileall)(?:\\s|$)" +
    "|^cargo (?:test|check|clippy|build|nextest run|fmt (?:.* )?--check)(?:\\s|$)|^go (?:test|vet|build)(?:\\s|$)" +
    "|^(?:\\./)?(?:gradlew?|mvnw?) (?:\\S+ )*(?:test|check|verify|build|compile)(?:\\s|$)" +
    "|^(?:dotnet|swift|bazel|mix|zig build|sbt|stack|cabal) (?:test|build|check|compile)(?:\\s|$)",
);
/** Checks by the name of a script or target, which is the first group that matched. */
const NAMED =
  /^(?:(?:npm|pnpm|yarn|bun)(?: run| run-script)? (\S+)|(?:make|just|task|rake|composer) (\S+)|(?:(?:bash|sh|node|python3?) )?(\.?\.?\/?[\w./-]+\.(?:sh|mjs|js|py|ts)|\.\/[\w./-]+))(?:\s|$)/;

/**
 * Whether a simple command runs checks of the project, so that a checker may run it without approval in any mode (SPEC 8).
 * Strict: a word that is only known at run time, or that a script could take apart once more, makes it none.
 */
export function isCheckCall(argv: readonly Arg[]): boolean {
  const words = argv.map((arg) => wordOf(arg));
  const line = words.join(" ");
  if (words.includes(undefined) || CHANGING_OPTION.test(line)) return false;
  if (PLAIN.test(line)) return true;
  const named = NAMED.exec(line);
  const name = named?.[1] ?? named?.[2] ?? named?.[3];
  return name !== undefined && CHECKING.test(name) && !CHANGING.test(name);
}

/** A word as the patterns see it, in one piece; undefined when it cannot be told what it will be. */
function wordOf(arg: Arg): string | undefined {
  const text = shown(arg);
  const known = arg.pieces.every((piece) => typeof piece === "string" || piece.kind === "glob");
  const isOpenOption = text.startsWith("-") && textOf(arg) === undefined;
  if (!known || isOpenOption || /[<>$`\\&(){};|\n]/.test(text)) return undefined;
  return text === "" ? "''" : text.replaceAll(/\s/g, "_");
}
