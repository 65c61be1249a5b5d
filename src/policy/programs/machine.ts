import { inForms, onlyMatching } from "./forms.ts";
import type { Program } from "./program.ts";
import { orVersion } from "./subcommands.ts";

const DNF =
  /^(?:list|info|search|repolist|provides|history list|history info)(?: (?:--installed|--available|[^-\s]\S*))*$/u;

/** Questions about a machine, its network and its services: a pattern for all arguments in a row. */
const FORMS: Readonly<Record<string, RegExp>> = {
  arp: /^(?:-[an]+)?$/u,
  route: /^(?:-n|get \S+|-n get \S+)?$/u,
  service: /^(?:[\w@.-]+ status|--status-all)$/u,
  hostnamectl: /^(?:status)?$/u,
  timedatectl: /^(?:status|show|list-timezones|timesync-status)?$/u,
  localectl: /^(?:status|list-\w+)?$/u,
  loginctl: /^(?:list-sessions|list-users|list-seats|(?:session|user)-status [\w-]+)?$/u,
  resolvectl: /^(?:status|statistics|query [\w.-]+)?$/u,
  "systemd-analyze": /^(?:blame|time|critical-chain)?$/u,
  ping: /^(?=.*-c)(?:(?:-[46nq]+|-[cWwt] ?\d+|-i ?[1-9]\d*) )*[\w.:-]+$/u,
  dig: /^(?:(?:\+\w+(?:=\d+)?|@[\w.:-]+|-[46]|-x|-t|\w[\w.:-]*)(?: |$))+$/u,
  host: /^(?:-[46av]+ |-t \w+ )*\w[\w.:-]*(?: \w[\w.:-]*)?$/u,
  nslookup: /^(?:-(?:type|query|q)=\w+ )?\w[\w.:-]*(?: \w[\w.:-]*)?$/u,
  whois: /^\w[\w.:-]*$/u,
  traceroute: /^(?:-[46n]+ )*\w[\w.:-]*$/u,
  nc: /^(?=.*-\w*z)(?:-[zvn46]+ |-w ?\d+ )+[\w.:-]+(?: [\d-]+)+$/u,
  "ssh-add": /^-[lL]$/u,
  "ssh-keygen": /^-lv?f \S+$|^-l -f \S+$|^-F [\w.:[\]-]+$/u,
  screen: /^-(?:ls|list)$/u,
  mount: /^(?:-l)?(?: ?-t [\w,]+)?$/u,
  stty: /^(?:-a|-g|size|speed)?$/u,
  tput: /^(?:cols|lines|colors|longname|bold|dim|smul|rmul|rev|sgr0|setaf \d+|setab \d+)$/u,
  mktemp: /^(?:-d )?(?:-u|--dry-run)$/u,
  jobs: /^(?:-[lnprs]+)?$/u,
  history: /^\d*$/u,
  fc: /^-l[nr]*(?: -?\d+){0,2}$/u,
  "nvidia-smi": /^(?:(?:-L|-q|-i \d+|--query-[\w-]+=[\w.,]+|--format=[\w,]+|topo -m|pmon -c \d+)(?: |$))*$/u,
  snap: /^(?:list|info|find|version|changes|services|connections)(?: \w[\w.-]*)?$/u,
  flatpak: /^(?:list|info|search|remotes|history)(?: \w[\w.-]*)?$/u,
  pacman: /^-(?:Q[a-z]*|S[sil]{1,2}q?)(?: [^-\s]\S*)*$/u,
  rpm: /^-q(?:[ailcdfpRs]*)(?: (?:--(?:last|provides|requires|changelog|info|list)|[^-\s%][^\s%]*))*$/u,
  dnf: DNF,
  yum: DNF,
  "dpkg-query": /^(?:(?:-[WlLSsp]|-f=?\S+|--show(?:format=\S+)?|[^-\s]\S*)(?: |$))+$/u,
  apk: /^(?:info|list|search|policy|version)(?: (?:-[aveLdi]+|--installed|[^-\s]\S*))*$/u,
  launchctl: /^(?:list|print)(?: [^-\s]\S*)?$/u,
  defaults: /^(?:-currentHost )?(?:domains|(?:read|read-type|find)(?: (?:-g|[^-\s]\S*))*)$/u,
  sysctl: /^(?:-[aAbdehiNnoqxX]+(?: |$))*(?:[a-z][\w.-]*(?: |$))*$/u,
  plutil: /^-(?:p|lint)(?: [^-\s]\S*)+$|^-(?:convert \w+|extract [^-\s]\S* \w+) -o - [^-\s]\S*$/u,
  mdls: /^(?:(?:-name|-raw|[^-\s]\S*)(?: |$))+$/u,
  mdutil: /^-s(?: [^-\s]\S*)?$/u,
  "xcode-select": /^(?:-p|--print-path|-v)$/u,
  xcodebuild: /^-(?:version|showsdks)$/u,
  xcrun:
    /^(?:--sdk \w+ )?(?:--show-sdk-(?:path|version|platform-path)|(?:-f|--find) [\w+-]+)$|^simctl list(?: \w+)*$/u,
  codesign: /^(?:-dv*|-v+|--verify|--display)(?: (?:-v+|--verbose(?:=\d)?|--deep|--strict|[^-\s]\S*))+$/u,
  security: /^find-identity(?: (?:-v|-p|\w+))*$/u,
  spctl: /^--status$|^(?:-av*|--assess)(?: (?:-v+|--verbose|-t|[^-\s]\S*))+$/u,
  lipo: /^-(?:info|archs|detailed_info)(?: [^-\s]\S*)+$/u,
  diskutil: /^(?:list|info|apfs list)(?: (?:-plist|-all|external|internal|physical|[^-\s]\S*))*$/u,
  scutil: /^--(?:dns|proxy|nwi|get \w+)$/u,
  networksetup: /^-(?:list|get)\w+(?: [^-\s]\S*)*$/u,
  pmset: /^-g(?: \w+)?$/u,
  softwareupdate: /^(?:-l|--list|--history)$/u,
  sips: /^(?:-g \w+ )+[^-\s]\S*$/u,
};

/** Programs about the machine with the questions that they answer without changing it. */
export const machineTools: ReadonlyMap<string, Program> = new Map<string, Program>([
  ...Object.entries(FORMS).map(([name, pattern]): [string, Program] => [name, orVersion(inForms(pattern))]),
  ["fuser", onlyMatching(/^(?:-[amnuv46]+|[^-\s]\S*)$/u, "fuser may end processes")],
]);
