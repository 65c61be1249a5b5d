import { describe, expect, it, test } from "vitest";
import { readOnlyBashRules } from "../../src/policy/read-only-rules.ts";
import { everyday } from "./corpus/everyday.ts";
import { readOnly } from "./corpus/read-only.ts";

const rules = Object.entries(readOnlyBashRules());

/** OpenCode's own matching: `*` is any text, ` *` at the end may be missing, the last rule that matches wins. */
function verdict(command: string): string | undefined {
  const matching = rules.filter(([pattern]) => {
    const source = pattern.replaceAll(/[.+^${}()|[\]\\?]/gu, String.raw`\$&`).replaceAll("*", ".*");
    return new RegExp(`^${source.replace(/ \.\*$/u, "( .*)?")}$`, "su").test(command);
  });
  return matching.at(-1)?.[1];
}

describe("readOnlyBashRules", () => {
  it("denies first, so that only what is named is allowed", () => {
    expect(rules[0]).toEqual(["*", "deny"]);
    expect(verdict("rm -rf x")).toBe("deny");
    expect(verdict("")).toBe("deny");
  });

  test.each([
    "ls",
    "ls -la src",
    "cat README.md 2>/dev/null",
    "git status",
    "git log --oneline -5",
    "git diff HEAD~1",
    "rg -n foo src",
    "sed -n '1,40p' a.txt",
    "find . -name '*.ts'",
    "find . -name '*.ts' -exec grep -l x {} +",
    "xargs wc -l",
    "jq .name package.json",
    "cal",
    "awk '{print $1}' a.txt 2>/dev/null",
    "fd foo-xyz",
    "file -b CHANGELOG.md",
    "git grep -n TODO",
    "sort -n folder/a.txt",
    "sed -n '1,5p' src/index.ts",
  ])("allows %s", (command) => {
    expect(verdict(command)).toBe("allow");
  });

  test.each([
    "touch x",
    "npm install",
    "git commit -m x",
    "git push",
    "git branch foo",
    "git branch -D foo",
    "git stash",
    "git config user.name x",
    "git diff --output=x",
    "git -c core.pager=x log",
    "sed -i s/a/b/ x",
    "sed -n -i p x",
    "find . -delete",
    "find . -exec rm {} +",
    "find . -exec cat {} + -delete",
    "find . -exec cat {} + -exec rm {} +",
    "sort -o x y",
    "sort y -o x",
    "rg --pre ./x foo",
    "xargs rm",
    "tee x",
    "uniq a b",
    "awk 'BEGIN{system(\"x\")}'",
    "awk '{print > \"x\"}'",
    "tar xf a.tar",
    "tar tf a.tar --to-command=x",
    "bash -c ls",
    "sudo ls",
    "gh api -X DELETE /repos/x/y",
    "go env -w A=b",
    "git ls-remote ext::sh",
    "env ls",
    "lsx",
  ])("denies %s", (command) => {
    expect(verdict(command)).toBe("deny");
  });

  it("does not stand in the way of everyday queries", () => {
    const simple = [...everyday, ...readOnly]
      .map(({ command }) => command)
      .filter((command) => !/[;&|(){}\n=<`]|^(?:cd|\[|!) /u.test(command));
    const allowed = simple.filter((command) => verdict(command) === "allow");
    expect(allowed.length / simple.length).toBeGreaterThan(0.85);
  });
});
