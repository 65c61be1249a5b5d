import { describe, expect, it, test } from "vitest";
import { examineCommand } from "../../src/policy/examine-command.ts";
import { readOnlyBashRules } from "../../src/policy/read-only-rules.ts";
import { everyday } from "./corpus/everyday.ts";
import { corpus } from "./corpus/index.ts";
import { queries } from "./corpus/queries.ts";
import { readOnly } from "./corpus/read-only.ts";

/** Whether the table alone lets a line pass. */
const passes = (line: string): boolean => examineCommand(line).unlisted === null;
/** Whether the table and the engine both let it pass. */
const passesBoth = (line: string): boolean => {
  const { effect, unlisted } = examineCommand(line);
  return effect === "read" && unlisted === null;
};

describe("readOnlyBashRules", () => {
  it("denies first, so that only what is named is allowed", () => {
    expect(Object.entries(readOnlyBashRules())[0]).toEqual(["*", "deny"]);
    for (const unknown of ["lsx", "./ls", "my-tool --read", "xyz 2>/dev/null"])
      expect(passes(unknown)).toBe(false);
  });

  it("is not asked about lines of a length that would keep it busy", () => {
    expect(passes(`grep ${"''".repeat(30_000)}`)).toBe(false);
  });

  it("stays small, for every reading agent carries it", () => {
    const rules = readOnlyBashRules();
    expect(Object.keys(rules).length).toBeLessThanOrEqual(350);
    expect(JSON.stringify(rules).length).toBeLessThan(7_500);
  });

  it("and the engine together let at least 98.3 % of everyday queries through", () => {
    const commands = [...everyday, ...readOnly, ...queries].map(({ command }) => command);
    const stopped = commands.filter((command) => !passesBoth(command));
    expect(1 - stopped.length / commands.length, stopped.join("\n")).toBeGreaterThanOrEqual(0.983);
  });

  it("and the engine together let nothing of the corpus through that changes something", () => {
    const through = corpus.filter(({ command, risk }) => risk !== "read-only" && passesBoth(command));
    expect(through).toEqual([]);
  });

  test.each([
    "rm x",
    "rm -rf . 2>/dev/null",
    "/bin/rm x",
    "ls && rm x",
    'echo "$(rm x)"',
    "find . -name x | xargs rm",
    "find . -exec rm {} +",
    "find . -delete",
    "find . -ok rmdir {} ;",
    "find . -execdir ln {} x ;",
    "pgrep x | xargs kill",
    "git gc",
    "git tag -a v1",
    "git commit -m x >/dev/null",
    "mv a b",
    "cp a b",
    "dd if=a of=b",
    "sudo ls",
    "time sudo ls",
    "chmod +x a",
    "bash -c ls",
    "ls | xargs sh -c 'rm x'",
    "eval ls",
    "python3 x.py",
    "node -e 1",
    "./x",
    "./x --version",
    "python3 x.py --version",
    "x>y --version",
    "$X --version",
    "curl -o a b",
    "echo x > a",
    "echo x >> a",
    "echo x >a",
    "cat <<EOF > a\nx\nEOF",
    "ls &> a",
    "tee x",
    "sed -i s/a/b/ x",
    "sed -ni p x",
    "ls | xargs sed -i s/a/b/",
    "sort -o x y",
    "rg --pre ./x foo",
    "awk 'BEGIN{system(\"x\")}'",
    "awk '{print > \"x\"}'",
    "tar xf a.tar",
    "npm install",
    "timeout 60 npm install",
    "docker rm a",
    "jj commit -m 'the log of x'",
    "jj --config ui.pager=x log",
    "gh api -X DELETE /repos/x/y",
    "git commit -m x",
    "git -C x commit -m 'a log b'",
    "git push",
    "git push --force 2>&1",
    "git reset --hard",
    "git checkout .",
    "git clean -fd",
    "git stash",
    "git branch -D foo",
    "git config user.name x >a",
    "git diff --output=x",
    "git -c core.pager=x log",
  ])("holds %j back by itself", (command) => {
    expect(passes(command)).toBe(false);
  });
});
