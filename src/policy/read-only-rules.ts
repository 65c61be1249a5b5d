/** OpenCode's own verdicts on a bash pattern that this table uses. */
export type StaticVerdict = "allow" | "deny";

/** Programs that read, but for what is refused below. */
const PROGRAMS = `
  awk base64 basename bat cal cat cksum cmp column comm cut date df diff dirname du echo egrep expr fd fdfind
  fgrep file find fold free gawk getconf git grep groups hash head hexdump hostname id iconv join journalctl jq
  last less locale ls lsof man md5 md5sum more netstat nl nm nproc objdump od paste pgrep printenv printf ps
  pstree pwd read readelf readlink realpath rev rg sed seq set sha256sum shasum shuf sleep sort ss stat strings
  tac tail test top tr tree true type uname uniq uptime vmstat wc whereis which who whoami xargs xxd yq zcat
  zipinfo : bc break continue dirs exit false getent help lscpu times w wait yes zgrep
`;
const VERSIONED = `
  aws bun cargo cmake curl deno docker gcc gh go java jj make node npm npx php pip pnpm psql python python3
  redis-cli ruby rustc rustup terraform tsc uv yarn
`;
/** Programs that do much, in the forms in which they only ask. */
const FORMS = `
  env|node -v|npm -v|go version|java -version|python -V|python3 -V|crontab -l|command -v *|bash -n *
  node --check *|node -p "require('./package.json')*|node -p "process.*|node -p process.*|python3 -m json.tool *
  python3 -m pip list *|tee /dev/null|time ls *|time find *|time git *|nice * grep *|watch * ls *|timeout * git *
  timeout * grep *|timeout * rg *|timeout * tail *|timeout * find *|/bin/ls *|/usr/bin/git *|LC_ALL=C *sort *
  GIT_PAGER=cat git *|NO_COLOR=1 git *|TZ=* date *|IFS=* read *|brew list *|brew info *|apt show *|apt-cache *
  dpkg -s *|ulimit -a|umask|alias|cargo tree *|cargo metadata *|dpkg -l *|apt list *|gh api *|gh auth status *
  gh * checks *|gh * diff *|gh * list *|gh * view *|gh * status *|gh search *|go doc *|go env *|go list *
  ifconfig *|ip a|ip -br a|ip * show *|ip addr|ip route *|docker* images *|docker* inspect *|docker* logs *
  docker* ps *|docker* ls *|docker* top *|docker info|docker version|docker history *|jj log *
  jj --no-pager *log *|jj st *|jj status *|jj diff *|jj show *|jj op log *|jj bookmark list *|jj file list *
  jj file show *|jj config list *|jj git remote list|jj evolog *|kubectl* get *|kubectl* describe *
  kubectl* logs *|kubectl config current-context|kubectl config view|kubectl config get-contexts|kubectl* top *
  kubectl explain *|kubectl api-resources *|kubectl version *|kubectl cluster-info|npm audit|npm audit --json
  npm config get *|npm ls *|npm list *|npm why *|npm explain *|npm config list|npm prefix *|npm outdated *
  npm pkg get *|npm root *|npm run|npm view *|pip freeze *|pip list *|pip show *|pip? list *|pip? show *
  pip? freeze *|pnpm ls *|pnpm list *|pnpm outdated *|yarn info *|pnpm why *|yarn why *|systemctl *status *
  systemctl *list-*|systemctl is-*|tar t*|tar -t*|tar --list *|gunzip -c *|gzip -dc *|xz -dc *|unzip -l *
  unzip -p *|unzip -Z*|gzip -l *|ip -4 a*|docker stats *|dmesg|shopt|openssl version|php -v|terraform version
  terraform state list *
`;
/** Files as targets of redirections, and options and words with which one of the above writes or runs something. */
const REFUSED = `
  * >*|*>>*|*&>*|* 1>*|*--output*|*--exec*|*-exec*-exec*|* sh -*|* bash -*|*system(*|awk *"sh"*|fd* -x*|fd* -X*
  find *-delete*|find *-ok*|find *-fprint*|find *-fls*|find *-execdir*|gh api* -*|go env *-w*|man *-P*|rg *--pre*
  sort *-o*|sed -i*|* sed -i*|sed * -i*|sed -?i*|sed *--in-p*|tar *--to-command*|tar *--use-compress*|tree *-o*
  yq *-i*|git *pager=*|git -c alias*|git* -O*|git *--ext-d*|git *--textconv*|git *--upl*|git* branch -d*
  git* branch -D*|git* branch -f*|git* branch -m*|git* branch -M*|git* tag -a*|git* tag -d*|git* tag -f*
  git* tag -m*
`;
/** Commands of git that change a repository, a checkout or a remote, wherever they stand behind its own options. */
const GIT_CHANGES = `
  add am apply bisect checkout cherry-pick clean clone commit config fetch gc init merge mv notes prune pull push
  rebase reflog remote replace reset restore revert rm stash submodule switch symbolic-ref update-index update-ref
  worktree
`;
/** What is allowed after all. */
const EXCEPTIONS = `
  awk '* >*'|awk '* >*' *|awk *'*$* >*' *|grep *'* >*'*|grep *"* >*"*|rg *'* >*'*|rg *"* >*"*|jq *'* >*'*
  command -v * >*/dev/null*|git* >*/dev/null*|grep* >*/dev/null*|ls* >*/dev/null*|ls &> /dev/null|jq* >*/dev/null*
  which* >*/dev/null*|gh api * --jq *|git bisect log|git* config --get*|git* config --list *|git* config -l *
  git* config get *|git* config --global --list *|git* config -f * --get*|git* config user.name
  git* config user.email|git config core.bare|git* notes|git* notes list *|git* notes show *|git* reflog
  git* reflog -*|git* reflog show *|git* remote|git* remote -v|git* remote get-url *|git* remote show *
  git* stash list *|git* stash show *|git* submodule status *|git* symbolic-ref --short HEAD
  git* symbolic-ref refs/*/HEAD|git* worktree list *
`;
/** What stands in no command that only reads, whatever was said above. */
const NEVER = "sudo rm rmdir mv cp dd ln tee touch chmod chown truncate kill";

/**
 * A static table for OpenCode's own bash permission of read-only agents: the second line of defence, should the engine
 * in front of it be bypassed. OpenCode matches it against every command in a line, each by itself, and the last rule that
 * matches wins. It allows by the name of the program and refuses plain harm; all finer distinctions are the engine's.
 */
export function readOnlyBashRules(): Record<string, StaticVerdict> {
  const rules: [StaticVerdict, readonly string[]][] = [
    ["deny", ["*"]],
    [
      "allow",
      [...words(PROGRAMS).map((name) => `${name} *`), ...words(VERSIONED).map((name) => `${name} --version`)],
    ],
    ["allow", patterns(FORMS)],
    ["deny", [...patterns(REFUSED), ...words(GIT_CHANGES).map((verb) => `git* ${verb} *`)]],
    ["allow", patterns(EXCEPTIONS)],
    ["deny", [...words(NEVER).map((name) => `* ${name} *`), 'awk *print* > "*', 'awk *print* >> "*']],
  ];
  return Object.fromEntries(
    rules.flatMap(([verdict, list]) => list.map((pattern) => [pattern, verdict] as const)),
  );
}

function words(text: string): string[] {
  return text.trim().split(/\s+/u);
}

function patterns(text: string): string[] {
  return text.trim().split(/\s*(?:\||\n)\s*/u);
}
