import { type Arg, leading, literal, shown, textOf } from "../shell/arg.ts";
import type { StdinSource } from "../shell/walk-state.ts";
import { deletion, looksLikeDeletion } from "./deletion.ts";
import { devices } from "./devices.ts";
import { infrastructure } from "./infrastructure.ts";
import { gitCarried } from "./git-carried.ts";
import { inlineCode } from "./inline-code.ts";
import { power } from "./power.ts";
import { push } from "./push.ts";
import type { DangerRule, Suspect } from "./rule.ts";

const RULES: Readonly<Record<string, DangerRule>> = { ...deletion, ...infrastructure, ...push };

/** Names worth looking at wherever they stand among the arguments of a program that is not known. */
const CARRIED =
  /^(?:rm|unlink|rimraf|srm|find|chmod|chown|dd|mkfs(?:\..+)?|wipefs|shred|terraform|tofu|terragrunt|kubectl|git|jj|sh|bash|dash|zsh|ash|systemctl|kill|diskutil)$/u;
/** Programs whose arguments are another command, so that even `sudo` among them is meant. */
const CARRIER =
  /^(?:setsid|busybox|toybox|chroot|unshare|nsenter|strace|ltrace|flock|parallel|ssh|script|screen|tmux|systemd-run|taskset|chrt|xvfb-run|dbus-run-session|fakeroot|proot|unbuffer|expect|entr|nodemon|caffeinate|at|batch|setarch|linux64|cpulimit|firejail|bwrap|npx|pnpx|bunx|docker|podman|time|nohup|cmd|powershell|pwsh|wsl)$/u;
/** Arguments after which git runs a command of the caller's. */
const GIT_CARRIES = /^(?:foreach|--exec(?:=.*)?|-x|run)$/u;

/** The name a program goes by: its file name, in lower case because some file systems do not tell cases apart. */
function nameOf(arg: Arg | undefined): string {
  const text = textOf(arg) ?? "";
  const name = text.slice(text.lastIndexOf("/") + 1).toLowerCase();
  return name.endsWith(".exe") ? name.slice(0, -4) : name;
}

function check(suspect: Suspect): string | undefined {
  const { name } = suspect;
  if (name === "") return looksLikeDeletion(suspect);
  const rule = Object.hasOwn(RULES, name) ? RULES[name] : undefined;
  return power(suspect) ?? rule?.(suspect) ?? devices(suspect) ?? inlineCode(suspect, scanText);
}

/**
 * What no mode allows about one command, wherever it may run; undefined when nothing is found.
 * @param folders where it may run, as `Scope.folders`
 */
export function findDanger(
  argv: readonly Arg[],
  folders: readonly string[],
  stdin: StdinSource = () => undefined,
): string | undefined {
  return check({ name: nameOf(argv[0]), args: argv.slice(1), folders, stdin });
}

const MAX_CARRIED = 40;

/**
 * Looks for a dangerous command among the arguments of a program that is not known to be read-only, because it may
 * run them.
 * @param script is told of source that a shell among them would run
 * @param stdin what the program is fed, which the likes of `at` and `ssh` run too
 */
export function findCarried(
  argv: readonly Arg[],
  folders: readonly string[],
  script: (source: string) => void,
  stdin: StdinSource = () => undefined,
): string | undefined {
  const first = nameOf(argv[0]);
  const texts = argv.slice(0, MAX_CARRIED).map((arg) => textOf(arg) ?? shown(arg));
  const carrier =
    CARRIER.test(first) || (first === "git" && texts.slice(1, 8).some((text) => GIT_CARRIES.test(text)));
  if (first === "git") for (const source of gitCarried(argv.slice(1))) script(source);
  const fed = carrier ? stdin()?.text : undefined;
  if (fed !== undefined) script(fed);
  for (const [index, arg] of argv.slice(0, MAX_CARRIED).entries()) {
    const name = nameOf(arg);
    if (index === 0) continue;
    const text = textOf(arg) ?? shown(arg);
    if (carrier && /\s/u.test(text)) script(text);
    if (!carrier && !CARRIED.test(name)) continue;
    const [flags, source] = [argv[index + 1], argv[index + 2]];
    if (
      /^(?:ba|da|z|a)?sh$/u.test(name) &&
      flags !== undefined &&
      source !== undefined &&
      /^-\w*c/u.test(leading(flags))
    )
      script(shown(source));
    const found = name === "" ? undefined : findDanger(argv.slice(index), folders);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Characters of a text that are searched. */
export const MAX_SCANNED = 64 * 1024;
const MAX_SEGMENT = 64;
/** Words behind which a command begins. */
const STARTING =
  /\b(?:then|do|else|exec|eval|env|xargs|nohup|time|command|cmd(?:\.exe)?\s+\/{1,2}[ck]|(?:powershell|pwsh)(?:\.exe)?\s+-c\w*)\b/iu;

/**
 * A cheap look at source that cannot be followed: it is cut at everything that may begin a command, its quotes are
 * dropped, and each stretch is checked as if it were one. Finds less than a parse and sometimes more.
 */
export function scanText(source: string): string | undefined {
  const dense = source.slice(0, MAX_SCANNED).replaceAll(/\s/gu, "");
  const bomb = dense.indexOf(":(){");
  if (bomb !== -1 && dense.includes(":|:", bomb)) return "multiplies itself without end";
  const plain = source.slice(0, MAX_SCANNED).replaceAll(/["'\\]/gu, "");
  // What is said again is looked at once.
  const lines = new Set(plain.split(/\$\(|[;&|\n(){}`]/u));
  for (const stretch of new Set([...lines].flatMap((line) => line.trim().split(STARTING)))) {
    const words = stretch
      .trim()
      .split(/\s+/u)
      .slice(0, MAX_SEGMENT)
      .map((word) =>
        /^[~]|^\$\{?HOME\}?/u.test(word) ? word.replace(/^(?:~|\$\{?HOME\}?)/u, "/home/user") : word,
      );
    const start = words.findIndex((word) => !/^\w+=/u.test(word) && word !== "");
    if (start === -1) continue;
    const found = findDanger(
      words.slice(start).map((word) => literal(word)),
      [""],
    );
    if (found !== undefined) return found;
  }
  return undefined;
}
