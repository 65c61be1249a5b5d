import { classifyCommand } from "./classify-command.ts";

/** Words in a script's or target's name that say that it checks. */
const CHECKING = /test|spec|e2e|unit|lint|check|type|tsc|build|compile|verify|coverage|audit|ci\b/i;
/** Words that say that it changes something. */
const CHANGING = /fix|write|format$|deploy|publish|release|migrate|seed|install|update|clean/i;
/** Options by which a checking program changes files after all. */
const CHANGING_OPTION = /\s(?:--fix\S*|--write|--apply\S*|--update\S*|--allow-dirty)(?=\s|=|$)/;

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
 * Whether a command runs the project's checks, so that a checker may run it without approval in any mode (SPEC 8). Strict:
 * each part of a line must be a known check or read-only; whatever else it is goes the way of every other command.
 * @param configured commands of the project's Definition of Done
 */
export function isCheckCommand(command: string, configured: readonly string[] = []): boolean {
  const text = command.trim();
  if (configured.includes(text)) return true;
  const parts = text
    .replaceAll(/\s+2>&1/g, "")
    .split(/&&|\|\||[;|\n]/)
    .map((part) => part.trim());
  return parts.length <= 10 && parts.every((part) => isCheckPart(part));
}

function isCheckPart(part: string): boolean {
  if (classifyCommand(part).verdict === "read-only") return true;
  if (classifyCommand(part).verdict === "dangerous") return false;
  if (/[<>$`\\&(){}]/.test(part) || !isQuotedWell(part) || CHANGING_OPTION.test(part)) return false;
  const plain = part.replace(/^(?:(?:CI|NODE_ENV|FORCE_COLOR|NO_COLOR|RUST_BACKTRACE)=\w+ )+/, "");
  if (PLAIN.test(plain)) return true;
  const named = NAMED.exec(plain);
  const name = named?.[1] ?? named?.[2] ?? named?.[3];
  return name !== undefined && CHECKING.test(name) && !CHANGING.test(name);
}

function isQuotedWell(text: string): boolean {
  return [`"`, `'`].every((quote) => text.split(quote).length % 2 === 1);
}
