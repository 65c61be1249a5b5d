import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readToolCall } from "../../../src/host/opencode/tool-call.ts";
import type { Examination } from "../../../src/policy/examination.ts";
import { type ExamineCall, loadPolicy } from "../../../src/policy/load-policy.ts";

const scripts = (texts: Readonly<Record<string, string>>, more: object = {}): string =>
  JSON.stringify({ ...more, scripts: texts });

/** A project in which about everything has a check that checks and one that writes. */
const FILES: Readonly<Record<string, string>> = {
  "package.json": scripts(
    {
      lint: "prettier --write src",
      "lint:ok": "eslint . && prettier --check src > /dev/null",
      test: "jest",
      pretest: "rimraf coverage && mkdir -p coverage",
      build: "rm -rf dist && tsc -p . && cp -r public dist",
      postbuild: "git push",
      ci: "npm run lint && npm test",
      all: "run-s lint:ok test",
      loop: "npm run loop",
      verify: "node scripts/verify.mjs",
      custom: "node tools/x.mjs",
      sneaky: "node -e 1 && eslint --fix .",
      deploy: "eslint .",
      clean: "rm -rf src",
      snapshot: "UPDATE_SNAPSHOTS=1 jest",
      "unit:a": "jest a",
      "unit:b": "jest b",
      "e2e:a": "playwright test",
      "e2e:b": "playwright test -u",
      "lint:staged": "eslint . && git add -A",
      check: 'test -n "$CI" && jest --ci || jest',
    },
    { workspaces: ["packages/*"] },
  ),
  "packages/a/package.json": scripts({ test: "vitest run", lint: "eslint ." }, { name: "@acme/a" }),
  "packages/b/package.json": scripts(
    { test: "vitest run -u", lint: "eslint .", build: "tsc" },
    { name: "@acme/b" },
  ),
  "packages/b/project.json": JSON.stringify({
    targets: { e2e: { executor: "nx:run-commands", options: { command: "playwright test -u" } } },
  }),
  "other/package.json": scripts({ test: "rm -rf ../src" }),
  Makefile: `PYTHON ?= python3
FIX = --fix
.PHONY: test lint
test: build
	@$(PYTHON) -m pytest -q
lint:
	ruff check $(FIX) src
check: lint test
vet:
	go vet ./... && \\
	  gofmt -l .
verify: deps
	$(MAKE) vet
deps:
	npm ci
build:
	mkdir -p build
	$(CC) -o build/x src/x.c
audit: ship
ship:
	git push
`,
  justfile: `test *args: build
  cargo test {{args}}
build:
  cargo build
lint:
  cargo clippy --fix
`,
  "Taskfile.yml": `version: "3"
tasks:
  test:
    deps: [build]
    cmds: [go test ./...]
  build: go build -o bin/x .
  lint:
    cmds:
      - cmd: gofmt -w .
  check:
    cmds:
      - task: lint
`,
  "composer.json": scripts({ lint: "php-cs-fixer fix", analyse: "@php vendor/bin/phpstan analyse" }),
  "deno.json": `{ "tasks": { "test": "deno test -A", /* writes */ "lint": "deno fmt" } }`,
  "pyproject.toml": `[tool.poe.tasks]
test = "pytest -q"
lint = { cmd = "ruff check --fix" }
[tool.poe.tasks.types]
cmd = "mypy src"
[tool.hatch.envs.default.scripts]
test = "pytest {args}"
cov = [
  "test",
  "coverage report",
]
lint = ['black .']
`,
  "tox.ini": `[testenv]
commands =
  pytest {posargs}
[testenv:lint]
commands =
  black .
`,
  "mise.toml": `[tasks.test]
run = "cargo test"
[tasks.lint]
run = "cargo fmt"
[tasks.check]
depends = ["test", "lint"]
[tasks]
vet = { run = "cargo clippy", depends = ["test"] }
verify = { run = "cargo clippy", depends = ["lint"] }
`,
  ".mise.toml": `[tasks]
unit = "pytest -q"
`,
  "devbox.json": JSON.stringify({
    shell: {
      init_hook: ["echo ready > /dev/null"],
      scripts: { test: "go test ./...", lint: ["go vet ./...", "gofmt -w ."] },
    },
  }),
  "web/devbox.json": JSON.stringify({ shell: { init_hook: ["git push"], scripts: { test: "npx jest" } } }),
  "melos.yaml": `name: x
scripts:
  test: melos exec -- "flutter test --no-pub"
  analyze: { exec: dart analyze ., packageFilters: { dirExists: test } }
  format: melos exec -- dart format .
  check: { steps: [test, format] }
  unit: { run: "melos exec --fail-fast --concurrency 1 -- flutter test", description: x }
`,
  "lefthook.yml": `pre-commit:
  parallel: true
  commands:
    types: { glob: "*.ts", run: npx tsc --noEmit }
    lint: { run: "npx eslint {staged_files}" }
pre-push:
  jobs:
    - { name: test, run: npx vitest run }
    - { name: format, run: "npx prettier --write {push_files}" }
commit-msg:
  commands:
    lint: { run: "npx eslint --quiet {staged_files}", stage_fixed: true }
post-merge:
  scripts: { "sync.sh": { runner: bash } }
`,
  "data/dbt_project.yml": 'on-run-start: "truncate table x"\n',
  ".pre-commit-config.yaml": `repos:
  - repo: https://github.com/astral-sh/ruff-pre-commit
    rev: v0.9.0
    hooks: [{ id: ruff, args: [--fix] }, { id: ruff-format, args: [--check] }]
  - repo: local
    hooks: [{ id: types, entry: mypy src, language: system }]
`,
  "scripts/test.sh": `#!/usr/bin/env bash
set -euo pipefail
cd "$(dirname "$0")/.."
run() { echo "$@"; "$@"; }
run npx jest
out=$(mktemp -d)
rm -rf "$out"
`,
  "scripts/lint.sh": "npx prettier --write src\n",
  "logs/old.log": "old\n",
  "test.log": "old\n",
  ".gitignore": "/logs/\n*.tmp\n",
  "src/a.ts": "export {};\n",
};

let directory: string;
let examine: ExamineCall;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "gaia-checks-"));
  for (const [path, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  }
  await symlink("src/a.ts", join(directory, "report.txt"));
  examine = loadPolicy({ directory, own: [], dangerous: [], allowSensitive: [], checks: [] });
});
afterAll(async () => rm(directory, { recursive: true }));

const examined = (command: string): Promise<Examination> =>
  examine("bash", readToolCall("bash", { command }));

describe("a script of the project", () => {
  it.each([
    "npm test",
    "npm run lint:ok",
    "npm run all",
    "npm run loop",
    "npm run verify",
    "npm run deploy",
    "npm run check",
    "npm -w @acme/a test",
    "npm -w packages/a run lint",
    "npm --prefix packages/a test",
    "pnpm --filter a test",
    "pnpm -r lint",
    "yarn jest",
    "yarn workspace @acme/a test",
    "turbo run lint --filter=@acme/a",
    "turbo build --filter=@acme/b",
    "nx lint b",
    "cd packages/a && npm test",
    "(cd packages/a; pnpm test) && npm run lint:ok",
    "make test",
    "make vet",
    "make verify",
    "make test -j4 V=1",
    "just test --nocapture",
    "task test",
    "composer analyse",
    "deno task test",
    "poe test",
    "poe types",
    "hatch run cov",
    "tox -e py312 -- -k a",
    "mise run test",
    "mise run unit",
    "mise run vet",
    "mise exec -- pytest",
    "devbox run test",
    "devbox run -- pytest -q",
    "melos run test",
    "melos run analyze --no-select",
    "melos run unit",
    "melos exec -c 1 -- flutter test",
    "lefthook run pre-commit",
    "lefthook run pre-push --jobs test",
    "dbt test --select a",
    "pnpm run '/^unit:.*/'",
    "pnpm run '/^(unit|verify)/'",
    "pre-commit run types --all-files",
    "pre-commit run ruff-format",
    "./scripts/test.sh",
    "bash scripts/test.sh",
    "npm run test:unit",
  ])("is a check by what it runs, or else by its name: %s", async (command) => {
    expect(await examined(command)).toMatchObject({ isCheck: true, noCheck: null });
  });

  it.each([
    ["npm run lint", "`prettier --write src`"],
    ["npm run ci", "`prettier --write src`"],
    ["npm run build", "`git push`"],
    ["npm run lint:ok -- --fix", "`prettier --check src --fix`"],
    ["npm run clean", "changes src"],
    ["npm run sneaky", "`eslint --fix .`"],
    ["npm run snapshot", "UPDATE_SNAPSHOTS"],
    ["npm test --workspaces", "`vitest run -u`"],
    ["npm -w @acme/b test", "`vitest run -u`"],
    ["pnpm -r test", "`vitest run -u`"],
    ["pnpm --filter=...[origin/main] test", "`vitest run -u`"],
    ["turbo run test", "`vitest run -u`"],
    ["nx e2e b", "`playwright test -u`"],
    ["nx run-many -t test lint", "`vitest run -u`"],
    ["lerna run test", "`vitest run -u`"],
    ["cd packages/b && npm test", "`vitest run -u`"],
    ["npm --prefix other test", "changes ../src"],
    ["make lint", "`ruff check --fix src`"],
    ["make check", "`ruff check --fix src`"],
    ["make audit", "`git push`"],
    ["just lint", "`cargo clippy --fix`"],
    ["task lint", "`gofmt -w .`"],
    ["task check", "`gofmt -w .`"],
    ["composer lint", "`php-cs-fixer fix`"],
    ["deno task lint", "`deno fmt`"],
    ["poe lint", "`ruff check --fix`"],
    ["hatch run lint", "`black .`"],
    ["tox", "`black .`"],
    ["tox -e lint", "`black .`"],
    ["mise run lint", "`cargo fmt`"],
    ["mise run check", "`cargo fmt`"],
    ["mise run verify", "`cargo fmt`"],
    ["devbox run lint", "`gofmt -w .`"],
    ["cd web && devbox run test", "`git push`"],
    ["melos run format", "`dart format .`"],
    ["melos run check", "`dart format .`"],
    ["lefthook run pre-push", "`npx prettier --write files`"],
    ["lefthook run commit-msg", "`git add files`"],
    ["npm run lint:staged", "`git add -A`"],
    ["pnpm run '/^e2e:.*/'", "`playwright test -u`"],
    ["pre-commit run --all-files", "`ruff check --fix`"],
    ["bash scripts/lint.sh", "`npx prettier --write src`"],
    ["./scripts/lint.sh && npm test", "`npx prettier --write src`"],
  ])("is none where it writes, and says what does: %s", async (command, what) => {
    const { isCheck, noCheck } = await examined(command);
    expect(isCheck).toBe(false);
    expect(noCheck).toContain(what);
  });

  it.each([
    "npm run custom",
    "npm --prefix /tmp test",
    "cd .. && npm test",
    "make -C /tmp test",
    "coverage run x.py",
    "devbox run -c ../devbox.json test",
    "melos exec -- dart run tool/x.dart",
    "lefthook run post-merge",
    "lefthook run pre-rebase",
    "cd data && dbt test",
    "pnpm run '/^.*$/'",
    "pnpm run '/(a+)+/'",
  ])("is none where nobody can tell: %s", async (command) => {
    expect(await examined(command)).toMatchObject({ isCheck: false });
  });

  it("names the command of the line, and the one in its script", async () => {
    const { noCheck } = await examined("cd . && npm run ci 2>&1 | tail");
    expect(noCheck).toBe("`npm run ci` runs `prettier --write src`, which changes files (`--write`)");
  });
});

describe("the output of a check", () => {
  it.each([
    "npm test > new.log",
    "npm test 2>&1 | tee logs/old.log",
    "npm test 2>&1 | tee -a coverage/test.txt",
    "npx eslint . -o reports/eslint.json",
    "npm test > /tmp/gaia-new.txt",
  ])("may be written to what is new, ignored or temporary: %s", async (command) => {
    expect((await examined(command)).isCheck).toBe(true);
  });

  it.each([
    "npm test > test.log",
    "npm test | tee report.txt",
    "npm test > src/a.ts",
    "npm test | tee Makefile",
    "npm test > build/package.json",
    "npm test > packages/a.test.js",
  ])("may be written over nothing else: %s", async (command) => {
    expect(await examined(command)).toMatchObject({
      isCheck: false,
      noCheck: expect.stringMatching(/writes|changes/u),
    });
  });
});
