import { describe, expect, it } from "vitest";
import { examineCommand } from "../../src/policy/examine-command.ts";

const isCheckCommand = (command: string, checks: readonly string[] = []): boolean =>
  examineCommand(command, { checks }).isCheck;

describe("a check of the project", () => {
  it.each([
    "npm test",
    "npm t -- --run",
    "npm run lint",
    "pnpm typecheck",
    "yarn build",
    "bun run test:unit",
    "CI=1 npm test 2>&1 | tail -50",
    "npm run lint && npx tsc --noEmit",
    "npx vitest run test/a.test.ts",
    "node --test",
    "node --experimental-strip-types --test test/a.test.ts",
    "python -m pytest -q",
    "poetry run mypy src",
    "cargo test --all",
    "cargo fmt --all -- --check",
    "go vet ./...",
    "make test",
    "./gradlew check",
    "./scripts/check.sh",
    "bash ci/test.sh",
    "git status",
    "ls && npm test",
    "eslint . --max-warnings=0",
    "eslint 'src/a b.ts' src/*.ts",
    "npm test 2>/dev/null",
    "RUST_BACKTRACE=1 cargo test",
    "timeout 60 npm test",
    "bash -c 'npm run lint && npm test'",
    "(cd packages/a && npm test)",
    "for name in unit e2e; do npm run test:$name; done",
    "npx prettier --check . || echo unformatted",
  ])("lets %s pass", (command) => {
    expect(isCheckCommand(command)).toBe(true);
  });

  it.each([
    "rm a.txt",
    "npm install",
    "npm publish",
    "npm run deploy",
    "npm run lint:fix",
    "npm run lint -- --fix",
    "npx eslint --fix .",
    "npx prettier --write .",
    "cargo fmt",
    "npm test > out.txt",
    "npm test; rm a.txt",
    "npm test && git commit -am x",
    "npm test $(rm a.txt)",
    "npm test `rm a.txt`",
    "npm test & rm a.txt",
    'npm test "a && rm b"',
    "git push --force",
    "make release",
    "./deploy.sh",
    "NODE_OPTIONS=--require=./x.js npm test",
    'npx eslint "--fix" .',
    "npx eslint --f''ix .",
    "npx eslint --fi* .",
    'npx eslint "$OPTION" .',
    "npm audit fix",
    "npx tsc --init",
    "timeout 60 npm publish",
    "bash -c 'npm test; rm a'",
    "npm() { rm a; }; npm test",
    "xargs npm test",
    "ssh host 'npm test'",
    "npm test <(rm a)",
    "echo 'npm test",
    "",
  ])("leaves %j to the rules for everything else", (command) => {
    expect(isCheckCommand(command)).toBe(command === "");
  });

  it("knows the commands of the Definition of Done, to the letter", () => {
    expect(isCheckCommand("docker compose run verify", ["docker compose run verify"])).toBe(true);
    expect(isCheckCommand("docker compose run verify --rm", ["docker compose run verify"])).toBe(false);
  });
});
