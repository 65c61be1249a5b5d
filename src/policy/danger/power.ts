import { shown } from "../shell/arg.ts";
import type { DangerRule, Suspect } from "./rule.ts";

const ESCALATION =
  /^(?:sudo|sudoedit|sudo-rs|su|doas|pkexec|run0|runuser|gosu|su-exec|setpriv|gksu|gksudo|kdesu|kdesudo|dzdo|pfexec|calife|runas|visudo|vipw|psexec)$/u;
const POWER = /^(?:shutdown|reboot|halt|poweroff|telinit|kexec|stop-computer|restart-computer)$/u;
const SYSTEMD =
  /^(?:poweroff|reboot|halt|kexec|suspend|hibernate|hybrid-sleep|suspend-then-hibernate|soft-reboot|emergency|rescue|exit|switch-root)$/u;
const TARGET =
  /^(?:poweroff|reboot|halt|rescue|emergency|shutdown|runlevel[016]|suspend|hibernate)(?:\.target)?$/u;

const systemctl: DangerRule = ({ args }) => {
  const words = args.map((arg) => shown(arg)).filter((text) => !text.startsWith("-"));
  const [verb = "", ...units] = words;
  const stops =
    SYSTEMD.test(verb) || (/^(?:isolate|start)$/u.test(verb) && units.some((unit) => TARGET.test(unit)));
  return stops ? "turns the machine off, restarts it or takes it out of service" : undefined;
};

const init: DangerRule = ({ args }) =>
  args.some((arg) => /^[06sS]$/u.test(shown(arg))) ? "turns the machine off or restarts it" : undefined;

/** Process -1 is every process that the user may signal, process 1 the one that holds up all others. */
const kill: DangerRule = ({ args }) => {
  const words = args.map((arg) => shown(arg));
  const start = /^-[\dA-Z]/u.test(words[0] ?? "") ? 1 : /^(?:-s|-n|--signal)$/u.test(words[0] ?? "") ? 2 : 0;
  const asks = /^-(?:0|l|L)$/u.test(words[0] ?? "");
  const everything = words.slice(start).includes("-1") || (words.includes("--") && words.at(-1) === "-1");
  const first = words.slice(start).includes("1");
  return !asks && (everything || first)
    ? "ends every process, or the one that holds up all others"
    : undefined;
};

function shownWords({ args }: Suspect): string {
  return args.map((arg) => shown(arg)).join(" ");
}

const launchctl: DangerRule = ({ args }) =>
  args.some((arg) => /^(?:reboot|shutdown)$/u.test(shown(arg)))
    ? "turns the machine off or restarts it"
    : undefined;

/** More rights than the user has, and the machine's power switch. */
export const power: DangerRule = (suspect) => {
  const { name } = suspect;
  if (ESCALATION.test(name)) return `${name} gives a command more rights than you have`;
  if (POWER.test(name)) return `${name} turns the machine off or restarts it`;
  switch (name) {
    case "systemctl":
    case "loginctl":
      return systemctl(suspect);
    case "init":
      return init(suspect);
    case "kill":
      return kill(suspect);
    case "killall5":
      return "ends every process";
    case "launchctl":
      return launchctl(suspect);
    case "busctl":
    case "dbus-send":
    case "gdbus":
      return /login1/u.test(shownWords(suspect)) &&
        /\b(?:Reboot|PowerOff|Halt|KExec)\b/u.test(shownWords(suspect))
        ? "turns the machine off or restarts it"
        : undefined;
    default:
      return undefined;
  }
};
