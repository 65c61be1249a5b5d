import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, test } from "vitest";
import { isReading } from "../../src/policy/reading-list.ts";
import { parseLine } from "../../src/policy/simple-commands.ts";
import { randomOf } from "../support/random.ts";

const reads = (line: string): boolean => isReading(parseLine(line));

describe("what only reads", () => {
  test.each([
    "ls -la src",
    "cat package.json README.md",
    "cat src/*.ts",
    "cd src && pwd",
    "head -n 20 a.ts | tail -5",
    "grep -rn --include='*.ts' foo src | sort -u | uniq -c | wc -l",
    "find . -name '*.ts' -not -path './node_modules/*' -type f -maxdepth 3",
    "find src -mtime -1 -print0",
    "rg -n -g '*.ts' -C2 'foo|bar' src",
    "rg --files --hidden --glob '!dist' | head",
    "tree -L 2 -I 'node_modules|dist' --dirsfirst",
    "sort -t, -k2,2 -rn a.csv",
    "file --mime-type logo.png",
    "date +%F",
    "date -u --date=yesterday +%s",
    "stat -c %s a; du -sh src; df -h",
    "diff -u a b > /dev/null 2>&1",
    "cut -d: -f1 < a.txt",
    "echo done; echo $?",
    "ls $HOME/x ~/y",
    "false || true",
    "(cd src; ls) && { pwd; }",
    "if grep -q a b; then echo yes; fi",
    "while false; do sleep 1; done",
    "! grep -q a b",
    "time ls",
    "cat <<'E'\ntext\nE",
    "cat <<< text",
    "git status",
    "git status --short --branch",
    "git diff HEAD~1 -- src",
    "git diff --stat --cached",
    "git --no-pager log --oneline -n 5",
    "git log -5 --format='%h %s' --author=me -- src",
    "git log -S'foo' -p --all",
    "git log -L1,5:a.ts",
    "git show HEAD:src/a.ts",
    "git blame -L 1,10 a.ts",
    "git grep -n -e foo -- src",
    "git ls-files -o --exclude-standard",
    "git ls-tree -r HEAD",
    "git rev-parse --show-toplevel",
    "git cat-file -p HEAD",
    "git merge-base --is-ancestor a b",
    "git shortlog -sn",
    "git describe --tags --always",
    "git branch",
    "git branch -vv --all",
    "git branch --show-current",
    "git remote -v",
    "git tag -l",
    "git stash list",
    "git stash show -p",
    "git worktree list --porcelain",
  ])("is %j", (line) => {
    expect(reads(line)).toBe(true);
  });
});

/** Each writes, runs something, shows variables, or may: by what it says or by what a shell makes of it. */
const NOT_READING: Readonly<Record<string, readonly string[]>> = {
  "programs that are not listed": [
    "touch a",
    "tee a",
    "xargs ls",
    "env",
    "env ls",
    "printenv",
    "jq -n env",
    "printf '%d' 'a[$(touch x)]'",
    "sed -n 1p a",
    "awk 1 a",
    "less a",
    "command ls",
    "./ls",
    "/tmp/cat a",
    "bash -c ls",
    "eval ls",
    ". a",
    "source a",
    "test -v a",
    "[ -v 'a[$(touch x)]' ]",
    "let a",
    "read a",
    "declare a",
    "export A=1",
    "set -x",
    "alias ls=touch",
    "trap 'touch x' EXIT",
    "exec ls",
    "nice ls",
    "l{s,x}",
    "$x",
    "",
  ],
  "options that write or run": [
    "sort -o a b",
    "sort -nob b",
    "sort --output=a b",
    "sort --outp=a b",
    "sort --compress-program=./x b",
    "sort -T. b",
    "find . -delete",
    "find . -exec touch x ;",
    "find . -execdir touch x +",
    "find . -ok rm {} ;",
    "find . -fprint x",
    "find . -fls x",
    "find . -files0-from x",
    "find . -ex''ec touch x +",
    "find . -del\\ete",
    "find . -del\\\nete",
    "find . $'\\x2ddelete'",
    "find . -name -delete",
    "rg --pre=./x a",
    "rg --pre ./x a",
    "rg --hostname-bin=./x a",
    "rg -z a",
    "rg -e --pre=./x",
    "rg --glob -- --pre=./x a",
    "tree -o a",
    "tree -Lo 2 a",
    "tree -L2o a",
    "file -C -m a",
    "file -z a",
    "date -s tomorrow",
    "date 01010000",
    "date -I 01010000",
    "uniq a b",
    "uniq - b",
    "uniq -- -a b",
    "uniq a*",
    "uniq a",
    "git -c core.pager=./x log",
    "git -C x log",
    "git --exec-path=. log",
    "git log --output=a",
    "git log --outp=a",
    "git diff --output a",
    "git diff -Oa",
    "git diff --ext-diff",
    "git show --textconv",
    "git diff --no-index a b",
    "git diff -U --output=a",
    "git log --grep -- --output=a",
    "git log --author -- --output=a",
    "git log -n --output=a",
    "git log -- -a",
    "git grep -O a",
    "git grep -nO a",
    "git grep -Otouch a",
    "git grep --open-files-in-pager=touch a",
    "git cat-file --textconv a",
    "git cat-file --filters a",
    "git blame --contents=a b",
    "git branch a",
    "git branch -d a",
    "git branch -D -r a",
    "git branch --list a -d",
    "git tag a",
    "git tag -d a",
    "git remote add a b",
    "git remote show origin",
    "git stash",
    "git stash -p",
    "git stash push",
    "git stash pop",
    "git worktree add a",
    "git worktree",
    "git reflog expire --all",
    "git status --no-such",
    "git commit -m a",
    "git fetch",
    "git config a b",
    "git",
    "git $verb",
  ],
  "words that are known at run time only": [
    "cat $x",
    'cat "$x"',
    "echo $AWS_SECRET_ACCESS_KEY",
    "echo ${KEY:0:4}",
    "echo ${x:=y}",
    'echo "${PATH:=.}"',
    "echo ${x@P}",
    "echo ${!x}",
    "echo ${a[$(touch x)]}",
    "cat $(git ls-files)",
    "cat `ls -A`",
    "cat {a,b}",
    "cat @(a|b)",
    "ls *(e:'touch x':)",
    "ls ?(e:'touch x':)",
    "ls foo(e-'touch x'-)",
    "find . {-delete,-print}",
    "sort *",
    "sort [-]o*",
    "sort -*",
    "rg ?pre a",
    "git log *",
    "cat <<E\n$KEY\nE",
    "cat <<E\n${HOME:x}\nE",
    "cat <<< $KEY",
    "case x in ${HOME:x}) ls;; esac",
  ],
  "what runs inside": [
    "echo $(touch x)",
    'echo "`touch x`"',
    "cat `echo \\`touch x\\``",
    "cat <(touch x)",
    "cat < <(touch x)",
    "cat <<E\n$(touch x)\nE",
    "ls; touch x",
    "ls && touch x",
    "ls | touch x",
    "ls & touch x",
    "ls\n\ntouch x",
    "time touch x",
    "! touch x",
    "{ touch x; }",
    "(touch x)",
    "if ls; then touch x; fi",
    "case x in x) touch y;; esac",
    "coproc ls",
  ],
  "what a shell evaluates or sets": [
    "A=1 ls",
    "PATH=. ls",
    "A=1; ls",
    "A=$(> f)",
    "GIT_EXTERNAL_DIFF=./x git diff",
    "GIT_PAGER=./x git --no-pager log",
    "for PATH in .; do ls; done",
    "for x in '$(touch y)'; do for z in ${x@P}; do true; done; done",
    "select PATH in .; do ls; done",
    "ls() { touch x; }; ls",
    "function cat { touch x; }; cat a",
    "() { ls }",
    "echo $((a[1]))",
    "echo $[a[1]]",
    "((a))",
    "[[ a -eq b ]]",
    "for ((i = 0; i < 1; i++)); do ls; done",
    "case $((a)) in *) ls;; esac",
    "cat < $((a))",
    "GAIA_SANDBOX=network ls",
  ],
  redirections: [
    "> f",
    "cd . > f",
    "ls > f",
    "ls >> f",
    "ls >| f",
    "ls 2> f",
    "ls &> f",
    "ls >& f",
    "ls >! f",
    "ls 3> f",
    "ls {fd}> f",
    "ls <> f",
    "ls > /dev/null > f",
    "ls > /dev/nullx",
    "ls > $x",
    "ls > >(touch x)",
    "{ ls; } > f",
    "(ls) > f",
    "while false; do ls; done > f",
    "if true; then ls; fi > f",
    "cat <<'E' > f\nx\nE",
    "cat < /dev/tcp/127.0.0.1/80",
    "cat < $x",
  ],
  "what cannot be read": ["ls (a)", "ls 'a", "ls )", "if ls", "ls ;; ls", `ls ${"a".repeat(40_000)}`],
};

describe.each(Object.entries(NOT_READING))("what may do more: %s", (_why, lines) => {
  test.each(lines)("%j", (line) => {
    expect(reads(line)).toBe(false);
  });
});

describe("lines at random", () => {
  const folder = mkdtempSync(join(tmpdir(), "gaia-reading-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const PROGRAMS = "cat ls echo cd find sort uniq date head tail grep basename cut diff wc true type".split(
    " ",
  );
  const WORDS =
    "a b * -o -- - -n OUT --output=OUT -oOUT -fprint -exec -delete $(touch@OUT) `touch@OUT` $x ${x:=y} 'q' {a,OUT} -k -t [a](e:'touch@OUT':) *(e:'touch@OUT':) =ls @(a|b) \\-o [-]o $'\\x2do' <(touch@OUT) b* # ! -c ^a";
  const BETWEEN =
    "_;_ _&&_ _|_ _>_OUT_ _<_a_ _>&_OUT_ _&>_OUT_ _>!_OUT_ _{_ _}_ _(_ _)_ ;_do_ ;_done_ _if_ _then_ _time_ _|&_ _always_ _repeat_2_ _()_ _[[_ _((_ _))_ _<<<_";

  // A clock and other programs that more rights could make use of are left out of what is really run.
  it("that count as reading change no file, in bash", { timeout: 60_000 }, () => {
    const random = randomOf(3);
    const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)] ?? "";
    const command = (): string => {
      const count = Math.floor(random() * 4);
      const words = Array.from({ length: count }, () => pick(WORDS.split(" ")).replaceAll("@", " "));
      return [pick(PROGRAMS), ...words].join(" ");
    };
    const line = (): string => {
      const count = Math.floor(random() * 3);
      const rest = Array.from(
        { length: count },
        () => pick(BETWEEN.split(" ")).replaceAll("_", " ") + command(),
      );
      return command() + rest.join("");
    };
    const files = { a: "1\n2\n1\n", b: "x\n", b2: "keep\n" };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const look = (): Record<string, string> =>
      Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]));
    const lines = Array.from({ length: 1_500 }, line).filter(
      (each) => /OUT|touch|-o/u.test(each) && reads(each),
    );
    expect(lines.length).toBeGreaterThan(40);
    for (const each of lines.slice(0, 40)) {
      spawnSync("bash", ["-c", each], {
        cwd: folder,
        timeout: 500,
        input: "",
        env: { PATH: process.env["PATH"] },
      });
      expect(look(), each).toEqual(files);
    }
  });
});
