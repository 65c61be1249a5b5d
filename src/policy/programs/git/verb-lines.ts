const LISTING = `--sort= --format= --color? --no-color --column? --no-column --ignore-case`;
const SELECTING = "--list|--contains=|--no-contains=|--merged?|--no-merged?|--points-at=";
const BRANCH = `-{arviq} --all --remotes --verbose --show-current --abbrev? --no-abbrev --quiet ${LISTING}`;
const CONFIG = `-z -f --global --system --local --worktree --null --name-only --show-origin --show-scope --show-names
    --includes --no-includes --bool --int --bool-or-int --path --type=/\\w+/ --default= --all --regexp --value= --file?W
    --blob?W`;

/** What a query may be given: any option but those that write a file or run a program, abbreviations included. */
const QUERY = `... !--output !--ext-diff !--textconv !--filters !--open-files-in-pager !--show-signature !--upload-pack
    !--exec !--help !--lost-found !--rewrite !--updateref`;
/** Options in their own right that look like one of those. */
const HARMLESS = `[--text --filter= --output-indicator-new= --output-indicator-old= --output-indicator-context=]`;

/** Git's verbs that can be read-only; a verb that is not here changes the repository. */
export const GIT_VERBS = String.raw`
  status|log|diff|show|shortlog|whatchanged|rev-list|rev-parse|describe|name-rev|blame|annotate|cherry|merge-base|ls-files|ls-tree|show-ref|for-each-ref|show-branch|cat-file|diff-tree|diff-index|diff-files|range-diff|count-objects|check-ignore|check-attr|check-mailmap|check-ref-format|version|var|verify-pack|fsck|patch-id|stripspace|get-tar-commit-id
    ${HARMLESS} ${QUERY} => read
  # Without an option that selects, an operand would be the name of something new.
  branch [-l --list ${BRANCH}] => read
  branch (${SELECTING}) [-{l} ${BRANCH}] F* => read
  tag [-l --list ${LISTING}] => read
  tag (-l|-n?|${SELECTING}) [-{i} ${LISTING}] F* => read
  # config key reads, config key value writes.
  config (--get|--get-all|--get-regexp|--get-urlmatch|--list|-l) [${CONFIG}] W* => read
  config get|list [${CONFIG}] W* => read
  config [${CONFIG}] /[^-].*\..*/s => read
  # A revision may stand where the verb does.
  reflog [-{0-9} -n=N --all --oneline --date= --format= --pretty= --stat --no-abbrev --abbrev? --decorate?] => read
  reflog [-n=N --all --oneline --date= --format= --pretty=] (show|list|exists|/(?:HEAD|stash).*/|main|master|N|/.*[\/@{].*/)
    ${QUERY} => read
  symbolic-ref [-q --quiet --short --recurse --no-recurse] W => read
  remote [-v --verbose] => read
  remote [-v --verbose] show|get-url ${QUERY} => read
  stash list|show ${HARMLESS} ${QUERY} => read
  worktree list ${QUERY} => read
  notes [--ref=] => read
  notes [--ref=] list|show ${QUERY} => read
  submodule [--quiet -q] => read
  submodule [--quiet -q] status|summary ${QUERY} => read
  bisect log|terms ${QUERY} => read
  bundle verify|list-heads ${QUERY} => read
  lfs ls-files|env|version|status|locks ${QUERY} => read
  rerere status|diff|remaining ${QUERY} => read
  sparse-checkout list ${QUERY} => read
  grep [-{aiIwvhHFGEPlLzcpWnoqr0-9} -e= -f= -A= -B= -C= -m= --cached --untracked --no-index --recurse-submodules --text
    --ignore-case --word-regexp --invert-match --full-name --extended-regexp --basic-regexp --perl-regexp --fixed-strings
    --line-number --column --files-with-matches --name-only --files-without-match --null --only-matching --count
    --all-match --quiet --max-depth= --max-count= --context= --after-context= --before-context= --function-context
    --show-function --heading --break --and --or --not --threads= --color? --no-color --exclude-standard] F* => read
  # The address of a remote, and the format of an archive, may run a program.
  ls-remote [-{hqt} --heads --tags --branches --refs --quiet --exit-code --get-url --symref --sort=]
    /[\w.\/*-]+|https:\/\/[\w.\/@:~-]+/* => read
  archive [-{lv} --list --format=/tar|zip/ --prefix= --verbose] F* => read
  # Changes that are only tried out.
  apply (--check|--stat|--numstat|--summary) [-{vR} -p= -C= --verbose --reverse] F* => read
  clean (-n|--dry-run) [-{dxXqf} -e= --exclude= --quiet --force] F* => read
  prune (-n|--dry-run) [-v --verbose] => read
  add (-n|--dry-run) [-{vAu} --verbose --all --update] F* => read
  rm (-n|--dry-run) [-{rq} --cached --quiet] F* => read
  mv (-n|--dry-run) [-{vk} --verbose] F* => read
  hash-object [-{t} --stdin --no-filters --path=] F* => read
  # Changes: first what throws work away, then what the history holds, then what reaches others.
  reset ... !--hard !--merge => history
  clean|prune|filter-branch|filter-repo * => lossy
  checkout -b ... !/^-[a-zA-Z]*f/ !--force => history
  checkout -b=/[^-].*/ [-{ql} --quiet --track? --no-track --progress --no-progress --recurse-submodules?] F? => history
  # What looks like a branch, and not like a file or the folder of one.
  checkout [-q --quiet --track? --detach --orphan -d -t --progress --no-progress --guess --no-guess
    --recurse-submodules? --conflict=/merge|diff3|zdiff3/]
    (-|/(?![:.*])(?!.*[*?])(?!.*\.[A-Za-z]\w{0,4}$)(?!.*\/$)(?!(?:src|lib|test|tests|Makefile|Dockerfile|LICENSE|README)$)\S+/)
    => history
  switch ... !/^-[a-bd-zA-BD-Z]*f/ !--force !--discard-changes => history
  restore (--staged|-S) [-q --quiet --source=] F* => project
  checkout|switch|restore|reset * => lossy
  stash drop|clear ... => lossy
  lfs migrate|prune ... => lossy
  lfs lock|unlock ... => outside
  reflog expire|delete ... => lossy
  gc ... !--prune !--aggressive => project
  # What -d deletes of branches is merged.
  branch (-d|--delete) [-q --quiet -r --remotes] F* => history
  branch|tag ... !/^-[avrqlins]*[dDfMC]/ !--delete !--force => history
  worktree (add|move|lock|unlock|repair|remove) ... !/^-[a-zA-Z]*f/ !--force => project
  worktree add ... => project
  update-ref|symbolic-ref ... !-d !--delete => history
  rm ... !/^-[a-zA-Z]*f/ !--force => project
  submodule update|deinit ... !-f !--force => project
  submodule update|deinit ... => lossy
  checkout-index ... !/^-[a-z]*f/ !--force !--prefix => project
  read-tree ... !--reset !-u => history
  read-tree * => lossy
  bisect ... !/^run$/ => history
  gc|branch|tag|worktree|update-ref|symbolic-ref|rm|checkout-index * => lossy
  commit|commit-tree|merge|rebase|cherry-pick|revert|am|stash|notes|fetch|pull|replace|rerere|merge-file|write-tree|update-index|pack-refs|repack|fast-import|mktag|mktree
    ... !--upload-pack !--exec !-x !--abort !--skip => history
  bundle create> ... => project
  add|mv|apply|init|clone|format-patch|archive|bundle|hash-object|sparse-checkout|submodule|stage|lfs|diff|log|show|grep|mailsplit|pack-objects|index-pack|unpack-objects|fsck|multi-pack-index|commit-graph|request-pull|merge-tree
    ... !--exec !--upload-pack !--ext-diff !--textconv !--open-files-in-pager !-O !/^(?:foreach|push)$/ !--config !-c !--remote => project
  push|send-email|send-pack|http-push|svn|p4|cvsserver|daemon|instaweb|imap-send|credential|remote|config|maintenance|web--browse
    * => outside
`;
