import { readers } from "./programs/readers.ts";

/** OpenCode's own verdicts on a bash pattern that this table uses. */
type StaticVerdict = "allow" | "deny";

/** Programs whose every use is harmless once the table of refusals has been applied. */
const PROGRAMS =
  "awk base64 bat date export fd fdfind file find gawk less lsof man printf read rg sed set shuf sort ss test tree wait yq";
const GIT = `
  annotate blame cat-file check-attr check-ignore count-objects describe diff diff-tree for-each-ref grep log ls-files
  ls-remote ls-tree merge-base name-rev range-diff rev-list rev-parse shortlog show show-ref status var version
  whatchanged
`;
const VERSIONED = "cargo docker git go jj make node npm pnpm python python3 rustc tsc yarn";
/** Programs that write with most of their verbs, and the forms in which they only ask. */
const FORMS = `
  brew list *|cargo tree --locked *|command -v *|crontab -l|docker compose logs *|docker compose ps *|docker images *
  docker inspect *|docker logs *|docker ps *|dpkg -l *|gh api *|gh auth status|gh issue list *|gh issue view *|gh pr checks *
  gh pr diff *|gh pr list *|gh pr view *|gh repo view *|gh run list *|gh run view *|go doc *|go env *|go list *|go version
  git --no-pager diff *|git --no-pager log *|git --no-pager show *|git bisect log|git branch|git branch --contains *
  git branch --format*|git branch --list *|git branch --merged *|git branch --show-current|git branch -a|git branch -r
  git branch -v|git branch -vv|git config --get *|git config --get-regexp *|git config --global --list|git config --list *
  git config -l *|git config user.email|git config user.name|git notes show *|git reflog|git reflog -*|git reflog show *
  git remote|git remote -v|git remote get-url *|git remote show *|git stash list *|git stash show *|git submodule status *
  git symbolic-ref --short HEAD|git tag|git tag --contains *|git tag --list *|git tag -l *|git tag -n*|git worktree list *
  gunzip -c *|gzip -dc *|hostname|ifconfig|ip a|ip addr|jj bookmark list *|jj diff *|jj log *|jj op log *|jj show *|jj st *
  jj status *|journalctl -u *|kubectl config current-context|kubectl describe *|kubectl get *|kubectl logs *|node --check *
  node -v|npm -v|npm audit|npm audit --json|npm config get *|npm ls *|npm outdated *|npm pkg get *|npm root *|npm run
  npm view *|pip freeze *|pip list *|pip show *|pnpm ls *|pnpm why *|python3 -m json.tool|sleep *|bash -n *
  systemctl status *|tar --list *|tar -t*|tar t*|tee /dev/null|uniq|uniq -c|uniq -d|uniq -u|unzip -l *|unzip -p *
  xargs -0 grep *|xargs -0 stat *|xargs -0 wc *|xargs -n1 basename *|xargs cat *|xargs grep *|xargs head *|xargs ls *
  xargs wc *|xz -dc *|yarn why *
  GIT_PAGER=cat git log *|IFS= read *|LC_ALL=C sort *|NO_COLOR=1 git diff *|NO_COLOR=1 git log *|TZ=UTC date *
`;
/** Options and words with which one of the above writes or runs something after all. */
const REFUSALS = `
  awk *system*|awk *getline*|awk *print* > *|awk *print*>"*|awk *print*>>*|awk *"sh"*|awk -f*|awk * -f*|awk -i*|awk * -i*
  gawk *system*|gawk *getline*|gawk *print* > *|gawk *print*>"*|gawk *print*>>*|gawk *@*|gawk -*|base64 -o*|base64 * -o*
  base64 *--o*|bat cache*|bat *--pager*|date -s*|date * -s*|date *--s*|fd -x*|fd * -x*|fd -X*|fd * -X*|fd *--exec*
  fdfind -x*|fdfind * -x*|fdfind -X*|fdfind * -X*|fdfind *--exec*|file -C*|file * -C*|find *-delete*|find *-exec*
  find *-ok*|find *-fprint*|find *-fls*|gh api * -X*|gh api * -f*|gh api * -F*|gh api *--method*|gh api *--field*
  gh api *--raw-field*|gh api *--input*|gh api -*|git *--upl*|git ls-remote *::*|go env -*|go env * -w*|go list *-toolexec*|go list *-exec*
  go doc *-http*|journalctl *--vacuum*|journalctl *--rotate*|man -P*|man * -P*|man *--pager*|man -H*|npm audit *fix*
  shuf -o*|shuf * -o*|shuf *--o*|ss -K*|ss * -K*|ss *--kill*|gh * --web*|gh * -w*|git *--outp*|git *--ext-d*|git *--textconv*|git *--filters*
  git *--show-sig*|git grep -O*|git grep * -O*|git grep *--op*|jj *--config*|jj *--tool*|kubectl *--kubeconfig*|less +*
  less * +*|less -o*|less -O*|less * -o*|less * -O*|printf -v*|rg *--pre *|rg *--pre=*|rg *--hostname-bin*
  sed -I*|sed * -I*|sed -i*|sed * -i*|sed -ni*|sed -Ei*|sed -ri*|sed -nEi*|sed -nri*|sed -Eni*|sed *--in-p*|sed -f*|sed * -f*|sed -nf*
  sort -o*|sort * -o*|sort -uo*|sort -no*|sort -ro*|sort *--o*|sort *--compress*|tar *--to-command*|tar *--use-compress*
  tar * -I*|tar *--checkpoint*|tar *--rsh*|tree -o*|tree * -o*|tree -R*|tree * -R*|yq -i*|yq * -i*|yq *--inplace*
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
  const programs = [...readers.keys(), ...patterns(PROGRAMS, /\s+/u)].map((name) => `${name} *`);
  const versions = patterns(VERSIONED, /\s+/u).map((name) => `${name} --version`);
  const verbs = patterns(GIT, /\s+/u).map((verb) => `git ${verb} *`);
  const forms = patterns(FORMS, /\s*(?:\||\n)\s*/u);
  const refusals = patterns(REFUSALS, /\s*(?:\||\n)\s*/u);
  return Object.fromEntries<StaticVerdict>([
    ["*", "deny"],
    ...[...programs, ...versions, ...verbs, ...forms].map((pattern): [string, StaticVerdict] => [
      pattern,
      "allow",
    ]),
    ...refusals.map((pattern): [string, StaticVerdict] => [pattern, "deny"]),
    ...EXECUTED.map((name): [string, StaticVerdict] => [`find * -exec ${name} *`, "allow"]),
    ...EXECUTED_REFUSALS.split("|").map((pattern): [string, StaticVerdict] => [`${pattern}*`, "deny"]),
  ]);
}
