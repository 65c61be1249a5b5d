import { describe, expect, it, test } from "vitest";
import { examineCall } from "../../../src/policy/examine-call.ts";
import { examineCommand } from "../../../src/policy/examine-command.ts";
import type { HistoryPart } from "../../../src/policy/history/history.ts";

const PLACE = { folder: "/w/p", project: "/w/p" };
const historyOf = (command: string): HistoryPart | null => examineCommand(command, PLACE).history;
const kindsOf = (command: string): string[] => historyOf(command)?.recordings.map(({ kind }) => kind) ?? [];
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

describe("what records something", () => {
  test.each<[string, string]>([
    ["git commit -m x", "commit"],
    ["git commit --amend --no-edit", "commit"],
    ["git commit", "commit"],
    ["git merge topic", "merge"],
    ["git merge --no-commit topic", "merge"],
    ["git merge --no-commit --no-ff --commit topic", "merge"],
    ["git merge --continue", "merge"],
    ["git rebase main", "merge"],
    ["git rebase --continue", "merge"],
    ["git cherry-pick abc", "merge"],
    ["git revert HEAD", "merge"],
    ["git am x.patch", "merge"],
    ["git pull", "merge"],
    ["git tag v1", "tag"],
    ["git tag -d v1", "tag"],
    ["git push", "push"],
    ["git push --delete origin x", "push"],
    ["git commit-tree abc -m x", "refs"],
    ["git update-ref refs/heads/main abc", "refs"],
    ["git symbolic-ref HEAD refs/heads/x", "refs"],
    ["git fast-import", "refs"],
    ["git fetch . HEAD:main", "refs"],
    ["git ci -m x", "unclear"],
    ["git $VERB -m x", "unclear"],
    ["git -c alias.x='!git commit' x", "unclear"],
    ["/usr/lib/git-core/git-commit -m x", "commit"],
    ["git submodule foreach git commit -am x", "unclear"],
    ["git submodule foreach 'git commit -am x'", "unclear"],
    ["git commit --dry-run --no-dry-run -m x", "commit"],
    ["npm version patch", "commit"],
    ["npx standard-version", "commit"],
    ["python3 -c \"import subprocess; subprocess.run(['git', 'commit', '-m', 'x'])\"", "unclear"],
    ["python3 <<'STOP'\nimport os; os.system('git commit -m x')\nSTOP", "unclear"],
    ["ssh host git push", "unclear"],
    ["node -e \"require('child_process').execFileSync('git',['commit','-am','x'])\"", "unclear"],
    ['perl -e \'system("git","commit","-am","x")\'', "unclear"],
    ["node -e \"require('isomorphic-git').commit({})\"", "unclear"],
    ["python3 -c \"from git import Repo; Repo('.').index.commit('x')\"", "unclear"],
    ["python3 -c \"import pygit2; pygit2.Repository('.').create_commit()\"", "unclear"],
    ["gi? commit -m x", "unclear"],
    ["/usr/bin/g?t commit -m x", "unclear"],
    ["$TOOL commit -m x", "unclear"],
    ["stg refresh", "commit"],
    ["gt create -m x", "commit"],
    ["sl commit -m x", "commit"],
    ["commitizen bump", "commit"],
    ["jj commit -m x", "commit"],
    ["jj describe -m x", "commit"],
    ["jj squash", "commit"],
    ["jj new", "commit"],
    ["jj -R . ci -m x", "commit"],
    ["jj an-alias", "commit"],
    ["jj util exec -- git commit -m x", "commit"],
    ["jj util exec -- sh -c 'git push'", "push"],
    ["npm --silent version patch", "commit"],
    ["bun pm version patch", "commit"],
    ["gh pr merge 12 --squash", "push"],
    ["gh release create v1 --notes x", "push"],
    ["glab mr merge 3", "push"],
    ["jj git push", "push"],
    ["jj bookmark set main -r @", "tag"],
  ])("%s", (command, kind) => {
    expect([...new Set(kindsOf(command))]).toEqual([kind]);
  });

  test.each([
    "git status",
    "git log --grep=commit",
    "grep -rn 'git commit' .",
    "echo 'git push'",
    "cat > /tmp/notes <<'STOP'\ngit commit\nSTOP",
    "git add -A",
    "git commit --dry-run",
    "git merge --no-commit --no-ff topic",
    "git merge --squash topic",
    "git cherry-pick -n abc",
    "git push --dry-run",
    "git tag -l",
    "git stash",
    "git rm a.txt",
    "npm version patch --no-git-tag-version",
    "npm version",
    "gh pr view 12",
    "gh pr merge --help",
    "jj log",
    "jj util exec -- npm test",
    "cd /tmp/fixture && git init && git add -A && git commit -m x",
    "git -C /tmp/fixture commit -m x",
  ])("and not %s", (command) => {
    expect(kindsOf(command)).toEqual([]);
  });

  test.each([
    "git reset --soft HEAD~1",
    "git switch -c x",
    "git branch x",
    "git merge --abort",
    "git rebase --quit",
    "git stash pop",
    "jj undo",
  ])("what only moves among commits says so: %s", (command) => {
    expect(historyOf(command)).toMatchObject({ recordings: [], moves: true, fetches: false });
  });

  it("counts a repository in a temporary folder as the project's when it is told to use that", () => {
    expect(kindsOf("GIT_DIR=/w/p/.git git -C /tmp/x commit -m x")).toEqual(["commit"]);
    expect(kindsOf("git -C /tmp/x --git-dir=/w/p/.git commit -m x")).toEqual(["commit"]);
  });
});

/** Ways to have a command run that is not written down as a line of its own. */
const WRAPPERS: Readonly<Record<string, (command: string) => string>> = {
  plain: (command) => command,
  "bash -c": (command) => `bash -c ${quoted(command)}`,
  "sh in sh": (command) => `sh -c ${quoted(`bash -c ${quoted(command)}`)}`,
  env: (command) => `env FOO=1 ${command}`,
  "timeout nice": (command) => `timeout 60 nice -n 5 ${command}`,
  nohup: (command) => `nohup ${command}`,
  command: (command) => `command ${command}`,
  eval: (command) => `eval ${quoted(command)}`,
  subshell: (command) => `( cd . && ${command} )`,
  condition: (command) => `if true; then ${command}; fi`,
  loop: (command) => `for i in 1; do ${command}; done`,
  substitution: (command) => `echo "$(${command})"`,
  xargs: (command) => `echo x | xargs -I{} ${command}`,
  find: (command) => `find . -maxdepth 0 -exec ${command} \\;`,
  function: (command) => `f() { ${command}; }; f`,
  "fed to a shell": (command) => `bash <<'STOP'\n${command}\nSTOP`,
  "after another": (command) => `ls && ${command}`,
  unknown: (command) => `some-wrapper -- ${command}`,
  setsid: (command) => `setsid ${command}`,
  "variable program": (command) => command.replace("git", 'G=git; "$G"'),
  "quoted name": (command) => command.replace("git", "g'i't"),
  "full path": (command) => command.replace("git", "/usr/bin/git"),
};
/** Options between git and its verb. */
const GLOBALS = ["", "-C .", "--no-pager", "-P", "--git-dir=.git --work-tree=.", "-c user.name=x", "-p"];
const VERBS = [
  "commit -m x",
  "commit -am x",
  "merge topic",
  "rebase main",
  "cherry-pick abc",
  "revert HEAD",
  "am x",
  "tag v1",
  "push",
  "pull",
  "update-ref HEAD abc",
];

describe("a spelling", () => {
  it.each(Object.entries(WRAPPERS))("as %s hides no commit, merge, tag or push", (_name, wrap) => {
    const commands = GLOBALS.flatMap((globals) =>
      VERBS.map((verb) => wrap(`git ${globals} ${verb}`.replaceAll(/ +/gu, " "))),
    );
    expect(commands.filter((command) => kindsOf(command).length === 0)).toEqual([]);
    expect(new Set(commands).size).toBe(GLOBALS.length * VERBS.length);
  });

  it("of any kind hides no --no-verify", () => {
    const verbs = [
      "commit --no-verify -m x",
      "commit -nm x",
      "push --no-verify",
      "-c core.hooksPath=/dev/null commit -m x",
    ];
    const lines = Object.entries(WRAPPERS).flatMap(([name, wrap]) =>
      verbs.map((verb) => ({ name, command: wrap(`git ${verb}`) })),
    );
    const missed = lines.filter(({ command }) => historyOf(command)?.unhooked == null);
    expect(missed.map(({ name, command }) => `${name}: ${command}`)).toEqual([]);
  });
});

describe("a hook that is switched off", () => {
  test.each([
    "git commit --no-verify -m x",
    "git commit --no-veri -m x",
    "git commit -nm x",
    "git commit -anm x",
    "git commit -m x -n",
    "git merge --no-verify topic",
    "git am -n x.patch",
    "git push --no-verify",
    "git -c core.hooksPath=/dev/null commit -m x",
    "git -c CORE.HOOKSPATH= commit -m x",
    "git --config-env=core.hooksPath=X commit -m x",
    "git -c include.path=/tmp/x commit -m x",
    'git -c "$SETTING" commit -m x',
    "git -c hook.check.enabled=false commit -m x",
    "git --exec-path=/tmp/x commit -m x",
    "git -c alias.x='commit --no-verify' x -m y",
    "git rebase -x 'git commit --amend -n --no-edit' main",
    "git submodule foreach 'git commit --no-verify -am x'",
    "git bisect run git commit -anm x",
    "parallel git ::: 'commit --no-verify -m x'",
    "python3 -c \"import subprocess; subprocess.run(['git', 'commit', '--no-verify', '-m', 'x'])\"",
    'node -e \'require("child_process").execSync("git commit -nm x")\'',
    'python3 -c \'import os; os.environ["HUSKY"] = "0"; os.system("git commit -m x")\'',
    "cross-env HUSKY=0 git commit -m x",
    "npx -y cross-env HUSKY=0 git commit -m x",
    "npx cross-env-shell 'HUSKY=0 git commit -m x'",
    "dotenv -v HUSKY=0 -- git commit -m x",
    "docker run --env=HUSKY=0 image git commit -m x",
    "HUSKY=0 git commit -m x",
    "export HUSKY=0; git commit -m x",
    "env HUSKY=0 git commit -m x",
    "env HUSKY=0 bash -c 'git commit -m x'",
    "SKIP=eslint git commit -m x",
    "LEFTHOOK=0 git commit -m x",
    "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.hooksPath GIT_CONFIG_VALUE_0=/ git commit -m x",
    "GIT_CONFIG_PARAMETERS=\"'core.hooksPath=/'\" git commit -m x",
    "GIT_CONFIG_GLOBAL=/dev/null git commit -m x",
    "HOME=/tmp git commit -m x",
    "git commit $FLAGS -m x",
    "git commit -m $MESSAGE",
    "npx husky uninstall",
    "pre-commit uninstall",
    "git update-index --assume-unchanged a.ts",
    "jj describe --ignore-immutable -m x",
    "jj git push --allow-private",
  ])("%s", (command) => {
    expect(historyOf(command)?.unhooked).toEqual(expect.any(String));
  });

  test.each([
    "git commit -m 'never use --no-verify'",
    "git commit -m \"$(cat <<'STOP'\n-n is not used\nSTOP\n)\"",
    'git commit --message="$MESSAGE"',
    'git commit -m "$MESSAGE"',
    "git commit -F /tmp/message",
    "git commit -m -n",
    "git merge -n topic",
    "git cherry-pick abc",
    "CI=1 git commit -m x",
    "cross-env CI=1 git commit -m x",
    "some-wrapper -- git commit -am next",
    "python3 -c \"import os; os.system('git commit -m x'); os.system('head -n 1 a')\"",
    "git -c user.name=x -c commit.gpgsign=false commit -m x",
    'git push -u origin "$(git branch --show-current)"',
  ])("and none is by %s", (command) => {
    expect(historyOf(command)).toMatchObject({ unhooked: null, recordings: [expect.anything()] });
  });
});

describe("what stands in one line with a commit", () => {
  test.each([
    "npm run format && git commit -am x",
    "echo hi > a.txt && git commit -am x",
    "sed -i s/a/b/ a.txt; git commit -am x",
    "git rm a.txt && git commit -m x",
    "git stash pop && git commit -am x",
    "./change.sh && git commit -am x",
    "git checkout topic && git commit -am x",
  ])("may change what it records: %s", (command) => {
    expect(historyOf(command)?.beside).toEqual(expect.any(String));
  });

  test.each([
    "git add -A && git commit -m x",
    "git checkout -b topic && git add -A && git commit -m x",
    "npm test && git commit -am x",
    "cat > /tmp/message <<'STOP'\nx\nSTOP\ngit commit -F /tmp/message",
    "cd src && git commit -am x && git log -1",
    "git commit -am x && npm run build",
    "git fetch && git commit -am x",
  ])("leaves it alone: %s", (command) => {
    expect(historyOf(command)?.beside).toBeNull();
  });

  const meant = (folder: string, specs: readonly string[], tracked = false) => ({ folder, specs, tracked });

  test.each<[string, object]>([
    ["git commit -m x", { everything: false, tracked: false, paths: [], only: false }],
    ["git add -A && git commit -m x", { everything: true }],
    ["git add --all; git commit -m x", { everything: true }],
    ["git add . && git commit -m x", { everything: false, paths: ["/w/p"] }],
    ["cd src && git add . && git commit -m x", { paths: ["/w/p/src"] }],
    ["git -C src add a.ts && git commit -m x", { paths: ["/w/p/src/a.ts"] }],
    ["git commit -am x", { tracked: true, everything: false }],
    ["git add -u && git commit -m x", { tracked: true }],
    ["git add -p && git commit -m x", { everything: false, paths: [] }],
    ["git add *.ts && git commit -m x", { everything: false, paths: [], unread: "*.ts" }],
    ['git add "$FILES" && git commit -m x', { paths: [], pathspecs: [], unread: "$FILES" }],
    ["git add -A && git commit -m x -- a.ts", { everything: false, paths: ["/w/p/a.ts"], only: true }],
    ["git add '*.ts' b && git commit -m x", { paths: [], pathspecs: [meant("/w/p", ["*.ts", "b"])] }],
    ["cd src && git add -A :/lib && git commit -m x", { pathspecs: [meant("/w/p/src", [":/lib"])] }],
    ["git add . ':!a.ts' && git commit -m x", { paths: [], pathspecs: [meant("/w/p", [".", ":!a.ts"])] }],
    ["git add :/ && git commit -m x", { everything: true, pathspecs: [] }],
    ["git add :/ ':!a.ts' && git commit -m x", { everything: false }],
    ["git add -u src && git commit -m x", { tracked: false, pathspecs: [meant("/w/p", ["src"], true)] }],
    ["git add -u :/ && git commit -m x", { tracked: true, pathspecs: [] }],
    ["git commit -m x -- '*.ts'", { only: true, pathspecs: [meant("/w/p", ["*.ts"], true)] }],
    ["git commit -m x new.ts", { only: true, paths: [], pathspecs: [meant("/w/p", ["new.ts"], true)] }],
    ["git add -A && git commit -m x '*.ts'", { only: true, pathspecs: [meant("/w/p", ["*.ts"])] }],
    [
      "git --literal-pathspecs add '*.ts' && git commit -m x",
      { pathspecs: [], unread: "--literal-pathspecs" },
    ],
    ["GIT_LITERAL_PATHSPECS=1 git add '*.ts' && git commit -m x", { unread: "GIT_LITERAL_PATHSPECS" }],
    ["git commit -p -m x", { isOpen: true }],
  ])("says what it takes: %s", (command, taken) => {
    expect(historyOf(command)?.taken).toMatchObject(taken);
  });
});

describe("a tool of somebody else's", () => {
  const kindOf = (tool: string): string | undefined =>
    examineCall(tool, { kind: "other", paths: [], addresses: [] }, { own: ["plan_gaia"] }).history
      ?.recordings[0]?.kind;

  test.each(["git_git_commit", "git_commit", "mcp-git.commit", "vcs_merge", "jj_describe_commit", "commit"])(
    "%s records something by its name",
    (tool) => {
      expect(kindOf(tool)).toBe("unclear");
    },
  );
  test.each(["github_push_files", "git_push"])("%s pushes", (tool) => {
    expect(kindOf(tool)).toBe("push");
  });
  test.each(["github_list_commits", "git_get_commit", "git_commit_history", "context7_search", "plan_gaia"])(
    "%s does not",
    (tool) => {
      expect(kindOf(tool)).toBeUndefined();
    },
  );
});
