import { leading, textOf } from "../shell/arg.ts";
import { onlyMatching } from "./forms.ts";
import { optionReader, withOptions } from "./options.ts";
import type { Program } from "./program.ts";

const DATE = optionReader({
  short: "uRjn d: r: f: v: I?",
  long: "date= reference= file= utc universal rfc-2822 rfc-email iso-8601? rfc-3339= debug help version",
});

/** An operand that is no format sets the clock; BSD's `-j` says not to. */
const date: Program = ({ args }) => {
  const options = DATE(args);
  if ("problem" in options) return options.problem;
  const formats = options.operands.every((arg) => !arg.many && leading(arg).startsWith("+"));
  return formats || options.given.has("j") ? undefined : "date sets the clock";
};

const SLEEP_LIMIT_SECONDS = 300;

const sleep: Program = ({ args }) => {
  const seconds = args.map((arg) => /^(\d+(?:\.\d+)?)s?$/u.exec(textOf(arg) ?? "")?.[1]);
  const bounded = seconds.every((text) => text !== undefined && Number(text) <= SLEEP_LIMIT_SECONDS);
  return bounded
    ? undefined
    : `sleeps longer than ${SLEEP_LIMIT_SECONDS} seconds, or for how long is not known`;
};

/** `ip` abbreviates its verbs, so only the ones that show are known. */
const ip: Program = ({ args }) => {
  const words = args.map((arg) => textOf(arg) ?? "");
  const rest = words.filter(
    (word) =>
      !/^-(?:[0-9a-z]|br|brief|json|color(?:=\w+)?|details|stats|statistics|oneline|pretty)$/u.test(word),
  );
  const [object = "", verb = "show"] = rest;
  const shows = /^(?:show|list|ls|lst|get)$/u.test(verb) || (verb === "dev" && rest.length === 3);
  const known = /^(?:a|addr|address|l|link|r|route|n|neigh|neighbor|rule|maddr|mroute|tunnel)$/u.test(object);
  const batch = words.some((word) => /^-(?:b|ba|bat|batch|n|net|netns|force)$/u.test(word));
  return known && shows && !batch ? undefined : "ip changes the network here";
};

const man: Program = ({ args }) => {
  const pages = args.every((arg) => /^(?:-[kf]|\d|[A-Za-z][\w.+-]*)$/u.test(textOf(arg) ?? ""));
  return pages ? undefined : "man may run a pager or a browser of the caller's choice";
};

/** Programs that show the system, and the arguments that keep them from changing it. */
export const systemTools: ReadonlyMap<string, Program> = new Map<string, Program>([
  ["date", date],
  ["sleep", sleep],
  ["ip", ip],
  ["man", man],
  ["apropos", man],
  ["whatis", man],
  [
    "hostname",
    onlyMatching(
      /^-[fsidIAy]+$|^--(?:fqdn|short|ip-address|all-ip-addresses|domain|long)$/u,
      "hostname sets the name",
    ),
  ],
  ["arch", onlyMatching(/^$/u, "arch runs a program")],
  ["ifconfig", onlyMatching(/^(?:-a|[a-z]+\d+)$/u, "ifconfig changes the network", 1)],
  [
    "ss",
    onlyMatching(
      /^(?:-[tulnpaeiomrsxwd460HOZz]+|sport|dport|=|:\d+)$/u,
      "ss has an option here that is not known to be harmless",
    ),
  ],
  [
    "lsof",
    onlyMatching(
      /^(?:-[nPtlabORw]+|-i(?:[46]?(?:tcp|udp)?(?:@[\w.]+)?(?::[\d,-]+)?)?|-[pcu]|-sTCP:LISTEN|:\d+|tcp:\d+|tcp|udp|\w+)$/iu,
      "lsof has an option here that is not known to be harmless",
    ),
  ],
  ["wait", onlyMatching(/^(?:-n|-f|%?\d+|%[-+%])$/u, "wait sets a variable")],
  ["hash", onlyMatching(/^[\w.+][\w.+-]*$/u, "hash changes where commands are found")],
  ["crontab", onlyMatching(/^-l$/u, "crontab changes the table")],
  ["umask", onlyMatching(/^-S$/u, "umask changes what later files may be")],
  ["ulimit", onlyMatching(/^-[aHS]+$|^-[a-z]$/u, "ulimit changes a limit")],
  ["dmesg", onlyMatching(/^-[TxkutLe]+$/u, "dmesg has an option here that is not known to be harmless")],
  [
    "journalctl",
    withOptions({
      short: "axeqrkf u: n: p: t: o: S: U: b?",
      long: "unit= lines= since= until= priority= identifier= output= no-pager reverse catalog all boot? dmesg follow no-hostname utc user system list-boots disk-usage grep=",
      digits: false,
    }),
  ],
  [
    "top",
    onlyMatching(
      /^(?:-[bn1HcSw]+\d*|-l|\d+|-[pou]|\w+)$/u,
      "top has an option here that is not known to be harmless",
    ),
  ],
]);
