import { describe, expect, it } from "vitest";
import { decideCommentAdvisory } from "../../../../src/conversation/advice/comment-check/comment-check.ts";

function advisory(path: string, after: string, before = ""): string | null {
  return decideCommentAdvisory({ path, before, after });
}

describe("decideCommentAdvisory", () => {
  it.each([
    ["a.ts", "// Increment the counter\ncounter++;"],
    ["a.ts", "// Return the result\nreturn result;"],
    ["a.ts", "// Get the user by id\nconst user = getUserById(id);"],
    ["a.ts", "// Loop through the users\nfor (const user of users) {"],
    ["a.ts", "// Import dependencies\nimport x from 'x';"],
    ["a.ts", "class A {\n  // Constructor\n  constructor() {}\n}"],
    ["a.tsx", "// Set the loading state\nsetLoadingState(true);"],
    ["a.ts", "const a = `x`;\n// return a\nreturn a;"],
    ["a.py", "# Create an empty list\nitems = []"],
    ["a.py", '"""Docs."""\n# load path\nx = load(path)'],
    ["a.go", "// call the handler\nhandler(w, r)"],
    ["a.rs", "// create a new parser\nlet parser = Parser::new();"],
    ["run.sh", '# print the version\necho "$version"'],
    ["a.yml", "# build steps\nbuild-steps: []"],
    ["a.sql", "-- select users\nSELECT * FROM users;"],
    ["a.lua", "-- return value\nreturn value"],
    ["Makefile", "# run tests\nrun-tests:"],
  ])("%s: %j restates", (path, text) => {
    expect(advisory(path, text)).toMatch(/^Comments: an added comment repeats the code: "/);
  });

  it.each([
    ["a reason", "a.ts", "// Return the result early because callers poll\nreturn result;"],
    ["a condition", "a.ts", "// only return result once\nreturn result;"],
    ["JSDoc", "a.ts", "/** Returns the result. */\nreturn result;"],
    ["a comment behind code", "a.ts", "return result; // return the result"],
    ["a block comment", "a.ts", "/* return the result */\nreturn result;"],
    ["Rust docs", "a.rs", "/// create a parser\nlet parser = Parser::new();"],
    ["Go docs", "a.go", "// handler handler\nfunc handler() {}"],
    ["shell function docs", "a.sh", "# print version\nfunction print_version() {"],
    ["eslint", "a.ts", "// eslint-disable-next-line no-return\nreturn result;"],
    ["ts", "a.ts", "// @ts-expect-error result\nreturn result;"],
    ["oxlint", "a.ts", "// oxlint-disable-next-line result\nreturn result;"],
    ["biome", "a.ts", "// biome-ignore result\nreturn result;"],
    ["prettier", "a.ts", "// prettier-ignore\nreturn prettier;"],
    ["noqa", "a.py", "# noqa import os\nimport os"],
    ["type:", "a.py", "# type: items\nitems = type()"],
    ["BDD", "a.ts", "// given a user\nconst user = givenUser();"],
    ["arrange", "a.ts", "// Arrange\nconst arrange = 1;"],
    ["licence", "a.ts", "// SPDX-License-Identifier: MIT\nimport MIT from 'license';"],
    ["copyright", "a.py", "# Copyright result\nresult = copyright"],
    ["TODO", "a.ts", "// TODO: return the result\nreturn result;"],
    ["FIXME", "a.ts", "// FIXME return result\nreturn result;"],
    ["a URL", "a.ts", "// https://result.example/return\nreturn result;"],
    ["an issue", "a.ts", "// result #12\nreturn result;"],
    ["a number", "a.ts", "// set timeout 5 s\nset.timeout = 5_000;"],
    ["new words", "a.ts", "// Fibonacci hashing spreads keys\nreturn spread(key);"],
    ["a paragraph", "a.ts", "// return the result\n// result of return\nreturn result;"],
    ["code that is commented out", "a.ts", "// return result;\nreturn result;"],
    ["a heading", "a.ts", "// User cache\nconst userCache = new Map();"],
    ["a label", "a.ts", "// Users\nconst users = [];"],
    ["a line between", "a.ts", "// return result\n\nreturn result;"],
    ["nothing below", "a.ts", "// return result"],
    ["shebang", "a.sh", "#!/bin/sh echo\necho sh bin"],
    ["a string", "a.ts", 'const a = "// return a";\nreturn a;'],
    ["a template", "a.ts", "const a = `\n// return a\nreturn a;`;"],
    ["a docstring", "a.py", '"""\n# return a\nreturn a\n"""'],
    ["a parameter", "a.sh", "echo $# echo"],
    ["a here-document", "a.sh", "cat <<EOF\n# echo hello\necho hello\nEOF"],
    ["a block scalar", "a.yml", "run: |\n  # echo hello\n  echo hello"],
    ["a string of several lines", "a.sh", "echo '\n# echo hello\necho hello'"],
    ["a long string", "a.lua", "a = [[\n-- return a\nreturn a]]"],
    ["a quoted body", "a.sql", "DO $$\n-- select users\nselect users $$"],
    ["an XML comment", "a.html", "<!-- show main -->\n<main id=show>"],
    ["a raw string", "a.rs", 'let a = r#"\n// return a\nreturn a"#;'],
    ["prose", "a.md", "// return a\nreturn a"],
    ["JSON", "a.json", "// return a\nreturn a"],
    ["no extension", "LICENSE", "# license\nlicense"],
  ])("leaves %s alone", (_name, path, text) => {
    expect(advisory(path, text)).toBeNull();
  });

  it("speaks of added comments only", () => {
    const old = "// Return the result\nreturn result;";
    expect(advisory("a.ts", `${old}\nmore();`, old)).toBeNull();
    expect(advisory("a.ts", `${old}\n${old}`, old)).not.toBeNull();
  });

  it("shows three and counts the rest", () => {
    const lines = ["a", "b", "c", "d", "e"].map(
      (name) => `// return ${name}1`.replace("1", "x") + `\nreturn ${name}x;`,
    );
    const line = advisory("a.ts", lines.join("\n"));
    expect(line).toContain('"return ax", "return bx", "return cx" and 2 more.');
    expect(line).not.toContain("\n");
  });

  it("does not read texts that are too large to be written by hand", () => {
    expect(advisory("a.ts", `// return a\nreturn a;\n${"x".repeat(100_000)}`)).toBeNull();
  });
});
