/** Questions about a machine, its network, its services and its packages. */
export const machineTools = String.raw`
  sleep /(?:[12]?\d?\d(?:\.\d+)?|300)s?/* => read
  ip [-0 -4 -6 -a -c -d -h -j -o -p -r -s -t -br -rc -brief --brief -human-readable --human-readable -json -color? -details -stats -statistics -oneline -pretty]
    a|addr|address|l|link|r|route|n|neigh|neighbor|ru|rule|m|maddr|maddress|mroute|tunnel|tunt|tuntap|netc|netconf|st|stats (show F*|list F*|ls F*|lst F*|get F*|dev F)?
    => read
  ip mo|monitor /[a-z]+/? => read
  ip netns (list|identify N?|pids I)? => read
  man|apropos|whatis [-k -f] /\d|[A-Za-z][\w.+-]*/* => read
  hostname [-{fsidIAy} --fqdn --short --ip-address --all-ip-addresses --domain --long] => read
  arch => read
  ifconfig [-a] /[a-z]+\d+/? => read
  arp [-{an}] => read
  route [-n] (get W)? => read
  ss [-{tulnpaeiomrsxwd460HOZz}] /sport|dport|=|:\d+/* => read
  lsof [-{nPtlabORw} -i?/(?:[46]?(?:tcp|udp)?(?:@[\w.]+)?(?::[\d,-]+)?)?/i -p=/\w+/ -c=/\w+/ -u=/\w+/ -s?/(?:TCP:LISTEN)?/i]
    /:\d+|tcp:\d+|\w+/i* => read
  wait [-n -f] /%?\d+|%[-+%]/* => read
  hash /[\w.+][\w.+-]*/* => read
  crontab -l => read
  umask [-S] => read
  ulimit [-{aHSbcdefiklmnpqrstuvwxPRT}] => read
  dmesg [-{TxkutLe}] => read
  fuser [-{amnuv46}] W* => read
  journalctl [-{axeqrkf} -u= -n= -p= -t= -o= -S= -U= -b? --unit= --lines= --since= --until= --priority= --identifier=
    --output= --no-pager --reverse --catalog --all --boot? --dmesg --follow --no-hostname --utc --user --system
    --list-boots --disk-usage --grep=] F* => read
  top [-{b1HcS} -l -n=N -w=N -p=/\w+/ -o=/\w+/ -u=/\w+/] /\w+/* => read
  service W status => read
  service --status-all => read
  hostnamectl status? => read
  timedatectl (status|show|list-timezones|timesync-status)? => read
  localectl (status|/list-\w+/)? => read
  loginctl (list-sessions|list-users|list-seats|/(?:session|user)-status/ I)? => read
  resolvectl (status|statistics|query I)? => read
  systemd-analyze (blame|time|critical-chain)? => read
  systemctl [--user --system --no-pager --all --failed] => read
  systemctl [--user --system --no-pager --all --failed] (status|show|cat|list-units|list-unit-files|list-timers
    |list-sockets|list-dependencies|is-active|is-enabled|is-failed|get-default) ... !-H !--host !-M !--machine => read
  ping -c=N [-{46nq} -W=N -w=N -t=N -i=/[1-9]\d*/] I => read
  dig [-4 -6 -x -t] /\+\w+(?:=\d+)?|@[\w.:-]+|\w[\w.:-]*/+ => read
  host [-{46av} -t=I] I I? => read
  nslookup [-type=/\w+/ -query=/\w+/ -q=/\w+/] I I? => read
  whois I => read
  traceroute [-{46n}] I => read
  nc -z [-{vn46} -w=N] I /\d[\d-]*/+ => read
  ssh-add (-l|-L) => read
  ssh-keygen -l -f=W [-{v}] => read
  ssh-keygen -F=/[\w.:[\]-]+/ => read
  screen (-ls|-list) => read
  mount [-l -t=/[\w,]+/] => read
  stty [-a -g] (size|speed)? => read
  tput (cols|lines|colors|longname|bold|dim|smul|rmul|rev|sgr0|setaf N|setab N) => read
  mktemp (-u|--dry-run) [-d] => read
  jobs [-{lnprs}] => read
  history N? => read
  fc -l [-{nr0-9}] N* => read
  nvidia-smi [-L -q -i=N --query-gpu=/[\w.,]+/ --query-compute-apps=/[\w.,]+/ --format=/[\w,]+/] => read
  nvidia-smi topo -m => read
  nvidia-smi pmon -c=N => read
  snap (list|info|find|version|changes|services|connections) I? => read
  flatpak (list|info|search|remotes|history) I? => read
  pacman -Q [-{cdegiklmnopqstu}] W* => read
  pacman -S (-s|-i|-l) [-{q}] W* => read
  rpm -q [-{ailcdfpRs} --last --provides --requires --changelog --info --list] /[^%]+/* => read
  dnf|yum list|info|search|repolist|provides [--installed --available] W* => read
  dnf|yum history list|info [--installed --available] W* => read
  dpkg (-l|-L|-s|-S) W* => read
  dpkg-query [-{WlLSsp} -f=/\S+/ --show --showformat=/\S+/] W* => read
  apk (info|list|search|policy|version) [-{aveLdi} --installed] W* => read
  apt list|show|search|policy ... !-o !-c !--option !--config => read
  apt-cache policy|show|search|depends|rdepends|madison ... !-o !-c !--option !--config => read
  brew -v => read
  brew -- (--prefix|--cellar|--caskroom|--repo|--repository|--cache|--env|--config|--taps)
    [--formula --cask --build-from-source --force-bottle -s --HEAD --installed --unbrewed] W* => read
  brew -S=W => read
  brew (list|ls|info|deps|uses|leaves|config|search|desc|services list|services info|tap-info|formulae|casks|outdated|missing
    |doctor|dr|options|log|cat|commands|help|shellenv|analytics state)
    ... !--github !/\/.*\// => read
  brew analytics => read
  brew (cleanup|autoremove) (-n|--dry-run) [--prune= -s] W* => read
  apt|apt-get (-s|--simulate|--dry-run|--just-print|--no-act|--recon) [-y -q -qq --yes --quiet --no-install-recommends --only-upgrade]
    (install|upgrade|dist-upgrade|full-upgrade|remove|purge|autoremove) W* => read
  # What is evaluated is the project's, and what is built lies in the store; other options let it reach further.
  nix (eval|build|log|path-info|why-depends|search|fmt|derivation show|flake (show|metadata|info|check|update|lock))
    [-{LrsShkv} -j= --print-build-logs --json --raw --no-link --print-out-paths --dry-run --show-trace --offline --refresh --no-write-lock-file
    --all-systems --keep-going --max-jobs= --cores= --verbose --quiet --recursive --size --closure-size --human-readable --derivation --apply=]
    /(?!(?!path:)[a-z+]+:).*/* => project
  nix-instantiate (--parse) L* => read
  # A Brewfile is a program.
  brew bundle check|list ... => project
  ufw status (verbose|numbered)? => read
  iptables|ip6tables (-L|-S) [-{nvx} -t=I --line-numbers] I? => read
  nft list ... !-f !--file !-i => read
  firewall-cmd (--state|--list-all|--list-ports|--list-services|--get-zones|--get-active-zones) [--zone=I --permanent] => read
  launchctl (list|print|print-cache|print-disabled|blame|plist|procinfo|hostinfo|resolveport|dumpstate|dumpjpcategory|managerpid
    |manageruid|managername|error|variant|version|help) W* => read
  defaults [-currentHost -host=I] domains|help => read
  defaults [-currentHost -g -app=W -host=I] read|read-type|find W* => read
  dscl (-read|-readall|-list|-search|-diff) [-plist -raw -url -q] /\.|localhost|\/\S+/ /\/\S*/ W* => read
  dscl [-plist -raw -url -q] /\.|localhost|\/\S+/ (read|readall|list|search|diff) /\/\S*/ W* => read
  xattr [-{plxrsvh}] W* => read
  sysctl [-{aAbdehiNnoqxX}] /[a-z][\w.-]*/* => read
  plutil (-p|-lint) W+ => read
  plutil -- -convert=/\w+/ -o=/-/ W => read
  plutil -extract=W /\w+/ -- -o=/-/ W => read
  mdls [-name -raw] W+ => read
  mdutil -s W? => read
  xcode-select (-p|--print-path|-v) => read
  xcodebuild (-version|-showsdks) => read
  xcrun (--show-sdk-path|--show-sdk-version|--show-sdk-platform-path) [--sdk=I] => read
  xcrun (-f=I|--find=I) [--sdk=I] => read
  xcrun simctl list I* => read
  codesign (-d|-v|--verify|--display) [-{dv} --verbose? --deep --strict --entitlements=/:?-/] W+ => read
  codesign (-h|--validate-constraint) W+ => read
  security find-identity [-v -p] /\w+/* => read
  # Attributes of what a keychain holds; -w, -g and -d show the secrets themselves.
  security (help|error|list-smartcards|show-keychain-info|get-identity-preference|verify-cert|requirement-evaluate|find-certificate|find-key
    |find-generic-password|find-internet-password|/translocate-(?:\w+-check|original-path)/)
    ... !/^-[a-z]*[dgw]/ => read
  security dump-trust-settings [-d -s] => read
  spctl (--status|--disable-status) => read
  spctl (-a|--assess) [-{vt} --verbose] W+ => read
  lipo (-info|-archs|-detailed_info) W+ => read
  diskutil (list|info|apfs list) [-plist -all] W* => read
  scutil (--dns|--proxy|--nwi|--get=I|-r=I) [-W] => read
  networksetup ... !/^-(?!(?:list|get|show|is)[A-Za-z\d]+$|version$|help$|printcommands$)/ => read
  pmset -g I? => read
  softwareupdate (-l|--list|--history) => read
  sips -g=I W => read
`;
