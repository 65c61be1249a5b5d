import { describe, expect, it } from "vitest";
import { checkCommands, writingCommands } from "../corpus/checks.ts";
import { examineCommand } from "../../../src/policy/examine-command.ts";

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
    "make -j4 test lint",
    "npm run test:e2e -- --run test/a.test.ts",
    "pytest -k 'a and b' --maxfail=2 -x tests",
    "go test -race -count=1 ./...",
    "cargo clippy --all-targets -- -D warnings",
    "./gradlew :app:test --info",
    "npm audit --json",
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
    "npm test > src/out.txt",
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
    "pytest --basetemp=src",
    "pytest --basetemp src",
    "pytest -p evil",
    "pytest -o cache_dir=src",
    "pytest --junitxml=src/a.ts",
    "make test deploy",
    "make test SHELL=./x",
    "make -f x test",
    "make -C .. test",
    "eslint -o src/a.ts .",
    "eslint --output-file=src/a.ts .",
    "eslint --rulesdir=x .",
    "npm ci",
    "npm run attest",
    "npm run contest",
    "npm run latest",
    "npm run test:wipe-database",
    "npm test --script-shell=./x",
    "npm run build-and-ship",
    "npm test -- --outputFile=src/a.ts",
    "npm audit fix",
    "npm audit signatures",
    "vitest -u",
    "vitest init browser",
    "vitest --outputFile=src/a.ts",
    "jest --coverageDirectory=src",
    "tsc --outDir src",
    "tsc --outFile src/a.js",
    "go test -exec ./x ./...",
    "go build -o src/a .",
    "go build -toolexec ./x .",
    "cargo build --config x",
    "cargo test --target-dir src",
    "cargo clippy --fix",
    "node --test --import=./x.js",
    "node --import ./x.js --test",
    "ruff check --fix .",
    "black --config=x . -W",
    "rubocop -a",
    "./gradlew test publish",
    "./gradlew -I x test",
    "mvn test deploy",
    "mvn -f x test",
    "vite build --outDir src",
    "deno test --allow-all --reload",
    "./protest.sh",
    "./test-and-drop.sh",
    "node scripts/fix-tests.js",
    "ssh host 'npm test'",
    "npm test <(rm a)",
    "echo 'npm test",
    "",
  ])("leaves %j to the rules for everything else", (command) => {
    expect(isCheckCommand(command)).toBe(command === "");
  });

  it.each(Object.values(checkCommands).flat())("lets the ordinary %s pass", (command) => {
    const { isCheck, secret, protectedTarget } = examineCommand(command, { folder: "/project" });
    expect({ isCheck, secret, protectedTarget }).toEqual({
      isCheck: true,
      secret: null,
      protectedTarget: null,
    });
  });

  it.each(writingCommands)("leaves %s, which may write, to the rules for everything else", (command) => {
    expect(examineCommand(command, { folder: "/project" }).isCheck).toBe(false);
  });

  it("knows the commands of the Definition of Done, to the letter", () => {
    expect(isCheckCommand("docker compose run verify", ["docker compose run verify"])).toBe(true);
    expect(isCheckCommand("docker compose run verify --rm", ["docker compose run verify"])).toBe(false);
  });
});
