/** OpenCode's own words for what it does with a bash pattern, as far as this table uses them. */
export type TableAction = "allow" | "deny";

/** Programs that read, but for what is refused below. A `?` or `*` stands where each that it fits only reads. */
const PROGRAMS = `
  ?at ?grep awk base* cal cksum cmp column comm cut date df diff dirname du echo expr fd file find fold free getconf
  getent git grep groups hash head hexdump hostname iconv id join journalctl jq last less locale ls lsof man md5* more
  netstat nl nm nproc objdump od paste printenv printf ps pstree pwd read* realpath rev rg sed seq set sha*sum shuf
  sleep sort ss stat strings tac tail test top tr tr?e type uname uniq uptime vmstat wc whereis which who* xargs xxd
  yq zcat zipinfo : bc break continue dirs exit false help lscpu times w yes
`;
/** Any program that is named in one word may say its version, with no other argument. */
const VERSION = "* --version";
const NOT_ONLY_VERSION = "* * --version|*/* --version|*$* --version|*>* --version";
/** Programs that do much, in the forms in which they only ask. */
const FORMS = `
  env|node -v|npm -v|php -v|java -version|python -V|python3 -V|crontab -l|command -v *|bash -n *|node --check *
  node -p "require('./package.json')*|node -p "process.*|node -p process.*|python3 -m json.tool *|python3 -m pip list *
  tee /dev/null|time ls *|time find *|time git *|timeout * find *|timeout * git *|timeout * grep *|timeout * rg *|timeout * tail *|/bin/ls *|/usr/bin/git *|LC_ALL=C *sort *
  GIT_PAGER=cat git *|NO_COLOR=1 git *|TZ=* date *|IFS=* read *|brew list *|brew info *|apt show *|apt list *
  apt-cache *|dpkg -s *|dpkg -l *|ulimit -a|umask|alias|shopt|dmesg|cargo tree *|gh api *|gh search *|gh * checks *
  gh * diff *|gh * list *|gh * view *|gh * status *|go version|go doc *|go env *|go list *|ifconfig *|ip a|ip addr
  ip -4 a*|ip route *|ip * show *|docker* images *|docker* inspect *|docker* logs *|docker* ?s *|docker* top *
  docker info|docker version|docker history *|docker stats *|jj *log *|jj st*|jj diff *|jj *show *|jj * list *
  kubectl* get*|kubectl* describe *|kubectl* logs *|kubectl* top *|kubectl config current-context|kubectl config view
  kubectl explain *|kubectl api-resources *|kubectl version *|kubectl cluster-info|npm audit --json|npm * get *|npm ls *
  npm *list *|npm why *|npm explain *|npm prefix *|npm outdated *|npm root *|npm run|npm view *|pip* list *|pip* show *
  pip* freeze *|pnpm ls *|pnpm list *|pnpm outdated *|pnpm why *|yarn info *|yarn why *|systemctl *status *
  systemctl *list-*|systemctl is-*|tar t*|tar -t*|tar --list *|gunzip -c *|gzip -dc *|gzip -l *|xz -dc *|unzip -l *
  unzip -p *|unzip -Z*|openssl version|terraform version|terraform state list *
`;
/** Redirections to files. */
const REDIRECTIONS = "* >*|*>>*|*&>*|* 1>*";
/** Those that go nowhere, and those that are text between quotes. */
const NO_REDIRECTIONS = `
  command -v * >*/dev/null*|git* >*/dev/null*|grep* >*/dev/null*|jq* >*/dev/null*|ls* >*/dev/null*|which* >*/dev/null*
  awk *'*$* >*' *|jq *'* >*'*
`;
/** Options and words with which one of the above writes or runs something. */
const REFUSED = `
  *--output*|*--exec*|* sh -*|* bash -*|*system(*|awk *"sh"*|fd* -x*|fd* -X*|find *-delete*
  find *-execdir*|find *-ok*|find *-fprint*|find *-fls*|gh api* -*|go env *-w*|jj * -m*|man *-P*|rg *--pre*|sort *-o*|sed -i*|* sed -i*|sed * -i*
  sed -?i*|sed *--in-p*|tar *--to-command*|tar *--use-compress*|tree *-o*|yq *-i*|*pager=*|git -c alias*|git* -O*
  git *--ext-d*|git *--textconv*|git *--upl*|git* branch -d*|git* branch -D*|git* branch -f*|git* branch -m*
  git* tag -a*|git* tag -d*|git* tag -f*|git* notes remove *|git* reflog d*|git* reflog expire *|git* update-*
`;
/** Commands of git that change a repository, a checkout or a remote, wherever they stand behind its own options. */
const GIT_CHANGES = `
  add am apply bisect checkout cherry-pick clean clone commit config fetch gc init merge prune pull push rebase remote replace reset
  restore revert stash submodule switch symbolic-ref worktree
`;
/** What is allowed after all. */
const EXCEPTIONS = `
  gh api * --jq *|git bisect log|git* config *--get*|git* config *--list *|git* config -l *
  git* config user.name|git* config user.email|git config core.bare|git* remote|git* remote -v|git* remote get-url *
  git* remote show *|git* stash list *|git* stash show *|git* submodule status *|git* symbolic-ref --short HEAD
  git* symbolic-ref refs/*/HEAD|git* worktree list *
`;
/** What stands in no command that only reads, whatever was said above. */
const NEVER = "sudo rm rmdir mv cp dd ln tee touch chmod chown truncate kill";

/**
 * A static table for OpenCode's own bash permission of read-only agents: the second line of defence behind the engine,
 * and the only one where a user calls a reading specialist by its name from a native session. OpenCode matches it against every command in a line, each by itself, and the last rule that
 * matches wins. It allows by the name of the program and refuses plain harm; all finer distinctions are the engine's.
 */
export function readOnlyBashRules(): Record<string, TableAction> {
  const rules: [TableAction, readonly string[]][] = [
    ["deny", ["*"]],
    ["allow", [VERSION]],
    ["deny", patterns(NOT_ONLY_VERSION)],
    ["allow", words(PROGRAMS).map((name) => `${name} *`)],
    ["allow", patterns(FORMS)],
    ["deny", patterns(REDIRECTIONS)],
    ["allow", patterns(NO_REDIRECTIONS)],
    ["deny", [...patterns(REFUSED), ...words(GIT_CHANGES).map((verb) => `git* ${verb} *`)]],
    ["allow", patterns(EXCEPTIONS)],
    ["deny", [...words(NEVER).map((name) => `* ${name} *`), 'awk *print*> "*']],
  ];
  return Object.fromEntries(
    rules.flatMap(([action, list]) => list.map((pattern) => [pattern, action] as const)),
  );
}

function words(text: string): string[] {
  return text.trim().split(/\s+/u);
}

function patterns(text: string): string[] {
  return text.trim().split(/\s*(?:\||\n)\s*/u);
}
