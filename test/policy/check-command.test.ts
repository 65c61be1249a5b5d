import { describe, expect, it } from "vitest";
import { isCheckCommand } from "../../src/policy/check-command.ts";

describe("isCheckCommand", () => {
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
    "",
  ])("leaves %j to the rules for everything else", (command) => {
    expect(isCheckCommand(command)).toBe(command === "");
  });

  it("knows the commands of the Definition of Done, to the letter", () => {
    expect(isCheckCommand("docker compose run verify", ["docker compose run verify"])).toBe(true);
    expect(isCheckCommand("docker compose run verify --rm", ["docker compose run verify"])).toBe(false);
  });
});
