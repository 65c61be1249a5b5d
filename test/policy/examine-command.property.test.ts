import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { examineCommand } from "../../src/policy/examine-command.ts";
import { riskOf } from "../support/risk.ts";
import { corpus } from "./corpus/index.ts";

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Ways to put a command inside something else that runs it. The line breaks keep comments and here-documents whole. */
const wrappings: Readonly<Record<string, (command: string) => string>> = {
  subshell: (command) => `( ${command}\n)`,
  block: (command) => `{ ${command}\n}`,
  condition: (command) => `if true; then ${command}\nfi`,
  loop: (command) => `for i in 1 2; do ${command}\ndone`,
  case: (command) => `case x in x) ${command}\n;; esac`,
  "after a harmless one": (command) => `ls; ${command}`,
  "before a harmless one": (command) => `${command}\nls`,
  "in a pipeline": (command) => `ls | { ${command}\n} | cat`,
  substitution: (command) => `echo "$(${command}\n)"`,
  "process substitution": (command) => `cat <(${command}\n)`,
  "here-document": (command) => `cat <<STOP\n$(${command}\n)\nSTOP`,
  "bash -c": (command) => `bash -c ${quoted(command)}`,
  "env bash -c": (command) => `env X=1 bash -c ${quoted(command)}`,
  "timeout bash -c": (command) => `timeout 5 sh -c ${quoted(command)}`,
  "nice eval": (command) => `eval ${quoted(command)}`,
  "find -exec": (command) => `find . -exec bash -c ${quoted(command)} \\;`,
  "xargs bash -c": (command) => `xargs -n1 bash -c ${quoted(command)}`,
  "fed to a shell": (command) => `bash <<'STOP'\n${command}\nSTOP`,
};

/** Whole scripts: a loose end, such as a bracket too many, may well find its counterpart in what surrounds it. */
const mutating = corpus
  .map(({ command }) => command)
  .filter((command) => {
    const { effect, reason } = examineCommand(command);
    return effect !== "read" && reason !== "cannot be parsed";
  });
/** Commands that no variable set before them can make harmless. */
const closed = mutating.filter((command) => !command.includes("$"));
const dangerous = corpus.filter(({ risk }) => risk === "dangerous").map(({ command }) => command);
const readOnly = corpus.filter(({ risk }) => risk === "read-only").map(({ command }) => command);
const wrapping = fc.constantFrom(...Object.keys(wrappings));
const wrap = (name: string, command: string): string => wrappings[name]?.(command) ?? command;

const fragment = fc.oneof(
  fc.constantFrom(..."'\"\\$`(){}[]<>|&;#!*?~=, \n\t-".split("")),
  fc.constantFrom(
    "$(",
    "${",
    "$((",
    "<<E",
    "\nE\n",
    "rm",
    "ls",
    "git",
    "-i",
    "if",
    "then",
    "fi",
    "do",
    "x=",
    "$x",
    "a[",
    "sudo",
  ),
  fc.string({ maxLength: 4 }),
);

describe("examineCommand", { timeout: 60_000 }, () => {
  it("answers for any text, and always with a reason", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary", maxLength: 200 }),
          fc.array(fragment, { maxLength: 40 }).map((parts) => parts.join("")),
        ),
        (command) => {
          const { effect, reason } = examineCommand(command);
          expect(["read", "project", "history", "unknown", "lossy", "outside", "forbidden"]).toContain(
            effect,
          );
          expect(reason).not.toBe("");
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it("is not talked round by what surrounds a command", () => {
    fc.assert(
      fc.property(fc.constantFrom(...mutating), wrapping, wrapping, (command, inner, outer) => {
        expect(riskOf(examineCommand(wrap(outer, wrap(inner, command))))).not.toBe("read-only");
      }),
      { numRuns: 1_500 },
    );
  });

  it("sees danger through what surrounds it", () => {
    fc.assert(
      fc.property(fc.constantFrom(...dangerous), wrapping, (command, name) => {
        expect(riskOf(examineCommand(wrap(name, command)))).toBe("dangerous");
      }),
      { numRuns: 600 },
    );
  });

  it("classifies a line by the gravest of its commands", () => {
    fc.assert(
      fc.property(fc.constantFrom(...readOnly), fc.constantFrom(...closed), (harmless, other) => {
        expect(riskOf(examineCommand(`${harmless}\n${other}`))).not.toBe("read-only");
      }),
      { numRuns: 600 },
    );
  });

  it("does not mind how a program's name is quoted", () => {
    const keyword = /^(?:for|if|while|until|case|select|function|time|coproc|export|declare|alias)\b/u;
    const named = corpus
      .map(({ command }) => command)
      .filter((command) => /^[a-z]+ [^(]/u.test(command) && !keyword.test(command));
    const spellings: readonly ((name: string) => string)[] = [
      (name) => `"${name}"`,
      (name) => `'${name}'`,
      (name) => `\\${name}`,
      (name) => `${name.slice(0, 1)}''${name.slice(1)}`,
      (name) => `$'${name}'`,
    ];
    fc.assert(
      fc.property(fc.constantFrom(...named), fc.constantFrom(...spellings), (command, spell) => {
        const spelled = command.replace(/^[a-z]+/u, (name) => spell(name));
        expect(riskOf(examineCommand(spelled))).toBe(riskOf(examineCommand(command)));
      }),
      { numRuns: 2_000 },
    );
  });
});
