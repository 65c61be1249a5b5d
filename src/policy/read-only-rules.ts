/** OpenCode's own verdicts on a bash pattern that this table uses. */
type StaticVerdict = "allow" | "deny";

/** Programs whose every use is harmless, or is once the table of refusals has been applied. */
const PROGRAMS = `
  awk basename bat cat cmp column comm cut date df diff dirname du echo egrep expr false fd fdfind fgrep file find fold
  free gawk grep head hexdump id jq join less ls lsof md5sum nl nproc od paste pgrep printenv printf ps pwd read
  readlink realpath rev rg sed seq sha256sum shasum sort stat strings tac tail test tr tree true type uname uptime wait
  wc which whoami yq
`;
const GIT = `
  annotate blame cat-file check-ignore count-objects describe diff diff-tree for-each-ref grep log ls-files ls-tree
  merge-base name-rev range-diff rev-list rev-parse shortlog show show-ref status whatchanged
`;
/** Programs that write with most of their verbs, and the forms in which they only ask. */
const FORMS = `
  base64 *|bash -n *|python3 -m json.tool|tee /dev/null|git branch --merged *|git reflog -*
  git config user.name|git config user.email|LC_ALL=C sort *|GIT_PAGER=cat git log *|command -v *|IFS= read *|set -*|exit *|sleep *|tar t*|tar -t*|tar --list *|uniq|uniq -c|uniq -d|uniq -u
  xargs cat *|xargs grep *|xargs head *|xargs ls *|xargs wc *|xargs -0 grep *|xargs -0 wc *|xargs -n1 basename *
  git branch|git branch -a|git branch -r|git branch -v|git branch -vv|git branch --show-current|git branch --list *
  git config --get *|git config --list *|git config -l|git remote|git remote -v|git remote get-url *|git remote show *
  git reflog|git reflog show *|git stash list *|git stash show *|git submodule status *|git tag|git tag -l *
  git tag --list *|git worktree list *|git --version|git --no-pager diff *|git --no-pager log *|git --no-pager show *
  jj diff *|jj log *|jj show *|jj st *|jj status *|node --version|node -v|npm --version|npm ls *|npm view *
  python3 --version|docker ps *|docker logs *|kubectl get *|kubectl describe *|kubectl logs *|gh pr view *|gh pr list *
  gh pr diff *|gh issue view *|gh issue list *|gh run view *|gh run list *
`;
/** Options and words with which one of the above writes or runs something after all. */
const REFUSALS = `
  base64 *-o*|awk *system*|awk *getline*|awk *print*>*|awk *"sh"*|awk -f*|awk * -f*|awk -i*|awk * -i*|gawk *system*|gawk *@*
  gawk *getline*|gawk *print*>*|gawk -*|bat cache*|bat *--pager*|date -s*|date * -s*|date *--s*|fd *-x*|fd *-X*|fd *--exec*
  fdfind *-x*|fdfind *-X*|fdfind *--exec*|file -*C*|file * -C*|find *-delete*|find *-exec*|find *-ok*|find *-fprint*
  find *-fls*|less +*|less * +*|less -*o*|less -*O*|printf -v*|rg *--pre *|rg *--pre=*|rg *--hostname-bin*|sed -i*|sed * -i*
  sed -n*i*|sed *--in-place*|sed -f*|sed * -f*|sort -*o*|sort * -o*|sort *--o*|sort *--compress*|tar *--to-command*
  tar *--use-compress*|tar * -I*|tar *--checkpoint*|tar *--rsh*|tar *x*f*|tree -o*|tree * -o*|tree *-R*|yq *-i*|yq *--inplace*
  git *--output*|git *--ext-diff*|git *--textconv*|git *--filters*|git *--show-signature*|git grep -*O*|git grep *--op*
  gh * --web*|gh * -w*|jj *--config*|jj *--tool*|kubectl *--kubeconfig*
`;

/** Programs that `find -exec` may run after all, as the only one and with nothing that deletes behind it. */
const EXECUTED = ["cat", "file", "grep", "head", "ls", "stat", "wc"];
const EXECUTED_REFUSALS =
  "find *-exec*-exec|find *-exec*-delete|find *-exec*-ok|find *-exec*-fprint|find *-exec*-fls|find *-execdir";

function patterns(text: string, separator: RegExp): string[] {
  return text.trim().split(separator);
}

/**
 * A static table for OpenCode's own bash permission of read-only agents: the second line of defence, should the
 * engine in front of it be bypassed. OpenCode matches it against every command in a line, each by itself. It only knows
 * programs and their plain options: redirections, and what scripts of sed and awk write, are left to the engine.
 * The last rule that matches wins, so the order of the keys is part of the table.
 */
export function readOnlyBashRules(): Record<string, StaticVerdict> {
  const programs = patterns(PROGRAMS, /\s+/u).map((name) => `${name} *`);
  const verbs = patterns(GIT, /\s+/u).map((verb) => `git ${verb} *`);
  const forms = patterns(FORMS, /\s*(?:\||\n)\s*/u);
  const refusals = patterns(REFUSALS, /\s*(?:\||\n)\s*/u);
  return Object.fromEntries<StaticVerdict>([
    ["*", "deny"],
    ...[...programs, ...verbs, ...forms].map((pattern): [string, StaticVerdict] => [pattern, "allow"]),
    ...refusals.map((pattern): [string, StaticVerdict] => [pattern, "deny"]),
    ...EXECUTED.map((name): [string, StaticVerdict] => [`find * -exec ${name} *`, "allow"]),
    ...EXECUTED_REFUSALS.split("|").map((pattern): [string, StaticVerdict] => [`${pattern}*`, "deny"]),
  ]);
}
